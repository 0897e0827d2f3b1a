// Man pages: the definitions that produce `--help`, and the text of the page in docs/.
import { keyOf, withoutUsage } from './option-tables.mjs';
import { bold, escapeText, inlineToRoff, toRoff } from './roff.mjs';

/** Returns the path of a command's man page: `serve token` is in `man/tsreg-serve-token.1`. */
export function manFile(name) {
  return `man/tsreg${name === '' ? '' : `-${name.replaceAll(' ', '-')}`}.1`;
}

function header(name, version) {
  const title = `tsreg${name === '' ? '' : `-${name.replaceAll(' ', '-')}`}`;
  return [
    '.\\" Written by `npm run reference`.',
    `.TH "${escapeText(title.toUpperCase())}" "1" "" "tsreg ${version}" "tsreg"`,
    '.nh',
    '.ad l',
    '.ss \\n[.ss] 0',
    '.SH "NAME"',
  ].join('\n');
}

function usageLines(usage) {
  const [program, ...rest] = usage.split(/ (?=[[<-])/);
  return `.SH "SYNOPSIS"\n${bold(program)} ${escapeText(rest.join(' '))}`;
}

function optionLines(flags, wordsOf) {
  return flags.map((flag) => {
    const values = flag.values.length === 0 ? '' : ` [possible values: ${flag.values.join(', ')}]`;
    const own = wordsOf(flag);
    return [
      '.TP',
      bold(flag.term),
      inlineToRoff(flag.help + values),
      ...(own === undefined ? [] : ['.br', inlineToRoff(own)]),
    ].join('\n');
  });
}

function optionSections(flags, wordsOf) {
  const headings = [...new Set(flags.map(({ heading }) => heading))];
  return headings.flatMap((heading) => [
    `.SH "${heading.toUpperCase()}"`,
    ...optionLines(
      flags.filter((flag) => flag.heading === heading),
      wordsOf,
    ),
  ]);
}

/** Returns the page without its title, usage and tables of flags, in two parts: the introduction and the sections. */
function proseOf(page) {
  const text = withoutUsage(page)
    .replace(/<!-- flags of[\s\S]*?<!-- end of flags -->/g, '')
    .replace(/^# .*\n\n/, '')
    // A section that contained only such a table.
    .replace(/^## .*\n\s*(?=^## |$(?![\s\S]))/gm, '');
  const at = text.search(/^## /m);
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at)];
}

const EXIT = `.SH "EXIT STATUS"
.TP
0
Success.
.TP
101
Failure; stderr says why. With TSREG_COMPAT=cargo, a wrong command line exits with 1, as in cargo.
.TP
130
Interrupted by Ctrl\\-C.`;

function exampleLines(examples) {
  if (examples.length === 0) return [];
  return [
    '.SH "EXAMPLES"',
    ...examples.map(
      ({ purpose, line }) => `.PP\n${inlineToRoff(purpose)}:\n.PP\n.RS 4\n.nf\n${escapeText(line)}\n.fi\n.RE`,
    ),
  ];
}

function seeAlso(names, documentation) {
  const pages = names.map((name) => `${bold(name)}(1)`);
  return `.SH "SEE ALSO"\n${[...pages, `${escapeText(documentation)} in the package of tsreg`].join(', ')}`;
}

/**
 * Returns the man page of a command. `page` is the text of its page in docs/, `words` the page's additions to the help
 * of flags. With `isFirst`, the man page includes all sections of the page, otherwise only the introduction.
 */
export function manPage(command, { page, words, isFirst, version }) {
  const [intro, sections] = proseOf(page);
  const parent = command.words.slice(0, -1);
  const below = command.subcommands.filter(({ isHidden }) => !isHidden);
  const isSubcommand = parent.length > 0;
  const wordsOf = ({ term }) => words.get(`${command.name} ${keyOf(term)}`);
  const dashed = (name) => `tsreg-${name.replaceAll(' ', '-')}`;
  return `${[
    header(command.name, version),
    `${escapeText(dashed(command.name))} \\- ${escapeText(command.about)}`,
    usageLines(command.usage),
    '.SH "DESCRIPTION"',
    isSubcommand || intro.trim() === '' ? `${escapeText(command.about)}.` : toRoff(intro),
    ...optionSections(command.flags, wordsOf),
    '.SH "COMMON OPTIONS"',
    ...optionLines(command.globalFlags, () => undefined),
    ...(below.length === 0
      ? []
      : [
          '.SH "COMMANDS"',
          ...below.map(({ name, about }) => `.TP\n${bold(dashed(name))}(1)\n${escapeText(about)}`),
        ]),
    ...(isFirst && !isSubcommand && sections.trim() !== '' ? [toRoff(sections)] : []),
    ...(isFirst && !isSubcommand && /^## Exit status/m.test(sections) ? [] : [EXIT]),
    ...exampleLines(command.examples),
    seeAlso([isSubcommand ? dashed(parent.join(' ')) : 'tsreg'], command.documentation),
  ].join('\n')}\n`;
}

/** Returns the man page of the program itself. */
export function programManPage(
  { commands, globalFlags, programFlags, groups, examples, documentation },
  { about, version },
) {
  const inGroup = (group) => commands.filter((command) => !command.isHidden && command.group === group);
  return `${[
    header('', version),
    `tsreg \\- ${escapeText(about)}`,
    '.SH "SYNOPSIS"',
    `${bold('tsreg')} [+toolchain] [OPTIONS] [COMMAND]`,
    '.SH "DESCRIPTION"',
    escapeText(`${about}.`),
    '.SH "COMMANDS"',
    ...groups.flatMap((group) => [
      `.SS "${group}"`,
      ...inGroup(group).map(
        ({ name, about: what }) => `.TP\n${bold(`tsreg-${name}`)}(1)\n${inlineToRoff(what)}`,
      ),
    ]),
    '.SH "OPTIONS"',
    ...optionLines(programFlags, () => undefined),
    '.SH "COMMON OPTIONS"',
    ...optionLines(globalFlags, () => undefined),
    '.SH "ENVIRONMENT"',
    '.TP',
    bold('CARGO_HOME'),
    escapeText('Folder of the configuration, the tokens and the downloaded packages [default: ~/.cargo].'),
    '.TP',
    bold('TSREG_COMPAT=cargo'),
    escapeText('Compatibility mode: output, messages and exit status are exactly those of cargo.'),
    '.TP',
    `${bold('TSREG_CACHE')}=\\fIoff\\fR|\\fIverify\\fR`,
    escapeText('Do not use the caches; or run with and without them and fail if the results differ.'),
    EXIT,
    ...exampleLines(examples),
    `.SH "SEE ALSO"\n${escapeText(documentation)} in the package of tsreg`,
  ].join('\n')}\n`;
}
