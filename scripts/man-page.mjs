// Man pages: what `--help` is made of, and the words of the page in docs/.
import { keyOf, withoutUsage } from './option-tables.mjs';
import { bold, escapeText, inlineToRoff, toRoff } from './roff.mjs';

/** `serve token` is in `tsreg-serve-token.1`. */
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

/** The page without its title, usage and tables of flags, in two parts: what comes before its sections, and these. */
function proseOf(page) {
  const text = withoutUsage(page)
    .replace(/<!-- flags of[\s\S]*?<!-- end of flags -->/g, '')
    .replace(/^# .*\n\n/, '')
    // A section that had nothing but such a table.
    .replace(/^## .*\n\s*(?=^## |$(?![\s\S]))/gm, '');
  const at = text.search(/^## /m);
  return at === -1 ? [text, ''] : [text.slice(0, at), text.slice(at)];
}

const EXIT = `.SH "EXIT STATUS"
.TP
0
it was done
.TP
101
it was not, and stderr says why. A mistake on the command line is 1 with TSREG_COMPAT=cargo, as in cargo`;

function seeAlso(names) {
  return `.SH "SEE ALSO"\n${names.map((name) => `${bold(name)}(1)`).join(', ')}`;
}

/**
 * The man page of a command. `page` is the text of its page in docs/ and `words` what that says of flags beside their
 * first line; with `isFirst` all of the page's sections are in it, else only what comes before them.
 */
export function manPage(command, { page, words, isFirst, globalFlags, version }) {
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
    ...optionLines(
      globalFlags.filter(({ name }) => name === 'help' || (command.heeds?.includes(name) ?? true)),
      () => undefined,
    ),
    ...(below.length === 0
      ? []
      : [
          '.SH "COMMANDS"',
          ...below.map(({ name, about }) => `.TP\n${bold(dashed(name))}(1)\n${escapeText(about)}`),
        ]),
    ...(isFirst && !isSubcommand && sections.trim() !== '' ? [toRoff(sections)] : []),
    ...(isFirst && !isSubcommand && /^## Exit status/m.test(sections) ? [] : [EXIT]),
    seeAlso([isSubcommand ? dashed(parent.join(' ')) : 'tsreg']),
  ].join('\n')}\n`;
}

/** The man page of the program itself. */
export function programManPage({ commands, globalFlags, programFlags }, { about, version }) {
  return `${[
    header('', version),
    `tsreg \\- ${escapeText(about)}`,
    '.SH "SYNOPSIS"',
    `${bold('tsreg')} [+toolchain] [OPTIONS] [COMMAND]`,
    '.SH "DESCRIPTION"',
    escapeText(`${about}.`),
    '.SH "COMMANDS"',
    ...commands
      .filter(({ isHidden }) => !isHidden)
      .map(({ name, about: what }) => `.TP\n${bold(`tsreg-${name}`)}(1)\n${escapeText(what)}`),
    '.SH "OPTIONS"',
    ...optionLines(programFlags, () => undefined),
    '.SH "COMMON OPTIONS"',
    ...optionLines(globalFlags, () => undefined),
    '.SH "ENVIRONMENT"',
    '.TP',
    bold('CARGO_HOME'),
    escapeText('where packages, indexes, settings and tokens are; ~/.cargo by default'),
    '.TP',
    bold('TSREG_COMPAT=cargo'),
    escapeText("cargo's own form of everything in which tsreg differs by default"),
    '.TP',
    `${bold('TSREG_CACHE')}=\\fIoff\\fR|\\fIverify\\fR`,
    escapeText('the caches are neither read nor written; or every run is compared with its cached result'),
    EXIT,
  ].join('\n')}\n`;
}
