/** The blobs that the records of versions refer to: `.crate` files, and documentation. */
import { blobKindOf } from '../blobs/blob-key.ts';
import type { CrateLookups, StoredVersion } from '../store/crate-records.ts';
import type { DocumentationRecords } from '../store/documentation-records.ts';

/** The records that refer to blobs. */
export type BlobRecords = Pick<CrateLookups, 'eachVersion' | 'findVersion'> &
  Pick<DocumentationRecords, 'eachDocumentation' | 'findDocumentation'>;

/** Yields every version with its `.crate`, then every version with documentation, with the blob of that. */
export async function* eachStoredBlob(
  records: Pick<BlobRecords, 'eachVersion' | 'eachDocumentation'>,
): AsyncGenerator<StoredVersion, void, undefined> {
  yield* records.eachVersion();
  yield* records.eachDocumentation();
}

/** Returns false if the version or its documentation was deleted or replaced meanwhile. */
export async function isStillStored(
  records: Pick<BlobRecords, 'findVersion' | 'findDocumentation'>,
  { crate, version, blobKey }: StoredVersion,
): Promise<boolean> {
  const record =
    blobKindOf(blobKey) === 'docs'
      ? await records.findDocumentation(crate, version)
      : await records.findVersion(crate, version);
  return record?.blobKey === blobKey;
}

/** Returns the name of a blob's content for messages. */
export function describeBlob({ blobKey }: Pick<StoredVersion, 'blobKey'>): string {
  return blobKindOf(blobKey) === 'docs' ? 'documentation' : '.crate';
}
