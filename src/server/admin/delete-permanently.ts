/** Permanent deletion, which only admins and the command line may do. */
import type { ServerContext } from '../server-context.ts';
import type { AuthorizedRecords } from '../store/store.ts';
import type { Actor, DeleteOutcome } from '../store/values.ts';

/** How long only the former owners may reuse the name of a deleted crate. */
const NAME_RESERVED_MS = 90 * 24 * 60 * 60 * 1000;

/** A deletion and its reason. */
export interface DeletionRequest {
  readonly crate: string;
  /** null for the whole crate. */
  readonly version: string | null;
  /** null for the command line. */
  readonly actor: Actor | null;
  /** Stored in the audit trail; may be empty. */
  readonly reason: string;
  /** Whether the same versions may be published again. */
  readonly mayReuseVersions: boolean;
}

/** Services that a deletion needs. `records` are authorized for the actor. */
export interface DeletionContext extends Pick<ServerContext, 'blobs' | 'clock' | 'staticIndex'> {
  readonly records: AuthorizedRecords;
}

/**
 * Deletes a crate or a version permanently: all its records in one transaction, then its static files, then its blobs.
 * The records come first, so that a failure leaves unused blobs, and not versions without archives.
 * `tsreg serve verify --clean` removes unused blobs after a day. The blobs come last, because a server that is writing
 * static files may be copying them. Without a `staticIndex`, the next server that writes static files deletes those.
 */
export async function deletePermanently(
  { records, blobs, clock, staticIndex }: DeletionContext,
  { crate, version, actor, reason, mayReuseVersions }: DeletionRequest,
): Promise<DeleteOutcome> {
  const atMs = clock.now();
  const deletion = {
    crate,
    actor,
    atMs,
    mayReuseVersions,
    reason: reason === '' ? null : reason,
    nameReservedUntilMs: atMs + NAME_RESERVED_MS,
  };
  const outcome =
    version === null
      ? await records.deleteCrate(deletion)
      : await records.deleteVersion({ ...deletion, version });
  if (outcome.kind === 'deleted') {
    // If `flush` returns false, a later round writes the files. Until then they have their own copies of the archives.
    await staticIndex?.flush(outcome.crate);
    await Promise.all(outcome.blobKeys.map((key) => blobs.delete(key)));
  }
  return outcome;
}
