/** Parses the command line. The rules and usage errors are those of clap, cargo's parser. */
import { mostSimilar } from '../core/errors/similar-words.ts';
import {
  type Flag,
  type FlagValues,
  type FlagWithValue,
  isPositional,
  type PositionalFlag,
  type RejectedFlag,
  spellFlag,
  takesValue,
} from '../commands/shared/flag.ts';
import { type CommandLine, UsageError } from '../commands/shared/usage-error.ts';
import { checkFlagRelations } from './check-flag-relations.ts';
import { selectionRemedy, versionRemedy } from './remedies.ts';

/** A parsed command line. */
export type Parsed =
  | { readonly kind: 'program'; readonly values: FlagValues }
  | { readonly kind: 'help'; readonly command: string | null }
  | {
      readonly kind: 'command';
      /** The words of the command: `metadata`, `serve token`. */
      readonly name: string;
      /** Flags after the name, and those before it that were not given again. */
      readonly values: FlagValues;
      /** The arguments after the name if the command is unknown or follows `--`; else null: they are in `values`. */
      readonly unparsedArgs: readonly string[] | null;
    };

/** The flags of the program and of commands. */
export interface Grammar {
  readonly program: CommandLine;
  /** Contains at least the commands that the arguments name. */
  readonly commands: readonly CommandLine[];
}

/** Parses `args`, which exclude the program's name. Throws a `UsageError` for a usage error. */
export function parseArguments(args: readonly string[], grammar: Grammar): Parsed {
  const programLevel = new LevelParser(grammar.program, grammar.commands, args);
  const stop = programLevel.run();
  if (stop.kind === 'help') return { kind: 'help', command: null };
  if (stop.kind === 'end') return { kind: 'program', values: programLevel.finish() };
  const command = grammar.commands.find(({ name }) => name === stop.name);
  if (command === undefined || stop.isEscaped) {
    return {
      kind: 'command',
      name: stop.name,
      values: programLevel.finish(),
      unparsedArgs: stop.laterArgs,
    };
  }
  const parsed = parseCommand(command, stop.laterArgs);
  if (parsed.kind === 'help') return parsed;
  return { ...parsed, values: new Map([...programLevel.finish(), ...parsed.values]) };
}

/** Parses the arguments after the name of a command, and those of its subcommand if one is named. */
function parseCommand(
  line: CommandLine,
  args: readonly string[],
): Extract<Parsed, { kind: 'command' | 'help' }> {
  const { name, subcommands = null } = line;
  const level = new LevelParser(line, subcommands, args);
  const stop = level.run();
  if (stop.kind === 'help') return { kind: 'help', command: name };
  const values = level.finish();
  if (stop.kind === 'end') {
    checkFlagRelations(line, values);
    return { kind: 'command', name, values, unparsedArgs: null };
  }
  const subcommand = subcommands?.find((command) => command.name === stop.name);
  if (subcommand === undefined || stop.isEscaped) throw UsageError.unknownSubcommand(line, stop.name);
  // A subcommand must not ignore a flag before its name.
  const foreign = line.flags.find(
    ({ name: flagName }) => values.has(flagName) && !subcommand.flags.some((flag) => flag.name === flagName),
  );
  if (foreign !== undefined) {
    throw UsageError.unknownArgument(subcommand, spellFlag(foreign), { used: [], isExtraValue: true });
  }
  const parsed = parseCommand(subcommand, stop.laterArgs);
  if (parsed.kind === 'help') return { kind: 'help', command: `${name} ${parsed.command}` };
  return { ...parsed, name: `${name} ${parsed.name}`, values: new Map([...values, ...parsed.values]) };
}

/** The place where the parser of a level stops. */
type Stop =
  | { readonly kind: 'end' }
  | { readonly kind: 'help' }
  | {
      readonly kind: 'command';
      readonly name: string;
      /** The arguments after the name. */
      readonly laterArgs: readonly string[];
      /** True after `--`, where no argument is a flag. */
      readonly isEscaped: boolean;
    };

const HELP: Stop = { kind: 'help' };

/** A flag that the parser has not checked yet. The value is null until it is read. */
interface PendingFlag {
  readonly flag: FlagWithValue;
  value: string | null;
}

/**
 * Parses one level: the program's own flags, or those of a command.
 *
 * Like cargo's parser, it checks the value of a flag only when the next flag or the end follows. Usage errors of later
 * arguments depend on this: they list the flags that were checked.
 */
class LevelParser {
  readonly #line: CommandLine;
  /** Null if no command may follow. */
  readonly #commands: readonly CommandLine[] | null;
  readonly #args: readonly string[];
  /** The values of checked flags. The last given flag is the last key. */
  readonly #values = new Map<string, readonly string[]>();
  #pending: PendingFlag | null = null;

  constructor(line: CommandLine, commands: readonly CommandLine[] | null, args: readonly string[]) {
    this.#line = line;
    this.#commands = commands;
    this.#args = args;
  }

  /** Parses arguments up to the end, a command or `-h`. Throws a `UsageError` for the first wrong argument. */
  run(): Stop {
    let isEscaped = false;
    for (const [position, arg] of this.#args.entries()) {
      const laterArgs = this.#args.slice(position + 1);
      // The pending flag, if its value has not come yet.
      const unfilledFlag = this.#pending?.value === null ? this.#pending : null;
      if (unfilledFlag?.flag.allowsDash === true) {
        unfilledFlag.value = arg;
        continue;
      }
      if (!isEscaped) {
        if (unfilledFlag === null && this.#commands?.some((command) => command.name === arg) === true) {
          return { kind: 'command', name: arg, laterArgs, isEscaped };
        }
        if (arg === '--') {
          isEscaped = true;
          continue;
        }
        if (arg.startsWith('--')) {
          if (this.#takeLong(arg, laterArgs)) return HELP;
          continue;
        }
        if (arg.startsWith('-') && arg !== '-') {
          if (this.#takeShort(arg.slice(1))) return HELP;
          continue;
        }
        if (unfilledFlag !== null) {
          unfilledFlag.value = arg;
          continue;
        }
      }
      if (this.#commands !== null) return { kind: 'command', name: arg, laterArgs, isEscaped };
      this.#takePositional(arg, isEscaped);
    }
    return { kind: 'end' };
  }

  /** Checks the pending flag, and returns all values. Throws a `UsageError` if its value is missing or not allowed. */
  finish(): FlagValues {
    this.#checkPending();
    return this.#values;
  }

  /** Takes an argument that is no flag, no value of an earlier flag and no command. */
  #takePositional(arg: string, isEscaped: boolean): void {
    const flag = this.#positionalFlag(isEscaped);
    if (flag === undefined) {
      this.#checkPendingQuietly();
      const remedy = this.#line.isCargo ? null : selectionRemedy(arg, this.#line);
      throw UsageError.unknownArgument(this.#line, arg, { used: [], remedy });
    }
    this.#checkPending();
    const [earlierValue] = flag.kind === 'value' ? (this.#values.get(flag.name) ?? []) : [];
    if (earlierValue !== undefined) {
      const remedy = this.#line.isCargo ? null : versionRemedy(arg, { flag, spec: earlierValue });
      throw UsageError.unknownArgument(this.#line, arg, { used: [], remedy, isExtraValue: true });
    }
    this.#pending = { flag, value: arg };
  }

  /**
   * Returns the flag that an argument without dashes belongs to: the first one that takes another value, else the last
   * one. After `--`, a trailing one if there is one.
   */
  #positionalFlag(isEscaped: boolean): PositionalFlag | undefined {
    const flags = this.#line.flags.filter(isPositional);
    const trailing = flags.find((flag) => flag.isTrailing === true);
    if (isEscaped && trailing !== undefined) return trailing;
    const others = flags.filter((flag) => flag !== trailing);
    return others.find((flag) => flag.kind === 'list' || !this.#hasValue(flag)) ?? others.at(-1);
  }

  #hasValue(flag: Flag): boolean {
    return this.#values.has(flag.name) || this.#pending?.flag === flag;
  }

  /** Parses `--name` or `--name=value`. Returns true if it asks for help. */
  #takeLong(arg: string, laterArgs: readonly string[]): boolean {
    const equals = arg.indexOf('=');
    const name = equals === -1 ? arg.slice(2) : arg.slice(2, equals);
    const attached = equals === -1 ? null : arg.slice(equals + 1);
    const flag = this.#line.flags.find(({ long, alias }) => long === name || alias === name);
    if (flag === undefined) {
      this.#checkPendingQuietly();
      throw this.#unknownLong(name, laterArgs);
    }
    if (takesValue(flag)) {
      this.#takeFlagWithValue(flag, attached);
      return false;
    }
    if (attached !== null) {
      // Before the check of the pending flag: it does not count as used.
      const used = [...this.#usedFlags(), flag];
      this.#checkPendingQuietly();
      throw UsageError.unexpectedValue(this.#line, flag, { value: attached, used });
    }
    this.#checkPending();
    return this.#addSwitch(flag);
  }

  /** Parses `-abc`: switches, the last of which may be a flag with its value. Returns true if one asks for help. */
  #takeShort(cluster: string): boolean {
    let end = 0;
    for (const character of cluster) {
      end += character.length;
      const flag = this.#line.flags.find(({ short }) => short === character);
      if (flag === undefined) {
        this.#checkPendingQuietly();
        throw UsageError.unknownArgument(this.#line, `-${character}`, {
          used: [],
          isExtraValue: this.#isExtraValue(),
        });
      }
      if (takesValue(flag)) {
        const attached = cluster.slice(end);
        this.#takeFlagWithValue(flag, attached === '' ? null : attached.replace(/^=/, ''));
        return false;
      }
      this.#checkPending();
      if (this.#addSwitch(flag)) return true;
    }
    return false;
  }

  /** Takes a flag, and the value in the same argument; null if the value is the next argument. */
  #takeFlagWithValue(flag: FlagWithValue, attached: string | null): void {
    this.#checkPending();
    if (attached === null) this.#pending = { flag, value: null };
    else this.#addValue(flag, attached);
  }

  /** Adds a flag without a value. Returns true if it is the help flag. */
  #addSwitch(flag: Exclude<Flag, FlagWithValue>): boolean {
    if (flag.kind === 'help') return true;
    if (flag.kind === 'rejected') throw this.#rejection(flag);
    this.#append(flag, ['']);
    return false;
  }

  /** Adds a flag and its value; null if it was given without one. */
  #addValue(flag: FlagWithValue, value: string | null): void {
    if (value === null && flag.valueIsOptional !== true) throw UsageError.missingValue(flag);
    const parts = value === null ? [] : splitValue(flag, value);
    this.#append(flag, parts);
    const wrong = parts.find((part) => !isAllowed(flag, part));
    if (wrong !== undefined) throw UsageError.invalidValue(flag, wrong);
  }

  /** Adds values to those of a flag. A flag without a value has an empty string each time it is given. */
  #append(flag: Flag, values: readonly string[]): void {
    const earlier = this.#values.get(flag.name) ?? [];
    const isRepeated = this.#values.delete(flag.name);
    if (isRepeated && (flag.kind === 'switch' || flag.kind === 'value')) {
      throw UsageError.repeated(this.#line, flag);
    }
    this.#values.set(flag.name, [...earlier, ...values]);
  }

  /** Returns the error for a flag that exists only to be rejected. */
  #rejection(flag: RejectedFlag): UsageError {
    const { instead } = flag;
    return 'tips' in instead
      ? UsageError.unsupportedFlag(this.#line, flag, instead.tips)
      : UsageError.unknownArgument(this.#line, spellFlag(flag), { suggestion: instead.flag, used: [] });
  }

  #checkPending(): void {
    const pending = this.#pending;
    this.#pending = null;
    if (pending !== null) this.#addValue(pending.flag, pending.value);
  }

  /** As `#checkPending`, but ignores usage errors: the caller is about to throw another one. */
  #checkPendingQuietly(): void {
    try {
      this.#checkPending();
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
    }
  }

  /** Returns the error for an unknown `--name`, with the most similar flag. */
  #unknownLong(name: string, laterArgs: readonly string[]): UsageError {
    const { flags, isCargo, name: command, subcommands = [] } = this.#line;
    const used = this.#usedFlags();
    if (!isCargo && subcommands.some((subcommand) => subcommand.name === name)) {
      return UsageError.unknownArgument(this.#line, `--${name}`, { used, existsAs: `${command} ${name}` });
    }
    // cargo suggests rejected flags too.
    const suggested = isCargo ? flags : flags.filter(({ kind }) => kind !== 'rejected');
    const similar = mostSimilar(name, longNames(suggested));
    if (similar === null) {
      const existsAs = this.#suggestFromCommands(name, laterArgs);
      return UsageError.unknownArgument(this.#line, `--${name}`, {
        used,
        existsAs,
        isExtraValue: this.#isExtraValue(),
      });
    }
    const similarFlag = flags.find((flag) => flag.long === similar || flag.alias === similar);
    if (similarFlag !== undefined && !used.includes(similarFlag)) used.push(similarFlag);
    return UsageError.unknownArgument(this.#line, `--${name}`, {
      suggestion: `--${similar}`,
      used: used.filter((flag) => flag.kind !== 'rejected' && flag.isHidden !== true),
    });
  }

  /** Returns true if an argument without dashes would be a value too many. cargo's tips do not consider this. */
  #isExtraValue(): boolean {
    const positionals = this.#line.flags.filter(isPositional);
    return !this.#line.isCargo && positionals.every((flag) => flag.kind === 'value' && this.#hasValue(flag));
  }

  /** Returns the flag of a later command that was perhaps meant, as in `metadata --no-deps`; null if there is none. */
  #suggestFromCommands(name: string, laterArgs: readonly string[]): string | null {
    let nearest: { readonly text: string; readonly position: number } | null = null;
    for (const command of this.#commands ?? []) {
      const position = laterArgs.indexOf(command.name);
      const similar = mostSimilar(name, longNames(command.flags));
      if (position === -1 || similar === null) continue;
      if (nearest === null || position < nearest.position) {
        nearest = { text: `${command.name} --${similar}`, position };
      }
    }
    return nearest?.text ?? null;
  }

  /** Returns the checked flags, in the order in which usage lists them. */
  #usedFlags(): Flag[] {
    return [...this.#values.keys()]
      .map((name) => this.#line.flags.find((flag) => flag.name === name))
      .filter((flag) => flag !== undefined);
  }
}

function longNames(flags: readonly Flag[]): readonly string[] {
  return flags.flatMap(({ long, alias }) => [long, alias ?? null]).filter((name) => name !== null);
}

function splitValue({ delimiter }: FlagWithValue, value: string): readonly string[] {
  return delimiter === undefined ? [value] : value.split(delimiter);
}

function isAllowed(flag: FlagWithValue, value: string): boolean {
  if (flag.refusesEmpty === true && value === '') return false;
  if (flag.values === undefined) return true;
  return flag.values.includes(flag.ignoresCase === true ? value.toLowerCase() : value);
}
