/** What all functions of the library have in common. */
import { isAbsolute } from 'node:path';
import { type Config, loadConfig } from '../config/config.ts';
import { isOfflineConfigured } from '../config/network-settings.ts';
import { TsregError } from '../errors/error.ts';
import { type OperationContext, type ReportReceiver, reportTo } from '../report/report.ts';
import {
  checkOptions,
  OBJECT,
  type OptionChecks,
  required,
  SIGNAL,
  SWITCH,
  TEXT,
  TEXTS,
  VARIABLES,
} from './option-checks.ts';
import { UnfinishedError } from './unfinished-error.ts';

/** What every function is called with. The flags of the command line by their names, and what a process has around it. */
export interface CallOptions {
  /** Working folder: where manifest and configuration are looked for. Absolute. */
  readonly cwd: string;
  /**
   * Environment variables that count: `CARGO_HOME`, `CARGO_*`, proxies and the like, and `PATH`, which programs such
   * as git are looked for in. `process.env` for those of the process.
   */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Path of `Cargo.toml`, absolute or from `cwd`. Unless given it is looked for in `cwd` and above. */
  readonly manifestPath?: string | undefined;
  /** Each as behind `--features`. */
  readonly features?: readonly string[] | undefined;
  /** Every feature of the packages that were chosen. */
  readonly allFeatures?: boolean | undefined;
  /** Without their feature `default`. */
  readonly noDefaultFeatures?: boolean | undefined;
  /** Rejects with the code `lockfile` where `Cargo.lock` is missing or would change. */
  readonly locked?: boolean | undefined;
  /** Uses no network, only what was downloaded before. */
  readonly offline?: boolean | undefined;
  /** `locked` and `offline` together. */
  readonly frozen?: boolean | undefined;
  /** Each as behind `--config`: `KEY=VALUE` or the path of a file. */
  readonly config?: readonly string[] | undefined;
  /** Receives status lines, warnings and notes while the call runs, as far as it has methods for them. */
  readonly report?: ReportReceiver | undefined;
  /** Ends the call: it rejects with the code `aborted`. */
  readonly signal?: AbortSignal | undefined;
}

/** What those of every function may hold. */
export const OF_CALLS: OptionChecks<CallOptions> = {
  cwd: required(TEXT),
  env: required(VARIABLES),
  manifestPath: TEXT,
  features: TEXTS,
  allFeatures: SWITCH,
  noDefaultFeatures: SWITCH,
  locked: SWITCH,
  offline: SWITCH,
  frozen: SWITCH,
  config: TEXTS,
  report: OBJECT,
  signal: SIGNAL,
};

/** What the functions on the lock file are called with. */
export interface LockfileOptions extends Omit<CallOptions, 'features' | 'allFeatures' | 'noDefaultFeatures'> {
  /** Chooses versions whatever `rust-version` they have. */
  readonly ignoreRustVersion?: boolean | undefined;
}

/** What those may hold. */
export const OF_LOCKFILES: OptionChecks<LockfileOptions> = { ...OF_CALLS, ignoreRustVersion: SWITCH };

/** What every operation takes, made of the options of a call. */
export interface SharedOptions {
  readonly config: Config;
  readonly manifestPath: string | null;
  readonly features: readonly string[];
  readonly allFeatures: boolean;
  readonly noDefaultFeatures: boolean;
  readonly locked: boolean;
  readonly frozen: boolean;
  readonly offline: boolean;
  readonly toolchain: null;
  readonly verbosity: 'quiet';
}

/**
 * Runs `body` with what the options of a call stand for, once `checks` have let them through. Rejects with the code `usage`
 * where they make no sense, and with `aborted` once the signal has fired.
 */
export async function call<T, O extends CallOptions>(
  options: O,
  checks: OptionChecks<O>,
  body: (shared: SharedOptions, context: OperationContext) => Promise<T>,
): Promise<T> {
  checkOptions(options, checks);
  const { cwd } = options;
  // The library has no mode in which it speaks like cargo.
  const { TSREG_COMPAT: _, ...env } = options.env;
  if (!isAbsolute(cwd)) throw new TsregError(`\`cwd\` must be absolute, not \`${cwd}\``, { code: 'usage' });
  const report = reportTo(options.report ?? {});
  const { signal, release } = ownSignal(options.signal ?? null);
  try {
    signal.throwIfAborted();
    const config = loadConfig({ cwd, env, report }).withArguments(options.config ?? []);
    const shared: SharedOptions = {
      config,
      manifestPath: options.manifestPath ?? null,
      features: options.features ?? [],
      allFeatures: options.allFeatures ?? false,
      noDefaultFeatures: options.noDefaultFeatures ?? false,
      locked: options.locked ?? false,
      frozen: options.frozen ?? false,
      offline: (options.offline ?? false) || isOfflineConfigured(config),
      toolchain: null,
      verbosity: 'quiet',
    };
    return await body(shared, { report, signal });
  } catch (error) {
    if (!signal.aborted || error instanceof UnfinishedError) throw error;
    throw new TsregError('interrupted', { code: 'aborted', cause: signal.reason });
  } finally {
    release();
  }
}

/**
 * A signal that fires with the caller's until `release` is called. One of `AbortSignal.any` listens without a limit to how
 * many do, but Node keeps it, and what listens to it, as long as anything does.
 */
function ownSignal(callers: AbortSignal | null): {
  readonly signal: AbortSignal;
  readonly release: () => void;
} {
  const controller = new AbortController();
  const { signal } = controller;
  if (callers === null) return { signal, release: () => {} };
  const followed = AbortSignal.any([callers]);
  const abort = (): void => controller.abort(followed.reason);
  if (followed.aborted) abort();
  followed.addEventListener('abort', abort);
  return { signal, release: () => followed.removeEventListener('abort', abort) };
}
