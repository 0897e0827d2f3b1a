/** What is wrong with a command line, in the words of cargo's parser. */
import { mostSimilar } from '../errors/similar-words.ts';
import { type Flag, spellFlag } from './flag.ts';
import { styled } from './style.ts';

/** The flags of the program or of a command, and how it is called. */
export interface CommandLine {
  /** The command's own name; for the program, that of the program. */
  readonly name: string;
  /** What usage starts with: `tsreg metadata`. */
  readonly invocation: string;
  /** What stands for the arguments in usage, with styles; lines under the first are given in full. */
  readonly synopsis: string | null;
  readonly flags: readonly Flag[];
  /** Commands that may be named behind this one. */
  readonly subcommands?: readonly CommandLine[];
}

/** A command line that is refused. The message is text with styles, as it is to be written. */
export class Refusal extends Error {
  override readonly name = 'Refusal';

  /** A flag or argument that there is not. */
  static unknownArgument(
    line: CommandLine,
    argument: string,
    details: {
      readonly used: readonly Flag[];
      readonly suggestion?: string;
      readonly existsAs?: string | null;
      /** True where there is no place for one more value, so that nothing is gained by calling it one. */
      readonly isValue?: boolean;
    },
  ): Refusal {
    const { suggestion, existsAs, isValue, used } = details;
    const asValue = `to pass '${invalid(argument)}' as a value, use '${valid(`-- ${argument}`)}'`;
    let tip = '';
    if (suggestion !== undefined) {
      tip = tipText(`a similar argument exists: '${valid(suggestion)}'`);
      // Of flags that only exist to be refused this is not said.
      const isGuessed = used.length > 0;
      if (isGuessed && positionalOf(line)?.isTrailing === true) tip += tipText(asValue).slice(1);
    } else if (typeof existsAs === 'string') tip = tipText(`'${valid(existsAs)}' exists`);
    else if (isValue !== true && argument.startsWith('-') && positionalOf(line) !== null) {
      tip = tipText(asValue);
    }
    const problem = `unexpected argument '${invalid(argument)}' found`;
    return new Refusal(compose(problem, tip, usage(line, details.used)));
  }

  /** A word where a subcommand is expected. */
  static unknownSubcommand(line: CommandLine, word: string): Refusal {
    const names = (line.subcommands ?? []).map(({ name }) => name);
    const similar = mostSimilar(word, names);
    const tip = similar === null ? '' : tipText(`a similar subcommand exists: '${valid(similar)}'`);
    return new Refusal(compose(`unrecognized subcommand '${invalid(word)}'`, tip, usage(line, [])));
  }

  /** A flag that is not supported, and what to do instead. */
  static unsupportedFlag(line: CommandLine, flag: Flag, tips: readonly string[]): Refusal {
    const problem = `unexpected argument '${invalid(spellFlag(flag))}' found`;
    const lines = tips.map((text) => `\n  ${styled('literal', 'tip:')} ${text}`);
    return new Refusal(compose(problem, `\n${lines.join('')}`, usage(line, [])));
  }

  /** A value of a flag that takes none. */
  static unexpectedValue(
    line: CommandLine,
    flag: Flag,
    details: { readonly value: string; readonly used: readonly Flag[] },
  ): Refusal {
    const problem =
      `unexpected value '${invalid(details.value)}' for '${literal(spellFlag(flag))}' found; ` +
      'no more were expected';
    return new Refusal(compose(problem, '', usage(line, details.used)));
  }

  /** A flag without its value. */
  static missingValue(flag: Flag): Refusal {
    return new Refusal(compose(missingValueText(flag) + allowedValues(flag), '', ''));
  }

  /** A value that the flag does not allow. */
  static invalidValue(flag: Flag, value: string): Refusal {
    if (value === '') return Refusal.missingValue(flag);
    const problem = `invalid value '${invalid(value)}' for '${literal(spellFlag(flag))}'`;
    const similar = mostSimilar(value, flag.values ?? []);
    const tip = similar === null ? '' : tipText(`a similar value exists: '${valid(similar)}'`);
    return new Refusal(compose(problem + allowedValues(flag), tip, ''));
  }

  /** A value that is found to be wrong when the command runs; cargo ends without a line break here. */
  static wrongValue(problem: string): Refusal {
    return new Refusal(`${styled('error', 'error:')} ${problem}`);
  }

  /** A flag that was given twice. */
  static repeated(line: CommandLine, flag: Flag): Refusal {
    const problem = `the argument '${invalid(spellFlag(flag))}' cannot be used multiple times`;
    return new Refusal(compose(problem, '', usage(line, [])));
  }

  /** Two flags of which only one may be given. */
  static conflict(
    line: CommandLine,
    flags: readonly [Flag, Flag],
    details: { readonly used: readonly Flag[]; readonly missing: readonly MissingFlag[] },
  ): Refusal {
    const [first, second] = flags.map((flag) => `'${invalid(spellFlag(flag))}'`);
    const problem = `the argument ${first} cannot be used with ${second}`;
    return new Refusal(compose(problem, '', usage(line, [...details.missing, ...details.used])));
  }

  /** Flags that others need beside them. */
  static missingFlags(
    line: CommandLine,
    missing: readonly MissingFlag[],
    details: { readonly used: readonly Flag[] },
  ): Refusal {
    const names = missing.map((flag) => `\n  ${isGroup(flag) ? usageOfGroup(flag) : valid(spellFlag(flag))}`);
    const problem = `the following required arguments were not provided:${names.join('')}`;
    return new Refusal(compose(problem, '', usage(line, [...missing, ...details.used])));
  }
}

/** A flag that others need beside them, or a group of which they need one. */
export type MissingFlag = Flag | FlagGroup;

/** Flags of which only one may be given. */
export interface FlagGroup {
  readonly members: readonly Flag[];
}

function isGroup(flag: MissingFlag): flag is FlagGroup {
  return 'members' in flag;
}

/** The usage line of a command, with styles: what was used so far, or all that there is. Arguments come last. */
function usage(line: CommandLine, used: readonly MissingFlag[]): string {
  const heading = styled('header', 'Usage:');
  if (line.synopsis !== null) return `${heading} ${line.synopsis}`;
  const flags = used.flatMap((flag) => (isGroup(flag) || flag.isHidden === true ? [] : [flag]));
  const shown = [...new Set(flags.filter((flag) => flag.isPositional !== true).map(usageOf))];
  const positional = positionalOf(line);
  const group = used.find(isGroup);
  const isGiven = group !== undefined || flags.some((flag) => flag === positional);
  const all = shown.length === 0 && !isGiven ? [styled('placeholder', '[OPTIONS]')] : shown;
  const last = group === undefined ? usageOfPositional(positional, isGiven) : [usageOfGroup(group)];
  const next = line.subcommands === undefined ? [] : [styled('placeholder', '[COMMAND]')];
  return [heading, literal(line.invocation), ...all, ...last, ...next].join(' ');
}

function positionalOf(line: CommandLine): Flag | null {
  const flags = line.flags.filter((flag) => flag.isPositional === true && flag.isHidden !== true);
  return flags.find((flag) => flag.isTrailing === true) ?? flags[0] ?? null;
}

function usageOfPositional(flag: Flag | null, isGiven: boolean): string[] {
  if (flag === null) return [];
  if (flag.isTrailing === true) {
    return [styled('literal', '[-- ') + styled('placeholder', spellFlag(flag)) + styled('literal', ']')];
  }
  const isRequired = isGiven && flag.isAlwaysOptional !== true;
  return [styled('placeholder', spellFlag(isRequired ? { ...flag, isRequired } : flag))];
}

function usageOfGroup({ members }: FlagGroup): string {
  const names = members.map((flag) =>
    flag.isPositional === true ? (flag.valueName ?? '') : spellFlag(flag),
  );
  return styled('placeholder', `<${names.join('|')}>`);
}

function usageOf(flag: Flag): string {
  const name = literal(flag.long === null ? `-${flag.short ?? ''}` : `--${flag.long}`);
  if (flag.valueName !== null) return name + usageOfValue(flag, flag.valueName);
  return flag.kind === 'count' ? name + styled('placeholder', '...') : name;
}

function usageOfValue({ valueIsOptional }: Flag, valueName: string): string {
  const value = styled('placeholder', `<${valueName}>`);
  return valueIsOptional === true
    ? styled('placeholder', ' [') + value + styled('placeholder', ']')
    : styled('placeholder', ' ') + value;
}

function compose(problem: string, tip: string, usageText: string): string {
  const middle = usageText === '' ? '' : `\n\n${usageText}`;
  const help = `\n\nFor more information, try '${literal('--help')}'.\n`;
  return `${styled('error', 'error:')} ${problem}${tip}${middle}${help}`;
}

function tipText(text: string): string {
  return `\n\n  ${styled('literal', 'tip:')} ${text}`;
}

function missingValueText(flag: Flag): string {
  return `a value is required for '${invalid(spellFlag(flag))}' but none was supplied`;
}

function allowedValues(flag: Flag): string {
  if (flag.values === undefined) return '';
  return `\n  [possible values: ${flag.values.map(valid).join(', ')}]`;
}

function invalid(text: string): string {
  return styled('warning', text);
}

function valid(text: string): string {
  return styled('literal', text);
}

function literal(text: string): string {
  return styled('literal', text);
}
