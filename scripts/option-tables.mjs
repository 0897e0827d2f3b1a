// The tables of flags in the pages of docs/. A page has, for each of its commands, a table between two comments:
// the flags and the first line of their effect come from the definitions, what follows `<br>` is the page's own.
import { flattenCommands } from './command-list.mjs';

const TABLE = /<!-- flags of `tsreg ([^`]+)`[^>]*-->\n([\s\S]*?)<!-- end of flags -->/g;
const USAGE = /^(# .*\n\n)```\n[^`]*```\n/;

const opening = (name) => `<!-- flags of \`tsreg ${name}\`, by \`npm run reference\` -->`;
const CLOSING = '<!-- end of flags -->';

const inCell = (text) => text.replaceAll('|', '\\|');

/** The columns of a row of a table. */
export function splitRow(row) {
  return row
    .trim()
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());
}

/** The names of the commands whose flags a page lists. */
export function commandsOnPage(text) {
  return [...text.matchAll(TABLE)].map(([, name]) => name);
}

/** What the page says of flags beside their first line, by command and flag: `yank --undo`. */
export function ownWordsOnPage(text) {
  const words = new Map();
  for (const [, name, table] of text.matchAll(TABLE)) {
    for (const row of table.split('\n').filter((line) => line.startsWith('| `'))) {
      const [flag, effect] = splitRow(row);
      const kept = effect?.split('<br>').slice(1).join('<br>') ?? '';
      if (flag !== undefined && kept !== '') words.set(`${name} ${keyOf(flag.replaceAll('`', ''))}`, kept);
    }
  }
  return words;
}

/** A flag is still the same one where only its value is called something else. */
export function keyOf(term) {
  return /--[\w-]+/.exec(term)?.[0] ?? term.split(' ')[0];
}

function tableOf({ name, flags }, words) {
  const headings = [...new Set(flags.map(({ heading }) => heading))];
  const isPlain = headings.length <= 1;
  const rows = headings.flatMap((heading) => [
    ...(isPlain || heading === 'Arguments' || heading === 'Options' ? [] : [`| **${heading}** | |`]),
    ...flags
      .filter((flag) => flag.heading === heading)
      .map(({ term, help, values }) => {
        const own = words.get(`${name} ${keyOf(term)}`);
        const known = values.length === 0 ? '' : ` [possible values: ${values.join(', ')}]`;
        const effect = inCell(help + known) + (own === undefined ? '' : `<br>${own}`);
        return `| \`${inCell(term)}\` | ${effect} |`;
      }),
  ]);
  return ['', '| flag | effect |', '|---|---|', ...rows, '', ''].join('\n');
}

const COMMON = 'And the [flags that every command has](commands.md#flags-that-every-command-has).\n';

function blockOf(command, words) {
  const table = command.flags.length === 0 ? '\n' : tableOf(command, words);
  return `${opening(command.name)}\n${table}${COMMON}\n${CLOSING}`;
}

/** The page with its tables and its usage as the definitions have them now. */
export function updatePage(text, byName) {
  const words = ownWordsOnPage(text);
  const commands = commandsOnPage(text).flatMap((name) => byName.get(name) ?? []);
  const updated = text.replace(TABLE, (_, name) => {
    const command = byName.get(name);
    return command === undefined ? '' : blockOf(command, words);
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

/** The page of a command that is in none yet: one of its own, or one that has everything but the flags. */
export function withFlags(text, command) {
  const block = `## Flags\n\n${blockOf(command, new Map())}\n`;
  return `${text === '' ? introduce(command, '#') : text}\n${block}`;
}

/** The page about what stands behind the name of a command, with one more of them. */
export function withSubcommand(text, command) {
  const [first] = command.words;
  const title = `# tsreg ${first}: its commands\n\n[tsreg ${first}](${first}.md) says what they are for.\n`;
  const section = `${introduce(command, '##')}\n${blockOf(command, new Map())}\n`;
  return `${text === '' ? title : text}\n${section}`;
}

function introduce({ name, usage, about }, mark) {
  return `${mark} tsreg ${name}\n\n\`\`\`\n${usage}\n\`\`\`\n\n${about}.\n`;
}

/** docs/commands.md: every command, and the flags that all of them have. `pageOf` names the page of a command. */
export function commandsPage({ commands, globalFlags, programFlags }, pageOf) {
  const list = flattenCommands(commands).map(
    ({ name, about }) => `| [\`tsreg ${name}\`](${pageOf(name)}) | ${inCell(about)} |`,
  );
  const rows = (flags) =>
    flags.map(({ term, help, values }) => {
      const known = values.length === 0 ? '' : ` [possible values: ${values.join(', ')}]`;
      return `| \`${inCell(term)}\` | ${inCell(help + known)} |`;
    });
  return [
    '<!-- Written by `npm run reference` from what `--help` is made of. -->',
    '# Commands',
    '',
    '`tsreg help COMMAND` and `tsreg COMMAND --help` print the same in a terminal, and `man tsreg` after',
    '`npm install --global .` in this folder has all of it.',
    '',
    '| command | what it does |',
    '|---|---|',
    ...list,
    '',
    '## Flags that every command has',
    '',
    '| flag | effect |',
    '|---|---|',
    ...rows(globalFlags),
    '',
    'They may stand before or behind the name of the command. The help of a command that cargo has lists all of them, as cargo',
    'does; that of a command which cargo has not (`whoami`, `serve`, `shim`, `completions`) lists those that mean something to',
    'it, and takes the others too.',
    '',
    '## Flags of the program itself',
    '',
    '```',
    'tsreg [+toolchain] [OPTIONS] [COMMAND]',
    '```',
    '',
    '| flag | effect |',
    '|---|---|',
    ...rows(programFlags),
    '',
    '`+toolchain` is accepted, as rustup has it: no Rust toolchain takes part. `-C` and `-Z` are refused, as a stable cargo',
    'refuses them.',
    '',
    '## Exit status',
    '',
    '| | |',
    '|---|---|',
    '| 0 | it was done |',
    '| 101 | it was not, and stderr says why; a mistake on the command line included. With `TSREG_COMPAT=cargo` that one is 1, as in cargo |',
    '| 130 | it was interrupted by Ctrl-C |',
    '',
  ].join('\n');
}
