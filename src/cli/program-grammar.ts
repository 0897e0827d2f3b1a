/** The grammar of the program's command line. */
import type { Environment } from '../io/config/environment.ts';
import type { Command, CommandEntry } from '../commands/shared/command.ts';
import { type Flag, HELP_FLAG, takesValue } from '../commands/shared/flag.ts';
import type { Identity } from '../commands/shared/identity.ts';
import type { Grammar } from './parse-arguments.ts';
import type { CommandLine } from '../commands/shared/usage-error.ts';
import { GLOBAL_FLAGS, PROGRAM_FLAGS } from '../commands/shared/common-flags.ts';
import { wrongCaseFlags } from '../commands/shared/wrong-case-flags.ts';
import { allowsUnstable, releaseChannel } from '../commands/shared/unstable-flags.ts';

/** The inputs of a grammar. */
export interface GrammarSource {
  readonly commands: readonly CommandEntry[];
  readonly identity: Identity;
  readonly env: Environment;
}

/**
 * Returns the grammar for a command line of `words`, with the flags that the environment allows. It contains only the
 * commands whose names are in `words`: others are irrelevant.
 */
export async function programGrammar(
  words: readonly string[],
  { commands, identity, env }: GrammarSource,
): Promise<Grammar> {
  const unstable = allowsUnstable(releaseChannel(env));
  const isCargo = identity.program === 'cargo';
  const form = { parent: identity.program, allowsUnstable: unstable, isCargo };
  const named = commands.filter(({ name }) => words.includes(name));
  const loaded = await Promise.all(named.map((entry) => entry.load()));
  return {
    program: {
      name: identity.program,
      invocation: identity.program,
      synopsis: programSynopsis(identity, env),
      isCargo,
      flags: [...PROGRAM_FLAGS.map((flag) => flagInMode(flag, isCargo)), ...globalFlags(null, form)],
    },
    commands: loaded.map((command) => commandLine(command, form)),
  };
}

/** Returns the grammar of the command that the words of `name` call; null if there is none. */
export function findCommandLine(grammar: Grammar, name: string): CommandLine | null {
  let commands: readonly CommandLine[] = grammar.commands;
  let line: CommandLine | undefined;
  for (const word of name.split(' ')) {
    line = commands.find((command) => command.name === word);
    commands = line?.subcommands ?? [];
  }
  return line ?? null;
}

/** The mode in which a command line is parsed. */
interface GrammarForm {
  /** The words before the name of the command. */
  readonly parent: string;
  readonly allowsUnstable: boolean;
  /** True in compatibility mode. */
  readonly isCargo: boolean;
}

/** Returns the flags of a command and its subcommands, as far as they exist in this mode. */
function commandLine(command: Command, form: GrammarForm): CommandLine {
  const { name, flags, subcommands } = command;
  const { parent, isCargo } = form;
  const invocation = `${parent} ${name}`;
  const ownFlags = flags
    .filter((flag) => form.allowsUnstable || flag.isUnstable !== true)
    .filter((flag) => (isCargo ? flag.isAbsentInCargo : flag.isOnlyInCargo) !== true)
    .map((flag) => flagInMode(flag, isCargo));
  const subcommandLines = subcommands?.map((subcommand) =>
    commandLine(subcommand, { ...form, parent: invocation }),
  );
  const allFlags = [...ownFlags, ...globalFlags(command, form)];
  return {
    name,
    invocation,
    synopsis: null,
    isCargo,
    flags: isCargo ? allFlags : [...allFlags, ...wrongCaseFlags(allFlags)],
    ...(subcommandLines === undefined ? {} : { subcommands: subcommandLines }),
  };
}

/** Returns a flag with the help, the kind and the visibility that it has in compatibility mode or in the own mode. */
function flagInMode(flag: Flag, isCargo: boolean): Flag {
  if (!isCargo) return flag.isUnsupported === true ? { ...flag, isHidden: true } : flag;
  const help = flag.cargoHelp ?? flag.help;
  return takesValue(flag) && flag.isSingleInCargo === true
    ? { ...flag, help, kind: 'value' }
    : { ...flag, help };
}

/**
 * Returns the global flags and `-h`, for a command or (null) for the program. Flags without an effect on the command
 * are hidden. So is `-Z` if unstable features cannot be enabled. In compatibility mode, cargo's commands show all.
 */
function globalFlags(
  command: Command | null,
  { isCargo, allowsUnstable: unstable }: GrammarForm,
): readonly Flag[] {
  const supported = isCargo && command?.cargoAbout !== undefined ? undefined : command?.supportedGlobalFlags;
  const isListed = ({ name }: Flag): boolean =>
    (supported?.includes(name) ?? true) && (isCargo || unstable || name !== 'unstable-features');
  const flags = GLOBAL_FLAGS.map((flag) => flagInMode(flag, isCargo)).map((flag) =>
    isListed(flag) ? flag : { ...flag, isHidden: true },
  );
  if (isCargo) return [...flags, HELP_FLAG];
  return [...flags, HELP_FLAG].map((flag) => ({ ...flag, heading: 'Common Options' }));
}

/**
 * Returns the usage of the program after `Usage:`. As in cargo, its escape sequences are those of Rust's crate
 * `color-print`. Other usage lines have the same colors with other sequences.
 */
function programSynopsis(identity: Identity, env: Environment): string {
  const literal = (text: string): string => `\x1b[96m\x1b[1m${text}\x1b[39m\x1b[22m`;
  const placeholder = (text: string): string => `\x1b[36m${text}\x1b[39m`;
  const name = literal(identity.program);
  if (identity.program === 'tsreg') return `${name} ${placeholder('[+toolchain] [OPTIONS] [COMMAND]')}`;
  const options = env.RUSTUP_HOME === undefined ? '[OPTIONS]' : '[+toolchain] [OPTIONS]';
  return (
    `${name} ${placeholder(`${options} [COMMAND]`)}\n` +
    `       ${name} ${placeholder(options)} ${literal('-Zscript')} ${placeholder('<MANIFEST_RS> [ARGS]...')}`
  );
}
