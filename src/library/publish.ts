/** `publish` as functions. */
import { TsregError } from '../core/errors/error.ts';
import type { OperationContext } from '../core/report/report.ts';
import type { PublishDocument } from '../commands/publish/result.ts';
import type { PublishPlan } from '../commands/publish/plan.ts';
import { DEFAULT_WAIT_MS } from '../commands/publish/flags.ts';
import {
  planPublish as runPlanPublish,
  publish as runPublish,
  type PublishOptions as OperationOptions,
} from '../commands/publish/run.ts';
import { call, type SharedOptions } from './call.ts';
import { type CrateBytes, isCrateBytes, readCrateBytes } from './crate-bytes.ts';
import { either, NUMBER, oneOf, optional, type OptionChecks, SWITCH, TEXT } from './option-checks.ts';
import { PACKAGES_CALL_CHECKS, type PackagesCallOptions, packagesOptions } from './packages-call.ts';
import {
  callToTheEnd,
  checkMs,
  REGISTRY_CALL_CHECKS,
  type RegistryCallOptions,
  registryOptions,
} from './registry-call.ts';

/** Options of `publish`. */
export interface PublishOptions
  extends PackagesCallOptions,
    Pick<RegistryCallOptions, 'token' | 'maxWaitMs'> {
  /**
   * An existing `.crate` to publish instead of packages of the workspace: its path, absolute or relative to `cwd`, its
   * bytes, or a stream of them, which the call reads to the end.
   */
  readonly file?: string | CrateBytes | undefined;
  /** True: send nothing. `server`: let the registry check the packages without storing them, if it supports that. */
  readonly dryRun?: boolean | 'server' | undefined;
  /** Maximum time of each wait for the index to show a package; a minute by default, 0 to not wait. */
  readonly waitMs?: number | undefined;
  /** Skips versions that the registry already has, if they are identical. */
  readonly skipPublished?: boolean | undefined;
  /** Authenticates with the identity of this CI job. Not together with `token`. */
  readonly trustedPublishing?: boolean | undefined;
}

const CHECKS: OptionChecks<PublishOptions> = {
  ...PACKAGES_CALL_CHECKS,
  ...REGISTRY_CALL_CHECKS,
  file: either(TEXT, optional('bytes or a stream of bytes', isCrateBytes)),
  dryRun: either(SWITCH, oneOf('server')),
  waitMs: NUMBER,
  skipPublished: SWITCH,
  trustedPublishing: SWITCH,
};

/** Options that apply only to packages of a workspace. `PACKAGE_FLAGS` in commands/publish/flags.ts must have the same. */
const PACKAGE_OPTIONS = [
  'packages',
  'workspace',
  'exclude',
  'features',
  'allFeatures',
  'noDefaultFeatures',
  'manifestPath',
] as const;

/**
 * Publishes packages to a registry, dependencies first. Returns the document of `tsreg publish --json`. Rejects with a
 * `TsregError`: an `UnfinishedError` after an attempt to send a package, with the known state of each package. Cargo
 * Book: cargo publish.
 */
export async function publish(options: PublishOptions = {}): Promise<PublishDocument> {
  return callToTheEnd(options, CHECKS, async (shared, context) => {
    const { document, error } = await runPublish(await operationOptions(options, shared, context), context);
    return { document, failure: error };
  });
}

/**
 * Returns the document of `tsreg publish --plan --json`: the actions of `publish`, their order and their minimum
 * duration. Makes and sends nothing, and needs no token for publishing. Rejects with a `TsregError`.
 */
export async function planPublish(options: PublishOptions = {}): Promise<PublishPlan> {
  return call(options, CHECKS, async (shared, context) =>
    runPlanPublish(await operationOptions(options, shared, context), context),
  );
}

/** Returns the options for the command's function. Rejects with `usage` if options cannot be combined. */
async function operationOptions(
  options: PublishOptions,
  shared: SharedOptions,
  { signal }: Pick<OperationContext, 'signal'>,
): Promise<OperationOptions> {
  const { file = null, dryRun = false, waitMs = DEFAULT_WAIT_MS, trustedPublishing = false } = options;
  const packageOption = file === null ? undefined : PACKAGE_OPTIONS.find((name) => isGiven(options[name]));
  if (packageOption !== undefined) {
    throw new TsregError(`\`${packageOption}\` does not apply to an archive that already exists`, {
      code: 'usage',
    });
  }
  if (trustedPublishing && options.token !== undefined) {
    throw new TsregError('`trustedPublishing` and `token` cannot be used together', { code: 'usage' });
  }
  const { token, isCargo, maxWaitMs } = registryOptions(options);
  return {
    file: file === null || typeof file === 'string' ? file : await readCrateBytes(file, { signal }),
    packages: { ...packagesOptions(options, shared), maxWaitMs },
    config: shared.config,
    token,
    isCargo,
    isTrusted: trustedPublishing,
    dryRun: dryRunOf(dryRun),
    waitMs: checkMs('waitMs', waitMs),
    skipsPublished: options.skipPublished ?? false,
  };
}

function dryRunOf(dryRun: boolean | 'server'): OperationOptions['dryRun'] {
  if (dryRun === 'server') return 'server';
  return dryRun ? 'client' : 'none';
}

/** Returns true if an option is given. False and an empty list count as omitted. */
function isGiven(value: boolean | string | readonly string[] | undefined): boolean {
  return value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0);
}
