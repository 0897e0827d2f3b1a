/** Help texts. Loaded only when one is asked for. */
import { Chalk, type ChalkInstance } from 'chalk';
import { Command as HelpPage, Option } from 'commander';
import type { Command } from './command.ts';
import { type Flag, isOnlyRefused, spellFlag, spellPlace, spellValue } from './flag.ts';

/** How help is shown. */
export interface HelpTarget {
  /** What usage starts with. */
  readonly invocation: string;
  readonly color: boolean;
  /** Columns of the terminal, null if there is none. */
  readonly width: number | null;
}

/** Lines are no longer than this, however wide the terminal. */
const MAX_WIDTH = 100;
/** Descriptions are not broken into shorter lines than this, however narrow the terminal. */
const MIN_WIDTH = 16;

/** Help for the program: its flags and commands. */
export function programHelp(
  commands: readonly Command[],
  flags: readonly Flag[],
  target: HelpTarget,
): string {
  const page = helpPage("Cargo's registry-facing commands, without a Rust toolchain", flags, target);
  page.usage('[+toolchain] [OPTIONS] [COMMAND]');
  for (const { name, about, isHidden } of commands) {
    if (isHidden !== true) page.command(name).summary(about);
  }
  page.command('help').summary('Print help for a command');
  page.addHelpText('after', `\nSee '${target.invocation} help <command>' for more on a command.`);
  return textOf(page);
}

/** Help for one command. */
export function commandHelp(command: Command, flags: readonly Flag[], target: HelpTarget): string {
  const page = helpPage(command.about, flags, target);
  page.usage(commandUsage(command, flags));
  for (const each of command.subcommands ?? []) page.command(each.name).summary(each.about);
  return textOf(page);
}

/** What stands behind the name of a command in its usage: `[OPTIONS] <SPEC>`. */
export function commandUsage({ subcommands = [] }: Command, flags: readonly Flag[]): string {
  const positional = flags.filter((flag) => flag.isPositional === true && flag.isHidden !== true);
  const required = flags.filter((flag) => flag.isRequired === true && flag.isPositional !== true);
  return [
    '[OPTIONS]',
    ...required.map(spellFlag),
    ...positional.map(spellPlace),
    ...(subcommands.length === 0 ? [] : ['[COMMAND]']),
  ].join(' ');
}

function helpPage(about: string, flags: readonly Flag[], target: HelpTarget): HelpPage {
  const page = new HelpPage(target.invocation).description(about).helpOption(false).helpCommand(false);
  const { header, literal, placeholder } = paints(new Chalk({ level: target.color ? 1 : 0 }));
  const helpWidth = Math.min(target.width ?? MAX_WIDTH, MAX_WIDTH);
  page.configureHelp({
    helpWidth,
    minWidthToWrap: MIN_WIDTH,
    subcommandTerm: (command) => command.name(),
    styleTitle: header,
    styleCommandText: literal,
    styleOptionTerm: (term) => term.replace(/-[-\w]+/g, literal).replace(/\[?<[^>]+>\]?/g, placeholder),
    styleSubcommandTerm: literal,
  });
  // Else the stream is asked, and a pipe becomes non-blocking for whoever has it.
  page.configureOutput({ getOutHasColors: () => target.color, getOutHelpWidth: () => helpWidth });
  // Headings come in the order in which they are met.
  for (const flag of inHelpOrder(flags)) {
    if (!isOnlyRefused(flag) && flag.isHidden !== true) page.addOption(helpOption(flag));
  }
  return page;
}

/** Arguments, then flags under the plain heading, then all others; each heading as they were. */
export function inHelpOrder(flags: readonly Flag[]): readonly Flag[] {
  return flags.toSorted((a, b) => rank(a) - rank(b));
}

function rank({ heading }: Flag): number {
  return heading === 'Arguments' ? 0 : heading === 'Options' ? 1 : 2;
}

function helpOption(flag: Flag): Option {
  const values = flag.values === undefined ? '' : ` [possible values: ${flag.values.join(', ')}]`;
  if (flag.isPositional === true) {
    const option = new Option('--positional', flag.help + values).helpGroup(`${flag.heading}:`);
    option.flags = spellFlag(flag);
    return option;
  }
  const long = flag.long === null ? '' : `--${flag.long}`;
  const short = flag.short === null ? '' : `-${flag.short}`;
  const names = [short, long].filter((name) => name !== '').join(', ');
  const indent = short === '' ? '    ' : '';
  const value = flag.valueName === null ? (flag.kind === 'count' ? '...' : '') : ` ${spellValue(flag)}`;
  const option = new Option(names + value, flag.help + values).helpGroup(`${flag.heading}:`);
  // Long names stand under each other, whether there is a short one or not.
  option.flags = indent + option.flags;
  return option;
}

function paints(
  chalk: ChalkInstance,
): Record<'header' | 'literal' | 'placeholder', (text: string) => string> {
  return {
    header: (text) => chalk.bold.greenBright(text),
    literal: (text) => chalk.bold.cyanBright(text),
    placeholder: (text) => chalk.cyan(text),
  };
}

function textOf(page: HelpPage): string {
  let text = '';
  page.configureOutput({
    writeOut: (part) => {
      text += part;
    },
  });
  page.outputHelp();
  return text;
}
