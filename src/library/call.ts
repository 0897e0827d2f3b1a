/** The common parts of all library functions. */
import { type Config, loadConfig } from '../io/config/config.ts';
import { copyEnvironment } from '../io/config/copy-environment.ts';
import { isOfflineConfigured } from '../io/config/network-settings.ts';
import { TsregError } from '../core/errors/error.ts';
import {
  type OperationContext,
  type ReportReceiver,
  reportThrough,
  reportTo,
} from '../core/report/report.ts';
import {
  checkOptions,
  OBJECT,
  type OptionChecks,
  SIGNAL,
  SWITCH,
  TEXT,
  TEXTS,
  VARIABLES,
} from './option-checks.ts';
import { type SurroundingsOptions, surroundingsOf } from './surroundings.ts';
import { UnfinishedError } from './unfinished-error.ts';

/** Options of every function: the surroundings of the call, and flags of all commands by name. */
export interface CommonOptions extends SurroundingsOptions {
  /** Rejects with the code `lockfile` if `Cargo.lock` is missing or would change. */
  readonly locked?: boolean | undefined;
  /** Uses no network, only earlier downloads. */
  readonly offline?: boolean | undefined;
  /** `locked` and `offline` together. */
  readonly frozen?: boolean | undefined;
  /** Values as for `--config`: `KEY=VALUE` or the path of a file. */
  readonly config?: readonly string[] | undefined;
  /**
   * Receives status lines, warnings and notes during the call, if it has methods for them. If one throws, the call
   * rejects with `usage`.
   */
  readonly report?: ReportReceiver | undefined;
  /** Cancels the call, which rejects with a `TsregError` that has the name `AbortError` and the code `aborted`. */
  readonly signal?: AbortSignal | undefined;
}

/** The option that selects the workspace. */
export interface ManifestOptions {
  /** Path of `Cargo.toml`, absolute or relative to `cwd`. By default the nearest one in `cwd` or above. */
  readonly manifestPath?: string | undefined;
}

/** Options of the functions that work on a workspace and its features. */
export interface CallOptions extends CommonOptions, ManifestOptions {
  /** Values as for `--features`. */
  readonly features?: readonly string[] | undefined;
  /** Enables all features of the selected packages. */
  readonly allFeatures?: boolean | undefined;
  /** Disables their feature `default`. */
  readonly noDefaultFeatures?: boolean | undefined;
}

/** The checks for `CommonOptions`. */
export const COMMON_CHECKS: OptionChecks<CommonOptions> = {
  cwd: TEXT,
  env: VARIABLES,
  locked: SWITCH,
  offline: SWITCH,
  frozen: SWITCH,
  config: TEXTS,
  report: OBJECT,
  signal: SIGNAL,
};

/** The checks for `CallOptions`. */
export const CALL_CHECKS: OptionChecks<CallOptions> = {
  ...COMMON_CHECKS,
  manifestPath: TEXT,
  features: TEXTS,
  allFeatures: SWITCH,
  noDefaultFeatures: SWITCH,
};

/** Options of the functions that work on the lock file. */
export interface LockfileOptions extends CommonOptions, ManifestOptions {
  /** Ignores `rust-version` when choosing versions. */
  readonly ignoreRustVersion?: boolean | undefined;
}

/** The checks for `LockfileOptions`. */
export const LOCKFILE_CHECKS: OptionChecks<LockfileOptions> = {
  ...COMMON_CHECKS,
  manifestPath: TEXT,
  ignoreRustVersion: SWITCH,
};

/** The options of a call in the form that operations take, with defaults. */
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

/** A call whose options have the right types. */
interface OpenCall {
  /** Reads the configuration. Throws if the signal is aborted. */
  readonly start: () => { readonly shared: SharedOptions; readonly context: OperationContext };
  /** Returns the error to reject with if the call failed with `error`: see `call`. */
  readonly rejection: (error: unknown) => unknown;
  /** Must be called at the end. */
  readonly release: () => void;
}

/**
 * Runs `body` with the options of a call, after `checks` have accepted them. Rejects with the code `usage` if they are
 * invalid, and with `aborted` if the signal is aborted. However, an `UnfinishedError` is rethrown as it is, because only
 * it has the document of what was done; `callToTheEnd` has given it the code `aborted` then. Operations without features
 * must not read those of `shared`, which are not checked. For cached results, see `cachedCall`.
 */
export async function call<T, O extends CallOptions>(
  options: O,
  checks: OptionChecks<O>,
  body: (shared: SharedOptions, context: OperationContext) => Promise<T>,
): Promise<T> {
  const { start, rejection, release } = openCall(options, checks);
  try {
    const { shared, context } = start();
    return await body(shared, context);
  } catch (error) {
    throw rejection(error);
  } finally {
    release();
  }
}

/** Like `call`, for a `body` that yields several results. Nothing runs before the first one is requested. */
export async function* callEach<T, O extends CallOptions>(
  options: O,
  checks: OptionChecks<O>,
  body: (shared: SharedOptions, context: OperationContext) => AsyncIterable<T>,
): AsyncGenerator<T, void, undefined> {
  const { start, rejection, release } = openCall(options, checks);
  try {
    const { shared, context } = start();
    for await (const result of body(shared, context)) {
      yield result;
      context.signal.throwIfAborted();
    }
  } catch (error) {
    throw rejection(error);
  } finally {
    release();
  }
}

function openCall<O extends CallOptions>(options: O, checks: OptionChecks<O>): OpenCall {
  checkOptions(options, checks);
  const surroundings = surroundingsOf(options);
  const { cwd } = surroundings;
  // The library has no compatibility mode.
  const { TSREG_COMPAT: _, ...env } = copyEnvironment(surroundings.env, process.platform);
  const report = reportThrough(reportTo(options.report ?? {}), (method, tell) => {
    try {
      tell();
    } catch (cause) {
      throw new TsregError(`\`report.${method}\` failed`, { code: 'usage', cause });
    }
  });
  const { signal, release } = ownSignal(options.signal ?? null);
  return {
    start() {
      signal.throwIfAborted();
      const config = loadConfig({ cwd, env, report }).withArguments(options.config ?? []);
      return { shared: sharedOptions(options, config), context: { report, signal } };
    },
    rejection(error) {
      if (!signal.aborted || error instanceof UnfinishedError) return error;
      return new TsregError('interrupted', { code: 'aborted', cause: signal.reason });
    },
    release,
  };
}

function sharedOptions(options: CallOptions, config: Config): SharedOptions {
  return {
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
}

/**
 * Returns a signal that follows the caller's until `release` is called. Node warns about many listeners on one signal,
 * but not about `AbortSignal.any`. However, Node keeps a signal, and the objects that listen to it, as long as it has
 * listeners: hence `release`.
 */
function ownSignal(callerSignal: AbortSignal | null): {
  readonly signal: AbortSignal;
  readonly release: () => void;
} {
  const controller = new AbortController();
  const { signal } = controller;
  if (callerSignal === null) return { signal, release: () => {} };
  const followed = AbortSignal.any([callerSignal]);
  const abort = (): void => controller.abort(followed.reason);
  if (followed.aborted) abort();
  followed.addEventListener('abort', abort);
  return { signal, release: () => followed.removeEventListener('abort', abort) };
}
