/** `publish` as functions. */
import { TsregError } from '../errors/error.ts';
import type { PublishDocument } from '../ops/publish/publish-document.ts';
import type { PublishForecast } from '../ops/publish/publish-forecast.ts';
import {
  planPublish as runPlanPublish,
  publish as runPublish,
  type PublishOptions as OperationOptions,
} from '../ops/publish.ts';
import { call, type SharedOptions } from './call.ts';
import { either, NUMBER, oneOf, type OptionChecks, SWITCH, TEXT } from './option-checks.ts';
import { OF_PACKAGES_CALLS, type PackagesCallOptions, packagesOptions } from './packages-call.ts';
import {
  callToTheEnd,
  checkMs,
  OF_REGISTRY_CALLS,
  type RegistryCallOptions,
  registryOptions,
} from './registry-call.ts';

const DEFAULT_WAIT_MS = 60_000;

/** What `publish` is asked for. */
export interface PublishOptions
  extends PackagesCallOptions,
    Pick<RegistryCallOptions, 'token' | 'maxWaitMs'> {
  /** A `.crate` that was made before, absolute or from `cwd`, instead of packages of the workspace. */
  readonly file?: string | undefined;
  /** True: nothing is sent. `server`: the registry is asked what it would say, if it can. */
  readonly dryRun?: boolean | 'server' | undefined;
  /** How long the index is waited for to show a package, each time; a minute unless given, 0 for not at all. */
  readonly waitMs?: number | undefined;
  /** Leaves out versions that the registry has already, if they are the same. */
  readonly skipPublished?: boolean | undefined;
  /** With the identity of this CI job. Not together with `token`. */
  readonly trustedPublishing?: boolean | undefined;
}

const CHECKS: OptionChecks<PublishOptions> = {
  ...OF_PACKAGES_CALLS,
  ...OF_REGISTRY_CALLS,
  file: TEXT,
  dryRun: either(SWITCH, oneOf('server')),
  waitMs: NUMBER,
  skipPublished: SWITCH,
  trustedPublishing: SWITCH,
};

/** Options that are about packages of a workspace. */
const OF_PACKAGES = [
  'packages',
  'workspace',
  'exclude',
  'features',
  'allFeatures',
  'noDefaultFeatures',
  'manifestPath',
] as const;

/**
 * What `tsreg publish --json` does and prints: packages go to a registry, those first that others need. Rejects with a
 * `TsregError`: an `UnfinishedError` once something was sent or tried to be, which says what is certain of each package.
 * Cargo Book: cargo publish.
 */
export async function publish(options: PublishOptions): Promise<PublishDocument> {
  return callToTheEnd(options, CHECKS, async (shared, context) => {
    const { document, error } = await runPublish(operationOptions(options, shared), context);
    return { document, failure: error };
  });
}

/**
 * What `tsreg publish --plan --json` prints: what `publish` would do, in which order, and how long that takes at least.
 * Nothing is made or sent, and no token asked for. Rejects with a `TsregError`.
 */
export async function planPublish(options: PublishOptions): Promise<PublishForecast> {
  return call(options, CHECKS, (shared, context) =>
    runPlanPublish(operationOptions(options, shared), context),
  );
}

function operationOptions(options: PublishOptions, shared: SharedOptions): OperationOptions {
  const { file = null, dryRun = false, waitMs = DEFAULT_WAIT_MS, trustedPublishing = false } = options;
  const strange = file === null ? undefined : OF_PACKAGES.find((name) => isGiven(options[name]));
  if (strange !== undefined) {
    throw new TsregError(`\`${strange}\` does not apply to an archive that already exists`, {
      code: 'usage',
    });
  }
  if (trustedPublishing && options.token !== undefined) {
    throw new TsregError('`trustedPublishing` and `token` cannot be used together', { code: 'usage' });
  }
  return {
    ...packagesOptions(options, shared),
    ...registryOptions(options),
    file,
    dryRun: dryRun === 'server' ? 'server' : dryRun ? 'client' : 'none',
    waitMs: checkMs('waitMs', waitMs),
    skipsPublished: options.skipPublished ?? false,
    isTrusted: trustedPublishing,
    warnsOfToken: false,
  };
}

/** An option that says nothing counts as one that is left out. */
function isGiven(value: boolean | string | readonly string[] | undefined): boolean {
  return value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0);
}
