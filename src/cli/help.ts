/** Help pages. Loaded on demand, because most runs print no help. */
import { Chalk } from 'chalk';
import { Help } from 'commander';
import { type Command, COMMAND_GROUPS, HELP_ABOUT, type ListedCommand } from '../commands/shared/command.ts';
import {
  type Flag,
  isPositional,
  spellFlag,
  spellPositional,
  spellValue,
  takesValue,
} from '../commands/shared/flag.ts';

/** The form of a help page. */
export interface HelpLayout {
  /** The start of the usage line: `tsreg metadata`. */
  readonly invocation: string;
  readonly color: boolean;
  /** Columns of the terminal; null if there is none. */
  readonly width: number | null;
}

/** The mode and the output that help is printed for. */
export interface HelpTarget extends HelpLayout {
  /** True in compatibility mode. */
  readonly isCargo: boolean;
  /** Not shown in compatibility mode. */
  readonly end: HelpEnd;
}

/** An example command line. */
export interface HelpExample {
  /** Its effect: a sentence without a full stop. */
  readonly purpose: string;
  readonly line: string;
}

/** The last part of a help page. */
export interface HelpEnd {
  readonly examples: readonly HelpExample[];
  /** Path of the documentation page; null if there is none. */
  readonly documentation: string | null;
}

/** The most columns of a line, even on a wider terminal. */
const MAX_WIDTH = 100;
/** Descriptions are not wrapped if fewer columns than this remain for them. */
const MIN_WIDTH = 16;
/** The longest term with its description on the same line. The description of a longer one is below it. */
const MAX_COLUMN = 30;

/** Returns the help of the program: its flags and commands. */
export function programHelp(
  commands: readonly ListedCommand[],
  flags: readonly Flag[],
  target: HelpTarget,
): string {
  const page = new HelpPage(target);
  const usage = '[+toolchain] [OPTIONS] [COMMAND]';
  const seeAlso = `'${target.invocation} help <command>' for more on a command.`;
  const visibleCommands = commands.filter(({ isHidden }) => isHidden !== true);
  if (target.isCargo) {
    const items = visibleCommands.map(({ name, about, cargoAbout }) => {
      return { term: name, text: cargoAbout ?? about };
    });
    const help = { term: 'help', text: HELP_ABOUT };
    page.add(page.usage(usage), page.text("Cargo's registry-facing commands, without a Rust toolchain"));
    page.addSections([...flagSections(flags), { heading: 'Commands', items: [...items, help] }], MAX_WIDTH);
    page.add(`See ${seeAlso}`);
    return page.render();
  }
  page.add(page.text('Inspect, package and publish Rust crates without a Rust toolchain'), page.usage(usage));
  page.addSections(commandSections(visibleCommands));
  page.addSections(flagSections(flags));
  page.addEnd(target.end);
  page.add(`Run ${seeAlso}`);
  return page.render();
}

/** Returns the help of a command. */
export function commandHelp(command: Command, flags: readonly Flag[], target: HelpTarget): string {
  const page = new HelpPage(target);
  const usage = page.usage(commandUsage(command, flags));
  const subcommands = (command.subcommands ?? []).map(({ name, about }) => ({ term: name, text: about }));
  const commands = subcommands.length === 0 ? [] : [{ heading: 'Commands', items: subcommands }];
  if (target.isCargo) {
    page.add(usage, page.text(command.cargoAbout ?? command.about));
    page.addSections([...flagSections(flags), ...commands], MAX_WIDTH);
    return page.render();
  }
  page.add(page.text(command.about), usage);
  page.addSections(commands);
  page.addSections(flagSections(flags));
  page.addEnd(target.end);
  return page.render();
}

/** Returns the part of a usage line after the name of the command: `[OPTIONS] <SPEC>`. */
export function commandUsage({ subcommands = [] }: Command, flags: readonly Flag[]): string {
  const positional = flags.filter(isPositional).filter((flag) => flag.isHidden !== true);
  const required = flags.filter((flag) => flag.isRequired === true && !flag.isPositional);
  return [
    '[OPTIONS]',
    ...required.map(spellFlag),
    ...positional.map(spellPositional),
    ...(subcommands.length === 0 ? [] : ['[COMMAND]']),
  ].join(' ');
}

/** Sorts flags by heading: arguments, then `Options`, then all others. The order within each of these stays. */
export function inHelpOrder(flags: readonly Flag[]): readonly Flag[] {
  return flags.toSorted((a, b) => headingRank(a) - headingRank(b));
}

/** Returns the commands and `help` under their headings, in the order of help. */
export function commandSections(commands: readonly ListedCommand[]): readonly HelpSection[] {
  const help = { group: 'Shell', name: 'help', about: HELP_ABOUT } as const;
  return COMMAND_GROUPS.map((group) => ({
    heading: group,
    items: [...commands, help]
      .filter((command) => command.group === group)
      .map(({ name, about }) => ({ term: name, text: about })),
  }));
}

/** Terms with descriptions under one heading. */
export interface HelpSection {
  readonly heading: string;
  readonly items: readonly { readonly term: string; readonly text: string }[];
}

/** A help page: parts with an empty line between them. */
export class HelpPage {
  readonly #parts: string[] = [];
  /** commander's class, here only for wrapping text. */
  readonly #help = new Help();
  readonly #width: number;
  readonly #invocation: string;
  readonly #paint: Record<'header' | 'literal' | 'placeholder' | 'comment', (text: string) => string>;

  constructor({ invocation, color, width }: HelpLayout) {
    this.#invocation = invocation;
    this.#width = Math.min(width ?? MAX_WIDTH, MAX_WIDTH);
    this.#help.prepareContext({ helpWidth: this.#width });
    this.#help.minWidthToWrap = MIN_WIDTH;
    const chalk = new Chalk({ level: color ? 1 : 0 });
    this.#paint = {
      header: (text) => chalk.bold.greenBright(text),
      literal: (text) => chalk.bold.cyanBright(text),
      placeholder: (text) => chalk.cyan(text),
      comment: (text) => chalk.dim(text),
    };
  }

  /** Returns the usage line; `terms` follow the invocation. */
  usage(terms: string): string {
    const { header, literal } = this.#paint;
    return `${header('Usage:')} ${literal(this.#invocation)} ${this.#paintTerm(terms)}`;
  }

  /** Returns prose, wrapped to the width of the page. */
  text(text: string): string {
    return this.#help.boxWrap(text, this.#width);
  }

  /** Adds parts as they are. */
  add(...parts: readonly string[]): void {
    this.#parts.push(...parts);
  }

  /**
   * Adds sections. All their descriptions start in the same column: after the longest term of at most `maxColumn`
   * characters.
   */
  addSections(sections: readonly HelpSection[], maxColumn = MAX_COLUMN): void {
    const lengths = sections.flatMap(({ items }) => items.map(({ term }) => term.length));
    const column = Math.max(...lengths.filter((length) => length <= maxColumn), 0);
    for (const { heading, items } of sections) {
      const lines = items.map(({ term, text }) => this.#item(term, text, column));
      this.add([this.#paint.header(`${heading}:`), ...lines].join('\n'));
    }
  }

  /** Adds the examples and the path of the documentation. */
  addEnd({ examples, documentation }: HelpEnd): void {
    const { header, literal, comment } = this.#paint;
    const lines = examples.map(({ purpose, line }) => `  ${comment(`# ${purpose}`)}\n  ${literal(line)}`);
    if (lines.length > 0) this.add([header('Examples:'), ...lines].join('\n'));
    if (documentation !== null) this.add(`${header('Documentation:')} ${documentation}`);
  }

  /** Returns the page with a line break at the end. */
  render(): string {
    return `${this.#parts.join('\n\n')}\n`;
  }

  #item(term: string, text: string, column: number): string {
    const painted = this.#paintTerm(term);
    const isLong = term.length > column;
    // Keeps `[default: …]` and `[env: …]` on one line: `Help` does not break lines at NUL.
    const unbroken = text.replaceAll(/\[(?:default|env): [^\]]*\]/g, (part) => part.replaceAll(' ', '\0'));
    const item = this.#help.formatItem(isLong ? '' : painted, column, unbroken, this.#help);
    return (isLong ? `  ${painted}\n` : '') + item.replaceAll('\0', ' ').trimEnd();
  }

  /** Colors the name of a command, or flags and their values. */
  #paintTerm(term: string): string {
    const { literal, placeholder } = this.#paint;
    if (/^[a-z-]+$/.test(term)) return literal(term);
    // `[…]` and `<…>`, perhaps with `...`; `...` alone; and `-f` or `--flag`.
    return term.replace(/\[[^[\]]*\](?:\.\.\.)?|<[^>]+>(?:\.\.\.)?|\.\.\.|-[-\w]+/g, (part) =>
      part.startsWith('-') ? literal(part) : placeholder(part),
    );
  }
}

function headingRank({ heading }: Flag): number {
  if (heading === 'Arguments') return 0;
  return heading === 'Options' ? 1 : 2;
}

/** Returns the visible flags under their headings. */
function flagSections(flags: readonly Flag[]): readonly HelpSection[] {
  const visibleFlags = inHelpOrder(flags).filter(
    (flag) => flag.kind !== 'rejected' && flag.isHidden !== true,
  );
  const headings = [...new Set(visibleFlags.map(({ heading }) => heading))];
  return headings.map((heading) => ({
    heading,
    items: visibleFlags.filter((flag) => flag.heading === heading).map(flagItem),
  }));
}

function flagItem(flag: Flag): HelpSection['items'][number] {
  const values = takesValue(flag) && flag.values !== undefined ? flag.values.join(', ') : '';
  const text = flag.help + (values === '' ? '' : ` [possible values: ${values}]`);
  if (flag.isPositional) return { term: spellFlag(flag), text };
  const long = flag.long === null ? '' : `--${flag.long}`;
  const short = flag.short === null ? '' : `-${flag.short}`;
  const names = [short, long].filter((name) => name !== '').join(', ');
  // Long names start in the same column, with or without a short name.
  const indent = short === '' ? '    ' : '';
  const repeats = flag.kind === 'count' ? '...' : '';
  const value = takesValue(flag) ? ` ${spellValue(flag)}` : '';
  return { term: indent + names + repeats + value, text };
}
