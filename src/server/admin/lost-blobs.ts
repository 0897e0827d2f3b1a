/** Errors about versions whose `.crate` or documentation cannot be copied. */
import { TsregError, type TsregErrorOptions } from '../../core/errors/error.ts';
import { blobPath } from '../blobs/blob-key.ts';
import type { LostBlob } from '../blobs/copy-blobs.ts';
import { type BlobRecords, describeBlob, isStillStored } from './stored-blobs.ts';

/** Maximum number of versions that a message names. */
const MAX_NAMED = 20;

/** The hint for making a registry complete again. */
export const LOST_BLOBS_HINT =
  'copy each file from another copy of the registry, or delete its version permanently ' +
  '(`tsreg serve delete CRATE@VERSION --yes`), or remove its documentation if only that is lost; then run the command again';

/** Returns the blobs that records still refer to; the others were deleted or replaced during the copy. */
export async function withoutDeleted(
  records: Pick<BlobRecords, 'findVersion' | 'findDocumentation'>,
  lost: readonly LostBlob[],
): Promise<readonly LostBlob[]> {
  const referenced: LostBlob[] = [];
  for (const blob of lost) {
    if (await isStillStored(records, blob.stored)) referenced.push(blob);
  }
  return referenced;
}

/**
 * Returns the error that `what` (such as `the registry`) is incomplete, with the first versions and the expected paths
 * of their files.
 */
export function incompleteError(
  what: string,
  lost: readonly LostBlob[],
  options: Pick<TsregErrorOptions, 'code' | 'hint'>,
): TsregError {
  const lines = lost
    .map(({ stored, reason }) => {
      const path = blobPath(stored.blobKey);
      return `${stored.crate} ${stored.version}: its ${describeBlob(stored)} is ${reason} (\`${path}\`)`;
    })
    .toSorted();
  const unnamed = lines.length - MAX_NAMED;
  const more = unnamed > 0 ? [`and ${unnamed} more: \`tsreg serve verify\` lists them`] : [];
  return new TsregError(
    [`${what} is not complete:`, ...lines.slice(0, MAX_NAMED), ...more].join('\n'),
    options,
  );
}
