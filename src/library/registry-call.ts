/** The common parts of the functions on the web API of a registry. Cargo Book: Registry Web API. */
import { Secret } from '../io/config/secret.ts';
import { TsregError } from '../core/errors/error.ts';
import type { Consent } from '../commands/shared/registry/confirm-plan.ts';
import type { RegistryCommandOptions } from '../commands/shared/registry/open-registry.ts';
import type { RegistryFlags } from '../commands/shared/registry/select-registry.ts';
import type { OperationContext } from '../core/report/report.ts';
import { call, type CallOptions, COMMON_CHECKS, type CommonOptions, type SharedOptions } from './call.ts';
import { FUNCTION, NUMBER, type OptionChecks, SWITCH, TEXT, TEXTS } from './option-checks.ts';
import { UnfinishedError } from './unfinished-error.ts';

/** The registry to use. By default it is the configured one, else crates.io. */
export interface RegistryOptions {
  /** Its name in the configuration. Not together with `index`. */
  readonly registry?: string | undefined;
  /** The URL of its index. */
  readonly index?: string | undefined;
}

/** The checks for `RegistryOptions`. */
export const REGISTRY_OPTION_CHECKS: OptionChecks<RegistryOptions> = { registry: TEXT, index: TEXT };

/** Options of every function on the web API. */
export interface RegistryCallOptions extends CommonOptions, RegistryOptions {
  /** Overrides every other token; by default it comes from `env`, the configuration or a credential provider. */
  readonly token?: string | undefined;
  /** How long one request waits in total for a registry that responds with 429 or 503; by default it does not wait. */
  readonly maxWaitMs?: number | undefined;
}

/** The checks for `RegistryCallOptions`. */
export const REGISTRY_CALL_CHECKS: OptionChecks<RegistryCallOptions> = {
  ...COMMON_CHECKS,
  ...REGISTRY_OPTION_CHECKS,
  token: TEXT,
  maxWaitMs: NUMBER,
};

/** Options of the functions that change one or more crates. */
export interface CratesCallOptions extends RegistryCallOptions {
  /** Names of crates. By default it is the package in `cwd`, unless `workspace` is set. */
  readonly crates?: readonly string[] | undefined;
  /** Selects all publishable members. Not together with `crates`. */
  readonly workspace?: boolean | undefined;
  /**
   * Called before the function changes more than one version or crate. If it returns false, the call rejects with the
   * code `aborted`. After `signal` is aborted, the result is ignored. Without `confirm`, the function does not ask.
   */
  readonly confirm?: ((question: string, signal: AbortSignal) => boolean | Promise<boolean>) | undefined;
}

/** The checks for `CratesCallOptions`. */
export const CRATES_CALL_CHECKS: OptionChecks<CratesCallOptions> = {
  ...REGISTRY_CALL_CHECKS,
  crates: TEXTS,
  workspace: SWITCH,
  confirm: FUNCTION,
};

/** Returns the registry options for operations. Throws `usage` if both are given. */
export function checkRegistry({ registry, index }: RegistryOptions): RegistryFlags {
  if (registry === undefined || index === undefined) {
    return { registry: registry ?? null, index: index ?? null };
  }
  throw new TsregError('`registry` and `index` cannot be used together', { code: 'usage' });
}

/** Returns `value`. Throws `usage` if it is not a valid number of milliseconds. */
export function checkMs(name: string, value: number): number {
  if (Number.isFinite(value) && value >= 0) return value;
  throw new TsregError(`\`${name}\` must be a number of milliseconds, not \`${value}\``, { code: 'usage' });
}

/** Returns the options for operations that contact a registry. */
export function registryOptions(
  options: RegistryCallOptions,
): Pick<RegistryCommandOptions, 'token' | 'isCargo' | 'maxWaitMs'> & { readonly registry: RegistryFlags } {
  const { token, maxWaitMs } = options;
  return {
    registry: checkRegistry(options),
    token: token === undefined ? null : new Secret(token),
    isCargo: false,
    maxWaitMs: maxWaitMs === undefined ? null : checkMs('maxWaitMs', maxWaitMs),
  };
}

/** Returns the crate options for operations. */
export function cratesOptions({ crates = [], workspace = false, confirm }: CratesCallOptions): {
  readonly crates: readonly string[];
  readonly workspace: boolean;
  readonly consent: Consent;
} {
  const ask =
    confirm === undefined ? null : async (question: string, signal: AbortSignal) => confirm(question, signal);
  return { crates, workspace, consent: { isGiven: ask === null, ask } };
}

/**
 * Like `call`, for operations that change a registry or stored tokens. `body` returns a document that shows how far it
 * came, and the error that stopped it, or null. If there is an error, rejects with an `UnfinishedError` that contains
 * the document.
 */
export async function callToTheEnd<T, O extends CallOptions>(
  options: O,
  checks: OptionChecks<O>,
  body: (
    shared: SharedOptions,
    context: OperationContext,
  ) => Promise<{ readonly document: T; readonly failure: unknown }>,
): Promise<T> {
  return call(options, checks, async (shared, context) => {
    const { document, failure } = await body(shared, context);
    if (failure === null) return document;
    const { signal } = context;
    if (signal.aborted) {
      const interrupted = new TsregError('interrupted', { code: 'aborted', cause: signal.reason });
      throw new UnfinishedError(interrupted, document);
    }
    if (failure instanceof TsregError) throw new UnfinishedError(failure, document);
    throw failure;
  });
}
