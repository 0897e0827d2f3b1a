/** Parses the command line. The rules and usage errors are those of cargo's parser. */
import { mostSimilar } from '../core/errors/similar-words.ts';
import { type Flag, type FlagValues, isOnlyRefused, spellFlag, takesValue } from '../commands/shared/flag.ts';
import {
  type CommandLine,
  type FlagGroup,
  type MissingFlag,
  UsageError,
} from '../commands/shared/usage-error.ts';

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
      /** The arguments after the name if the command is unknown or follows `--`; else null. */
      readonly rest: readonly string[] | null;
    };

/** The flags of the program and of commands. */
export interface Grammar {
  readonly program: CommandLine;
  /** Contains at least the commands that the arguments name. */
  readonly commands: readonly CommandLine[];
}

/** Parses `args`, which exclude the program's name. Throws a `UsageError` for a usage error. */
export function parseArguments(args: readonly string[], grammar: Grammar): Parsed {
  const top = new LevelParser(grammar.program, grammar.commands, args);
  const stop = top.run();
  if (stop.kind === 'help') return { kind: 'help', command: null };
  if (stop.kind === 'end') return { kind: 'program', values: top.finish() };
  const command = grammar.commands.find((each) => each.name === stop.name);
  if (command === undefined || stop.isEscaped) {
    return { kind: 'command', name: stop.name, values: top.finish(), rest: stop.rest };
  }
  const inner = parseCommand(command, stop.rest);
  if (inner.kind === 'help') return inner;
  return { ...inner, values: new Map([...top.finish(), ...inner.values]) };
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
    checkCompany(line, values);
    return { kind: 'command', name, values, rest: null };
  }
  const subcommand = subcommands?.find((each) => each.name === stop.name);
  if (subcommand === undefined || stop.isEscaped) throw UsageError.unknownSubcommand(line, stop.name);
  const inner = parseCommand(subcommand, stop.rest);
  if (inner.kind === 'help') return { kind: 'help', command: `${name} ${inner.command}` };
  return { ...inner, name: `${name} ${inner.name}`, values: new Map([...values, ...inner.values]) };
}

type Stop =
  | { readonly kind: 'end' }
  | { readonly kind: 'help' }
  | {
      readonly kind: 'command';
      readonly name: string;
      readonly rest: readonly string[];
      /** True after `--`, where no argument is a flag. */
      readonly isEscaped: boolean;
    };

const HELP: Stop = { kind: 'help' };

/** Parses one level: the program's own flags, or those of a command. */
class LevelParser {
  readonly #line: CommandLine;
  /** Null if no command may follow. */
  readonly #commands: readonly CommandLine[] | null;
  readonly #args: readonly string[];
  readonly #values = new Map<string, string[]>();
  /** A flag whose value is not yet checked. `value` is null until it is read. */
  #pending: { readonly flag: Flag; value: string | null } | null = null;

  constructor(line: CommandLine, commands: readonly CommandLine[] | null, args: readonly string[]) {
    this.#line = line;
    this.#commands = commands;
    this.#args = args;
  }

  run(): Stop {
    let trailing = false;
    for (const [position, arg] of this.#args.entries()) {
      const rest = this.#args.slice(position + 1);
      const awaitsValue = this.#pending !== null && this.#pending.value === null;
      if (awaitsValue && this.#pending?.flag.allowsDash === true) {
        this.#pending.value = arg;
        continue;
      }
      if (!trailing) {
        const isCommand = this.#commands?.some((command) => command.name === arg) === true;
        if (!awaitsValue && isCommand) return { kind: 'command', name: arg, rest, isEscaped: false };
        if (arg === '--') {
          trailing = true;
          continue;
        }
        if (arg.startsWith('--')) {
          if (this.#long(arg, rest)) return HELP;
          continue;
        }
        if (arg.startsWith('-') && arg !== '-') {
          if (this.#short(arg.slice(1))) return HELP;
          continue;
        }
        if (awaitsValue && this.#pending !== null) {
          this.#pending.value = arg;
          continue;
        }
      }
      if (this.#commands !== null) return { kind: 'command', name: arg, rest, isEscaped: trailing };
      const positional = this.#positional(trailing);
      if (positional !== undefined) {
        this.#resolvePending();
        if (positional.kind === 'value' && this.#values.has(positional.name)) {
          throw UsageError.unknownArgument(this.#line, arg, { used: [], isValue: true });
        }
        this.#pending = { flag: positional, value: arg };
        continue;
      }
      this.#resolvePendingQuietly();
      throw UsageError.unknownArgument(this.#line, arg, { used: [] });
    }
    return { kind: 'end' };
  }

  /** Checks the pending flag, and returns all values. */
  finish(): FlagValues {
    this.#resolvePending();
    return this.#values;
  }

  #positional(isTrailing: boolean): Flag | undefined {
    const flags = this.#line.flags.filter((flag) => flag.isPositional === true);
    const behind = flags.find((flag) => flag.isTrailing === true);
    return isTrailing && behind !== undefined ? behind : flags.find((flag) => flag.isTrailing !== true);
  }

  /** Parses `--name` or `--name=value`. Returns true if it asks for help. */
  #long(arg: string, rest: readonly string[]): boolean {
    const equals = arg.indexOf('=');
    const name = equals === -1 ? arg.slice(2) : arg.slice(2, equals);
    const attached = equals === -1 ? null : arg.slice(equals + 1);
    const flag = this.#line.flags.find((each) => each.long === name || each.alias === name);
    if (flag === undefined) {
      this.#resolvePendingQuietly();
      throw this.#unknownLong(name, rest);
    }
    if (takesValue(flag)) {
      this.#option(flag, attached);
      return false;
    }
    if (attached !== null) {
      // Before the pending flag is resolved: it does not count as used.
      const used = [...this.#used().filter((each) => !isOnlyRefused(each)), flag];
      this.#resolvePendingQuietly();
      throw UsageError.unexpectedValue(this.#line, flag, { value: attached, used });
    }
    return this.#take(flag, null);
  }

  /** Parses `-abc`: switches, the last of which may be a flag with its value. Returns true if one asks for help. */
  #short(cluster: string): boolean {
    let at = 0;
    for (const character of cluster) {
      at += character.length;
      const flag = this.#line.flags.find((each) => each.short === character);
      if (flag === undefined) {
        this.#resolvePendingQuietly();
        throw UsageError.unknownArgument(this.#line, `-${character}`, { used: [] });
      }
      if (takesValue(flag)) {
        const attached = cluster.slice(at);
        this.#option(flag, attached === '' ? null : attached.replace(/^=/, ''));
        return false;
      }
      if (this.#take(flag, null)) return true;
    }
    return false;
  }

  #option(flag: Flag, attached: string | null): void {
    if (attached !== null) {
      this.#take(flag, attached);
      return;
    }
    this.#resolvePending();
    this.#pending = { flag, value: null };
  }

  /** Adds a flag and its value. Returns true if it is the help flag. */
  #take(flag: Flag, value: string | null): boolean {
    this.#resolvePending();
    return this.#note(flag, value);
  }

  #note(flag: Flag, value: string | null): boolean {
    if (flag.kind === 'help') return true;
    const mayStandAlone = !takesValue(flag) || flag.valueIsOptional === true;
    if (value === null && !mayStandAlone) throw UsageError.missingValue(flag);
    const earlier = this.#values.get(flag.name) ?? [];
    const isRepeated = this.#values.delete(flag.name);
    if (isRepeated && (flag.kind === 'switch' || flag.kind === 'value')) {
      throw UsageError.repeated(this.#line, flag);
    }
    const { delimiter } = flag;
    const parts = value === null || delimiter === undefined ? [value ?? ''] : value.split(delimiter);
    const values = value === null && takesValue(flag) ? earlier : [...earlier, ...parts];
    this.#values.set(flag.name, values);
    if (flag.suggests !== undefined) {
      throw UsageError.unknownArgument(this.#line, spellFlag(flag), { suggestion: flag.suggests, used: [] });
    }
    if (flag.tips !== undefined) throw UsageError.unsupportedFlag(this.#line, flag, flag.tips);
    const wrong = value === null ? undefined : parts.find((part) => !isAllowed(flag, part));
    if (wrong !== undefined) throw UsageError.invalidValue(flag, wrong);
    return false;
  }

  #resolvePending(): void {
    const pending = this.#pending;
    this.#pending = null;
    if (pending !== null) this.#note(pending.flag, pending.value);
  }

  /** As `#resolvePending`, but ignores usage errors: the caller is about to throw another one. */
  #resolvePendingQuietly(): void {
    try {
      this.#resolvePending();
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
    }
  }

  #unknownLong(name: string, rest: readonly string[]): UsageError {
    const { flags } = this.#line;
    const similar = mostSimilar(name, longNames(flags));
    if (similar === null) {
      const other = this.#suggestFromCommands(name, rest);
      return UsageError.unknownArgument(this.#line, `--${name}`, { used: this.#used(), existsAs: other });
    }
    const meant = flags.find((flag) => flag.long === similar || flag.alias === similar);
    const used = this.#used();
    if (meant !== undefined && !used.includes(meant)) used.push(meant);
    return UsageError.unknownArgument(this.#line, `--${name}`, {
      suggestion: `--${similar}`,
      used: used.filter((flag) => !isOnlyRefused(flag) && flag.isHidden !== true),
    });
  }

  /** Returns the flag of a later command that was perhaps meant: `metadata --no-deps`. */
  #suggestFromCommands(name: string, rest: readonly string[]): string | null {
    let best: { readonly text: string; readonly position: number } | null = null;
    for (const command of this.#commands ?? []) {
      const position = rest.indexOf(command.name);
      const similar = mostSimilar(name, longNames(command.flags));
      if (position === -1 || similar === null) continue;
      if (best === null || position < best.position) {
        best = { text: `${command.name} --${similar}`, position };
      }
    }
    return best?.text ?? null;
  }

  /** Returns the flags given so far, in the order in which usage lists them. */
  #used(): Flag[] {
    const names = [...this.#values.keys()];
    return names
      .map((name) => this.#line.flags.find((flag) => flag.name === name))
      .filter((flag) => flag !== undefined);
  }
}

/** Throws a `UsageError` if given flags exclude each other, or if a required flag is missing. */
function checkCompany(line: CommandLine, values: FlagValues): void {
  const find = (name: string | undefined): Flag | null =>
    line.flags.find((flag) => flag.name === name) ?? null;
  const given = [...values.keys()].flatMap((name) => find(name) ?? []);
  const groupOf = (name: string | undefined): FlagGroup | null => {
    const members = name === undefined ? [] : line.flags.filter((flag) => flag.group === name);
    return members.length === 0 ? null : { members };
  };
  for (const flag of given) {
    const others = given.filter((each) => excludes(each, flag) || excludes(flag, each));
    const [other] = others;
    if (other === undefined) continue;
    const used = given.filter((each) => !others.includes(each));
    const missing = used.flatMap(({ requires }) => {
      const needed = find(requires);
      return needed === null || given.includes(needed) ? (groupOf(requires) ?? []) : needed;
    });
    throw UsageError.conflict(line, [flag, other], { used, missing });
  }
  const required = line.flags.filter((flag) => flag.isRequired === true && !given.includes(flag));
  const missing = new Set<MissingFlag>(required);
  for (const { requires } of given) {
    const needed = find(requires);
    if (needed !== null && !given.includes(needed)) missing.add(needed);
    const group = groupOf(requires);
    if (group !== null && !group.members.some((flag) => given.includes(flag))) missing.add(group);
  }
  if (missing.size > 0) throw UsageError.missingFlags(line, [...missing], { used: given });
}

function excludes(flag: Flag, other: Flag): boolean {
  if (flag === other) return false;
  return flag.conflictsWith === other.name || (flag.group !== undefined && flag.group === other.group);
}

function longNames(flags: readonly Flag[]): readonly string[] {
  return flags.flatMap(({ long, alias }) => [long, alias ?? null]).filter((name) => name !== null);
}

function isAllowed(flag: Flag, value: string): boolean {
  if (flag.refusesEmpty === true && value === '') return false;
  if (flag.values === undefined) return true;
  const wanted = flag.ignoresCase === true ? value.toLowerCase() : value;
  return flag.values.includes(wanted);
}
