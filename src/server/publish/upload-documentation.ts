/** Stores uploaded documentation, from the request body to the record. */
import { TsregError } from '../../core/errors/error.ts';
import { sanitizeForTerminal } from '../../core/errors/sanitize-for-terminal.ts';
import { NoLongerAllowed } from '../records/authorize.ts';
import type { ServerContext } from '../server-context.ts';
import { reasonOf } from '../shared/reason-of.ts';
import type { PackedDocumentation } from '../source/pack-documentation.ts';
import type { Blobs, FinishedBlob } from '../store/blobs.ts';
import type { DocumentationChange, DocumentationOutcome } from '../store/documentation-records.ts';
import type { AuthorizedRecords } from '../store/store.ts';
import type { DocumentationPacking } from './documentation-packing.ts';

export { MAX_ARCHIVE_BYTES } from '../source/documentation-limits.ts';

/** An upload by an actor whose token allows it. */
export interface DocumentationRequest extends Omit<DocumentationChange, 'atMs'> {
  /** The archive, as a stream. */
  readonly body: AsyncIterable<Uint8Array>;
  /** Authorized for the actor. */
  readonly records: AuthorizedRecords;
  /** The thread, which all requests of a server share. */
  readonly packing: DocumentationPacking;
}

/** The result. `problem`: the archive is refused. Only `stored` has changed something. */
export type DocumentationUploadResult =
  | DocumentationOutcome
  | { readonly kind: 'problem'; readonly status: 400 | 413; readonly detail: string };

/** The services that an upload needs. */
type UploadContext = Pick<ServerContext, 'blobs' | 'clock' | 'log'>;

/**
 * Adds or replaces the documentation of a version completely or not at all: checks the actor's rights, packs the archive,
 * stores the blob durably, then writes the record, and then deletes the replaced blob, which may fail. Throws if the store
 * fails before, if the body cannot be read, or if the actor lost a right meanwhile.
 */
export async function uploadDocumentation(
  context: UploadContext,
  request: DocumentationRequest,
): Promise<DocumentationUploadResult> {
  // Check the rights first: a rejected archive need not be received, packed and stored.
  const precheck = await request.records.setDocumentation(recordOf(context, request, null));
  if (precheck.kind !== 'stored') return precheck;
  const packed = await receive(context.blobs, request).catch(refusalOf);
  return 'kind' in packed ? packed : await store(context, request, packed);
}

/** Receives and packs the archive. Throws `archive` and `limit` as `packDocumentation` does. */
async function receive(
  blobs: Blobs,
  { body, actor, crate, packing }: DocumentationRequest,
): Promise<PackedDocumentation> {
  // A place for the archive until the thread is free. It never becomes a blob.
  const spool = await blobs.begin('docs');
  try {
    for await (const chunk of body) await spool.write(chunk);
    return await packing.pack(async () => ({ kind: 'documentation', archive: await spool.read(), crate }), {
      owner: String(actor.user.id),
    });
  } finally {
    await spool.discard();
  }
}

/** Stores the blob, then the record, and deletes the blob to which no record refers then. */
async function store(
  context: UploadContext,
  request: DocumentationRequest,
  packed: PackedDocumentation,
): Promise<DocumentationOutcome> {
  const blob = await storeBlob(context.blobs, packed);
  try {
    const change = recordOf(context, request, { blob, indexSize: packed.indexSize });
    const outcome = await request.records.setDocumentation(change);
    const unused = outcome.kind === 'stored' ? outcome.replacedKey : blob.key;
    if (unused !== null) await deleteUnused(context, unused);
    return outcome;
  } catch (error) {
    // `NoLongerAllowed` means that no record was written. After any other error one may refer to the blob, so it stays.
    if (error instanceof NoLongerAllowed) await deleteUnused(context, blob.key);
    throw error;
  }
}

/** Deletes a blob to which no record refers. Only logs a failure: `verify --clean` removes the blob too. */
async function deleteUnused({ blobs, log }: UploadContext, key: string): Promise<void> {
  try {
    await blobs.delete(key);
  } catch (error) {
    log.warning('old-documentation-not-deleted', { key, reason: reasonOf(error) });
  }
}

async function storeBlob(blobs: Blobs, { parts }: PackedDocumentation): Promise<FinishedBlob> {
  const writer = await blobs.begin('docs');
  try {
    for (const part of parts) await writer.write(part);
    return await writer.finish();
  } catch (error) {
    await writer.discard();
    throw error;
  }
}

/** Returns the change; one with `stored: null` only checks the rights. */
function recordOf(
  { clock }: UploadContext,
  { crate, version, actor }: DocumentationRequest,
  stored: { readonly blob: FinishedBlob; readonly indexSize: number } | null,
): Parameters<AuthorizedRecords['setDocumentation']>[0] {
  const change = { crate, version, actor, atMs: clock.now() };
  if (stored === null) return { ...change, stored };
  const { key: blobKey, checksum, size } = stored.blob;
  return { ...change, stored: { blobKey, checksum, size, indexSize: stored.indexSize } };
}

/** Returns the refusal for an error of the archive; throws any other error. */
function refusalOf(error: unknown): Extract<DocumentationUploadResult, { kind: 'problem' }> {
  if (!(error instanceof TsregError) || (error.code !== 'archive' && error.code !== 'limit')) throw error;
  const status = error.code === 'limit' ? 413 : 400;
  // Messages repeat paths of the archive.
  return { kind: 'problem', status, detail: sanitizeForTerminal(error.message) };
}
