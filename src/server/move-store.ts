/** Moves a registry, or one half of it, from one place to another, whatever kind each is of. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TsregError } from '../errors/error.ts';
import type { Report } from '../report/report.ts';
import { copyBlobs, type LostBlob } from './blobs/copy-blobs.ts';
import { MEND_LOST_BLOBS, notWhole, stillWanted } from './lost-blobs.ts';
import { RECORDS_FILE } from './open-store.ts';
import { checkSnapshot } from './records/snapshot-records.ts';
import { openSqliteRecords } from './records/sqlite-records.ts';
import { verifyStatic } from './static/verify-static.ts';
import { StaticHalf } from './static/static-half.ts';
import { STATIC_CONFIG_PATH } from './static/static-layout.ts';
import type { Blobs, Records } from './store.ts';
import type { AuditEntry } from './store-values.ts';
import { type StoreProblem, verifyStore } from './verify-store.ts';

type Halves = { readonly records: Records; readonly blobs: Blobs };

/** Where a registry is and where it is to be. A half that stays is the same in both. */
export interface MoveSides {
  readonly from: Halves;
  readonly to: Halves;
}

/** How to move. */
export interface MoveOptions {
  /** False where both sides have the same records, and only the blobs are moved. */
  readonly movesRecords: boolean;
  /** True to replace whatever is at the destination. */
  readonly overwrites: boolean;
  readonly report: Pick<Report, 'status' | 'progress'>;
  readonly signal: AbortSignal;
}

/** What was moved. */
export interface MoveResult {
  readonly versions: number;
  /** Of all `.crate` files. */
  readonly bytes: number;
  /** Empty unless the destination is not whole. */
  readonly problems: readonly StoreProblem[];
  /** False where the source takes no changes any more: that was moved whole, or sealed before. */
  readonly sourceTakesChanges: boolean;
}

/** Its bytes are the same wherever a registry was moved, and in no other. */
const IDENTITY = 'registry';
const PART = 1000;

/**
 * First the blobs are copied while the source is in use; then its records are sealed, so that nothing is taken any more
 * that would be lost, and so are those of the destination; then what came meanwhile is copied, the records are replaced at once by a snapshot, and every
 * record is verified against every blob. The source stays sealed. Where it fails the seal is broken again; where it is
 * killed the seal stays, and the next run goes on. What is kept of an upstream is left behind.
 *
 * Throws `config`, and changes nothing, where the destination has records that the source lacks, and `source` where
 * the source lacks blobs, or has damaged ones.
 */
export async function moveStore({ from, to }: MoveSides, options: MoveOptions): Promise<MoveResult> {
  const { movesRecords, overwrites } = options;
  if (movesRecords && !overwrites) await requireOlder(to.records, from.records);
  await copyPresent(from, to, options);
  if (!movesRecords) {
    await markStatic(to);
    const result = await verifyMoved(to, options);
    return { ...result, sourceTakesChanges: !(await from.records.isSealed()) };
  }
  const wasSealed = await from.records.isSealed();
  const wasDestinationSealed = await to.records.isSealed();
  let isDone = false;
  try {
    options.report.status('Locking', 'the source: it is read-only from now on');
    await from.records.seal();
    // Whoever serves the destination all the same may have taken changes since it was looked at, and takes no more.
    await to.records.seal();
    if (!overwrites) await requireOlder(to.records, from.records);
    await moveRecords({ from, to }, options);
    const result = await verifyMoved(to, options);
    isDone = result.problems.length === 0;
    return { ...result, sourceTakesChanges: !isDone && !wasSealed };
  } finally {
    if (!isDone && !wasSealed) await from.records.unseal();
    if (!isDone && !wasDestinationSealed) await to.records.unseal();
  }
}

/** What the destination has must be what the source was at some time: else it belongs to another, or has gone on by itself. */
async function requireOlder(older: Records, newer: Records): Promise<void> {
  const identity = await newer.secret(IDENTITY);
  const { crates, users } = await older.count();
  if (crates + users === 0) return;
  const [last] = (await older.listAudit({}, { limit: 1, offset: 0 })).items;
  const isSame = Buffer.compare(identity, await older.secret(IDENTITY)) === 0;
  if (!isSame) {
    throw new TsregError('another registry is at the destination: pass `--overwrite` to replace it', {
      code: 'config',
    });
  }
  if (last === undefined || (await hasEntry(newer, last))) return;
  throw new TsregError(
    'the registry at the destination has changes since it was moved: ' +
      'move it the other way, or pass `--overwrite` to lose them',
    { code: 'config' },
  );
}

async function hasEntry(records: Records, wanted: AuditEntry): Promise<boolean> {
  const { action, crate } = wanted;
  const filter = { action, ...(crate === null ? {} : { crate }) };
  const text = JSON.stringify(wanted);
  for (let offset = 0; ; offset += PART) {
    const { items } = await records.listAudit(filter, { limit: PART, offset });
    if (items.some((each) => JSON.stringify(each) === text)) return true;
    if (items.length < PART || items.some(({ id }) => id < wanted.id)) return false;
  }
}

/** Copies what is there while more may come and go. */
async function copyPresent(from: Halves, to: Halves, options: MoveOptions): Promise<void> {
  refuseLost(await stillWanted(from.records, await copyAll(from.records, { from, to }, options)));
}

async function moveRecords({ from, to }: MoveSides, options: MoveOptions): Promise<void> {
  const work = await mkdtemp(join(tmpdir(), 'tsreg-move-'));
  try {
    const snapshot = join(work, RECORDS_FILE);
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
    await rm(work, { recursive: true, force: true });
  }
}

async function copyAll(
  records: Records,
  { from, to }: MoveSides,
  { report, signal }: MoveOptions,
): Promise<readonly LostBlob[]> {
  const { versions: total } = await records.count();
  let done = 0;
  try {
    return await copyBlobs(records.eachVersion(), {
      ...{ from: from.blobs, to: to.blobs, signal },
      onDone: ({ crate, version }) => {
        done += 1;
        report.progress({ verb: 'Copying', done, total, message: `${crate} ${version}` });
      },
    });
  } finally {
    report.progress(null);
  }
}

function refuseLost(lost: readonly LostBlob[]): void {
  if (lost.length > 0) throw notWhole('the registry', lost, { code: 'source', hint: MEND_LOST_BLOBS });
}

/** The files beside other blobs are others, though the records have not changed. */
async function markStatic({ records, blobs }: Halves): Promise<void> {
  if (blobs.staticFiles === undefined) return;
  let last = '';
  for await (const { crate } of records.eachVersion()) {
    if (crate !== last) await records.markStaticChange(crate.toLowerCase());
    last = crate;
  }
}

async function verifyMoved(
  to: Halves,
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

/** Writes static files where there are some; else the first server that is to have them does. */
async function writeStatic({ records, blobs }: Halves): Promise<readonly StoreProblem[]> {
  const files = blobs.staticFiles;
  if (files === undefined || (await files.stat(STATIC_CONFIG_PATH)) === null) return [];
  const silent = (): void => undefined;
  const log = { info: silent, warning: silent, error: silent };
  await new StaticHalf({ records, files, clock: { now: () => Date.now() }, log }).settleAll();
  return (await verifyStatic({ records, files }, { isRepairing: false }))?.problems ?? [];
}
