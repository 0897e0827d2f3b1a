/** Whether a registry is whole. */
import { createHash } from 'node:crypto';
import type { Blobs, Records, StoredVersion } from './store.ts';

/** Something that is not as it must be. */
export interface StoreProblem {
  /** null where it is not about one version. */
  readonly crate: string | null;
  readonly version: string | null;
  /** In plain words. */
  readonly message: string;
}

/** What was found. */
export interface VerifyResult {
  readonly versions: number;
  /** Of all blobs that were read. */
  readonly bytes: number;
  /** Empty for a registry that is whole. */
  readonly problems: readonly StoreProblem[];
  /** Keys of blobs that no record refers to: what interrupted publications left behind, and no harm. */
  readonly unreferenced: readonly string[];
}

/** How to verify. */
export interface VerifyOptions {
  readonly nowMs: number;
  /** True to delete blobs that no record refers to, once they are too old to be part of a publication. */
  readonly removeUnreferenced: boolean;
}

/** No publication takes that long. */
const MAX_PUBLICATION_MS = 24 * 60 * 60 * 1000;

/**
 * Checks every record against every blob, by reading them all, and the index files against the records. The registry
 * may be in use meanwhile.
 */
export async function verifyStore(
  { records, blobs }: { readonly records: Records; readonly blobs: Blobs },
  { nowMs, removeUnreferenced }: VerifyOptions,
): Promise<VerifyResult> {
  const problems: StoreProblem[] = [];
  const damage = await records.findDamage();
  if (damage !== null) problems.push({ crate: null, version: null, message: damage });
  const candidates = await listOldBlobs(blobs, nowMs - MAX_PUBLICATION_MS);
  let versions = 0;
  let bytes = 0;
  for await (const stored of records.eachVersion()) {
    versions += 1;
    bytes += stored.size;
    candidates.delete(stored.blobKey);
    const message = (await findBlobProblem(blobs, stored)) ?? (await findIndexProblem(records, stored));
    if (message !== null && (await isStillThere(records, stored))) {
      problems.push({ crate: stored.crate, version: stored.version, message });
    }
  }
  if (removeUnreferenced) for (const key of candidates) await blobs.delete(key);
  return { versions, bytes, problems, unreferenced: [...candidates] };
}

/** Listed before the records are, so that a blob of a version that is published meanwhile is none of them. */
async function listOldBlobs(blobs: Blobs, beforeMs: number): Promise<Set<string>> {
  const keys = new Set<string>();
  for await (const { key, changedAtMs } of blobs.list()) if (changedAtMs < beforeMs) keys.add(key);
  return keys;
}

async function findBlobProblem(
  blobs: Blobs,
  { blobKey, size, checksum }: StoredVersion,
): Promise<string | null> {
  const blob = await blobs.open(blobKey);
  if (blob === null) return 'its .crate is missing';
  const hash = createHash('sha256');
  for await (const chunk of blob.stream) hash.update(chunk);
  if (blob.size !== size) return `its .crate has ${blob.size} bytes instead of ${size}`;
  return hash.digest('hex') === checksum ? null : 'its .crate is damaged: the checksum is another';
}

async function findIndexProblem(
  records: Records,
  { crate, version, checksum }: StoredVersion,
): Promise<string | null> {
  const file = await records.findIndexFile(crate.toLowerCase());
  const lines = (file?.body ?? '').split('\n').slice(0, -1).map(parseLine);
  return lines.some((line) => line?.vers === version && line.cksum === checksum)
    ? null
    : 'it is not in the index, or with another checksum';
}

function parseLine(text: string): { readonly vers: unknown; readonly cksum: unknown } | null {
  const line: unknown = JSON.parse(text);
  const isLine = typeof line === 'object' && line !== null && 'vers' in line && 'cksum' in line;
  return isLine ? { vers: line.vers, cksum: line.cksum } : null;
}

/** False for a version that was deleted meanwhile. */
async function isStillThere(records: Records, { crate, version, blobKey }: StoredVersion): Promise<boolean> {
  return (await records.findVersion(crate, version))?.blobKey === blobKey;
}
