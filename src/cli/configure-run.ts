/** Applies the flags of the command line and the configuration to a run. */
import { isGiven, valueOf, valuesOf } from '../commands/shared/command.ts';
import type { FlagValues } from '../commands/shared/flag.ts';
import {
  allowsUnstable,
  parseUnstableFlags,
  releaseChannel,
  unstableFlagError,
} from '../commands/shared/unstable-flags.ts';
import { TsregError } from '../core/errors/error.ts';
import type { Config } from '../io/config/config.ts';
import type { Environment } from '../io/config/environment.ts';
import { isOfflineConfigured } from '../io/config/network-settings.ts';
import { type TermSettings, termSettings } from '../io/config/term-settings.ts';
import { type ColorChoice, parseColorChoice, requireColorChoice } from '../io/terminal/color-choice.ts';
import type { Shell, Verbosity } from '../io/terminal/shell.ts';
import { stabilizedFlagWarnings } from './stabilized-flags.ts';

/** The configuration that a run starts with, and the shell to set up. */
export interface RunContext {
  /** The configuration without `--config` and `-Z`. */
  readonly config: Config;
  readonly env: Environment;
  readonly shell: Shell;
}

/** The configuration of a command. */
export interface RunSettings {
  readonly config: Config;
  /** `--offline`, or `net.offline` in the configuration. `--frozen` does not set it. */
  readonly offline: boolean;
}

/**
 * Applies the flags and `[term]` to the shell: verbosity, colors and so on. Returns the settings of the command. Throws
 * `config` if a flag or a setting is invalid: then the shell may have some of the settings.
 */
export function configureRun(values: FlagValues, { config, env, shell }: RunContext): RunSettings {
  // The order of these steps is that of cargo's warnings and errors: `GlobalContext::configure`.
  const channel = releaseChannel(env);
  const unstableFlags = valuesOf(values, 'unstable-features');
  const unstable = new Set(parseUnstableFlags(unstableFlags, channel));
  for (const warning of stabilizedFlagWarnings(unstableFlags)) shell.warning(warning);
  const merged = config.withArguments(valuesOf(values, 'config'), unstable);
  if (allowsUnstable(channel)) addConfiguredUnstable(merged, unstable);
  if (isGiven(values, 'lockfile-path') && !unstable.has('unstable-options')) {
    throw unstableFlagError('--lockfile-path', 14421, { env, unstable });
  }
  const term = termSettings(merged);
  shell.setVerbosity(chooseVerbosity(values, term));
  shell.setColor(colorChoice(valueOf(values, 'color'), term.color, merged));
  shell.setHyperlinks(term.hyperlinks);
  shell.setUnicode(term.unicode);
  if (term.progress !== null) shell.setProgress(term.progress);
  const offline = isGiven(values, 'offline') || isOfflineConfigured(merged);
  // As in cargo, every command reads `[http]`, which warns about unknown keys.
  ignoringErrors(() => merged.http());
  return { config: merged, offline };
}

/** Returns the choice of `--color`, else that of `term.color`. Throws `config` if it is invalid. */
function colorChoice(flag: string | null, configured: string | null, config: Config): ColorChoice {
  if (flag !== null || configured === null) return requireColorChoice(flag ?? 'auto');
  return (
    parseColorChoice(configured) ??
    requireColorChoice(configured, config.string('term.color')?.definition ?? null)
  );
}

/** Returns the result of `read`; null if it throws a `TsregError` that is not a bug. Other errors pass through. */
export function ignoringErrors<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof TsregError && error.code !== 'bug') return null;
    throw error;
  }
}

/** Flags win over `[term]`. Throws `config` if both verbosities are set in one place. */
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

/** Adds the flags of `[unstable]` to `unstable`, the set of flags that `config` itself uses. */
function addConfiguredUnstable(config: Config, unstable: Set<string>): void {
  for (const [name, value] of config.table('unstable') ?? []) {
    if (value.type === 'boolean' && value.value) unstable.add(name);
  }
}

function invalid(message: string): TsregError {
  return new TsregError(message, { code: 'config' });
}
