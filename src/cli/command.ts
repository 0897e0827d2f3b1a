/** What a command is to the command line. */
import type { Config } from '../config/config.ts';
import type { Flag } from './flag.ts';
import type { Identity } from './identity.ts';
import type { FlagValues } from './parse-arguments.ts';
import type { Shell } from './shell.ts';

/** What a command runs with. */
export interface Invocation {
  readonly values: FlagValues;
  readonly identity: Identity;
  readonly config: Config;
  /** `--offline`, or `net.offline` in the configuration. */
  readonly offline: boolean;
  readonly shell: Shell;
  readonly signal: AbortSignal;
  /** `+toolchain`, without the plus sign; null if none was named. */
  readonly toolchain: string | null;
  /** The commands of the program, this one among them. */
  readonly commands: readonly CommandEntry[];
}

/** The headings of commands in help, in their order. */
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

/** A command of the program by its name; the rest is loaded when it is asked for. */
export interface CommandEntry {
  readonly name: string;
  /** True for what is about commands, or asked by programs alone: no list of commands has it. */
  readonly isUnlisted?: boolean;
  /** Under which heading help lists it. */
  readonly group: CommandGroup;
  /** The command of that name. */
  load(): Promise<Command>;
}

/** One command: its flags beside the global ones, and what it does. */
export interface Command {
  readonly name: string;
  /** For help: one sentence without a full stop. */
  readonly about: string;
  /** What help says in compatibility mode. Absent for a command that cargo does not have. */
  readonly cargoAbout?: string;
  /** Not in the program's help, as nobody is to begin with it. */
  readonly isHidden?: boolean;
  readonly flags: readonly Flag[];
  /**
   * The names of the global flags that have an effect on the command; all of them if absent. The command line accepts the
   * others too, but help does not list them. In compatibility mode help lists all of them for every command that cargo has.
   */
  readonly supportedGlobalFlags?: readonly string[];
  /** Commands that are named behind this one; their `name` is the last word of theirs. */
  readonly subcommands?: readonly Command[];
  /** What it needs of the network: nothing where everything was downloaded before, or a registry that answers. */
  readonly network?: 'optional' | 'required';
  /** True to show errors where the CI system shows them, too, unless everything is to be as cargo has it. */
  readonly annotatesErrors?: boolean;
  /** True if the same files always lead to the same output, and nothing else is changed: it may be cached. */
  readonly isCacheable?: boolean;
  run(invocation: Invocation): Promise<void>;
}

/** The command that is called by the words of `name`, null if there is none. */
export async function findCommand(name: string, commands: readonly CommandEntry[]): Promise<Command | null> {
  const [first, ...rest] = name.split(' ');
  const entry = commands.find((each) => each.name === first);
  return entry === undefined ? null : findByWords(await entry.load(), rest);
}

function findByWords(command: Command | undefined, [word, ...rest]: readonly string[]): Command | null {
  if (command === undefined) return null;
  if (word === undefined) return command;
  return findByWords(
    command.subcommands?.find(({ name }) => name === word),
    rest,
  );
}

/** The names of the commands that people are told of. */
export function listedNames(commands: readonly CommandEntry[]): readonly string[] {
  return commands.filter(({ isUnlisted }) => isUnlisted !== true).map(({ name }) => name);
}

/** The commands that people are told of. */
export async function loadListed(commands: readonly CommandEntry[]): Promise<readonly ListedCommand[]> {
  const listed = commands.filter(({ isUnlisted }) => isUnlisted !== true);
  return await Promise.all(listed.map(async (entry) => ({ ...(await entry.load()), group: entry.group })));
}

/** A command, and the heading under which help lists it. */
export type ListedCommand = Command & Pick<CommandEntry, 'group'>;

/** True if a switch was given. */
export function isGiven(values: FlagValues, name: string): boolean {
  return values.has(name);
}

/** The value of a flag, null if it was not given. */
export function valueOf(values: FlagValues, name: string): string | null {
  return values.get(name)?.at(-1) ?? null;
}

/** All values of a flag, in order. */
export function valuesOf(values: FlagValues, name: string): readonly string[] {
  return values.get(name) ?? [];
}
