/** `publish`: sends packages to a registry. Cargo Book: cargo publish. */
import { TsregError } from '../../core/errors/error.ts';
import { naming } from '../../core/errors/wording.ts';
import type { PackageManifest } from '../../core/manifest/manifest.ts';
import type { OperationContext } from '../../core/report/report.ts';
import { RegistryAccess } from '../../io/sources/registry-access.ts';
import type { Summary } from '../../core/summary/summary.ts';
import { missingTarget } from '../shared/workspace/missing-values.ts';
import { offlineFlag } from '../shared/workspace/open-catalog.ts';
import { openPackages, type PackagesOptions, selectMembers } from '../shared/packaging/open-packages.ts';
import {
  type OpenedRegistry,
  openRegistry,
  type RegistryCommandOptions,
} from '../shared/registry/open-registry.ts';
import { checkPackage } from './checks.ts';
import { publishCrates, circularPackages } from './queue.ts';
import { type PublishDocument, publishDocument, PublishOutcomes } from './result.ts';
import { fileRelease } from './file-release.ts';
import { type PublishForecast, publishForecast } from './plan.ts';
import { type PackedRelease, type PackOptions, type Release, workspaceRelease } from './release.ts';
import { publishablePackages, warnOfNothing } from './select.ts';
import { checkPackageFlags } from '../shared/workspace/select-packages.ts';
import { withTrustedToken } from './trusted.ts';
import { listNames, type CrateToPublish } from './crate.ts';

/** The command-line options of `publish`. */
export interface PublishOptions extends PackagesOptions, RegistryCommandOptions {
  /** Path of an existing archive, relative to the working folder; null for packages of a workspace. */
  readonly file: string | null;
  /** `none`: sends packages. `client`: does not. `server`: asks the registry to check them without storing them. */
  readonly dryRun: 'none' | 'client' | 'server';
  /** How long to wait for the index to list a package; 0 to not wait. */
  readonly waitMs: number;
  /** True to leave out versions that the registry already has, if they are identical. */
  readonly skipsPublished: boolean;
  /** True to publish with the identity of this CI job. */
  readonly isTrusted: boolean;
  /** True if the token was on the command line, which cargo warns about. */
  readonly warnsOfToken: boolean;
  readonly maxWaitMs: number | null;
}

/** The result of `publish`. */
export interface PublishResult {
  readonly document: PublishDocument;
  /** The error that stopped the run after archives were made; null if there is none. */
  readonly error: unknown;
}

/** How often a package is sent if the user passes `--max-wait` and responses are lost. */
const MAX_UPLOAD_ATTEMPTS = 3;

/**
 * Publishes the selected packages, dependencies first. Rejects with errors before the first request to publish. Later,
 * the result contains the error and the state of every package.
 */
export async function publish(options: PublishOptions, context: OperationContext): Promise<PublishResult> {
  const release = await openRelease(options, context);
  if (release.manifests.length === 0) return nothingToPublish(release, options);
  const registry = await openRegistryFor(release, options);
  try {
    const run = (): Promise<PublishResult> => publishTo(registry, release, options);
    if (!options.isTrusted || options.dryRun === 'client') return await run();
    const { config, maxWaitMs } = options;
    const trusted = { registry, env: config.env, revokeAccess: accessToRevoke(release, options), maxWaitMs };
    return await withTrustedToken(trusted, release.context, run);
  } finally {
    await registry.close();
  }
}

/**
 * Returns the publish plan: the steps of `publish`, in order, and the time that they take at least. Makes no archives
 * and requests no token.
 */
export async function planPublish(
  options: PublishOptions,
  context: OperationContext,
): Promise<PublishForecast> {
  const release = await openRelease(options, context);
  if (release.manifests.length === 0) return publishForecast(release, null);
  const registry = await openRegistryFor(release, { ...options, dryRun: 'client' });
  try {
    const alreadyPublished = await checkRelease(release, registry, { isDryRun: true, acceptsExisting: true });
    return publishForecast(release, { registry, alreadyPublished });
  } finally {
    await registry.close();
  }
}

async function openRelease(options: PublishOptions, context: OperationContext): Promise<Release> {
  const { selection, targets, warnsOfToken, config } = options;
  if (options.file !== null) return fileRelease({ ...options, file: options.file }, context);
  const packages = openPackages(options, context);
  const { report } = packages.context;
  if (warnsOfToken) {
    report.warning(
      naming(
        (program) =>
          `\`${program} publish --token\` is deprecated in favor of using \`${program} login\` and environment variables`,
      ),
    );
  }
  checkPackageFlags(selection);
  if (targets?.length === 0) throw missingTarget(config);
  const isVirtual = packages.opened.workspace.currentManifest.kind === 'virtual';
  const parts = publishablePackages(selectMembers(options, packages), { selection, isVirtual });
  return workspaceRelease(parts, packages, options);
}

function openRegistryFor(
  { choice, shared, context }: Release,
  options: PublishOptions,
): Promise<OpenedRegistry> {
  const needsToken = options.dryRun !== 'client' && !options.isTrusted;
  return openRegistry({ ...options, choice, refreshes: true, needsToken, shared }, context);
}

/** Makes connections that survive an abort of the operation, so that the token can be revoked. */
function accessToRevoke({ shared, context }: Release, options: PublishOptions): RegistryAccess {
  const { signal } = new AbortController();
  return new RegistryAccess({
    ...context,
    ...shared,
    signal,
    config: options.config,
    offlineFlag: offlineFlag(options),
    verbosity: options.verbosity,
  });
}

async function publishTo(
  registry: OpenedRegistry,
  release: Release,
  options: PublishOptions,
): Promise<PublishResult> {
  const { dryRun, isCargo, waitMs, maxWaitMs, skipsPublished } = options;
  const { context, unpublishable } = release;
  const isDryRun = dryRun !== 'none';
  if (dryRun === 'server' && !registry.offersDryRun) throw noDryRun(registry);
  // A missing token must fail before archives are made. The token to publish with is requested later.
  await registry.api(dryRun === 'client' ? null : { kind: 'read' });
  const existing = await checkRelease(release, registry, { isDryRun, acceptsExisting: skipsPublished });
  const alreadyPublished: PackOptions['alreadyPublished'] = skipsPublished ? existing : new Map();
  const { needs, skipped } = await makeArchives(release, { registry, alreadyPublished, isDryRun }, isCargo);
  const circular = circularPackages(needs);
  if (circular.length > 0) throw circularError(circular);
  const packages = [...skipped, ...needs.keys()];
  const outcomes = new PublishOutcomes<CrateToPublish>(packages);
  for (const each of skipped) outcomes.mark(each, 'skipped');
  const outcome = { registry, isDryRun, packages, outcomes, unpublishable };
  const attempts = maxWaitMs === null ? 1 : MAX_UPLOAD_ATTEMPTS;
  try {
    await publishCrates(
      needs,
      {
        registry,
        dryRun,
        waitMs,
        isCargo,
        attempts,
        outcomes,
        acceptsExisting: skipsPublished,
      },
      context,
    );
    return { document: publishDocument({ ...outcome, error: null }), error: null };
  } catch (error) {
    if (!isCargo && (packages.length > 1 || context.signal.aborted)) outcomes.summarize(context.report);
    return { document: publishDocument({ ...outcome, error }), error };
  }
}

async function makeArchives(
  release: Release,
  packing: PackOptions,
  isCargo: boolean,
): Promise<PackedRelease> {
  const { signal, report } = release.context;
  try {
    return await release.packArchives(packing);
  } catch (error) {
    if (signal.aborted && !isCargo) report.note('nothing was sent to the registry');
    throw error;
  }
}

/** Checks all packages against the registry. Returns those whose versions it already has. */
async function checkRelease(
  { manifests, context }: Release,
  registry: OpenedRegistry,
  checks: { readonly isDryRun: boolean; readonly acceptsExisting: boolean },
): Promise<ReadonlyMap<PackageManifest, Summary>> {
  const alreadyPublished = new Map<PackageManifest, Summary>();
  for (const manifest of manifests) {
    const found = await checkPackage(manifest, { ...checks, registry }, context);
    if (found !== null) alreadyPublished.set(manifest, found);
  }
  return alreadyPublished;
}

function circularError(packages: readonly CrateToPublish[]): TsregError {
  return new TsregError(
    `circular dependency detected while publishing ${listNames(packages, 'and')}\n` +
      'help: to break a cycle between dev-dependencies and other dependencies, remove the version field on the ' +
      'dev-dependency so it will be implicitly stripped on publish',
    { code: 'manifest' },
  );
}

function nothingToPublish({ unpublishable, context }: Release, { dryRun }: PublishOptions): PublishResult {
  warnOfNothing(unpublishable.length, context.report);
  const outcome = { registry: null, isDryRun: dryRun !== 'none', packages: [], unpublishable, error: null };
  return { document: publishDocument({ ...outcome, outcomes: new PublishOutcomes([]) }), error: null };
}

function noDryRun({ host }: OpenedRegistry): TsregError {
  return new TsregError(
    `the registry at ${host} does not support checks of a package without storing it\n` +
      '`publish --dry-run` without `--server` checks on this machine only',
    { code: 'source' },
  );
}
