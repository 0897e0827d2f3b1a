/** The one list of commands, and what the program's own command line looks like. */
import type { Environment } from '../config/environment.ts';
import type { Command } from './command.ts';
import { COMPLETE } from './commands/complete.ts';
import { COMPLETIONS } from './commands/completions.ts';
import { FETCH } from './commands/fetch.ts';
import { GENERATE_LOCKFILE } from './commands/generate-lockfile.ts';
import { HELP } from './commands/help.ts';
import { INFO } from './commands/info.ts';
import { LOCATE_PROJECT } from './commands/locate-project.ts';
import { LOGIN } from './commands/login.ts';
import { LOGOUT } from './commands/logout.ts';
import { METADATA } from './commands/metadata.ts';
import { PKGID } from './commands/pkgid.ts';
import { READ_MANIFEST } from './commands/read-manifest.ts';
import { TREE } from './commands/tree.ts';
import { PACKAGE } from './commands/package.ts';
import { PUBLISH } from './commands/publish.ts';
import { SERVE } from './commands/serve.ts';
import { OWNER } from './commands/owner.ts';
import { SEARCH } from './commands/search.ts';
import { YANK } from './commands/yank.ts';
import { SHIM } from './commands/shim.ts';
import { UPDATE } from './commands/update.ts';
import { VENDOR } from './commands/vendor.ts';
import { VERSION } from './commands/version.ts';
import { WHOAMI } from './commands/whoami.ts';
import { HELP_FLAG } from './flag.ts';
import type { Identity } from './identity.ts';
import type { Grammar } from './parse-arguments.ts';
import type { CommandLine } from './refusal.ts';
import { GLOBAL_FLAGS, PROGRAM_FLAGS } from './shared-flags.ts';
import { allowsUnstable, releaseChannel } from './unstable-flags.ts';

/** Every command that people use. What one does is loaded when it runs. */
export const COMMANDS: readonly Command[] = [
  METADATA,
  TREE,
  PKGID,
  LOCATE_PROJECT,
  READ_MANIFEST,
  PACKAGE,
  PUBLISH,
  UPDATE,
  GENERATE_LOCKFILE,
  FETCH,
  VENDOR,
  INFO,
  LOGIN,
  LOGOUT,
  WHOAMI,
  OWNER,
  SEARCH,
  YANK,
  SERVE,
  SHIM,
  COMPLETIONS,
  VERSION,
];

/** With what is about commands, and what is asked by programs alone. */
const ALL_COMMANDS: readonly Command[] = [...COMMANDS, HELP, COMPLETE];

/** The command that is called by the words of `name`, null if there is none. */
export function findCommand(name: string): Command | null {
  return findByWords(ALL_COMMANDS, name);
}

/** As `findCommand`, for how commands look on the command line. */
export function findCommandLine(grammar: Grammar, name: string): CommandLine | null {
  return findByWords(grammar.commands, name);
}

function findByWords<T extends { readonly name: string; readonly subcommands?: readonly T[] }>(
  commands: readonly T[],
  words: string,
): T | null {
  const direct = commands.find(({ name }) => name === words);
  if (direct !== undefined) return direct;
  const parent = commands.find(({ name }) => words.startsWith(`${name} `));
  return parent === undefined
    ? null
    : findByWords(parent.subcommands ?? [], words.slice(parent.name.length + 1));
}

/** The grammar of the command line, with the flags that the environment allows. */
export function programGrammar(identity: Identity, env: Environment): Grammar {
  const unstable = allowsUnstable(releaseChannel(env));
  return {
    program: {
      name: identity.program,
      invocation: identity.program,
      synopsis: programSynopsis(identity, env),
      flags: [...PROGRAM_FLAGS, ...GLOBAL_FLAGS, HELP_FLAG],
    },
    commands: ALL_COMMANDS.map((command) =>
      commandLine(command, { parent: identity.program, unstable, isCargo: identity.program === 'cargo' }),
    ),
  };
}

function commandLine(
  { name, flags, subcommands }: Command,
  form: { readonly parent: string; readonly unstable: boolean; readonly isCargo: boolean },
): CommandLine {
  const { parent, unstable, isCargo } = form;
  const invocation = `${parent} ${name}`;
  const own = flags
    .filter((flag) => unstable || flag.unstable !== true)
    .filter((flag) => !isCargo || flag.isAbsentInCargo !== true)
    .map((flag) => (isCargo && flag.isSingleInCargo === true ? { ...flag, kind: 'value' as const } : flag));
  return {
    name,
    invocation,
    synopsis: null,
    flags: [...own, ...GLOBAL_FLAGS, HELP_FLAG],
    ...(subcommands === undefined
      ? {}
      : { subcommands: subcommands.map((each) => commandLine(each, { ...form, parent: invocation })) }),
  };
}

/** What stands behind `Usage:` for the program itself; cargo's own text is styled differently from the rest. */
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
