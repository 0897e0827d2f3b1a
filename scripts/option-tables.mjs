// The tables of flags in the pages of docs/. A page has a table between two comments for each of its commands. The
// flags and the first line of their effect come from the definitions; the text after `<br>` belongs to the page. A page
// about many subcommands names their common flags once, between two such comments at the top.
import { flattenCommands } from './command-list.mjs';

const TABLE = /<!-- flags of `tsreg ([^`]+)`[^>]*-->\n([\s\S]*?)<!-- end of flags -->/g;
const SHARED = /<!-- flags of (every command|the program)[^>]*-->\n([\s\S]*?)<!-- end of flags -->/g;
const COMMON = /<!-- flags of all subcommands[^>]*-->\n[\s\S]*?<!-- end of flags -->/;
const USAGE = /^(# .*\n\n|## Flags\n\n)```\n[^`]*```\n/m;

const opening = (name) => `<!-- flags of \`tsreg ${name}\`, by \`npm run reference\` -->`;
const COMMON_OPENING = '<!-- flags of all subcommands, by `npm run reference` -->';
const CLOSING = '<!-- end of flags -->';

const inCell = (text) => text.replaceAll('|', '\\|');

/** Returns the columns of a row of a table. */
export function splitRow(row) {
  return row
    .trim()
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());
}

/** Returns the names of the commands whose flags a page lists. */
export function commandsOnPage(text) {
  return [...text.matchAll(TABLE)].map(([, name]) => name);
}

/** Returns the page's additions to the help of flags, by command and flag: `yank --undo`. */
export function ownWordsOnPage(text) {
  const words = new Map();
  for (const [, name, table] of text.matchAll(TABLE)) {
    for (const [flag, kept] of ownWordsOf(table)) words.set(`${name} ${flag}`, kept);
  }
  return words;
}

/** Returns the additions in one table, by flag. */
function ownWordsOf(table) {
  const words = new Map();
  for (const row of table.split('\n').filter((line) => line.startsWith('| `'))) {
    const [flag, effect] = splitRow(row);
    const kept = effect?.split('<br>').slice(1).join('<br>') ?? '';
    if (flag !== undefined && kept !== '') words.set(keyOf(flag.replaceAll('`', '')), kept);
  }
  return words;
}

/** Removes the usage, which has a separate section on a man page. */
export function withoutUsage(text) {
  return text.replace(USAGE, '$1');
}

/** Returns the key of a flag. It stays the same if only the name of the flag's value changes. */
export function keyOf(term) {
  return /--[\w-]+/.exec(term)?.[0] ?? term.split(' ')[0];
}

/** Returns the row of a flag; `own` is the page's addition to the first line of its effect. */
function rowOf({ term, help, values }, own) {
  const known = values.length === 0 ? '' : ` [possible values: ${values.join(', ')}]`;
  return `| \`${inCell(term)}\` | ${inCell(help + known)}${own === undefined ? '' : `<br>${own}`} |`;
}

/** Returns whether a subcommand has a flag from its main command, whose page explains it. */
function isInherited({ words }, { heading }) {
  return words.length > 1 && heading === 'Storage Options';
}

/** Returns the flags of a subcommand from its main command. */
function inheritedFlags(command) {
  return command.flags.filter((flag) => isInherited(command, flag));
}

/** Returns the sentence that names the flags from the main command; empty without them. `others` do not have them. */
function inheritedLine(command, others = []) {
  const names = inheritedFlags(command).map(({ term }) => `\`${keyOf(term)}\``);
  const last = names.pop();
  if (last === undefined) return '';
  const [main] = command.words;
  const exceptions = others.map(({ name }) => `\`tsreg ${name}\``).join(' and ');
  const end = exceptions === '' ? '' : `, except in ${exceptions}`;
  return `As for [tsreg ${main}](${main}.md#flags), ${names.join(', ')} and ${last} select the registry${end}.\n\n`;
}

function tableOf({ name, flags }, words) {
  const headings = [...new Set(flags.map(({ heading }) => heading))];
  const isPlain = headings.length <= 1;
  const rows = headings.flatMap((heading) => [
    ...(isPlain || heading === 'Arguments' || heading === 'Options' ? [] : [`| **${heading}** | |`]),
    ...flags
      .filter((flag) => flag.heading === heading)
      .map((flag) => rowOf(flag, words.get(`${name} ${keyOf(flag.term)}`))),
  ]);
  return ['', '| flag | effect |', '|---|---|', ...rows, '', ''].join('\n');
}

const SHARED_FLAGS = '[shared flags](shared-flags.md)';

/** Returns the sentence that names the shared flags that are of use to the command. */
function sharedLine({ globalFlags, hasAllGlobalFlags }) {
  if (hasAllGlobalFlags) return `The ${SHARED_FLAGS} work here too.\n`;
  const names = globalFlags.map(({ term }) => `\`${keyOf(term)}\``);
  const last = names.pop();
  if (names.length === 0) return `Of the ${SHARED_FLAGS}, only ${last} is of use here.\n`;
  return `Of the ${SHARED_FLAGS}, ${names.join(', ')} and ${last} are of use here.\n`;
}

/** Returns the sentences about the flags that all `commands` have in common. */
function commonLines(commands) {
  const having = commands.filter((command) => inheritedFlags(command).length > 0);
  const others = commands.filter((command) => !having.includes(command));
  return {
    inherited: having.length === 0 ? '' : inheritedLine(having[0], others),
    shared: sharedLine(commands[0]),
  };
}

/** Returns the table of a command. `common` are the sentences that the page has at the top; null if it has none. */
function blockOf(command, words, common = null) {
  const inherited = inheritedFlags(command);
  const flags = command.flags.filter((flag) => !inherited.includes(flag));
  const table = flags.length === 0 ? '\n' : tableOf({ ...command, flags }, words);
  const shared = sharedLine(command);
  const lines = [
    common === null ? inheritedLine(command) : '',
    common?.shared === shared ? '' : `${shared}\n`,
  ];
  return `${opening(command.name)}\n${table}${lines.join('')}${CLOSING}`;
}

/** Returns the page with its tables and its usage updated from the definitions. `byName` maps names to commands. */
export function updatePage(text, byName) {
  const words = ownWordsOnPage(text);
  const commands = commandsOnPage(text).flatMap((name) => byName.get(name) ?? []);
  const common = COMMON.test(text) ? commonLines(commands) : null;
  const updated = text
    .replace(COMMON, () => `${COMMON_OPENING}\n\n${common.inherited}${common.shared}\n${CLOSING}`)
    .replace(TABLE, (_, name) => {
      const command = byName.get(name);
      return command === undefined ? '' : blockOf(command, words, common);
    });
  const isAboutOne = (command) => command.words.length === 1;
  if (!commands.some(isAboutOne)) return commands.reduce(updateSection, updated);
  const usage = commands
    .filter(isAboutOne)
    .map((command) => command.usage)
    .join('\n');
  return updated.replace(USAGE, (_, title) => `${title}\`\`\`\n${usage}\n\`\`\`\n`);
}

function updateSection(text, { name, usage }) {
  const start = text.indexOf(`\n## tsreg ${name}\n`);
  if (start === -1) return text;
  const section = text.slice(start).replace(/```\n[^`]*```\n/, `\`\`\`\n${usage}\n\`\`\`\n`);
  return text.slice(0, start) + section;
}

/** Returns the page of a command that has no table yet: a new page, or `text` with a section for the flags. */
export function withFlags(text, command) {
  const block = `## Flags\n\n${blockOf(command, new Map())}\n`;
  return `${text === '' ? introduce(command, '#') : text}\n${block}`;
}

/** Returns `text`, the page about the subcommands of a command, with one more subcommand. */
export function withSubcommand(text, command) {
  const [first] = command.words;
  const title = `# Commands of tsreg ${first}\n\nAll commands of [tsreg ${first}](${first}.md) and their flags.\n\n${COMMON_OPENING}\n${CLOSING}\n`;
  const section = `${introduce(command, '##')}\n${blockOf(command, new Map())}\n`;
  return `${text === '' ? title : text}\n${section}`;
}

function introduce({ name, usage, about }, mark) {
  return `${mark} tsreg ${name}\n\n\`\`\`\n${usage}\n\`\`\`\n\n${about}.\n`;
}

/** Returns docs/shared-flags.md with its tables updated from the definitions. */
export function updateSharedFlags(text, { globalFlags, programFlags }) {
  return text.replace(SHARED, (_, scope, table) => {
    const words = ownWordsOf(table);
    const flags = scope === 'the program' ? programFlags : globalFlags;
    const rows = flags.map((flag) => rowOf(flag, words.get(keyOf(flag.term))));
    return [
      `<!-- flags of ${scope}, by \`npm run reference\` -->`,
      '',
      '| flag | effect |',
      '|---|---|',
      ...rows,
      '',
      '<!-- end of flags -->',
    ].join('\n');
  });
}

/** Returns docs/commands.md: every command by group. `pageOf` returns the page of a command. */
export function commandsPage({ commands, groups }, pageOf) {
  const row = ({ name, about }) => `| [\`tsreg ${name}\`](${pageOf(name)}) | ${inCell(about)} |`;
  const list = groups.flatMap((group) => [
    `| **${group}** | |`,
    ...flattenCommands(commands.filter((command) => command.group === group)).map(row),
  ]);
  return [
    '<!-- Written by `npm run reference` from the definitions in `src/commands`. -->',
    '# Commands',
    '',
    '`tsreg help COMMAND` prints the same descriptions in a terminal, and `man tsreg-COMMAND` shows the whole page. All',
    'commands accept the [shared flags](shared-flags.md) and use the same [exit status](errors.md#exit-status).',
    '',
    '| command | effect |',
    '|---|---|',
    ...list,
    '',
    'The table leaves out [`tsreg read-manifest`](read-manifest.md), which cargo has deprecated.',
    '',
  ].join('\n');
}
