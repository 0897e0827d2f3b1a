/** Runs the program: arguments in, exit status out. */
import {
  type Command,
  type CommandEntry,
  findCommand,
  isGiven,
  listedNames,
  valueOf,
} from '../commands/shared/command.ts';
import { type Identity, identify } from '../commands/shared/identity.ts';
import { UsageError } from '../commands/shared/usage-error.ts';
import { type Config, loadConfig } from '../io/config/config.ts';
import { choiceVariable, type Environment } from '../io/config/environment.ts';
import { termSettings } from '../io/config/term-settings.ts';
import { recordingInputs } from '../io/disk/input-recorder.ts';
import { programFile } from '../io/programs/program-file.ts';
import { parseColorChoice } from '../io/terminal/color-choice.ts';
import { Shell } from '../io/terminal/shell.ts';
import { expandAliases } from './aliases.ts';
import type { CacheMiss } from './lookup.ts';
import { configureRun, type RunSettings } from './configure-run.ts';
import { jobServerWarning, namedJobServer } from './job-server.ts';
import { networkHint } from './network-hint.ts';
import { type Grammar, parseArguments, type Parsed } from './parse-arguments.ts';
import { printInformation } from './print-information.ts';
import { COMMANDS } from './program.ts';
import { programGrammar } from './program-grammar.ts';
import { rejectIfEventLoopDrains } from './reject-if-event-loop-drains.ts';
import { annotateFailure, reportFailure } from './report-failure.ts';
import { ResultRecording } from './result-recording.ts';
import { changeFolder, workingFolder } from './working-folder.ts';

/** The context of a run. */
interface Session {
  /** The command line without the program's name, including `+toolchain`. */
  readonly args: readonly string[];
  readonly env: Environment;
  readonly identity: Identity;
  readonly shell: Shell;
  readonly commands: readonly CommandEntry[];
  /** The name in `+toolchain`, without the plus sign; null if not given. */
  readonly toolchain: string | null;
  /** Null if results are not cached. */
  readonly recording: ResultRecording | null;
}

/** Inputs of a run in addition to its arguments. */
export interface Surroundings {
  readonly env: Environment;
  readonly miss: CacheMiss;
}

/** Runs the program with `args`, which exclude its own name. Prints all output and errors. Returns the exit status. */
export async function runProgram(args: readonly string[], { env, miss }: Surroundings): Promise<number> {
  const shell = new Shell(env, miss.written);
  const identity = identify(env);
  const toolchain = args[0]?.startsWith('+') === true ? args[0].slice(1) : null;
  const recording = ResultRecording.start(miss.key, { env, shell });
  const session = { args, env, identity, shell, commands: commandsFor(identity), toolchain, recording };
  const work = (): Promise<number> => run(toolchain === null ? args : args.slice(1), session);
  try {
    return await rejectIfEventLoopDrains(
      recording === null ? work() : recordingInputs(recording.inputs, work),
      process,
    );
  } catch (error) {
    return await reportFailure(error, session);
  }
}

/** Returns the commands of the own mode or of compatibility mode. */
function commandsFor({ program }: Identity): readonly CommandEntry[] {
  return program === 'cargo' ? COMMANDS.filter(({ isAbsentInCargo }) => isAbsentInCargo !== true) : COMMANDS;
}

/** Runs the program with `args`, which exclude `+toolchain`. Returns the exit status. */
async function run(args: readonly string[], session: Session): Promise<number> {
  const { env, identity, shell } = session;
  if (identity.program === 'tsreg') {
    choiceVariable(env, 'TSREG_COMPAT', ['cargo']);
    choiceVariable(env, 'TSREG_CACHE', ['on', 'off', 'verify']);
  }
  warnAboutJobServer(session);
  const initialConfig = loadConfig({ cwd: workingFolder(), env, report: shell });
  const usageColor = parseColorChoice(termSettings(initialConfig).color ?? 'auto') ?? 'auto';
  let request: RunRequest;
  try {
    request = await parseRequest(args, initialConfig, session);
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    shell.writeError(error.message, usageColor);
    return identity.usageExitStatus;
  }
  const { parsed, config } = request;
  const status = await leaveToCargo(parsed, session);
  if (status !== null) return status;
  if (parsed.kind !== 'help' && (await printInformation(parsed.values, { ...session, config }))) return 0;
  if (parsed.kind === 'command') return runCommand(parsed, config, session);
  // As in cargo, `--color` on the command line has no effect on help.
  shell.setColor(usageColor);
  const { printHelp } = await import('./print-help.ts');
  await printHelp(parsed.kind === 'help' ? parsed.command : null, session);
  return 0;
}

/** The parsed command line, and the configuration without its flags. */
interface RunRequest {
  readonly parsed: Parsed;
  readonly config: Config;
}

/** Parses the command line, carries out `-C`, and expands aliases. Throws a `UsageError` for a usage error. */
async function parseRequest(
  args: readonly string[],
  initialConfig: Config,
  session: Session,
): Promise<RunRequest> {
  const { env, identity, shell } = session;
  const grammar = await programGrammar(args, session);
  const parsed = parseArguments(args, grammar);
  let config = initialConfig;
  const folder = parsed.kind === 'help' ? null : valueOf(parsed.values, 'directory');
  if (parsed.kind !== 'help' && folder !== null) {
    changeFolder(folder, parsed.values, session);
    config = loadConfig({ cwd: workingFolder(), env, report: shell });
    // Reads the files, so that their errors come before those of aliases.
    config.values();
  }
  const { home } = config;
  const expanded = await expandAliases(parsed, {
    config,
    grammar,
    grammarOf: (words): Promise<Grammar> => programGrammar(words, session),
    report: shell,
    findCustomCommand: async (name) => {
      if (identity.program !== 'cargo') return null;
      session.recording?.inputs.reject('programs on the `PATH` may shadow aliases');
      const { findCustomCommand } = await import('./foreign-command.ts');
      return findCustomCommand(name, { home, env });
    },
  });
  return { parsed: expanded, config };
}

/** Warns in compatibility mode if the job server cannot be used. tsreg itself starts no jobs. */
function warnAboutJobServer({ env, identity, shell, recording }: Session): void {
  if (identity.program !== 'cargo' || namedJobServer(env) === null) return;
  recording?.inputs.reject('a job server may come and go');
  const warning = jobServerWarning(env);
  if (warning !== null) shell.warning(warning);
}

/** Behind a shim, runs the real cargo for commands of others. Returns its exit status; null if it did not run. */
async function leaveToCargo(parsed: Parsed, { args, env, commands }: Session): Promise<number | null> {
  if (env['TSREG_SHIM'] === undefined || (await isForTsreg(parsed, commands))) return null;
  const { runCargoBehindShim } = await import('./foreign-command.ts');
  return runCargoBehindShim(args, { env, program: programFile(), hasTerminal: process.stdin.isTTY });
}

/**
 * Returns true if tsreg runs the command line, and not the cargo behind the shim: for `--version`, and for the commands
 * of tsreg and their help. `help` describes cargo's commands too, so cargo runs it.
 */
async function isForTsreg(parsed: Parsed, commands: readonly CommandEntry[]): Promise<boolean> {
  if (parsed.kind === 'help') return parsed.command !== null && parsed.command !== 'help';
  if (isGiven(parsed.values, 'print-version')) return true;
  if (parsed.kind === 'program' || parsed.name === 'help') return false;
  return (await findCommand(parsed.name, commands)) !== null;
}

/** A command line that names a command. */
type ParsedCommand = Extract<Parsed, { kind: 'command' }>;

/** Runs the named command, in compatibility mode also an external one. Throws `config` if there is none. */
async function runCommand(parsed: ParsedCommand, config: Config, session: Session): Promise<number> {
  const { identity, env, shell } = session;
  // Other users of the machine can see the arguments of a process, and thus the token.
  if (valueOf(parsed.values, 'token') !== null) {
    const { hideArguments } = await import('./hide-arguments.ts');
    hideArguments(identity.program);
  }
  const settings = configureRun(parsed.values, { config, env, shell });
  const command = await findCommand(parsed.name, session.commands);
  return command === null
    ? await runForeignCommand(parsed, settings.config, session)
    : await runOwnCommand(command, { parsed, settings, session });
}

/** Runs an external command in compatibility mode. Otherwise, or if there is none, throws `config`. */
async function runForeignCommand(
  { name, unparsedArgs }: ParsedCommand,
  config: Config,
  { identity, commands }: Session,
): Promise<number> {
  const args = unparsedArgs ?? [];
  let customNames: readonly string[] = [];
  if (identity.program === 'cargo') {
    const { customCommands, runCustomCommand } = await import('./foreign-command.ts');
    const { home, env } = config;
    const started = { env, program: programFile(), hasTerminal: process.stdin.isTTY };
    const status = await runCustomCommand(name, args, { home, started });
    if (status !== null) return status;
    customNames = Array.from(customCommands(config).keys());
  }
  const { unknownCommand } = await import('./unknown-command.ts');
  const knownNames = [...listedNames(commands), ...customNames];
  throw unknownCommand(name, { config, identity, knownNames, args });
}

/** A parsed command line with its settings. */
interface CommandRun {
  readonly parsed: ParsedCommand;
  readonly settings: RunSettings;
  readonly session: Session;
}

/** Runs a command of this program, and stores its result if it is cacheable. */
async function runOwnCommand(command: Command, { parsed, settings, session }: CommandRun): Promise<number> {
  const recording = command.isCacheable === true ? session.recording : null;
  if (recording === null) session.recording?.stop();
  let status: number;
  try {
    const resultStatus = await command.run({
      values: parsed.values,
      identity: session.identity,
      config: settings.config,
      offline: settings.offline,
      shell: session.shell,
      // Created on demand: loading it takes a hundredth of a common run.
      get signal() {
        return new AbortController().signal;
      },
      toolchain: session.toolchain,
      commands: session.commands,
    });
    status = resultStatus ?? 0;
  } catch (error) {
    if (command.annotatesErrors === true) await annotateFailure(error, command.name, session);
    const offline = settings.offline || isGiven(parsed.values, 'frozen');
    return await reportFailure(error, session, networkHint(error, command, { offline }));
  }
  if (status === 0) recording?.finish();
  return status;
}
