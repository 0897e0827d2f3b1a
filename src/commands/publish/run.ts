/** `publish`: sends packages to a registry. Cargo Book: cargo publish. */
import type { OperationContext } from '../../core/report/report.ts';
import type { FlagProblems, PackagesOptions } from '../shared/packaging/open-packages.ts';
import {
  type OpenedRegistry,
  openRegistry,
  type RegistryCommandOptions,
} from '../shared/registry/open-registry.ts';
import { checkOffersDryRun, findPublished } from './checks.ts';
import { fileRelease } from './file-release.ts';
import { type PackedRelease, type PackOptions, packRelease } from './pack.ts';
import { type PublishPlan, publishPlan } from './plan.ts';
import { publishCrates } from './publish-crates.ts';
import { checkCircular } from './queue.ts';
import type { CrateToPublish, Release } from './release.ts';
import { type PublishDocument, publishDocument, PublishOutcomes } from './result.ts';
import { workspaceRelease } from './select.ts';
import { withTrustedToken } from './trusted.ts';

/** The command-line options of `publish`. */
export interface PublishOptions {
  /** Path of an existing archive, relative to the working folder; null for packages of a workspace. */
  readonly file: string | null;
  /** Selects the packages and the registry. An existing archive uses only `config` and `registry` of these. */
  readonly packages: PackagesOptions & FlagProblems;
  /** How to use the registry. */
  readonly access: RegistryCommandOptions;
  readonly upload: UploadChoices;
  /** True to publish with the identity of this CI job. */
  readonly isTrusted: boolean;
}

/** How to upload packages. */
export interface UploadChoices {
  /** `none`: sends packages. `client`: does not. `server`: asks the registry to check them without storing them. */
  readonly dryRun: 'none' | 'client' | 'server';
  /** How long to wait for the index to list a package; 0 to not wait. */
  readonly waitMs: number;
  /** True to leave out versions that the registry already has, if they are identical. */
  readonly skipsPublished: boolean;
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
  const { access, upload, isTrusted } = options;
  const release = await openRelease(options, context);
  if (release.manifests.length === 0) return nothingToPublish(release, upload);
  const isOnline = upload.dryRun !== 'client';
  const registry = await openRegistryFor(release, access, { needsToken: isOnline && !isTrusted });
  try {
    const publishAll = (): Promise<PublishResult> => publishRelease(release, registry, options);
    if (!isTrusted || !isOnline) return await publishAll();
    const trusting = { ...access, registry, shared: release.shared };
    return await withTrustedToken(trusting, release.context, publishAll);
  } finally {
    await registry.close();
  }
}

/**
 * Returns the publish plan: the steps of `publish`, in order, and the time that they take at least. Makes no archives
 * and requests no token.
 */
export async function planPublish(options: PublishOptions, context: OperationContext): Promise<PublishPlan> {
  const release = await openRelease(options, context);
  if (release.manifests.length === 0) return publishPlan(release, null);
  const registry = await openRegistryFor(release, options.access, { needsToken: false });
  try {
    const checks = { registry, isDryRun: true, acceptsExisting: true };
    const alreadyPublished = await findPublished(release.manifests, checks, release.context);
    return publishPlan(release, { registry, alreadyPublished });
  } finally {
    await registry.close();
  }
}

async function openRelease({ file, packages }: PublishOptions, context: OperationContext): Promise<Release> {
  if (file === null) return workspaceRelease(packages, context);
  return fileRelease({ file, config: packages.config, registry: packages.registry }, context);
}

function openRegistryFor(
  { choice, shared, context }: Release,
  access: RegistryCommandOptions,
  { needsToken }: { readonly needsToken: boolean },
): Promise<OpenedRegistry> {
  return openRegistry({ ...access, choice, refreshes: true, needsToken, shared }, context);
}

/** Checks, packs and uploads the packages of a release. */
async function publishRelease(
  release: Release,
  registry: OpenedRegistry,
  { upload, access: { isCargo, maxWaitMs } }: PublishOptions,
): Promise<PublishResult> {
  const { dryRun, skipsPublished } = upload;
  const { manifests, unpublishable, context } = release;
  const isDryRun = dryRun !== 'none';
  if (dryRun === 'server') checkOffersDryRun(registry);
  // A missing token must fail before archives are made. The token to publish with is requested later.
  await registry.api(dryRun === 'client' ? null : { kind: 'read' });
  const checks = { registry, isDryRun, acceptsExisting: skipsPublished };
  const published = await findPublished(manifests, checks, context);
  const alreadyPublished: PackOptions['alreadyPublished'] = skipsPublished ? published : new Map();
  const { skipped, uploads } = await pack(release, { registry, alreadyPublished, isDryRun }, isCargo);
  checkCircular(uploads);
  const packages = [...skipped, ...uploads.keys()];
  const outcomes = new PublishOutcomes<CrateToPublish>(packages);
  for (const crate of skipped) outcomes.mark(crate, 'skipped');
  const outcome = { registry, isDryRun, packages, outcomes, unpublishable };
  const attempts = maxWaitMs === null ? 1 : MAX_UPLOAD_ATTEMPTS;
  const uploading = { ...upload, registry, isCargo, attempts, outcomes, acceptsExisting: skipsPublished };
  try {
    await publishCrates(uploads, uploading, context);
    return { document: publishDocument({ ...outcome, error: null }), error: null };
  } catch (error) {
    if (!isCargo && (packages.length > 1 || context.signal.aborted)) outcomes.summarize(context.report);
    return { document: publishDocument({ ...outcome, error }), error };
  }
}

/** Like `packRelease`, but says after an interruption that nothing was sent. */
async function pack(release: Release, options: PackOptions, isCargo: boolean): Promise<PackedRelease> {
  const { signal, report } = release.context;
  try {
    return await packRelease(release, options);
  } catch (error) {
    if (signal.aborted && !isCargo) report.note('nothing was sent to the registry');
    throw error;
  }
}

/** Warns that all selected packages have `publish = false`, and returns the result without any package. */
function nothingToPublish({ unpublishable, context }: Release, { dryRun }: UploadChoices): PublishResult {
  const count = unpublishable.length;
  context.report.warning({
    title: `nothing to publish, but found ${count} unpublishable package${count === 1 ? '' : 's'}`,
    remarks: [
      {
        label: 'help',
        text: 'to publish packages, set `package.publish` to `true` or a non-empty list',
      },
    ],
  });
  const outcome = { registry: null, isDryRun: dryRun !== 'none', packages: [], unpublishable, error: null };
  return { document: publishDocument({ ...outcome, outcomes: new PublishOutcomes([]) }), error: null };
}
