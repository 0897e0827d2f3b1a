/** Publishes a version, from the request body to the response. Cargo Book: Registry Web API, Publish. */
import { TsregError } from '../../core/errors/error.ts';
import { sanitizeForTerminal } from '../../core/errors/sanitize-for-terminal.ts';
import { encodePublishedLine } from '../../core/protocol/encode-published-line.ts';
import { decodePublishBody } from '../../core/protocol/publish-body.ts';
import { decodePublishMetadata, type PublishMetadata } from '../../core/protocol/publish-metadata.ts';
import { NoLongerAllowed } from '../records/authorize.ts';
import type { ServerContext, ServerLimits, ServerSettings } from '../server-context.ts';
import type { FinishedBlob } from '../store/blobs.ts';
import { MAX_INDEX_LINE_BYTES } from '../store/index-limits.ts';
import type { AuthorizedRecords } from '../store/store.ts';
import type { Actor, Publication } from '../store/values.ts';
import type { ArchiveChecks, ArchiveTask } from './archive-check.ts';
import { checkMetadata, type PublishWarnings } from './check-metadata.ts';
import { allowsDependencyRegistry } from './dependency-registries.ts';
import { findShadow, requireKnownDependencies } from './known-crates.ts';
import { publishProblem } from './publish-problem.ts';
import { type PublishRefusalStatus, type PublishResult, refusalOf } from './publish-result.ts';

/** A version to publish, and its publisher. */
export interface PublishRequest {
  /** The request body, as a stream. */
  readonly body: AsyncIterable<Uint8Array>;
  readonly actor: Actor;
  /** True to check everything but store nothing. */
  readonly isDryRun: boolean;
  /** The archive checker, which all requests of a server share. */
  readonly checks: ArchiveChecks;
}

/** A version whose metadata is checked and whose archive is still being received. */
interface Submission {
  readonly metadata: PublishMetadata;
  readonly warnings: PublishWarnings;
  readonly archive: AsyncIterable<Uint8Array>;
  readonly atMs: number;
  readonly actor: Actor;
  /** Records for changes in the name of the actor. */
  readonly authorized: AuthorizedRecords;
  /** Whether the actor may know which crates exist. */
  readonly mayRead: boolean;
  /** True if the crate did not exist before the archive was received. */
  readonly isNewCrate: boolean;
}

/** Maximum length of an error message for the client, which may repeat its text. */
const MAX_DETAIL_CHARS = 2000;

/** The statuses of errors that are the client's. All others are failures of the server. */
const STATUS_OF_CODE: Partial<Readonly<Record<TsregError['code'], PublishRefusalStatus>>> = {
  source: 400,
  archive: 400,
  limit: 413,
};

/** A placeholder for the blob before the archive has arrived. It gives an index line of the same length. */
const UNKNOWN_BLOB: FinishedBlob = { key: '', checksum: '0'.repeat(64), size: 0 };

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

/** Sanitizes a message, which may contain text from the request. */
function printable(detail: string): string {
  const text = sanitizeForTerminal(detail);
  return text.length > MAX_DETAIL_CHARS ? `${text.slice(0, MAX_DETAIL_CHARS)}…` : text;
}

/** Checks the metadata and the actor's rights before it receives the archive. Throws `TsregError` for a problem. */
async function publishChecked(context: ServerContext, request: PublishRequest): Promise<PublishResult> {
  const { records, settings, clock } = context;
  const { body, actor, isDryRun, checks } = request;
  const { limits, strict } = settings;
  const parts = await decodePublishBody(body, {
    maxMetadataBytes: limits.maxMetadataBytes,
    maxArchiveBytes: limits.maxCrateBytes,
  });
  const { metadata, warnings } = checkMetadata(decodePublishMetadata(parts.metadata), {
    strict,
    isOwnIndex: (url) => isOwnIndex(url, settings),
    allowsRegistry: (url) => allowsDependencyRegistry(url, namedRegistries(context)),
  });
  const atMs = clock.now();
  const authorized = records.authorize(actor, clock);
  const draft = publicationOf(UNKNOWN_BLOB, { metadata, atMs, actor });
  refuseLongLine(draft.indexLine);
  // Check the rights first: a rejected archive need not be received, unpacked and stored.
  const precheck = await authorized.publishVersion({ ...draft, isStored: false });
  const mayRead = !settings.authRequired || (actor.token?.scopes.includes('read') ?? true);
  if (precheck.kind !== 'published') return refusalOf(precheck, { metadata, mayRead });
  const { isNewCrate } = precheck;
  const shadow = isNewCrate ? await findShadow(context, metadata.name) : null;
  if (shadow !== null) return { kind: 'refused', status: 409, detail: shadow };
  if (strict) await requireKnownDependencies(context, metadata);
  const { archive } = parts;
  const submission = { metadata, warnings, archive, atMs, actor, authorized, mayRead, isNewCrate };
  return storeSubmission(context, submission, { isDryRun, checks });
}

/** Receives and checks the archive, and stores it with its records. Leaves nothing behind if it fails or is refused. */
async function storeSubmission(
  { blobs, settings }: ServerContext,
  submission: Submission,
  { isDryRun, checks }: { readonly isDryRun: boolean; readonly checks: ArchiveChecks },
): Promise<PublishResult> {
  const { metadata, actor, authorized, mayRead } = submission;
  const writer = await blobs.begin();
  let storedBlob: FinishedBlob | null = null;
  try {
    for await (const chunk of submission.archive) await writer.write(chunk);
    const prepare = async (): Promise<ArchiveTask> => ({
      archive: await writer.read(),
      options: archiveRules(metadata, settings.limits),
      metadata,
    });
    const problem = await checks.check(prepare, { owner: String(actor.user.id) });
    if (problem !== null) throw new TsregError(problem.message, { code: problem.code });
    if (isDryRun) {
      await writer.discard();
      return published(submission, { checksum: '', isNewCrate: submission.isNewCrate });
    }
    const blob = await writer.finish();
    storedBlob = blob;
    const outcome = await authorized.publishVersion(publicationOf(blob, submission));
    if (outcome.kind === 'published') {
      return published(submission, { checksum: blob.checksum, isNewCrate: outcome.isNewCrate });
    }
    await blobs.delete(blob.key);
    return refusalOf(outcome, { metadata, mayRead });
  } catch (error) {
    // `NoLongerAllowed` means that no record was written. After any other error one may refer to the blob, so it stays.
    if (storedBlob === null) await writer.discard();
    else if (error instanceof NoLongerAllowed) await blobs.delete(storedBlob.key);
    throw error;
  }
}

function archiveRules(
  { name, version }: PublishMetadata,
  { maxUnpackedBytes, maxFiles }: ServerLimits,
): ArchiveTask['options'] {
  return { topFolder: `${name}-${version}`, maxUnpackedBytes, maxFiles, isPortable: true };
}

/** Returns true for the URL of this registry's index, or of its static copy. */
function isOwnIndex(url: string, { baseUrl, staticUrl = baseUrl }: ServerSettings): boolean {
  return [baseUrl, staticUrl].some((own) => url.replace(/\/$/, '') === `sparse+${own}/index`);
}

/** Returns the registries that the operator has named, and the upstream. */
function namedRegistries({ settings, upstream }: ServerContext): readonly string[] {
  const { dependencyRegistries = [] } = settings;
  return upstream === null ? dependencyRegistries : [...dependencyRegistries, `sparse+${upstream.index}`];
}

function refuseLongLine(indexLine: string): void {
  const bytes = Buffer.byteLength(indexLine);
  if (bytes <= MAX_INDEX_LINE_BYTES) return;
  throw publishProblem(
    `the line of this version in the index would have ${bytes} bytes (max ${MAX_INDEX_LINE_BYTES}): it needs fewer features or dependencies`,
  );
}

function publicationOf(
  { checksum, size, key }: FinishedBlob,
  { metadata, atMs, actor }: Pick<Submission, 'metadata' | 'atMs' | 'actor'>,
): Publication {
  // Whole seconds, as the field `pubtime` of the index has them.
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

function published(
  { metadata, warnings }: Submission,
  stored: { readonly checksum: string; readonly isNewCrate: boolean },
): PublishResult {
  return { kind: 'published', crate: metadata.name, version: metadata.version, warnings, ...stored };
}
