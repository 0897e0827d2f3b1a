/** What the functions on the web API of a registry have in common. Cargo Book: Registry Web API. */
import { Secret } from '../config/secret.ts';
import { TsregError } from '../errors/error.ts';
import type { Consent } from '../ops/registry/confirm-plan.ts';
import type { RegistryCommandOptions } from '../ops/registry/open-registry.ts';
import type { RegistryFlags } from '../ops/registry/select-registry.ts';
import type { OperationContext } from '../report/report.ts';
import { call, type CallOptions, OF_CALLS, type SharedOptions } from './call.ts';
import { FUNCTION, NUMBER, type OptionChecks, SWITCH, TEXT, TEXTS } from './option-checks.ts';
import { UnfinishedError } from './unfinished-error.ts';

/** Which registry is meant. Unless given it is the one that the configuration names, else crates.io. */
export interface RegistryOptions {
  /** Its name in the configuration. Not together with `index`. */
  readonly registry?: string | undefined;
  /** The URL of its index. */
  readonly index?: string | undefined;
}

/** What those may hold. */
export const OF_REGISTRIES: OptionChecks<RegistryOptions> = { registry: TEXT, index: TEXT };

/** What every function on the web API is called with. */
export interface RegistryCallOptions
  extends Omit<CallOptions, 'manifestPath' | 'features' | 'allFeatures' | 'noDefaultFeatures'>,
    RegistryOptions {
  /** Counts before every other; unless given it is had from `env`, the configuration or a credential provider. */
  readonly token?: string | undefined;
  /** How long a registry that answers 429 or 503 is waited for, in all of one request; not at all unless given. */
  readonly maxWaitMs?: number | undefined;
}

/** What those may hold. */
export const OF_REGISTRY_CALLS: OptionChecks<RegistryCallOptions> = {
  ...OF_CALLS,
  ...OF_REGISTRIES,
  token: TEXT,
  maxWaitMs: NUMBER,
};

/** What the functions are called with that change crates, of which several can be named. */
export interface CratesCallOptions extends RegistryCallOptions {
  /** Names of crates. Without any, and without `workspace`: the package of `cwd`. */
  readonly crates?: readonly string[] | undefined;
  /** All members that may be published. Not together with `crates`. */
  readonly workspace?: boolean | undefined;
  /**
   * Asked before more than one thing is changed; false rejects with the code `aborted`. Nothing is asked unless given. The
   * signal is for the question: once it fires nobody waits for an answer.
   */
  readonly confirm?: ((question: string, signal: AbortSignal) => boolean | Promise<boolean>) | undefined;
}

/** What those may hold. */
export const OF_CRATES_CALLS: OptionChecks<CratesCallOptions> = {
  ...OF_REGISTRY_CALLS,
  crates: TEXTS,
  workspace: SWITCH,
  confirm: FUNCTION,
};

/** Which registry is meant, for operations. Throws where there are two. */
export function checkRegistry({ registry, index }: RegistryOptions): RegistryFlags {
  if (registry === undefined || index === undefined) {
    return { registry: registry ?? null, index: index ?? null };
  }
  throw new TsregError('`registry` and `index` cannot be used together', { code: 'usage' });
}

/** Throws for a number that is no length of time. */
export function checkMs(name: string, value: number): number {
  if (Number.isFinite(value) && value >= 0) return value;
  throw new TsregError(`\`${name}\` must be a number of milliseconds, not \`${value}\``, { code: 'usage' });
}

/** What operations are told of how to speak with a registry. */
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

/** What operations are told of which crates to change. */
export function cratesOptions({ crates = [], workspace = false, confirm }: CratesCallOptions): {
  readonly crates: readonly string[];
  readonly workspace: boolean;
  readonly consent: Consent;
} {
  const ask =
    confirm === undefined ? null : async (question: string, signal: AbortSignal) => confirm(question, signal);
  return { crates, workspace, consent: { isGiven: ask === null, ask } };
}

/** As `call`, for what tells how far it came. Rejects with an `UnfinishedError` where it did not come to its end. */
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
