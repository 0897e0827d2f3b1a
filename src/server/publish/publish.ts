/** Publishes a version, from the request body to the response. Cargo Book: Registry Web API, Publish. */
import { TsregError } from '../../core/errors/error.ts';
import { encodePublishedLine } from '../../core/protocol/encode-published-line.ts';
import { decodePublishBody } from '../../core/protocol/publish-body.ts';
import { decodePublishMetadata, type PublishMetadata } from '../../core/protocol/publish-metadata.ts';
import { NoLongerAllowed } from '../records/authorize.ts';
import type { ServerContext, ServerLimits } from '../server-context.ts';
import { MAX_INDEX_FILE_BYTES, MAX_INDEX_LINE_BYTES } from '../store/index-limits.ts';
import type { Actor, Publication, PublishOutcome } from '../store/values.ts';
import { ArchiveChecks, type ArchiveTask } from './archive-check.ts';
import { allowsDependencyRegistry } from './dependency-registries.ts';
import { checkMetadata, type PublishWarnings } from './check-metadata.ts';
import { publishProblem } from './publish-problem.ts';
import { UpstreamProblem } from '../shared/upstream-problem.ts';
import type { FinishedBlob } from '../store/blobs.ts';

/** A version to publish, and its publisher. */
export interface PublishRequest {
  /** The request body, as a stream. */
  readonly body: AsyncIterable<Uint8Array>;
  readonly actor: Actor;
  /** True to check everything but store nothing. */
  readonly isDryRun: boolean;
  /** The archive checker, which all requests of a server share. */
  readonly checks?: ArchiveChecks;
}

/** The result. A refused publication has changed nothing. */
export type PublishResult =
  | {
      readonly kind: 'published';
      readonly crate: string;
      readonly version: string;
      readonly checksum: string;
      readonly isNewCrate: boolean;
      readonly warnings: PublishWarnings;
    }
  | { readonly kind: 'refused'; readonly status: PublishRefusalStatus; readonly detail: string };

/** 400 for invalid data or a broken rule, 403 for missing rights, 409 for a taken version or name, 413 for size. */
export type PublishRefusalStatus = 400 | 403 | 409 | 413;

/**
 * Publishes a version completely or not at all. Checks everything, then stores the blob durably, then writes all
 * records in one transaction. Throws if the store, the upstream or a check fails, or if the body cannot be read.
 */
export async function publish(context: ServerContext, request: PublishRequest): Promise<PublishResult> {
  try {
    return await publishChecked(context, request);
  } catch (error) {
    if (!(error instanceof TsregError)) throw error;
    if (error instanceof NoLongerAllowed) return { kind: 'refused', status: 403, detail: error.message };
    const status = STATUS_OF_CODE[error.code];
    if (status === undefined) throw error;
    return { kind: 'refused', status, detail: printable(error.message) };
  }
}

const MAX_DETAIL_CHARS = 2000;

/** Sanitizes a message, which may contain text from the request. */
function printable(detail: string): string {
  const text = detail.replaceAll(/[\0-\x08\x0b-\x1f\x7f]/g, '\ufffd');
  return text.length > MAX_DETAIL_CHARS ? `${text.slice(0, MAX_DETAIL_CHARS)}…` : text;
}

const STATUS_OF_CODE: Partial<Readonly<Record<TsregError['code'], PublishRefusalStatus>>> = {
  source: 400,
  archive: 400,
  limit: 413,
};

async function publishChecked(
  { records, blobs, upstream, settings, clock }: ServerContext,
  { body, actor, isDryRun, checks = new ArchiveChecks() }: PublishRequest,
): Promise<PublishResult> {
  const { limits, strict } = settings;
  const parts = await decodePublishBody(body, {
    maxMetadataBytes: limits.maxMetadataBytes,
    maxArchiveBytes: limits.maxCrateBytes,
  });
  const { metadata, warnings } = checkMetadata(decodePublishMetadata(parts.metadata), {
    strict,
    isOwnIndex: (url) => isOwnIndex(url, settings),
    allowsRegistry: (url) => allowsDependencyRegistry(url, namedRegistries({ settings, upstream })),
  });
  const atMs = clock.now();
  const authorized = records.authorize(actor, clock);
  const draft = publicationOf(UNKNOWN_BLOB, { metadata, atMs, actor });
  refuseLongLine(draft.indexLine);
  // Check the rights first: a rejected archive need not be received, unpacked and stored.
  const precheck = await authorized.publishVersion({ ...draft, isStored: false });
  const mayRead = !settings.authRequired || (actor.token?.scopes.includes('read') ?? true);
  if (precheck.kind !== 'published') return refusalOf(precheck, { metadata, mayRead });
  const shadow = precheck.isNewCrate ? await findShadow({ records, upstream }, metadata.name) : null;
  if (shadow !== null) return { kind: 'refused', status: 409, detail: shadow };
  if (strict) await requireKnownDependencies({ records, upstream }, metadata);

  const writer = await blobs.begin();
  let finished: FinishedBlob | null = null;
  try {
    for await (const chunk of parts.archive) await writer.write(chunk);
    const prepare = async (): Promise<ArchiveTask> => ({
      archive: await writer.read(),
      options: archiveRules(metadata, limits),
      metadata,
    });
    const problem = await checks.check(prepare, { owner: String(actor.user.id) });
    if (problem !== null) throw new TsregError(problem.message, { code: problem.code });
    if (isDryRun) {
      await writer.discard();
      return published(metadata, { warnings, checksum: '', isNewCrate: precheck.isNewCrate });
    }
    const blob = await writer.finish();
    finished = blob;
    const outcome = await authorized.publishVersion(publicationOf(blob, { metadata, atMs, actor }));
    if (outcome.kind === 'published') {
      return published(metadata, { warnings, checksum: blob.checksum, isNewCrate: outcome.isNewCrate });
    }
    await blobs.delete(blob.key);
    return refusalOf(outcome, { metadata, mayRead });
  } catch (error) {
    // `NoLongerAllowed` means that no record was written. After any other error one may refer to the blob, so it stays.
    if (finished === null) await writer.discard();
    else if (error instanceof NoLongerAllowed) await blobs.delete(finished.key);
    throw error;
  }
}

function archiveRules(
  { name, version }: PublishMetadata,
  { maxUnpackedBytes, maxFiles }: ServerLimits,
): ArchiveTask['options'] {
  return { topFolder: `${name}-${version}`, maxUnpackedBytes, maxFiles, isPortable: true };
}

function isOwnIndex(url: string, { baseUrl, staticUrl = baseUrl }: ServerContext['settings']): boolean {
  return [baseUrl, staticUrl].some((own) => url.replace(/\/$/, '') === `sparse+${own}/index`);
}

/** Returns the registries that the operator has named, and the upstream. */
function namedRegistries({
  settings,
  upstream,
}: Pick<ServerContext, 'settings' | 'upstream'>): readonly string[] {
  const { dependencyRegistries = [] } = settings;
  return upstream === null ? dependencyRegistries : [...dependencyRegistries, `sparse+${upstream.index}`];
}

/** A placeholder for the blob before the archive has arrived. It gives an index line of the same length. */
const UNKNOWN_BLOB: FinishedBlob = { key: '', checksum: '0'.repeat(64), size: 0 };

function refuseLongLine(indexLine: string): void {
  const bytes = Buffer.byteLength(indexLine);
  if (bytes <= MAX_INDEX_LINE_BYTES) return;
  throw publishProblem(
    `the line of this version in the index would have ${bytes} bytes (max ${MAX_INDEX_LINE_BYTES}): it needs fewer features or dependencies`,
  );
}

/** A version whose archive is not stored yet. */
type Submission = Pick<Publication, 'metadata' | 'atMs' | 'actor'>;

function publicationOf(
  { checksum, size, key }: FinishedBlob,
  { metadata, atMs, actor }: Submission,
): Publication {
  const publishedAt = new Date(atMs).toISOString().replace(/\.\d+Z$/, 'Z');
  return {
    metadata,
    indexLine: encodePublishedLine(metadata, { checksum, publishedAt }),
    checksum,
    size,
    blobKey: key,
    atMs,
    actor,
    isStored: true,
  };
}

/** Returns why a new crate must not shadow one of the upstream; null if there is none or the name is reserved. */
async function findShadow({ records, upstream }: CrateSources, name: string): Promise<string | null> {
  if (upstream === null || (await records.isReserved(name))) return null;
  const allow = `the operator of this registry can allow it: \`tsreg serve own-name add ${name}\``;
  let existing: string | null;
  try {
    existing = await upstream.findSameName(name);
  } catch (error) {
    if (!(error instanceof UpstreamProblem)) throw error;
    throw new UpstreamProblem(
      `cannot check whether the upstream has a crate named \`${name}\`; try again later, or ${allow}\n${error.message}`,
    );
  }
  if (existing === null) return null;
  return `a crate named \`${existing}\` comes from the upstream \`${upstream.index}\`, and this one would replace it for everybody; ${allow}`;
}

/** The sources of known crates. */
type CrateSources = Pick<ServerContext, 'records' | 'upstream'>;

/** Throws unless all dependencies are known here or in the upstream: a strict registry can resolve every package. */
async function requireKnownDependencies(
  { records, upstream }: CrateSources,
  { dependencies, name }: PublishMetadata,
): Promise<void> {
  for (const wanted of new Set(dependencies.map((dependency) => dependency.name))) {
    if (wanted === name) continue;
    const crate = await records.findCrate(wanted);
    if (crate === null && (await upstream?.findName(wanted)) === wanted) continue;
    if (crate?.name !== wanted) throw publishProblem(`no known crate named \`${wanted}\``);
  }
}

function published(
  { name, version }: PublishMetadata,
  rest: { readonly warnings: PublishWarnings; readonly checksum: string; readonly isNewCrate: boolean },
): PublishResult {
  return { kind: 'published', crate: name, version, ...rest };
}

/** The rejected metadata, and whether the actor may know which crates exist. */
interface RefusalContext {
  readonly metadata: PublishMetadata;
  readonly mayRead: boolean;
}

function refusalOf(
  outcome: Exclude<PublishOutcome, { readonly kind: 'published' }>,
  { metadata: { name, version }, mayRead }: RefusalContext,
): PublishResult {
  const refused = (status: PublishRefusalStatus, detail: string): PublishResult => ({
    kind: 'refused',
    status,
    detail,
  });
  // An actor without read access must not learn which crates exist.
  if (!mayRead && (outcome.kind === 'not-owner' || outcome.kind === 'out-of-scope')) {
    return refused(403, `the token does not allow to publish the crate \`${name}\``);
  }
  switch (outcome.kind) {
    case 'duplicate':
      return outcome.existing === version
        ? refused(409, `crate version \`${version}\` is already uploaded`)
        : refused(
            409,
            `crate version \`${outcome.existing}\` is already uploaded, which differs only in build metadata`,
          );
    case 'other-spelling':
      return refused(
        409,
        `the name \`${name}\` is taken: the crate was previously named \`${outcome.existing}\``,
      );
    case 'version-deleted':
      return refused(409, `crate version \`${version}\` was deleted, and cannot be uploaded again`);
    case 'name-reserved':
      return refused(
        409,
        `a crate named \`${name}\` was deleted, and the name is reserved for its owners until ${new Date(outcome.untilMs).toISOString().slice(0, 10)}`,
      );
    case 'not-owner':
      return refused(403, "this crate exists but you don't seem to be an owner");
    case 'index-full':
      return refused(
        400,
        `the index file of the crate \`${name}\` has ${outcome.bytes} bytes, and cannot take another version (max ${MAX_INDEX_FILE_BYTES})`,
      );
    case 'trusted-only':
      return refused(
        403,
        `new versions of the crate \`${name}\` are published only by trusted publishing: this token is not from trusted publishing`,
      );
    case 'out-of-scope':
      return refused(
        403,
        `the token does not allow this: it needs the scope \`${outcome.scope}\`, for the crate \`${name}\``,
      );
  }
}
