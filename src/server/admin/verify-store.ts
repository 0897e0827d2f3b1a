/** Checks whether a registry is complete. */
import { createHash } from 'node:crypto';
import type { Records, StoreParts } from '../store/store.ts';
import type { Blobs } from '../store/blobs.ts';
import type { StoredVersion } from '../store/crate-records.ts';
import { describeBlob, isStillStored } from './stored-blobs.ts';

/** A defect of a registry. */
export interface StoreProblem {
  /** null if the defect is not about one crate. */
  readonly crate: string | null;
  readonly version: string | null;
  /** In plain English. */
  readonly message: string;
}

/** The result of a verification. */
export interface VerifyResult {
  readonly versions: number;
  /** Total size of their `.crate` files. */
  readonly bytes: number;
  /** Empty for a complete registry. */
  readonly problems: readonly StoreProblem[];
  readonly mirrored: MirrorResult;
  /** Keys of blobs that no record refers to: harmless leftovers of interrupted publishing. */
  readonly unreferenced: readonly string[];
}

/** The cached archives of an upstream. Defective ones can be downloaded again. */
export interface MirrorResult {
  readonly archives: number;
  readonly bytes: number;
  /** Archives that were lost, for example by a restore. The server downloads them again on the next request. */
  readonly missing: number;
  /** Checksums of archives with other bytes. They must be removed, as `forgetDamaged` does. */
  readonly damaged: readonly string[];
}

/** Options of a verification. */
export interface VerifyOptions {
  readonly nowMs: number;
  /** Whether to delete blobs that no record refers to, once they are too old to be part of a publish in progress. */
  readonly removeUnreferenced: boolean;
  /** Whether to remove damaged archives of an upstream, so that the server downloads them again. */
  readonly forgetDamaged: boolean;
  /** Whether to check download counts too; nothing is lost if these are wrong. */
  readonly checksCounts?: boolean;
}

/** How many blobs are read at once: a remote store serves several as fast as one. */
const MAX_CONCURRENT_READS = 16;
/** No publish takes this long. */
const MAX_PUBLICATION_MS = 24 * 60 * 60 * 1000;

/**
 * Reads every blob and checks it against its record, and checks the index files against the records. The registry may
 * be in use meanwhile.
 */
export async function verifyStore(
  { records, blobs }: StoreParts,
  { nowMs, removeUnreferenced, forgetDamaged, checksCounts = false }: VerifyOptions,
): Promise<VerifyResult> {
  const problems: StoreProblem[] = [];
  const damage = await records.findDamage();
  if (damage !== null) problems.push({ crate: null, version: null, message: damage });
  const miscounted = checksCounts ? await records.findMiscounted() : null;
  if (miscounted !== null) {
    const message = 'its download count is not the sum of its versions';
    problems.push({ crate: miscounted, version: null, message });
  }
  /** Keys of blobs that may be unreferenced: each record removes its own. */
  const candidates = await listOldBlobs(blobs, nowMs - MAX_PUBLICATION_MS);
  const index = new IndexReader(records);
  let versions = 0;
  let bytes = 0;
  for await (const batch of batches(records.eachVersion())) {
    const blobProblems = await Promise.all(
      batch.map((storedVersion) => findBlobProblem(blobs, storedVersion)),
    );
    for (const [position, storedVersion] of batch.entries()) {
      versions += 1;
      bytes += storedVersion.size;
      candidates.delete(storedVersion.blobKey);
      const message = blobProblems[position] ?? (await findIndexProblem(index, storedVersion));
      if (message !== null && (await isStillStored(records, storedVersion))) {
        problems.push({ crate: storedVersion.crate, version: storedVersion.version, message });
      }
    }
  }
  problems.push(...(await verifyDocumentation({ records, blobs }, candidates)));
  const mirrored = await verifyMirrored({ records, blobs }, { candidates, forgetDamaged });
  // `candidates` now has the old blobs that no record refers to. Blobs that were evicted meanwhile are already gone.
  for (const key of candidates) if ((await blobs.stat(key)) === null) candidates.delete(key);
  if (removeUnreferenced) for (const key of candidates) await blobs.delete(key);
  return { versions, bytes, problems, mirrored, unreferenced: [...candidates] };
}

/** Checks the documentation of versions, and removes its blobs from the candidates. Returns the problems. */
async function verifyDocumentation(
  { records, blobs }: StoreParts,
  candidates: Set<string>,
): Promise<readonly StoreProblem[]> {
  const problems: StoreProblem[] = [];
  for await (const batch of batches(records.eachDocumentation())) {
    const messages = await Promise.all(batch.map((storedVersion) => findBlobProblem(blobs, storedVersion)));
    for (const [position, storedVersion] of batch.entries()) {
      candidates.delete(storedVersion.blobKey);
      const message = messages[position] ?? null;
      if (message !== null && (await isStillStored(records, storedVersion)))
        problems.push({ crate: storedVersion.crate, version: storedVersion.version, message });
    }
  }
  return problems;
}

/** Yields batches of `MAX_CONCURRENT_READS` items, in order. */
async function* batches<T>(items: AsyncIterable<T>): AsyncGenerator<readonly T[], void, undefined> {
  let batch: T[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < MAX_CONCURRENT_READS) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Checks the cached archives of an upstream, and removes their blobs from the candidates. */
async function verifyMirrored(
  { records, blobs }: StoreParts,
  { candidates, forgetDamaged }: { readonly candidates: Set<string>; readonly forgetDamaged: boolean },
): Promise<MirrorResult> {
  let archives = 0;
  let bytes = 0;
  let missing = 0;
  const damaged: string[] = [];
  for await (const archive of records.eachMirroredArchive()) {
    candidates.delete(archive.blobKey);
    const isMissing = (await blobs.stat(archive.blobKey)) === null;
    const isDamaged = !isMissing && (await findBlobProblem(blobs, archive)) !== null;
    const isEvicted =
      (isMissing || isDamaged) &&
      (await records.findMirroredArchive(archive.checksum))?.blobKey !== archive.blobKey;
    if (isEvicted) continue;
    archives += 1;
    bytes += archive.size;
    if (isMissing) missing += 1;
    else if (isDamaged) {
      damaged.push(archive.checksum);
      if (!forgetDamaged) continue;
      await records.removeMirroredArchive(archive);
      await blobs.delete(archive.blobKey);
    }
  }
  return { archives, bytes, missing, damaged };
}

/**
 * Lists blobs older than `beforeMs`. Must run before the records are read, so that none of a version published
 * meanwhile is listed.
 */
async function listOldBlobs(blobs: Blobs, beforeMs: number): Promise<Set<string>> {
  const keys = new Set<string>();
  for await (const { key, changedAtMs } of blobs.list()) if (changedAtMs < beforeMs) keys.add(key);
  return keys;
}

/** A record about a blob. */
type BlobRecord = Pick<StoredVersion, 'blobKey' | 'size' | 'checksum'>;

/** Reads a blob. Returns a description of the problem; null if it matches its record. */
async function findBlobProblem(
  blobs: Blobs,
  { blobKey, size, checksum }: BlobRecord,
): Promise<string | null> {
  const what = describeBlob({ blobKey });
  const blob = await blobs.open(blobKey);
  if (blob === null) return `its ${what} is missing`;
  const hash = createHash('sha256');
  for await (const chunk of blob.stream) hash.update(chunk);
  if (blob.size !== size) return `its ${what} has ${blob.size} bytes instead of ${size}`;
  return hash.digest('hex') === checksum ? null : `its ${what} is damaged: the checksum does not match`;
}

/** Returns a description of the problem; null if the index has the version with the same checksum. */
async function findIndexProblem(
  index: IndexReader,
  { crate, version, checksum }: StoredVersion,
): Promise<string | null> {
  // The file that was read for the previous version may be older than this version.
  if ((await index.read(crate)).get(version) === checksum) return null;
  return (await index.refresh(crate)).get(version) === checksum
    ? null
    : 'it is not in the index, or has another checksum there';
}

/** Checksums by version from index files. Caches the last file for the next version of the crate. */
class IndexReader {
  readonly #records: Records;
  #last: { readonly crate: string; readonly checksums: ReadonlyMap<unknown, unknown> } | null = null;

  constructor(records: Records) {
    this.#records = records;
  }

  async read(crate: string): Promise<ReadonlyMap<unknown, unknown>> {
    return this.#last?.crate === crate ? this.#last.checksums : await this.refresh(crate);
  }

  async refresh(crate: string): Promise<ReadonlyMap<unknown, unknown>> {
    const file = await this.#records.findIndexFile(crate.toLowerCase());
    const lines = (file?.body ?? '').split('\n').slice(0, -1).map(parseLine);
    const checksums = new Map(
      lines.flatMap((line) => (line === null ? [] : [[line.vers, line.cksum] as const])),
    );
    this.#last = { crate, checksums };
    return checksums;
  }
}

/** Returns null for a damaged line. */
function parseLine(text: string): { readonly vers: unknown; readonly cksum: unknown } | null {
  const line = parseJson(text);
  const isLine = typeof line === 'object' && line !== null && 'vers' in line && 'cksum' in line;
  return isLine ? { vers: line.vers, cksum: line.cksum } : null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
