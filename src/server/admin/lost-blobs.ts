/** Errors about versions whose `.crate` cannot be copied. */
import { TsregError, type TsregErrorOptions } from '../../core/errors/error.ts';
import { blobPath } from '../blobs/blob-key.ts';
import type { LostBlob } from '../blobs/copy-blobs.ts';
import type { CrateRecords } from '../store/crate-records.ts';

/** Maximum number of named versions. */
const MAX_NAMED = 20;

/** The hint for making a registry complete again. */
export const MEND_LOST_BLOBS =
  'copy each file from another copy of the registry, or delete its version permanently ' +
  '(`tsreg serve delete CRATE@VERSION --yes`); then run the command again';

/** Returns the blobs that records still refer to; the versions of the others were deleted during the copy. */
export async function stillWanted(
  records: Pick<CrateRecords, 'findVersion'>,
  lost: readonly LostBlob[],
): Promise<readonly LostBlob[]> {
  const wanted: LostBlob[] = [];
  for (const each of lost) {
    const { crate, version, blobKey } = each.stored;
    if ((await records.findVersion(crate, version))?.blobKey === blobKey) wanted.push(each);
  }
  return wanted;
}

/** Returns the error that `what` is incomplete, with the first versions and the expected paths of their files. */
export function notWhole(
  what: string,
  lost: readonly LostBlob[],
  options: Pick<TsregErrorOptions, 'code' | 'hint'>,
): TsregError {
  const lines = lost
    .map(({ stored: { crate, version, blobKey }, reason }) => {
      return `${crate} ${version}: its .crate is ${reason} (\`${blobPath(blobKey)}\`)`;
    })
    .toSorted();
  const rest = lines.length - MAX_NAMED;
  const more = rest > 0 ? [`and ${rest} more: \`tsreg serve verify\` lists them`] : [];
  return new TsregError(
    [`${what} is not complete:`, ...lines.slice(0, MAX_NAMED), ...more].join('\n'),
    options,
  );
}
