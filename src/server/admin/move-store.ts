/** Moves a registry, or only one part of it, between stores of any kind. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TsregError } from '../../core/errors/error.ts';
import type { Report } from '../../core/report/report.ts';
import { blobKindOf } from '../blobs/blob-key.ts';
import { copyBlobs, type LostBlob } from '../blobs/copy-blobs.ts';
import { incompleteError, LOST_BLOBS_HINT, withoutDeleted } from './lost-blobs.ts';
import { eachStoredBlob } from './stored-blobs.ts';
import { RECORDS_FILE } from './open-store.ts';
import { checkSnapshot } from '../records/snapshot-records.ts';
import { openSqliteRecords } from '../records/sqlite-records.ts';
import { silentPublisher, verifyStatic } from './verify-static.ts';
import { STATIC_CONFIG_PATH } from '../static/static-layout.ts';
import type { Records, StoreParts } from '../store/store.ts';
import type { AuditEntry } from '../store/values.ts';
import { type StoreProblem, verifyStore } from './verify-store.ts';
import type { Blobs } from '../store/blobs.ts';

/** The source and the destination of a move. A part that does not move is the same in both. */
export interface MoveSides {
  readonly from: StoreParts;
  readonly to: StoreParts;
}

/** Options of a move. */
export interface MoveOptions {
  /** False if both sides have the same records and only the blobs move. */
  readonly movesRecords: boolean;
  /** Whether to replace everything at the destination. */
  readonly overwrites: boolean;
  readonly report: Pick<Report, 'status' | 'progress'>;
  readonly signal: AbortSignal;
}

/** The result of a move. */
export interface MoveResult {
  readonly versions: number;
  /** Total size of all `.crate` files. */
  readonly bytes: number;
  /** Empty unless the destination is incomplete. */
  readonly problems: readonly StoreProblem[];
  /** False if the source is read-only: it was moved completely, or was read-only before. */
  readonly sourceTakesChanges: boolean;
}

/** Name of the secret that identifies a registry. A moved registry keeps it. */
const IDENTITY = 'registry';
const BATCH_SIZE = 1000;

/**
 * Moves a registry. Copies the blobs while the source is in use. Then makes both sides read-only, so that no change is
 * lost, copies the new blobs, replaces all records at once with a snapshot, and verifies every record against every
 * blob. The source stays read-only. A failure makes both sides writable again if they were before; after a crash the
 * next run continues. Without `movesRecords`, only copies and verifies the blobs. Does not move the cache of an
 * upstream.
 *
 * Throws `config`, and changes no records, if the destination has records that the source lacks and `overwrites` is
 * false. Throws `source` for missing or damaged blobs of the source.
 */
export async function moveStore({ from, to }: MoveSides, options: MoveOptions): Promise<MoveResult> {
  const { movesRecords, overwrites } = options;
  if (movesRecords && !overwrites) await requireOlder(to.records, from.records);
  await copyPresent(from, to, options);
  if (!movesRecords) {
    await markStatic(to);
    const result = await verifyMoved(to, options);
    return { ...result, sourceTakesChanges: !(await from.records.isReadOnly()) };
  }
  const wasReadOnly = await from.records.isReadOnly();
  const wasDestinationReadOnly = await to.records.isReadOnly();
  let isComplete = false;
  try {
    options.report.status('Locking', 'the source: it is read-only from now on');
    await from.records.setReadOnly();
    // A server of the destination may have accepted changes since the first check; from now on it accepts none.
    await to.records.setReadOnly();
    if (!overwrites) await requireOlder(to.records, from.records);
    await moveRecords({ from, to }, options);
    const result = await verifyMoved(to, options);
    isComplete = result.problems.length === 0;
    return { ...result, sourceTakesChanges: !isComplete && !wasReadOnly };
  } finally {
    try {
      if (!isComplete && !wasReadOnly) await from.records.setWritable();
    } finally {
      if (!isComplete && !wasDestinationReadOnly) await to.records.setWritable();
    }
  }
}

/**
 * Throws `config` unless the destination is empty or an earlier state of the source, so that no other changes are lost.
 */
async function requireOlder(older: Records, newer: Records): Promise<void> {
  const identity = await newer.secret(IDENTITY);
  const { crates, users } = await older.count();
  if (crates + users === 0) return;
  const [lastEntry] = (await older.listAudit({}, { limit: 1, offset: 0 })).items;
  const isSame = Buffer.compare(identity, await older.secret(IDENTITY)) === 0;
  if (!isSame) {
    throw new TsregError('another registry is at the destination: pass `--overwrite` to replace it', {
      code: 'config',
    });
  }
  if (lastEntry === undefined || (await hasEntry(newer, lastEntry))) return;
  throw new TsregError(
    'the registry at the destination has changes since it was moved: ' +
      'move it the other way, or pass `--overwrite` to lose them',
    { code: 'config' },
  );
}

/** Returns true if the audit trail has exactly this entry. Reads it from the newest entry down to the same ID. */
async function hasEntry(records: Records, auditEntry: AuditEntry): Promise<boolean> {
  const { action, crate } = auditEntry;
  const filter = { action, ...(crate === null ? {} : { crate }) };
  const text = JSON.stringify(auditEntry);
  for (let offset = 0; ; offset += BATCH_SIZE) {
    const { items } = await records.listAudit(filter, { limit: BATCH_SIZE, offset });
    if (items.some((entry) => JSON.stringify(entry) === text)) return true;
    if (items.length < BATCH_SIZE || items.some(({ id }) => id < auditEntry.id)) return false;
  }
}

/** Copies the present blobs while versions may come and go. Throws `source` for missing or damaged ones. */
async function copyPresent(from: StoreParts, to: StoreParts, options: MoveOptions): Promise<void> {
  refuseLost(await withoutDeleted(from.records, await copyAll(from.records, { from, to }, options)));
}

/** Copies the new blobs, and replaces the records at the destination. Both sides are read-only. */
async function moveRecords({ from, to }: MoveSides, options: MoveOptions): Promise<void> {
  const workFolder = await mkdtemp(join(tmpdir(), 'tsreg-move-'));
  try {
    const snapshot = join(workFolder, RECORDS_FILE);
    await from.records.saveSnapshot(snapshot);
    await checkSnapshot(snapshot);
    const copy = await openSqliteRecords(snapshot, { isShared: false });
    try {
      refuseLost(await copyAll(copy.records, { from, to }, options));
    } finally {
      copy.close();
    }
    options.signal.throwIfAborted();
    options.report.status('Moving', 'the records');
    await to.records.loadSnapshot(snapshot);
  } finally {
    await rm(workFolder, { recursive: true, force: true });
  }
}

/** Copies the blobs that `records` refer to, with progress. Returns the missing and damaged ones. */
async function copyAll(
  records: Records,
  { from, to }: MoveSides,
  { report, signal }: MoveOptions,
): Promise<readonly LostBlob[]> {
  const { versions: total } = await records.count();
  let done = 0;
  try {
    return await copyBlobs(eachStoredBlob(records), {
      from: from.blobs,
      to: to.blobs,
      signal,
      onDone: ({ crate, version, blobKey }) => {
        if (blobKindOf(blobKey) === 'crate') done += 1;
        report.progress({ verb: 'Copying', done, total, message: `${crate} ${version}` });
      },
    });
  } finally {
    report.progress(null);
  }
}

function refuseLost(lost: readonly LostBlob[]): void {
  if (lost.length > 0) throw incompleteError('the registry', lost, { code: 'source', hint: LOST_BLOBS_HINT });
}

/** Marks all crates as changed, because the new blobs have other static files next to them. */
async function markStatic({ records, blobs }: StoreParts): Promise<void> {
  if (blobs.staticFiles === undefined) return;
  let previous = '';
  for await (const { crate } of records.eachVersion()) {
    if (crate !== previous) await records.markStaticChange(crate.toLowerCase());
    previous = crate;
  }
}

/** Verifies the destination, with progress, and writes its static files. */
async function verifyMoved(
  to: StoreParts,
  { report, signal }: MoveOptions,
): Promise<Omit<MoveResult, 'sourceTakesChanges'>> {
  const { versions: total } = await to.records.count();
  let done = 0;
  const blobs: Blobs = {
    ...to.blobs,
    async open(key) {
      signal.throwIfAborted();
      done += 1;
      report.progress({ verb: 'Verifying', done: Math.min(done, total), total, message: '' });
      return await to.blobs.open(key);
    },
  };
  signal.throwIfAborted();
  report.status('Verifying', 'every version against its .crate file');
  try {
    const { versions, bytes, problems } = await verifyStore(
      { records: to.records, blobs },
      { nowMs: Date.now(), removeUnreferenced: false, forgetDamaged: false },
    );
    return { versions, bytes, problems: [...problems, ...(await writeStatic(to))] };
  } finally {
    report.progress(null);
  }
}

/** Writes and verifies static files if there are any; otherwise the first server with static files writes them. */
async function writeStatic({ records, blobs }: StoreParts): Promise<readonly StoreProblem[]> {
  const files = blobs.staticFiles;
  if (files === undefined || (await files.stat(STATIC_CONFIG_PATH)) === null) return [];
  await silentPublisher({ records, files }).flushAll();
  return (await verifyStatic({ records, files }, { isRepairing: false }))?.problems ?? [];
}
