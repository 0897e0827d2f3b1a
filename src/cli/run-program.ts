/** Runs the program: arguments in, exit status out. */
import { existsSync } from 'node:fs';
import { recordingInputs } from '../io/disk/input-recorder.ts';
import { type Config, loadConfig } from '../io/config/config.ts';
import type { Environment } from '../io/config/environment.ts';
import { isOfflineConfigured } from '../io/config/network-settings.ts';
import { type TermSettings, termSettings } from '../io/config/term-settings.ts';
import { TsregError } from '../core/errors/error.ts';
import { expandAliases } from './aliases.ts';
import { parseColorChoice, requireColorChoice } from '../io/terminal/color-choice.ts';
import {
  type CommandEntry,
  findCommand,
  isGiven,
  listedNames,
  valueOf,
  valuesOf,
} from '../commands/shared/command.ts';
import { type Identity, identify } from '../commands/shared/identity.ts';
import { jobServerWarning, namedJobServer } from './job-server.ts';
import { rejectIfEventLoopDrains } from './reject-if-event-loop-drains.ts';
import { ClosedPipe, type WrittenBytes } from '../io/terminal/output-stream.ts';
import type { FlagValues } from '../commands/shared/flag.ts';
import { type Grammar, parseArguments, type Parsed } from './parse-arguments.ts';
import { COMMANDS } from './program.ts';
import { programGrammar } from './program-grammar.ts';
import { programFile } from '../io/programs/program-file.ts';
import { networkHint } from './network-hint.ts';
import { UsageError } from '../commands/shared/usage-error.ts';
import { Shell, type Verbosity } from '../io/terminal/shell.ts';
import { stabilizedFlagWarnings } from './stabilized-flags.ts';
import {
  allowsUnstable,
  SUPPORTED_UNSTABLE_FLAGS,
  parseUnstableFlags,
  releaseChannel,
  CHANNELS_LINK,
  HOW_TO_ENABLE,
  unstableFlagError,
} from '../commands/shared/unstable-flags.ts';
import { ResultRecording } from './result-recording.ts';
import { isSystemError, withSystemContext } from '../io/terminal/system-error.ts';
import { versionText } from '../commands/version/print.ts';

/** The context of a run. */
interface Session {
  /** The command line without the program's name, including `+toolchain`. */
  readonly args: readonly string[];
  readonly env: Environment;
  readonly identity: Identity;
  readonly shell: Shell;
  readonly commands: readonly CommandEntry[];
  readonly toolchain: string | null;
  readonly recording: ResultRecording | null;
}

/** Inputs of a run in addition to its arguments. */
export interface Surroundings {
  readonly env: Environment;
  /** The number of bytes of its output that the process has already written. */
  readonly written: WrittenBytes;
}

/** Runs the program with `args`, which exclude its own name. Prints all output and errors. Returns the exit status. */
export async function runProgram(args: readonly string[], { env, written }: Surroundings): Promise<number> {
  const shell = new Shell(env, written);
  const identity = identify(env);
  const toolchain = args[0]?.startsWith('+') === true ? args[0].slice(1) : null;
  const recording = ResultRecording.start(env, shell);
  const session = { args, env, identity, shell, commands: COMMANDS, toolchain, recording };
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

async function run(args: readonly string[], session: Session): Promise<number> {
  const { env, identity, shell } = session;
  warnOfJobServer(session);
  let config = loadConfig({ cwd: workingFolder(), env, report: shell });
  const usageColor = parseColorChoice(termSettings(config).color ?? 'auto') ?? 'auto';
  let parsed: Parsed;
  try {
    const grammar = await programGrammar(args, session);
    parsed = parseArguments(args, grammar);
    const values = parsed.kind === 'help' ? null : parsed.values;
    const folder = values === null ? null : valueOf(values, 'directory');
    if (values !== null && folder !== null) {
      changeFolder(folder, values, session);
      config = loadConfig({ cwd: workingFolder(), env, report: shell });
      config.values();
    }
    const grammarOf = (words: readonly string[]): Promise<Grammar> => programGrammar(words, session);
    const { home } = config;
    parsed = await expandAliases(parsed, {
      ...{ config, grammar, grammarOf, report: shell },
      findCustomCommand: async (name) => {
        if (identity.program !== 'cargo') return null;
        session.recording?.inputs.reject('programs on the `PATH` have a say');
        const { findCustomCommand } = await import('./foreign-command.ts');
        return findCustomCommand(name, { home, env });
      },
    });
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    shell.writeError(error.message, usageColor);
    return identity.usageExitStatus;
  }
  const status = await leaveToCargo(parsed, session);
  if (status !== null) return status;
  if (parsed.kind !== 'help' && (await printInformation(parsed.values, { config, session }))) return 0;
  if (parsed.kind !== 'command') {
    // As in cargo, `--color` on the command line has no effect on help.
    shell.setColor(usageColor);
    const { printHelp } = await import('./print-help.ts');
    await printHelp(parsed.kind === 'help' ? parsed.command : null, session);
    return 0;
  }
  return runCommand(parsed, { config, session });
}

/** Warns in compatibility mode if the job server cannot be used. tsreg itself starts no jobs. */
function warnOfJobServer({ env, identity, shell, recording }: Session): void {
  if (identity.program !== 'cargo' || namedJobServer(env) === null) return;
  recording?.inputs.reject('a job server may come and go');
  const warning = jobServerWarning(env);
  if (warning !== null) shell.warning(warning);
}

/** Behind a shim, runs the real cargo for commands of others. Returns its exit status; null if it did not run. */
async function leaveToCargo(parsed: Parsed, { args, env, commands }: Session): Promise<number | null> {
  if (env['TSREG_SHIM'] === undefined) return null;
  const isOwn =
    parsed.kind === 'program'
      ? isGiven(parsed.values, 'print-version')
      : parsed.kind === 'help'
        ? parsed.command !== null && parsed.command !== 'help'
        : isGiven(parsed.values, 'print-version') ||
          (parsed.name !== 'help' && (await findCommand(parsed.name, commands)) !== null);
  if (isOwn) return null;
  const { runCargoBehindShim } = await import('./foreign-command.ts');
  return runCargoBehindShim(args, { env, program: programFile(), hasTerminal: process.stdin.isTTY });
}

/** Runs the named command, in compatibility mode also an external one. Throws `config` if there is none. */
async function runCommand(
  parsed: Extract<Parsed, { kind: 'command' }>,
  { config, session }: { readonly config: Config; readonly session: Session },
): Promise<number> {
  const { values } = parsed;
  // Other users of the machine can see the arguments of a process, and thus the token.
  if (valueOf(values, 'token') !== null) {
    const { hideArguments } = await import('./hide-arguments.ts');
    hideArguments(session.identity.program);
  }
  const settled = configure(values, { config, session });
  const command = await findCommand(parsed.name, session.commands);
  if (command === null) {
    const rest = parsed.rest ?? [];
    let custom: readonly string[] = [];
    if (session.identity.program === 'cargo') {
      const { customCommands, runCustomCommand } = await import('./foreign-command.ts');
      const status = await runCustomCommand(parsed.name, rest, {
        home: settled.config.home,
        env: settled.config.env,
        program: programFile(),
        hasTerminal: process.stdin.isTTY,
      });
      if (status !== null) return status;
      custom = Array.from(customCommands(settled.config).keys());
    }
    const { unknownCommand } = await import('./unknown-command.ts');
    throw unknownCommand(parsed.name, {
      config: settled.config,
      identity: session.identity,
      known: [...listedNames(session.commands), ...custom],
      rest,
    });
  }
  const recording = command.isCacheable === true ? session.recording : null;
  if (recording === null) session.recording?.stop();
  try {
    await command.run({
      values,
      identity: session.identity,
      config: settled.config,
      offline: settled.offline,
      shell: session.shell,
      // Created on demand: loading it takes a hundredth of a common run.
      get signal() {
        return new AbortController().signal;
      },
      toolchain: session.toolchain,
      commands: session.commands,
    });
  } catch (error) {
    if (command.annotatesErrors === true) await annotate(error, command.name, session);
    return await reportFailure(error, session, networkHint(error, command, settled));
  }
  recording?.finish();
  return 0;
}

/** Prints an error as an annotation if the CI system supports them. */
async function annotate(error: unknown, title: string, { env, shell, identity }: Session): Promise<void> {
  if (identity.program === 'cargo' || error instanceof ClosedPipe) return;
  const { errorAnnotation } = await import('./ci-annotation.ts');
  const annotation = errorAnnotation(error, title, env);
  if (annotation !== null) shell.writeCiCommand(annotation);
}

/** Applies the flags and `[term]` to the shell: verbosity, colors and so on. Returns the resulting configuration. */
function configure(
  values: FlagValues,
  { config, session }: { readonly config: Config; readonly session: Session },
): { readonly config: Config; readonly offline: boolean } {
  const { env, shell } = session;
  const channel = releaseChannel(env);
  const flags = valuesOf(values, 'unstable-features');
  const unstable = new Set(parseUnstableFlags(flags, channel));
  for (const warning of stabilizedFlagWarnings(flags)) shell.warning(warning);
  const merged = config.withArguments(valuesOf(values, 'config'), unstable);
  if (allowsUnstable(channel)) addConfiguredUnstable(merged, unstable);
  if (isGiven(values, 'lockfile-path') && !unstable.has('unstable-options')) {
    throw unstableFlagError('--lockfile-path', 14421, { env, unstable });
  }
  const term = termSettings(merged);
  shell.setVerbosity(chooseVerbosity(values, term));
  shell.setColor(requireColorChoice(valueOf(values, 'color') ?? term.color ?? 'auto'));
  shell.setHyperlinks(term.hyperlinks);
  shell.setUnicode(term.unicode);
  if (term.progress !== null) shell.setProgress(term.progress);
  const offline = isGiven(values, 'offline') || isOfflineConfigured(merged);
  warnAboutHttp(merged);
  return { config: merged, offline };
}

function chooseVerbosity(values: FlagValues, term: TermSettings): Verbosity {
  const verbose = isGiven(values, 'verbose');
  const quiet = isGiven(values, 'quiet');
  if (verbose && quiet) throw invalid('cannot set both --verbose and --quiet');
  if (verbose || quiet) return verbose ? 'verbose' : 'quiet';
  if (term.verbose === true && term.quiet === true) {
    throw invalid('cannot set both `term.verbose` and `term.quiet`');
  }
  if (term.verbose === true) return 'verbose';
  return term.quiet === true ? 'quiet' : 'normal';
}

/** Reads `[http]`, as cargo does before every command, to warn about unknown keys. */
function warnAboutHttp(config: Config): void {
  ignoringErrors(() => config.http());
}

function ignoringErrors<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof TsregError && error.code !== 'bug') return null;
    throw error;
  }
}

function addConfiguredUnstable(config: Config, unstable: Set<string>): void {
  for (const [name, value] of config.table('unstable') ?? []) {
    if (value.type === 'boolean' && value.value) unstable.add(name);
  }
}

/** Prints the information that a flag of the program requests. Returns false if there is no such flag. */
async function printInformation(
  values: FlagValues,
  { config, session }: { readonly config: Config; readonly session: Session },
): Promise<boolean> {
  const { shell, identity, env } = session;
  const zHelp = valuesOf(values, 'unstable-features')[0] === 'help';
  const asked = zHelp || isGiven(values, 'print-version') || isGiven(values, 'list-commands');
  if (!asked) return false;
  ignoringErrors(() => configure(values, { config, session }));
  if (zHelp) shell.writeOut(unstableHelp(releaseChannel(env), identity));
  else if (isGiven(values, 'print-version')) {
    shell.writeOut(await versionText(identity, isGiven(values, 'verbose')));
  } else {
    const { commandList } = await import('./command-list.ts');
    shell.writeOut(await commandList({ config, isVerbose: isGiven(values, 'verbose') }, session));
  }
  return true;
}

function unstableHelp(channel: string, { program }: Identity): string {
  const flags = [...SUPPORTED_UNSTABLE_FLAGS].map(([name, help]) => `    -Z ${name.padEnd(16)}  ${help}\n`);
  if (program === 'tsreg') {
    const off = allowsUnstable(channel) ? '' : `\nUnstable flags are turned off: ${HOW_TO_ENABLE}.\n`;
    return `Unstable flags:\n\n${flags.join('')}${off}`;
  }
  const refusal = allowsUnstable(channel)
    ? ''
    : '\nUnstable flags are only available on the nightly channel of Cargo, ' +
      `but this is the \`${channel}\` channel.\n${CHANNELS_LINK}\n`;
  return `Available unstable (nightly-only) flags:\n\n${flags.join('')}${refusal}`;
}

function changeFolder(folder: string, values: FlagValues, { env, identity }: Session): void {
  if (identity.program !== 'cargo') {
    withSystemContext(`could not change to the folder \`${folder}\``, () => process.chdir(folder));
    return;
  }
  const isAllowed =
    allowsUnstable(releaseChannel(env)) && valuesOf(values, 'unstable-features').includes('unstable-options');
  if (!isAllowed) {
    throw invalid(
      'the `-C` flag is unstable, pass `-Z unstable-options` on the nightly channel to enable it',
    );
  }
  withSystemContext('could not change to requested directory', () => process.chdir(folder));
}

function workingFolder(): string {
  const folder = withSystemContext("couldn't get the current directory of the process", () => process.cwd());
  // Node replaces bytes that are not UTF-8 by U+FFFD. The resulting path does not exist.
  if (!folder.includes('\uFFFD') || existsSync(folder)) return folder;
  throw invalid('path contains invalid UTF-8 characters');
}

/** Returns the folder that paths are shown relative to; the root if the working folder does not exist. */
function folderForPaths(): string {
  try {
    return process.cwd();
  } catch {
    return '/';
  }
}

/** Prints an error and returns the exit status. A closed pipe is not an error: its reader needs no more. */
async function reportFailure(
  error: unknown,
  { shell, identity }: Session,
  hint: string | null = null,
): Promise<number> {
  if (error instanceof ClosedPipe) return 0;
  if (error instanceof UsageError) {
    // cargo's own checks of values end without a line break.
    const isEnded = identity.program === 'cargo' || error.message.endsWith('\n');
    shell.writeError(isEnded ? error.message : `${error.message}\n`);
    return identity.usageExitStatus;
  }
  const { renderError } = await import('./render-error.ts');
  try {
    shell.writeError(
      renderError(error, {
        cwd: folderForPaths(),
        width: shell.errorWidth,
        verbose: shell.verbosity === 'verbose',
        quiet: shell.verbosity === 'quiet',
        program: identity.program,
        hint,
      }),
    );
  } catch (failure) {
    // If stderr cannot be written, the error cannot be reported.
    if (!(failure instanceof ClosedPipe) && !isSystemError(failure)) throw failure;
  }
  return 101;
}

function invalid(message: string): TsregError {
  return new TsregError(message, { code: 'config' });
}
