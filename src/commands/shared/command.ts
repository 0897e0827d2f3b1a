/** The interface between commands and the command line. */
import { present } from '../../core/errors/assert.ts';
import type { Config } from '../../io/config/config.ts';
import type { Flag, FlagValues } from './flag.ts';
import type { Identity } from './identity.ts';
import type { Shell } from '../../io/terminal/shell.ts';

/** The inputs of a command. */
export interface Invocation {
  readonly values: FlagValues;
  readonly identity: Identity;
  readonly config: Config;
  /** `--offline`, or `net.offline` in the configuration. `--frozen` does not set it. */
  readonly offline: boolean;
  readonly shell: Shell;
  /**
   * A new signal on each read, which takes time. It is never aborted: a command that handles interruptions uses the
   * signal of `interruptible`.
   */
  readonly signal: AbortSignal;
  /** The name in `+toolchain`, without the plus sign; null if not given. */
  readonly toolchain: string | null;
  /** All commands of the program, including this one. */
  readonly commands: readonly CommandEntry[];
}

/** The headings of commands in help, in order. */
export const COMMAND_GROUPS = [
  'Inspect',
  'Lock File and Downloads',
  'Release',
  'Account',
  'Registry',
  'Shell',
] as const;

/** One of the headings of commands in help. */
export type CommandGroup = (typeof COMMAND_GROUPS)[number];

/** The name of a command. The command itself is loaded on demand. */
export interface CommandEntry {
  readonly name: string;
  /** True for commands that no list shows: those about other commands, and those for programs only. */
  readonly isUnlisted?: boolean;
  /** True if it does not exist in compatibility mode, where a program `cargo-NAME` may have its name. */
  readonly isAbsentInCargo?: boolean;
  /** The heading under which help lists it. */
  readonly group: CommandGroup;
  load(): Promise<Command>;
}

/** A command: its flags in addition to the global ones, and its code. */
export interface Command {
  readonly name: string;
  /** Description in help: one sentence without a full stop. */
  readonly about: string;
  /** Description in compatibility mode. Absent for a command that cargo does not have. */
  readonly cargoAbout?: string;
  /** True if the program's help omits it, because new users should not start with it. `--list` shows it. */
  readonly isHidden?: boolean;
  readonly flags: readonly Flag[];
  /**
   * The names of the global flags that have an effect on the command; all of them if absent. The command line accepts
   * the others too, but help does not list them. In compatibility mode, help for cargo's commands lists all of them.
   */
  readonly supportedGlobalFlags?: readonly string[];
  /** Subcommands. Their `name` is only the last word of the full name. */
  readonly subcommands?: readonly Command[];
  /**
   * How the command uses the network, for hints on network errors: `optional` if downloaded files may suffice,
   * `required` if it needs a registry. Absent for no hints.
   */
  readonly network?: 'optional' | 'required';
  /** True to also print errors as CI annotations, except in compatibility mode. */
  readonly annotatesErrors?: boolean;
  /** True if the output may be cached: it depends only on files, and the command has no other effect. */
  readonly isCacheable?: boolean;
  /**
   * Runs the command, and writes its output. Resolves to 1 for the exit status 1, which reports a result and no failure:
   * see `--exit-code`. Rejects after a failure, which the command line then prints.
   */
  run(invocation: Invocation): Promise<void | 1>;
}

/** The description of `help`, which lists show although it is unlisted. */
export const HELP_ABOUT = 'Print help for a command';

/** Returns the command that the words of `name` call; null if there is none. */
export async function findCommand(name: string, commands: readonly CommandEntry[]): Promise<Command | null> {
  const [commandName, ...subcommandNames] = name.split(' ');
  const entry = commands.find((command) => command.name === commandName);
  return entry === undefined ? null : findByWords(await entry.load(), subcommandNames);
}

function findByWords(command: Command | undefined, [word, ...laterWords]: readonly string[]): Command | null {
  if (command === undefined) return null;
  if (word === undefined) return command;
  return findByWords(
    command.subcommands?.find(({ name }) => name === word),
    laterWords,
  );
}

function listedEntries(commands: readonly CommandEntry[]): readonly CommandEntry[] {
  return commands.filter(({ isUnlisted }) => isUnlisted !== true);
}

/** Returns the names of the commands that lists show. */
export function listedNames(commands: readonly CommandEntry[]): readonly string[] {
  return listedEntries(commands).map(({ name }) => name);
}

/** Loads the commands that lists show. */
export async function loadListed(commands: readonly CommandEntry[]): Promise<readonly ListedCommand[]> {
  return await Promise.all(
    listedEntries(commands).map(async (entry) => ({ ...(await entry.load()), group: entry.group })),
  );
}

/** A command with its heading in help. */
export type ListedCommand = Command & Pick<CommandEntry, 'group'>;

/** Returns true if a flag was given. */
export function isGiven(values: FlagValues, name: string): boolean {
  return values.has(name);
}

/** Returns the last value of a flag; null if the flag was not given, or was given without its optional value. */
export function valueOf(values: FlagValues, name: string): string | null {
  return values.get(name)?.at(-1) ?? null;
}

/** Returns the last value of a flag that the command requires. */
export function requiredValueOf(values: FlagValues, name: string): string {
  return present(valueOf(values, name), `the value of \`${name}\``);
}

/** Returns all values of a flag, in order; empty if it was not given. */
export function valuesOf(values: FlagValues, name: string): readonly string[] {
  return values.get(name) ?? [];
}
