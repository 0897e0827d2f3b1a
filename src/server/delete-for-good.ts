/** Deleting for good, which only admins and whoever runs the machine may do. */
import type { ServerContext } from './server-context.ts';
import type { AuthorizedRecords } from './store.ts';
import type { Actor, DeleteOutcome } from './store-values.ts';

/** How long the name of a deleted crate stays with its former owners. */
const NAME_RESERVED_MS = 90 * 24 * 60 * 60 * 1000;

/** What is to go, and why. */
export interface DeletionRequest {
  readonly crate: string;
  /** null for all of the crate. */
  readonly version: string | null;
  /** null for whoever works on the machine itself. */
  readonly actor: Actor | null;
  /** Kept in the audit trail; may be empty. */
  readonly reason: string;
  /** True if the same versions may be published again. */
  readonly mayReuse: boolean;
}

/** What deleting needs; the records are those of the actor. */
export interface DeletionContext extends Pick<ServerContext, 'blobs' | 'clock' | 'staticHalf'> {
  readonly records: AuthorizedRecords;
}

/**
 * Deletes a crate or a version: first all records of it, in one transaction, then what they referred to. Static files
 * of it go at once where there is a `staticHalf`, else when the next server looks.
 */
export async function deleteForGood(
  { records, blobs, clock, staticHalf }: DeletionContext,
  { crate, version, actor, reason, mayReuse }: DeletionRequest,
): Promise<DeleteOutcome> {
  const atMs = clock.now();
  const deletion = {
    ...{ crate, actor, atMs, mayReuseVersions: mayReuse },
    reason: reason === '' ? null : reason,
    nameReservedUntilMs: atMs + NAME_RESERVED_MS,
  };
  const outcome =
    version === null
      ? await records.deleteCrate(deletion)
      : await records.deleteVersion({ ...deletion, version });
  if (outcome.kind === 'deleted') {
    await staticHalf?.settle(outcome.crate);
    await Promise.all(outcome.blobKeys.map((key) => blobs.delete(key)));
  }
  return outcome;
}
