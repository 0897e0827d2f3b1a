/** Usage errors, in the words and the layout of clap, cargo's parser: its `RichFormatter`. */
import { mostSimilar } from '../../core/errors/similar-words.ts';
import {
  dashedName,
  type Flag,
  type FlagWithValue,
  isPositional,
  type PositionalFlag,
  spellFlag,
} from './flag.ts';
import { styled } from '../../io/terminal/style.ts';

/** The flags and the usage of the program or of a command. */
export interface CommandLine {
  /** The last word of the command, or the name of the program. */
  readonly name: string;
  /** The start of the usage line: `tsreg metadata`. */
  readonly invocation: string;
  /** The complete text after `Usage:`, with styles; null to derive it from the flags. */
  readonly synopsis: string | null;
  /** True in compatibility mode, where tips are exactly those of cargo. */
  readonly isCargo: boolean;
  readonly flags: readonly Flag[];
  /** Commands that may follow this one. */
  readonly subcommands?: readonly CommandLine[];
}

/** A correct way to write a wrong argument. */
export interface Remedy {
  /** An infinitive without `to`: `select a package`. */
  readonly purpose: string;
  readonly text: string;
}

/**
 * The usage line for an unknown argument, and what the user probably meant. The tip names only one meaning: the first of
 * `suggestion`, `remedy` and `existsAs` that is given.
 */
interface UnknownArgumentDetails {
  /** The flags that the usage line shows. */
  readonly used: readonly Flag[];
  /** A flag that was probably meant, with dashes. */
  readonly suggestion?: string;
  /** What was probably meant: the user's purpose, and how to write it. */
  readonly remedy?: Remedy | null;
  /** A flag of a later command, such as `metadata --no-deps`; null if there is none. */
  readonly existsAs?: string | null;
  /** True for a value too many. Then there is no tip to pass the argument as a value. */
  readonly isExtraValue?: boolean;
}

/** A usage error. The message is text with styles, ready to be written. */
export class UsageError extends Error {
  override readonly name = 'UsageError';

  /** Returns the error for a flag or argument that does not exist. */
  static unknownArgument(line: CommandLine, argument: string, details: UnknownArgumentDetails): UsageError {
    const problem = `unexpected argument '${invalid(argument)}' found`;
    const tip = unknownArgumentTip(line, argument, details);
    return new UsageError(compose(problem, { tip, usageText: usage(line, details.used) }));
  }

  /** Returns the error for an unknown word in place of a subcommand. */
  static unknownSubcommand(line: CommandLine, word: string): UsageError {
    const names = (line.subcommands ?? []).map(({ name }) => name);
    const similar = mostSimilar(word, names);
    const tip = similar === null ? '' : tipText(`a similar subcommand exists: '${literal(similar)}'`);
    return new UsageError(
      compose(`unrecognized subcommand '${invalid(word)}'`, { tip, usageText: usage(line, []) }),
    );
  }

  /** Returns the error for a flag that is not supported; `tips` say what to do instead. */
  static unsupportedFlag(line: CommandLine, flag: Flag, tips: readonly string[]): UsageError {
    const problem = `unexpected argument '${invalid(spellFlag(flag))}' found`;
    const lines = tips.map((text) => `\n  ${styled('literal', 'tip:')} ${text}`);
    return new UsageError(compose(problem, { tip: `\n${lines.join('')}`, usageText: usage(line, []) }));
  }

  /** Returns the error for a value of a flag that takes none. */
  static unexpectedValue(
    line: CommandLine,
    flag: Flag,
    details: { readonly value: string; readonly used: readonly Flag[] },
  ): UsageError {
    const problem =
      `unexpected value '${invalid(details.value)}' for '${literal(spellFlag(flag))}' found; ` +
      'no more were expected';
    return new UsageError(compose(problem, { usageText: usage(line, details.used) }));
  }

  /** Returns the error for a flag without its value. */
  static missingValue(flag: FlagWithValue): UsageError {
    return new UsageError(compose(missingValueText(flag) + allowedValues(flag)));
  }

  /** Returns the error for a value that the flag does not allow. An empty value counts as missing. */
  static invalidValue(flag: FlagWithValue, value: string): UsageError {
    if (value === '') return UsageError.missingValue(flag);
    const problem = `invalid value '${invalid(value)}' for '${literal(spellFlag(flag))}'`;
    const similar = mostSimilar(value, flag.values ?? []);
    const tip = similar === null ? '' : tipText(`a similar value exists: '${literal(similar)}'`);
    return new UsageError(compose(problem + allowedValues(flag), { tip }));
  }

  /** Returns the error for a value that the command itself rejects. As in cargo, it does not end with a line break. */
  static wrongValue(problem: string): UsageError {
    return new UsageError(`${styled('error', 'error:')} ${problem}`);
  }

  /** Returns the error for a flag that was given twice. */
  static repeated(line: CommandLine, flag: Flag): UsageError {
    const problem = `the argument '${invalid(spellFlag(flag))}' cannot be used multiple times`;
    return new UsageError(compose(problem, { usageText: usage(line, []) }));
  }

  /** Returns the error for two flags of which only one may be given. */
  static conflict(
    line: CommandLine,
    flags: readonly [Flag, Flag],
    details: { readonly used: readonly Flag[]; readonly missing: readonly MissingFlag[] },
  ): UsageError {
    const [first, second] = flags.map((flag) => `'${invalid(spellFlag(flag))}'`);
    const problem = `the argument ${first} cannot be used with ${second}`;
    return new UsageError(
      compose(problem, { usageText: usage(line, [...details.missing, ...details.used]) }),
    );
  }

  /** Returns the error for required flags that were not given. */
  static missingFlags(
    line: CommandLine,
    missing: readonly MissingFlag[],
    details: { readonly used: readonly Flag[] },
  ): UsageError {
    const names = missing.map(
      (flag) => `\n  ${isGroup(flag) ? usageOfGroup(flag) : literal(spellFlag(flag))}`,
    );
    const problem = `the following required arguments were not provided:${names.join('')}`;
    return new UsageError(compose(problem, { usageText: usage(line, [...missing, ...details.used]) }));
  }
}

/** A required flag, or a group of which one flag is required. */
export type MissingFlag = Flag | FlagGroup;

/** Flags of which only one may be given. */
export interface FlagGroup {
  readonly members: readonly Flag[];
}

function isGroup(flag: MissingFlag): flag is FlagGroup {
  return 'members' in flag;
}

/** Returns the usage line of a command, with styles: the `used` flags or else `[OPTIONS]`, then arguments. */
function usage(line: CommandLine, used: readonly MissingFlag[]): string {
  const heading = styled('header', 'Usage:');
  if (line.synopsis !== null) return `${heading} ${line.synopsis}`;
  const flags = used.flatMap((flag) => (isGroup(flag) || flag.isHidden === true ? [] : [flag]));
  const namedFlags = [...new Set(flags.filter((flag) => !flag.isPositional).map(usageOf))];
  const positionals = positionalsOf(line);
  const group = used.find(isGroup);
  const isGiven = group !== undefined || positionals.some((flag) => flags.includes(flag));
  const options = namedFlags.length === 0 && !isGiven ? [styled('placeholder', '[OPTIONS]')] : namedFlags;
  const values =
    group === undefined ? positionals.map((flag) => usageOfPositional(flag, isGiven)) : [usageOfGroup(group)];
  const subcommand = line.subcommands === undefined ? [] : [styled('placeholder', '[COMMAND]')];
  return [heading, literal(line.invocation), ...options, ...values, ...subcommand].join(' ');
}

/** Returns the positional flags that usage shows: the trailing one, else all. */
function positionalsOf(line: CommandLine): readonly PositionalFlag[] {
  const flags = line.flags.filter(isPositional).filter((flag) => flag.isHidden !== true);
  const trailing = flags.find((flag) => flag.isTrailing === true);
  return trailing === undefined ? flags : [trailing];
}

function usageOfPositional(flag: PositionalFlag, isGiven: boolean): string {
  if (flag.isTrailing === true) {
    return styled('literal', '[-- ') + styled('placeholder', spellFlag(flag)) + styled('literal', ']');
  }
  const isRequired = isGiven && flag.isAlwaysOptional !== true;
  return styled('placeholder', spellFlag(isRequired ? { ...flag, isRequired } : flag));
}

function usageOfGroup({ members }: FlagGroup): string {
  const names = members.map((flag) => (flag.isPositional ? flag.valueName : spellFlag(flag)));
  return styled('placeholder', `<${names.join('|')}>`);
}

function usageOf(flag: Flag): string {
  const name = literal(dashedName(flag));
  if (flag.valueName !== null) return name + usageOfValue(flag);
  return flag.kind === 'count' ? name + styled('placeholder', '...') : name;
}

function usageOfValue({ valueIsOptional, valueName }: FlagWithValue): string {
  const value = styled('placeholder', `<${valueName}>`);
  return valueIsOptional === true
    ? styled('placeholder', ' [') + value + styled('placeholder', ']')
    : styled('placeholder', ' ') + value;
}

/** Returns the tip for an unknown argument; empty if there is none. */
function unknownArgumentTip(
  line: CommandLine,
  argument: string,
  { used, suggestion, remedy = null, existsAs = null, isExtraValue = false }: UnknownArgumentDetails,
): string {
  const asValue = `to pass '${invalid(argument)}' as a value, use '${literal(`-- ${argument}`)}'`;
  const positionals = positionalsOf(line);
  if (suggestion !== undefined) {
    const tip = tipText(`a similar argument exists: '${literal(suggestion)}'`);
    // Not for flags that exist only to be rejected: for those, `used` is empty.
    const isGuessed = used.length > 0;
    // As in cargo, no empty line separates the two tips.
    return isGuessed && positionals[0]?.isTrailing === true ? tip + tipText(asValue).slice(1) : tip;
  }
  if (remedy !== null) return tipText(`to ${remedy.purpose}, use '${literal(remedy.text)}'`);
  if (existsAs !== null) return tipText(`'${literal(existsAs)}' exists`);
  return !isExtraValue && argument.startsWith('-') && positionals.length > 0 ? tipText(asValue) : '';
}

/** Returns the text of an error. `tip` is the result of `tipText`, and `usageText` that of `usage`. */
function compose(
  problem: string,
  { tip = '', usageText = '' }: { readonly tip?: string; readonly usageText?: string } = {},
): string {
  const middle = usageText === '' ? '' : `\n\n${usageText}`;
  const help = `\n\nFor more information, try '${literal('--help')}'.\n`;
  return `${styled('error', 'error:')} ${problem}${tip}${middle}${help}`;
}

/** Returns a tip, with the empty line above it. */
function tipText(text: string): string {
  return `\n\n  ${styled('literal', 'tip:')} ${text}`;
}

function missingValueText(flag: FlagWithValue): string {
  return `a value is required for '${invalid(spellFlag(flag))}' but none was supplied`;
}

function allowedValues(flag: FlagWithValue): string {
  if (flag.values === undefined) return '';
  return `\n  [possible values: ${flag.values.map(literal).join(', ')}]`;
}

function invalid(text: string): string {
  return styled('warning', text);
}

function literal(text: string): string {
  return styled('literal', text);
}
