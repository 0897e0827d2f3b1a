import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { backupStore, restoreStore } from '../../../src/server/admin/backup-store.ts';
import { moveStore } from '../../../src/server/admin/move-store.ts';
import { openStore } from '../../../src/server/admin/open-store.ts';
import { folderLocation } from '../../../src/server/admin/store-location.ts';
import type { DailyCount } from '../../../src/server/store/daily-download-records.ts';
import type { Records } from '../../../src/server/store/store.ts';
import type { Actor } from '../../../src/server/store/values.ts';
import { publishBody } from '../../helpers/publish-body.ts';
import { makeTempDir } from '../../helpers/temp-dir.ts';
import { changeRecords } from '../../helpers/test-location.ts';
import { openTestRegistry, type TestRegistry } from '../../helpers/test-registry.ts';

const DAY_MS = 86_400_000;
const VERSIONS = ['1.0.0', '1.1.0', '2.0.0'];

let registry: TestRegistry;
let records: Records;
let alice: Actor;
/** The IDs of `VERSIONS`. */
let ids: readonly number[];

beforeEach(async () => {
  registry = await openTestRegistry();
  ({ records } = registry.store);
  alice = await registry.tokenOf(await registry.user('alice', true));
  for (const version of VERSIONS) {
    await registry.publish(alice, publishBody({ name: 'foo-bar', version }).bytes);
  }
  const found = await Promise.all(VERSIONS.map((version) => records.findVersion('foo-bar', version)));
  ids = found.map((version) => version?.id ?? 0);
});
afterEach(() => registry[Symbol.asyncDispose]());

/** Adds downloads of version `VERSIONS[position]` on a day. */
function add(day: number, position: number, count: number): Promise<void> {
  const version = VERSIONS[position] ?? '';
  return records.addDownloads([{ crate: 'foo-bar', version, count }], day * DAY_MS + DAY_MS - 1);
}

/** Returns the counts since `fromDay`, with the versions at `positions` separately. */
async function counts(
  fromDay: number,
  positions: readonly number[] = [],
  from = records,
): Promise<readonly DailyCount[]> {
  const versionIds = positions.map((position) => ids[position] ?? 0);
  return (await from.listDailyDownloads('Foo_Bar', { versionIds, fromDay })).counts;
}

describe('downloads by day', () => {
  it('are summed by version and day, and for all other versions together', async () => {
    await add(100, 0, 1);
    await add(100, 0, 2);
    await add(100, 1, 4);
    await add(100, 2, 8);
    await add(101, 2, 16);
    const [, , newest = 0] = ids;
    expect(await counts(100, [2])).toEqual(
      expect.arrayContaining([
        { day: 100, versionId: null, downloads: 7 },
        { day: 100, versionId: newest, downloads: 8 },
        { day: 101, versionId: newest, downloads: 16 },
      ]),
    );
    expect(await counts(101, [2])).toEqual([{ day: 101, versionId: newest, downloads: 16 }]);
    expect(await counts(100)).toEqual([
      { day: 100, versionId: null, downloads: 15 },
      { day: 101, versionId: null, downloads: 16 },
    ]);
    expect(await records.findCrate('foo-bar')).toMatchObject({ downloads: 31 });
  });

  it('ignore versions that do not exist, and are empty for an unknown crate', async () => {
    await records.addDownloads([{ crate: 'foo-bar', version: '9.0.0', count: 1 }], 100 * DAY_MS);
    expect(await counts(0)).toEqual([]);
    expect((await records.listDailyDownloads('nope', { versionIds: [], fromDay: 0 })).counts).toEqual([]);
  });

  it('are lost with their version', async () => {
    await add(100, 0, 1);
    await add(100, 1, 2);
    const deletion = { crate: 'foo-bar', actor: null, reason: null, atMs: 1, mayReuseVersions: false };
    await records.deleteVersion({ ...deletion, version: '1.0.0', nameReservedUntilMs: 0 });
    expect(await counts(0)).toEqual([{ day: 100, versionId: null, downloads: 2 }]);
  });

  it('of old days are deleted in steps', async () => {
    for (let day = 100; day <= 103; day += 1) await add(day, 0, day);
    await changeRecords(
      registry.location,
      `INSERT INTO daily_downloads
       WITH RECURSIVE numbers (day) AS (SELECT -900 UNION ALL SELECT day + 1 FROM numbers WHERE day < -301)
       SELECT ${ids[1]}, day, 1 FROM numbers`,
    );
    expect(await counts(-900)).toHaveLength(604);
    expect(await records.deleteDailyDownloads(102)).toBe(true);
    expect((await counts(-900)).map(({ day }) => day)).toEqual(expect.arrayContaining([-301, 103]));
    expect(await counts(-900)).toHaveLength(104);
    expect(await records.deleteDailyDownloads(102)).toBe(false);
    expect(await counts(-900)).toEqual([
      { day: 102, versionId: null, downloads: 102 },
      { day: 103, versionId: null, downloads: 103 },
    ]);
  });

  it('are counted while the registry is read-only', async () => {
    await records.setReadOnly();
    await add(100, 0, 1);
    expect(await counts(0)).toEqual([{ day: 100, versionId: null, downloads: 1 }]);
    await records.setWritable();
  });

  it('of a new registry are counted since today', async () => {
    const today = Math.floor(Date.now() / DAY_MS);
    const { sinceDay } = await records.listDailyDownloads('foo-bar', { versionIds: [], fromDay: 0 });
    expect([today - 1, today]).toContain(sinceDay);
  });
});

describe('settings and downloads by day', () => {
  const BY = { login: 'alice', atMs: 5 };
  const LOGO = new Uint8Array([0xff, 0xd8, 0xff, 0, 0x5c, 10, 9]);

  beforeEach(async () => {
    await add(100, 1, 3);
    const name = { name: 'name', value: Buffer.from('Acme'), detail: 'name of the website: Acme' };
    await records.changeSettings([name, { name: 'logo', value: LOGO, detail: 'logo' }], BY);
    await changeRecords(registry.location, 'UPDATE daily_downloads_start SET day = 77');
  });

  async function expectAll(from: Records): Promise<void> {
    expect(await counts(0, [], from)).toEqual([{ day: 100, versionId: null, downloads: 3 }]);
    expect((await from.listDailyDownloads('foo-bar', { versionIds: [], fromDay: 0 })).sinceDay).toBe(77);
    const settings = await from.listSettings();
    expect([...settings.keys()].sort()).toEqual(['logo', 'name']);
    expect(Buffer.from(settings.get('name') ?? []).toString()).toBe('Acme');
    expect(new Uint8Array(settings.get('logo') ?? [])).toEqual(LOGO);
  }

  it('are in a backup', async () => {
    const temp = makeTempDir('daily');
    const folder = `${temp.path}/backup`;
    await backupStore(registry.store, folder);
    await add(100, 1, 3);
    await records.changeSettings([{ name: 'name', value: null, detail: 'x' }], BY);
    await changeRecords(registry.location, 'UPDATE daily_downloads_start SET day = 99');
    await restoreStore(registry.store, folder);
    await expectAll(records);
    temp.remove();
  });

  it('move to another store and back', async () => {
    const temp = makeTempDir('daily');
    const there = await openStore(folderLocation(`${temp.path}/there`), {});
    const options = {
      movesRecords: true,
      overwrites: true,
      report: { status: () => undefined, progress: () => undefined },
      signal: new AbortController().signal,
    };
    await moveStore({ from: registry.store, to: there }, options);
    await expectAll(there.records);
    await there.records.setWritable();
    await moveStore({ from: there, to: registry.store }, options);
    await expectAll(records);
    expect(await records.findDamage()).toBeNull();
    await there.close();
    temp.remove();
  });

  it('change together with their audit entries, and not if the registry is read-only', async () => {
    expect(await records.listAudit({ action: 'change-settings' }, { limit: 9, offset: 0 })).toMatchObject({
      items: [
        { actor: 'alice', atMs: 5, detail: 'logo' },
        { actor: 'alice', atMs: 5, detail: 'name of the website: Acme' },
      ],
    });
    await records.setReadOnly();
    const change = { name: 'name', value: null, detail: 'x' };
    await expect(records.changeSettings([change], BY)).rejects.toThrow('read-only');
    await expectAll(records);
    await records.setWritable();
  });

  it('change only in the name of a user who is still an admin', async () => {
    const authorized = records.authorize(alice, registry.context.clock);
    await records.updateUser(alice.user.id, { isAdmin: false });
    const change = { name: 'name', value: null, detail: 'x' };
    await expect(authorized.changeSettings([change], BY)).rejects.toThrow('no longer allowed');
    await expectAll(records);
  });
});
