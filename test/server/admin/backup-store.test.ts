import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { backupStore, restoreStore } from '../../../src/server/admin/backup-store.ts';
import { blobPath } from '../../../src/server/blobs/blob-key.ts';
import { openStore } from '../../../src/server/admin/open-store.ts';
import { folderLocation } from '../../../src/server/admin/store-location.ts';
import type { Actor } from '../../../src/server/store/values.ts';
import { type StoreProblem, verifyStore } from '../../../src/server/admin/verify-store.ts';
import { publishBody } from '../../helpers/publish-body.ts';
import { makeTempDir, type TempDir } from '../../helpers/temp-dir.ts';
import { blobKeys, changeBlob } from '../../helpers/test-storage.ts';
import { changeRecords, TEST_DATABASE } from '../../helpers/test-location.ts';
import { openSqlite, type SqliteDatabase } from '../../../src/server/records/sqlite-database.ts';
import { migrate } from '../../../src/server/records/schema.ts';
import { snapshotRecords } from '../../../src/server/records/snapshot-records.ts';
import { syncFolder } from '../../../src/io/disk/sync-folder.ts';
import { openTestRegistry, type TestRegistry } from '../../helpers/test-registry.ts';
import type { Blobs } from '../../../src/server/store/blobs.ts';

vi.mock('../../../src/io/disk/sync-folder.ts', { spy: true });

let temp: TempDir;
let registry: TestRegistry;
let alice: Actor;
beforeEach(async () => {
  temp = makeTempDir('backup');
  registry = await openTestRegistry();
  alice = await registry.tokenOf(await registry.user('alice'));
  for (const version of ['1.0.0', '1.1.0']) await add('foo', version);
});
afterEach(async () => {
  vi.resetAllMocks();
  await registry[Symbol.asyncDispose]();
  temp.remove();
});

async function add(name: string, version: string): Promise<void> {
  const { kind } = await registry.publish(alice, publishBody({ name, version }).bytes);
  expect(kind).toBe('published');
}

async function problems(of: TestRegistry = registry): Promise<readonly StoreProblem[]> {
  return (await verifyStore(of.store, { nowMs: Date.now(), removeUnreferenced: false, forgetDamaged: false }))
    .problems;
}

function blobFiles(folder: string): readonly string[] {
  return readdirSync(join(folder, 'crates'), { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map(({ name, parentPath }) => join(parentPath, name))
    .toSorted();
}

const DELETION = {
  ...{ actor: null, reason: null, atMs: 1, mayReuseVersions: false, nameReservedUntilMs: 0 },
} as const;

describe('verifying a registry', () => {
  it('finds no problems while a crate is published', async () => {
    const [result] = await Promise.all([
      verifyStore(registry.store, { nowMs: Date.now(), removeUnreferenced: true, forgetDamaged: true }),
      add('bar', '1.0.0'),
    ]);
    expect(result.problems).toEqual([]);
    expect(result.versions).toBeGreaterThanOrEqual(2);
    expect(await problems()).toEqual([]);
  });

  it('checks download counts only on request', async () => {
    const { records } = registry.store;
    const options = {
      nowMs: Date.now(),
      removeUnreferenced: false,
      forgetDamaged: false,
      checksCounts: true,
    };
    await records.addDownloads([{ crate: 'foo', version: '1.0.0', count: 3 }], 1);
    expect((await verifyStore(registry.store, options)).problems).toEqual([]);
    await changeRecords(registry.location, "UPDATE versions SET downloads = 1 WHERE version = '1.0.0'");
    expect((await verifyStore(registry.store, options)).problems).toMatchObject([
      { crate: 'foo', version: null, message: expect.stringContaining('download count') },
    ]);
    expect(await problems()).toEqual([]);
  });

  it('finds .crate files that are missing, have another size or are damaged', async () => {
    const { blobs } = registry.store;
    const [first = '', second = ''] = await blobKeys(blobs);
    await blobs.delete(first);
    await changeBlob(registry.location, second, (bytes) => Buffer.concat([bytes, Buffer.from('x')]));
    expect((await problems()).map(({ message }) => message.replaceAll(/\d+/g, 'N')).toSorted()).toEqual([
      'its .crate has N bytes instead of N',
      'its .crate is missing',
    ]);
    await changeBlob(registry.location, second, (longer) => {
      const bytes = longer.subarray(0, -1);
      bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) ^ 1;
      return bytes;
    });
    expect((await problems()).map(({ crate, message }) => [crate, message])).toContainEqual([
      'foo',
      'its .crate is damaged: the checksum does not match',
    ]);
  });

  it('ignores an invalid index line and finds a version that is not in the index', async () => {
    const change = (body: string): Promise<void> =>
      changeRecords(registry.location, `UPDATE index_files SET body = ${body} WHERE lower_case_name = 'foo'`);
    await change(`'{\n' || body`);
    expect(await problems()).toEqual([]);
    await change(`replace(body, '1.1.0', '1.1.1')`);
    expect(await problems()).toEqual([
      { crate: 'foo', version: '1.1.0', message: 'it is not in the index, or has another checksum there' },
    ]);
  });

  it('lists old unreferenced blobs and removes them only on request', async () => {
    const writer = await registry.store.blobs.begin();
    await writer.write(Buffer.from('left behind'));
    const { key } = await writer.finish();
    let nowMs = Date.now();
    const verify = (removeUnreferenced: boolean): Promise<readonly string[]> =>
      verifyStore(registry.store, { nowMs, removeUnreferenced, forgetDamaged: false }).then(
        ({ unreferenced }) => unreferenced,
      );
    expect(await verify(true)).toEqual([]);
    expect(await registry.store.blobs.stat(key)).not.toBeNull();
    nowMs += 2 * 24 * 60 * 60 * 1000;
    expect(await verify(false)).toEqual([key]);
    expect(await registry.store.blobs.stat(key)).not.toBeNull();
    expect(await verify(true)).toEqual([key]);
    expect(await registry.store.blobs.stat(key)).toBeNull();
    expect(await problems()).toEqual([]);
  });
});

describe('a backup', () => {
  it('is private to its user, and restores the earlier state without later changes', async () => {
    const folder = join(temp.path, 'backup');
    const before = await registry.store.records.findIndexFile('foo');
    const secret = await registry.store.records.secret('cookies');
    expect(await backupStore(registry.store, folder)).toMatchObject({ versions: 2 });
    for (const each of TEST_DATABASE === null ? [folder, registry.folder] : [folder]) {
      expect(statSync(join(each, 'registry.db')).mode & 0o777).toBe(0o600);
      expect(statSync(each).mode & 0o777).toBe(0o700);
    }
    await add('bar', '1.0.0');
    await registry.store.records.deleteVersion({ ...DELETION, crate: 'foo', version: '1.0.0' });
    for (const key of await blobKeys(registry.store.blobs)) await registry.store.blobs.delete(key);
    expect(await restoreStore(registry.store, folder)).toMatchObject({ versions: 2 });
    expect(await problems()).toEqual([]);
    const { records } = registry.store;
    expect(await records.findIndexFile('foo')).toEqual(before);
    expect(await records.findCrate('bar')).toBeNull();
    expect((await records.searchCrates('foo', { limit: 9, offset: 0 })).total).toBe(1);
    expect(Buffer.from(await records.secret('cookies')).equals(secret)).toBe(true);
    await add('foo', '1.2.0');
    expect((await records.listOwners('foo'))?.map(({ login }) => login)).toEqual(['alice']);
    expect(await records.findDamage()).toBeNull();
  });

  it('replaces a truncated archive when it is restored', async () => {
    const folder = join(temp.path, 'backup');
    await backupStore(registry.store, folder);
    const { blobKey = '' } = (await registry.store.records.findVersion('foo', '1.0.0')) ?? {};
    await changeBlob(registry.location, blobKey, (bytes) => bytes.subarray(1));
    expect(await problems(registry)).toHaveLength(1);
    await restoreStore(registry.store, folder);
    expect(await problems(registry)).toEqual([]);
  });

  it('can be restored into an empty registry, which continues after its user ids', async () => {
    const folder = join(temp.path, 'backup');
    const last = await registry.user('last');
    await backupStore(registry.store, folder);
    await using other = await openTestRegistry();
    await restoreStore(other.store, folder);
    expect(await problems(other)).toEqual([]);
    expect((await other.store.records.listVersions('foo', { limit: 0, offset: 0 })).total).toBe(2);
    expect((await other.user('new')).id).toBe(last.id + 1);
  });

  it('replaces an earlier backup in the same folder', async () => {
    const folder = join(temp.path, 'backup');
    await backupStore(registry.store, folder);
    const kept = blobFiles(folder);
    utimesSync(kept[0] ?? '', 1, 1);
    utimesSync(kept[1] ?? '', 1, 1);
    await add('bar', '1.0.0');
    const outcome = await registry.store.records.deleteVersion({
      ...DELETION,
      crate: 'foo',
      version: '1.0.0',
    });
    expect(outcome.kind).toBe('deleted');
    expect(await backupStore(registry.store, folder)).toMatchObject({ versions: 2 });
    const now = blobFiles(folder);
    expect(now.length).toBe(2);
    expect(now.filter((file) => kept.includes(file)).length).toBe(1);
    expect(readdirSync(folder).toSorted()).toEqual(['crates', 'registry.db', 'tsreg-backup.json']);
  });

  it('removes journals that do not belong to its records', async () => {
    const folder = join(temp.path, 'backup');
    await backupStore(registry.store, folder);
    for (const suffix of ['-journal', '-wal', '-shm'])
      writeFileSync(join(folder, `registry.db${suffix}`), '');
    await backupStore(registry.store, folder);
    expect(readdirSync(folder).toSorted()).toEqual(['crates', 'registry.db', 'tsreg-backup.json']);
  });

  it('deletes old blobs only after its new records will survive a power failure', async () => {
    const folder = join(temp.path, 'backup');
    await backupStore(registry.store, folder);
    await registry.store.records.deleteVersion({ ...DELETION, crate: 'foo', version: '1.0.0' });
    const synced: (readonly [path: string, blobs: number])[] = [];
    vi.mocked(syncFolder).mockImplementation(async (path) => {
      synced.push([path, blobFiles(folder).length]);
    });
    await backupStore(registry.store, folder);
    expect(synced).toEqual([[folder, 2]]);
    expect(blobFiles(folder).length).toBe(1);
  });

  it('is consistent even if a version is deleted while it is made', async () => {
    const { records, blobs } = registry.store;
    const vanishes = (await records.findVersion('foo', '1.0.0'))?.blobKey;
    let deleted = false;
    const vanishing: Blobs = {
      ...blobs,
      async open(key, range) {
        if (key === vanishes && !deleted) {
          deleted = true;
          const outcome = await records.deleteVersion({ ...DELETION, crate: 'foo', version: '1.0.0' });
          for (const each of outcome.kind === 'deleted' ? outcome.blobKeys : []) await blobs.delete(each);
        }
        return blobs.open(key, range);
      },
    };
    const folder = join(temp.path, 'backup');
    expect(await backupStore({ records, blobs: vanishing }, folder)).toMatchObject({ versions: 1 });
    await using other = await openTestRegistry();
    await restoreStore(other.store, folder);
    expect(await problems(other)).toEqual([]);
  });

  it('fails on lost files, names each one, and leaves the earlier backup usable', async () => {
    const { records, blobs } = registry.store;
    const folder = join(temp.path, 'backup');
    await backupStore(registry.store, folder);
    for (const version of ['1.0.0', '1.1.0', '1.2.0']) await add('bar', version);
    const keyOf = async (version: string): Promise<string> =>
      (await records.findVersion('bar', version))?.blobKey ?? '';
    const [damaged, missing, good] = [await keyOf('1.0.0'), await keyOf('1.1.0'), await keyOf('1.2.0')];
    await changeBlob(registry.location, damaged, (bytes) => bytes.subarray(1));
    await blobs.delete(missing);
    const said =
      'the registry is not complete:\n' +
      `bar 1.0.0: its .crate is damaged (\`${blobPath(damaged)}\`)\n` +
      `bar 1.1.0: its .crate is missing (\`${blobPath(missing)}\`)`;
    await expect(backupStore(registry.store, folder)).rejects.toMatchObject({
      ...{ code: 'source', message: said, hint: expect.stringContaining('`tsreg serve delete') },
    });
    expect(blobFiles(folder)).toContain(join(folder, 'crates', blobPath(good)));
    await using other = await openTestRegistry();
    expect(await restoreStore(other.store, folder)).toMatchObject({ versions: 2 });
    // Follow the hint.
    for (const version of ['1.0.0', '1.1.0'])
      await records.deleteVersion({ ...DELETION, crate: 'bar', version });
    expect(await backupStore(registry.store, folder)).toMatchObject({ versions: 3 });
    await using whole = await openTestRegistry();
    expect(await restoreStore(whole.store, folder)).toMatchObject({ versions: 3 });
    expect(await problems(whole)).toEqual([]);
  });

  it('cannot be served, replaces no other folder, and is not restored from one', async () => {
    const folder = join(temp.path, 'backup');
    await backupStore(registry.store, folder);
    await expect(openStore(folderLocation(folder), {})).rejects.toThrow('is a backup');
    writeFileSync(join(registry.folder, 'file'), 'of somebody');
    await expect(backupStore(registry.store, registry.folder)).rejects.toThrow('neither empty nor');
    await expect(restoreStore(registry.store, registry.folder)).rejects.toThrow('is not a backup');
    await expect(restoreStore(registry.store, join(temp.path, 'nowhere'))).rejects.toThrow('is not a backup');
    expect(existsSync(join(temp.path, 'nowhere'))).toBe(false);
    expect(await problems()).toEqual([]);
  });

  it('changes nothing if it is damaged', async () => {
    const folder = join(temp.path, 'backup');
    await backupStore(registry.store, folder);
    await registry.store.records.deleteCrate({ ...DELETION, crate: 'foo' });
    for (const key of await blobKeys(registry.store.blobs)) await registry.store.blobs.delete(key);
    await add('bar', '1.0.0');
    const expectRefused = async (spoil: (copy: string) => void, words = ''): Promise<void> => {
      const copy = join(temp.path, 'copy');
      cpSync(folder, copy, { recursive: true });
      spoil(copy);
      await expect(restoreStore(registry.store, copy)).rejects.toMatchObject({
        ...{ name: 'TsregError', message: expect.stringContaining(words) },
      });
      rmSync(copy, { recursive: true });
      expect(await problems()).toEqual([]);
      expect(await registry.store.records.count()).toMatchObject({ crates: 1, versions: 1 });
    };
    await expectRefused((copy) => rmSync(blobFiles(copy)[0] ?? ''), 'its .crate is missing');
    await expectRefused((copy) => writeFileSync(blobFiles(copy)[0] ?? '', 'other bytes'), 'is damaged');
    await expectRefused((copy) => writeFileSync(join(copy, 'registry.db'), 'x'.repeat(9000)));
    await expectRefused((copy) => writeFileSync(join(copy, 'registry.db'), ''));
    await expectRefused((copy) => {
      const path = join(copy, 'registry.db');
      writeFileSync(path, readFileSync(path).subarray(0, 30_000));
    });
  });
});

describe('a full disk', () => {
  const full = (code: string): Error =>
    Object.assign(new Error(`${code}: no space left on device, write`), {
      code,
      errno: code === 'ENOSPC' ? -28 : -27,
    });
  const blobs = (code: string): Blobs => ({
    ...registry.store.blobs,
    open: async () => await Promise.reject(full(code)),
    stat: async () => null,
    restore: async () => await Promise.reject(full(code)),
  });

  it.each(['ENOSPC', 'EFBIG'])(
    '(%s) leaves the earlier backup usable and causes an error with a hint',
    async (code) => {
      const folder = join(temp.path, 'backup');
      await backupStore(registry.store, folder);
      await add('foo', '2.0.0');
      const failing = backupStore({ records: registry.store.records, blobs: blobs(code) }, folder);
      await expect(failing).rejects.toMatchObject({
        code: 'io',
        hint: expect.stringContaining('free space on'),
      });
      expect(readdirSync(folder).sort()).toEqual(['crates', 'registry.db', 'tsreg-backup.json']);
      await using other = await openTestRegistry();
      expect(await restoreStore(other.store, folder)).toMatchObject({ versions: 2 });
    },
  );

  it('leaves the records unchanged if a restore fails', async () => {
    const folder = join(temp.path, 'backup');
    await backupStore(registry.store, folder);
    await add('foo', '2.0.0');
    const failing = restoreStore({ records: registry.store.records, blobs: blobs('ENOSPC') }, folder);
    await expect(failing).rejects.toMatchObject({
      message: expect.stringContaining('os error 28'),
      hint: expect.stringContaining('the records are unchanged'),
    });
    expect(await registry.store.records.count()).toMatchObject({ versions: 3 });
    expect(await problems()).toEqual([]);
  });

  it('causes an I/O error and changes nothing if the database cannot grow', async () => {
    const open = (name: string): Promise<SqliteDatabase> =>
      openSqlite(join(temp.path, name), { isShared: true });
    const [large, small] = [await open('large.db'), await open('small.db')];
    for (const each of [large, small]) migrate(each);
    large.exec("INSERT INTO secrets (name, value) VALUES ('large', zeroblob(1000000))");
    const snapshot = join(temp.path, 'snapshot.db');
    await snapshotRecords(large).saveSnapshot(snapshot);
    small.exec("INSERT INTO secrets (name, value) VALUES ('small', x'00'); PRAGMA max_page_count = 1");
    const words = { code: 'io', hint: expect.stringContaining('free space on') };
    await expect(snapshotRecords(small).loadSnapshot(snapshot)).rejects.toMatchObject(words);
    expect(small.all('SELECT name FROM secrets')).toEqual([{ name: 'small' }]);
    for (const each of [large, small]) each.close();
  });

  it('leaves a first backup that restore rejects as incomplete and the next backup completes', async () => {
    const folder = join(temp.path, 'backup');
    await expect(
      backupStore({ records: registry.store.records, blobs: blobs('ENOSPC') }, folder),
    ).rejects.toThrow('os error 28');
    await expect(restoreStore(registry.store, folder)).rejects.toMatchObject({
      message: `the backup \`${folder}\` is not complete: it has no \`registry.db\``,
    });
    expect(await backupStore(registry.store, folder)).toMatchObject({ versions: 2 });
  });
});
