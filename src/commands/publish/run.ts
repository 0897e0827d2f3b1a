/** `publish`: sends packages to a registry. Cargo Book: cargo publish. */
import { present } from '../../core/errors/assert.ts';
import { TsregError, withHint } from '../../core/errors/error.ts';
import type { PackageManifest } from '../../core/manifest/manifest.ts';
import type { OperationContext } from '../../core/report/report.ts';
import type { Summary } from '../../core/summary/summary.ts';
import type { Config } from '../../io/config/config.ts';
import { tokenVariables } from '../../io/config/credentials.ts';
import type { Secret } from '../../io/config/secret.ts';
import { type FlagProblems, openPackages, type PackagesOptions } from '../shared/packaging/open-packages.ts';
import { packCrates } from '../shared/packaging/package-crates.ts';
import { orderPackages } from '../shared/packaging/package-order.ts';
import {
  type OpenedRegistry,
  openRegistry,
  type OpenRegistryOptions,
} from '../shared/registry/open-registry.ts';
import { checkIsPublished, checkOffersDryRun, findPublished } from './checks.ts';
import { fileRelease } from './file-release.ts';
import { findMissing, type PublishPlan, publishPlan } from './plan.ts';
import { publishCrates } from './publish-crates.ts';
import { checkCircular } from './queue.ts';
import {
  choosePublishRegistry,
  crateToPublish,
  type CrateToPublish,
  type Release,
  unpublishableError,
} from './release.ts';
import { nothingToPublish, publishDocument, PublishOutcomes, type PublishResult } from './result.ts';
import { withTrustedToken } from './trusted.ts';

/** The command-line options of `publish`. */
export interface PublishOptions {
  /** An existing archive: its path, relative to the working folder, or its bytes; null for packages of a workspace. */
  readonly file: string | Uint8Array | null;
  /** Selects the packages and the registry. For an existing archive, options about packages have no effect. */
  readonly packages: PackagesOptions & FlagProblems;
  /** The configuration of `packages` without `--target-dir`, for the registry. */
  readonly config: Config;
  /** `--token`; null if it was not given. */
  readonly token: Secret | null;
  /** True to behave and report exactly as cargo does, even if that differs from the Cargo Book. */
  readonly isCargo: boolean;
  /** True to publish with the identity of this CI job. */
  readonly isTrusted: boolean;
  /** `none`: sends packages. `client`: does not. `server`: asks the registry to check them without storing them. */
  readonly dryRun: 'none' | 'client' | 'server';
  /** How long to wait for the index to list a package; 0 to not wait. */
  readonly waitMs: number;
  /**
   * True to leave out versions that the registry already has, if they are identical. A yanked version counts too: it
   * stays yanked, and its number cannot be published again.
   */
  readonly skipsPublished: boolean;
}

/** How often a package is sent if the user passes `--max-wait` and responses are lost. */
const MAX_UPLOAD_ATTEMPTS = 3;

/**
 * Publishes the selected packages, dependencies first. Rejects with errors before the first request to publish. Later,
 * the result contains the error and the state of every package.
 */
export async function publish(options: PublishOptions, context: OperationContext): Promise<PublishResult> {
  const { dryRun, isTrusted } = options;
  const release = await selectRelease(options, context);
  if (release.manifests.length === 0) return nothingToPublish(release, { isDryRun: dryRun !== 'none' });
  const isOnline = dryRun !== 'client';
  const access = accessOptions(options, release);
  const registry = await openRegistry({ ...access, needsToken: isOnline && !isTrusted }, release.context);
  try {
    const publishAll = (): Promise<PublishResult> => publishRelease(release, registry, options);
    if (!isTrusted || !isOnline) return await publishAll();
    return await withTrustedToken({ ...access, registry }, release.context, publishAll);
  } finally {
    await registry.close();
  }
}

/**
 * Returns the publish plan: the steps of `publish`, in order, and the time that they take at least. Makes no archives
 * and requests no token.
 */
export async function planPublish(options: PublishOptions, context: OperationContext): Promise<PublishPlan> {
  const release = await selectRelease(options, context);
  if (release.manifests.length === 0) return publishPlan(release, null);
  const registry = await openRegistry(
    { ...accessOptions(options, release), needsToken: false },
    release.context,
  );
  try {
    const checks = { registry, isDryRun: true, acceptsExisting: true };
    const alreadyPublished = await findPublished(release.manifests, checks, release.context);
    const missing = await findMissing(release, registry);
    return publishPlan(release, { registry, alreadyPublished, missing });
  } finally {
    await registry.close();
  }
}

/**
 * Returns the packages to publish and their registry, which flags and manifests choose. Throws `manifest` if packages
 * may not be published, unless the selection is `--workspace` or the default of a virtual workspace.
 */
async function selectRelease(
  { file, packages: options }: PublishOptions,
  operation: OperationContext,
): Promise<Release> {
  if (file !== null)
    return fileRelease({ file, config: options.config, registry: options.registry }, operation);
  const { selected, packaging, shared, context } = openPackages(options, operation);
  const unpublishable = selected.filter(({ manifest }) => manifest.publish?.length === 0);
  const publishable = selected.filter((candidate) => !unpublishable.includes(candidate));
  const { selection } = options;
  const isVirtual = packaging.workspace.currentManifest.kind === 'virtual';
  const isForAll = selection.workspace || (selection.packages.length === 0 && isVirtual);
  if (unpublishable.length > 0 && !isForAll) {
    throw unpublishableError(unpublishable.map(({ manifest }) => manifest));
  }
  const manifests = publishable.map(({ manifest }) => manifest);
  const choice = choosePublishRegistry(manifests, packaging.registry, context.report);
  const { packages, dependencies } = orderPackages(publishable);
  return {
    content: { kind: 'packages', packages: publishable, packaging },
    manifests,
    unpublishable: unpublishable.map(({ manifest }) => manifest.summary.id),
    choice,
    context,
    shared,
    order: new Map(
      packages.map((member) => [
        member.manifest,
        present(dependencies.get(member), 'a package of the release').map(({ manifest }) => manifest),
      ]),
    ),
  };
}

/** Returns how to open the registry of a release, except whether that needs a token. */
function accessOptions(
  { packages, config, token, isCargo }: PublishOptions,
  { choice, shared }: Release,
): Required<Omit<OpenRegistryOptions, 'needsToken'>> {
  const { verbosity } = packages.build;
  return { ...packages, config, verbosity, token, isCargo, choice, shared, refreshes: true };
}

/** Checks, packs and uploads the packages of a release. */
async function publishRelease(
  release: Release,
  registry: OpenedRegistry,
  { dryRun, waitMs, skipsPublished, isCargo, packages: { maxWaitMs } }: PublishOptions,
): Promise<PublishResult> {
  const { manifests, unpublishable, context } = release;
  const isDryRun = dryRun !== 'none';
  if (dryRun === 'server') checkOffersDryRun(registry);
  // A missing token must fail before archives are made. The token to publish with is requested later.
  await registry.api(dryRun === 'client' ? null : { kind: 'read' });
  const acceptsExisting = skipsPublished;
  const published = await findPublished(manifests, { registry, isDryRun, acceptsExisting }, context);
  // Without `--skip-published`, only a dry run comes here with published versions. It packs them too.
  const alreadyPublished: typeof published = skipsPublished ? published : new Map();
  const { skipped, uploads } = await packRelease(release, { registry, alreadyPublished, isDryRun }).catch(
    (error: unknown) => {
      if (context.signal.aborted && !isCargo) context.report.note('nothing was sent to the registry');
      throw error;
    },
  );
  checkCircular(uploads);
  const packages = [...skipped, ...uploads.keys()];
  const outcomes = new PublishOutcomes<CrateToPublish>(packages);
  for (const crate of skipped) outcomes.mark(crate, 'skipped');
  const outcome = { registry, isDryRun, packages, outcomes, unpublishable };
  const attempts = maxWaitMs === null ? 1 : MAX_UPLOAD_ATTEMPTS;
  const uploading = { registry, dryRun, waitMs, isCargo, attempts, acceptsExisting, outcomes };
  try {
    await publishCrates(uploads, uploading, context);
    return { document: publishDocument({ ...outcome, error: null }), error: null };
  } catch (error) {
    const document = publishDocument({ ...outcome, error });
    if (isCargo) return { document, error };
    const resumeHint = isDryRun ? null : outcomes.resumeHint;
    const { aborted } = context.signal;
    // The error of an interruption is not printed.
    const help = aborted ? (resumeHint ?? undefined) : undefined;
    if (packages.length > 1 || aborted) outcomes.summarize(context.report, help);
    const isHinted = resumeHint !== null && error instanceof TsregError;
    return { document, error: isHinted ? withHint(error, resumeHint) : error };
  }
}

/** How to make the archives of a release. */
interface PackOptions {
  readonly registry: OpenedRegistry;
  /** The index entries of the packages to skip. */
  readonly alreadyPublished: ReadonlyMap<PackageManifest, Summary>;
  readonly isDryRun: boolean;
}

/** The archives of a release. */
interface PackedRelease {
  /** The packages to upload, in publish order. Each maps to those of its direct dependencies that are uploaded too. */
  readonly uploads: ReadonlyMap<CrateToPublish, readonly CrateToPublish[]>;
  /** Packages that the registry already has. */
  readonly skipped: readonly CrateToPublish[];
}

/** Returns the archives of a release. Rejects if a package to skip differs from the published one. */
async function packRelease(release: Release, options: PackOptions): Promise<PackedRelease> {
  const { manifests, order, shared, context } = release;
  const { registry, alreadyPublished } = options;
  const skipped: CrateToPublish[] = [];
  const published = manifests.filter((manifest) => alreadyPublished.has(manifest));
  // Makes each archive separately, with dependencies from the registry, as when it was published.
  for (const { manifest } of orderPackages(published.map((manifest) => ({ manifest }))).packages) {
    const archives = await makeArchives([manifest], release, { ...options, isPublished: true });
    const crate = present(archives.get(manifest), 'the archive of a package');
    const summary = present(alreadyPublished.get(manifest), 'the index entry of a published package');
    await checkIsPublished(crate, { published: summary, registry, files: shared.files }, context);
    skipped.push(crate);
  }
  const unpublished = manifests.filter((manifest) => !published.includes(manifest));
  const archives = await makeArchives(unpublished, release, { ...options, isPublished: false });
  const uploads = Array.from(archives, ([manifest, crate]) => {
    const dependencies = present(order.get(manifest), 'a package of the release');
    return [crate, dependencies.flatMap((dependency) => archives.get(dependency) ?? [])] as const;
  });
  return { skipped, uploads: new Map(uploads) };
}

/** Returns the archives of some packages of a release, in publish order. Does not verify published packages again. */
async function makeArchives(
  manifests: readonly PackageManifest[],
  { content, choice, context }: Release,
  { registry, isDryRun, isPublished }: PackOptions & { readonly isPublished: boolean },
): Promise<ReadonlyMap<PackageManifest, CrateToPublish>> {
  if (manifests.length === 0) return new Map();
  if (content.kind === 'archive') return new Map(manifests.map((manifest) => [manifest, content.crate]));
  const { packages, packaging } = content;
  const { source, isAuthRequired, credentials } = registry;
  const token = isAuthRequired ? credentials.explicitToken(source.original) : null;
  const options = {
    ...packaging,
    registry: choice,
    checksMetadata: true,
    includesLockfile: true,
    isDryRun,
    // The cargo that builds does not know the token of this run.
    downloadVariables: token === null ? null : tokenVariables(packaging.config, source.original, token),
    verifies: packaging.verifies && !isPublished,
  };
  const selected = packages.filter(({ manifest }) => manifests.includes(manifest));
  const packed = await packCrates(selected, options, context);
  return new Map(packed.map((crate) => [crate.manifest, crateToPublish(crate, packaging.files)]));
}
