import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { openSqlite } from '../src/server/records/sqlite-database.ts';
import { sqliteWork } from '../src/server/records/sqlite-work.ts';
import { openStore, RECORDS_FILE } from '../src/server/admin/open-store.ts';
import { folderLocation } from '../src/server/admin/store-location.ts';
import { publishRecords } from '../src/server/records/publish-records.ts';
import { makeToken } from '../src/server/admin/make-token.ts';
import { decodePublishMetadata } from '../src/core/protocol/publish-metadata.ts';

/** The content of a filled registry. */
export interface FilledRegistry {
  /** A token for every operation. */
  readonly token: string;
  /** The names of the crates. Each has one version, 1.0.0. */
  readonly names: readonly string[];
}

const BATCH = 1000;
/** Bytes of each `.crate`, about the median of crates.io. */
const CRATE_BYTES = 12_000;

/**
 * Creates a registry of `count` crates in `folder`. They share one archive. Nothing is synchronised to the disk before
 * the end, because that would take most of the time.
 */
export async function fillRegistry(folder: string, count: number): Promise<FilledRegistry> {
  mkdirSync(path.dirname(folder), { recursive: true });
  const work = mkdtempSync(`${folder}-`);
  const { records, blobs, close } = await openStore(folderLocation(work), {});
  const clock = { now: () => Date.now() };
  const token = await makeToken(
    { records, clock },
    { login: 'bench', name: 'bench', scopes: [], cratePatterns: [], expiresAfterMs: null },
  );
  const user = await records.findUser('bench');
  const writer = await blobs.begin();
  await writer.write(createHash('sha256').update('archive').digest());
  await writer.write(Buffer.alloc(CRATE_BYTES - 32, 'x'));
  const { key, checksum, size } = await writer.finish();
  await close();
  if (user === null) throw new Error('no user was made');

  const database = await openSqlite(path.join(work, RECORDS_FILE), { isShared: true });
  database.exec('PRAGMA synchronous = OFF');
  const { publishVersion } = publishRecords(sqliteWork(database, () => undefined));
  const names = Array.from({ length: count }, (_, at) => `crate-${at.toString(36).padStart(4, '0')}`);
  const publish = async (name: string): Promise<void> => {
    const json = JSON.stringify({
      name,
      vers: '1.0.0',
      description: `The crate ${name}`,
      keywords: ['bench'],
    });
    const line = { name, vers: '1.0.0', deps: [], cksum: checksum, features: {}, yanked: false };
    const outcome = await publishVersion({
      metadata: decodePublishMetadata(Buffer.from(json)),
      indexLine: JSON.stringify(line),
      checksum,
      size,
      blobKey: key,
      atMs: Date.now(),
      actor: { user, token: null },
      isStored: true,
    });
    if (outcome.kind !== 'published') throw new Error(`${name}: ${outcome.kind}`);
  };
  // The publishes of a batch wait for the disk together.
  for (let at = 0; at < count; at += BATCH) await Promise.all(names.slice(at, at + BATCH).map(publish));
  database.close();
  rmSync(folder, { recursive: true, force: true });
  renameSync(work, folder);
  return { token, names };
}
