import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import postgres from 'postgres';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { decodePublishMetadata } from '../../../src/core/protocol/publish-metadata.ts';
import {
  hasPostgresRecords,
  migrateDatabase,
  openPostgresRecords,
  planPostgresMigration,
  type PostgresRecords,
} from '../../../src/server/records/postgres-records.ts';
import { POSTGRES_STEPS } from '../../../src/server/records/postgres-schema.ts';
import { SCHEMA_VERSION } from '../../../src/server/records/schema.ts';
import { wordsOf } from '../../../src/server/records/search-words.ts';
import { ReadOnlyRecords } from '../../../src/server/records/read-only.ts';
import { openSqliteRecords } from '../../../src/server/records/sqlite-records.ts';
import type { Records } from '../../../src/server/store/store.ts';
import type { Publication, PublishOutcome, User } from '../../../src/server/store/values.ts';
import { type CuttingProxy, startCuttingProxy } from '../../helpers/cutting-proxy.ts';
import { makeTempDir, type TempDir } from '../../helpers/temp-dir.ts';
import {
  changeRecords,
  removeTestLocation,
  TEST_DATABASE,
  testLocation,
  type TestLocation,
} from '../../helpers/test-location.ts';
import type { SearchRequest } from '../../../src/server/store/crate-records.ts';

async function countRows(database: string, query: string): Promise<number> {
  const sql = postgres(database, { max: 1, fetch_types: false });
  try {
    return Number((await sql.unsafe(query))[0]?.['total']);
  } finally {
    await sql.end();
  }
}

it('has the same schema version as SQLite', () => {
  expect(POSTGRES_STEPS.at(-1)?.version).toBe(SCHEMA_VERSION);
});

const FIRST_TEN = { limit: 10, offset: 0 };

describe.skipIf(TEST_DATABASE === null)(
  'records in PostgreSQL (only if TSREG_TEST_DATABASE names a database)',
  () => {
    let temp: TempDir;
    let place: TestLocation;
    let url: string;
    const opened: PostgresRecords[] = [];
    beforeEach(async () => {
      temp = makeTempDir('postgres');
      place = await testLocation(temp.path);
      url = place.location.database ?? '';
    });
    afterEach(async () => {
      await Promise.all(opened.splice(0).map(({ close }) => close()));
      await removeTestLocation(place);
      temp.remove();
    });

    async function open(address = url): Promise<Records> {
      const made = await openPostgresRecords(address);
      opened.push(made);
      return made.records;
    }

    async function makeUser(records: Records): Promise<User> {
      const user = await records.createUser({ login: 'alice', name: null, isAdmin: false, atMs: 1 });
      if (user === null) throw new Error('no user');
      return user;
    }

    function publication(user: User, version: string, name = 'foo'): Publication {
      const json = { name, vers: version, deps: [], description: `Version ${version} of it` };
      const line = { name, vers: version, deps: [], cksum: 'c', features: {}, yanked: false };
      return {
        ...{
          metadata: decodePublishMetadata(Buffer.from(JSON.stringify(json))),
          indexLine: JSON.stringify(line),
        },
        ...{ checksum: 'c', size: 3, blobKey: `key-${version}`, atMs: 5 },
        ...{ actor: { user, token: null }, isStored: true },
      };
    }

    const kinds = (outcomes: readonly PublishOutcome[]): Record<string, number> => {
      const counts: Record<string, number> = {};
      for (const { kind } of outcomes) counts[kind] = (counts[kind] ?? 0) + 1;
      return counts;
    };

    async function versionsIn(records: Records): Promise<readonly string[]> {
      const body = (await records.findIndexFile('foo'))?.body ?? '';
      return [...body.matchAll(/"vers":"([^"]+)"/g)].map(([, version = '']) => version);
    }

    describe('the schema', () => {
      it('is migrated once if several programs start together, and the plan can be shown before', async () => {
        expect(await hasPostgresRecords(url)).toBe(false);
        const plan = await planPostgresMigration(url);
        expect(plan.join('\n')).toContain('CREATE TABLE crates');
        expect(await hasPostgresRecords(url)).toBe(false);
        const all = await Promise.all([1, 2, 3, 4].map(() => open()));
        expect(await Promise.all(all.map((records) => records.schemaVersion()))).toEqual(
          all.map(() => SCHEMA_VERSION),
        );
        expect(await planPostgresMigration(url)).toEqual([]);
        expect(await hasPostgresRecords(url)).toBe(true);
      });

      it('gets the tables of later versions from version 8, which older releases can still use', async () => {
        await makeUser(await open());
        await changeRecords(
          place.location,
          `DROP TABLE team_owners, team_members, teams, documentation, daily_downloads, daily_downloads_start,
            settings; UPDATE registry_form SET version = 8`,
        );
        const records = await open();
        const today = Math.floor(Date.now() / 86_400_000);
        const { sinceDay, counts } = await records.listDailyDownloads('foo', { versionIds: [], fromDay: 0 });
        expect([today - 1, today]).toContain(sinceDay);
        expect(counts).toEqual([]);
        expect(await records.listTeams({ limit: 1, offset: 0 })).toEqual({ items: [], total: 0 });
        expect((await records.findUser('alice'))?.login).toBe('alice');
        expect(
          await countRows(
            url,
            'SELECT count(*) AS total FROM registry_form WHERE version = 11 AND usable_from = 5',
          ),
        ).toBe(1);
      });

      it('is migrated after a concurrent migration ends, regardless of `lock_timeout`', async () => {
        const impatient = new URL(url);
        impatient.searchParams.set('lock_timeout', '20');
        const sql = postgres(url, { max: 1, fetch_types: false });
        try {
          const key = "hashtextextended(current_schema() || '.registry_form', 1)";
          await sql.unsafe(`SELECT pg_advisory_lock(${key})`);
          const migrated = migrateDatabase(impatient.href).then(
            () => 'done',
            (error: unknown) => String(error),
          );
          expect(await Promise.race([migrated, sleep(500, 'waits')])).toBe('waits');
          await sql.unsafe(`SELECT pg_advisory_unlock(${key})`);
          expect(await migrated).toBe('done');
        } finally {
          await sql.end();
        }
        expect(await planPostgresMigration(url)).toEqual([]);
      });

      it('is migrated in separate steps, so a failed migration can continue', async () => {
        const [first = '', ...later] = await planPostgresMigration(url);
        await changeRecords(place.location, `${first}CREATE TABLE search_words (is_in_the_way TEXT)`);
        await expect(migrateDatabase(url)).rejects.toThrow('search_words');
        expect(await planPostgresMigration(url)).toEqual(later.slice(1));
        await changeRecords(place.location, 'DROP TABLE search_words');
        await (await open()).ping();
      });

      it('can be migrated by hand with the SQL of the plan', async () => {
        await changeRecords(place.location, (await planPostgresMigration(url)).join('\n'));
        expect(await planPostgresMigration(url)).toEqual([]);
        await (await open()).ping();
      });

      it('is opened with `PGUSER` and `PGPASSWORD` if the URL has no credentials', async () => {
        const address = new URL(url);
        const { username, password } = address;
        address.username = '';
        address.password = '';
        try {
          vi.stubEnv('PGUSER', decodeURIComponent(username));
          vi.stubEnv('PGPASSWORD', 'wrong');
          await expect(openPostgresRecords(address.href)).rejects.toMatchObject({
            message: expect.stringContaining('28P01'),
          });
          vi.stubEnv('PGPASSWORD', decodeURIComponent(password));
          const { records, close } = await openPostgresRecords(address.href);
          await records.ping();
          await close();
        } finally {
          vi.unstubAllEnvs();
        }
      });

      it('causes an error at start and in readiness checks if a table is missing or it is too new', async () => {
        const records = await open();
        await records.ping();
        await changeRecords(place.location, 'DROP TABLE rate_limits');
        const words = {
          message: `the database has no table \`rate_limits\`, which schema version ${SCHEMA_VERSION} has`,
          hint: expect.stringContaining('put back a dump'),
        };
        await expect(records.ping()).rejects.toMatchObject(words);
        await expect(openPostgresRecords(url)).rejects.toMatchObject(words);
        await expect(migrateDatabase(url)).rejects.toMatchObject(words);
        await changeRecords(place.location, 'DROP TABLE index_files');
        await expect(records.findIndexFile('x')).rejects.toMatchObject({
          hint: expect.stringContaining('a table of the records is missing'),
        });
        await changeRecords(place.location, 'UPDATE registry_form SET version = 99, usable_from = 99');
        await expect(records.ping()).rejects.toMatchObject({
          message: expect.stringContaining('schema version 99'),
        });
      });

      it('may be newer than the program only if it is compatible', async () => {
        await migrateDatabase(url);
        const newer = SCHEMA_VERSION + 1;
        await changeRecords(place.location, `UPDATE registry_form SET version = ${newer}`);
        expect(await (await open()).schemaVersion()).toBe(newer);
        await changeRecords(place.location, `UPDATE registry_form SET usable_from = ${newer}`);
        await expect(open()).rejects.toMatchObject({
          code: 'config',
          message: expect.stringContaining(
            `schema version ${newer}, which needs a release that supports version ${newer}`,
          ),
        });
      });

      it('cannot be saved to or loaded from a snapshot if it is newer than the program', async () => {
        const records = await open();
        const snapshot = path.join(temp.path, 'snapshot.db');
        await records.saveSnapshot(snapshot);
        const newer = SCHEMA_VERSION + 1;
        await changeRecords(place.location, `UPDATE registry_form SET version = ${newer}`);
        await makeUser(records);
        const words = { code: 'config', message: expect.stringContaining(`has schema version ${newer}`) };
        await expect(records.saveSnapshot(path.join(temp.path, 'later.db'))).rejects.toMatchObject(words);
        await expect(records.loadSnapshot(snapshot)).rejects.toMatchObject(words);
        expect((await records.findUser('alice'))?.login).toBe('alice');
      });
    });

    describe('several processes', () => {
      it('publish a version only once if all try at the same time', async () => {
        const copies = await Promise.all([1, 2, 3, 4].map(() => open()));
        const user = await makeUser(copies[0] ?? (await open()));
        for (const version of ['1.0.0', '1.1.0']) {
          const outcomes = await Promise.all(
            copies.flatMap((records) =>
              [1, 2, 3, 4, 5].map(() => records.publishVersion(publication(user, version))),
            ),
          );
          expect(kinds(outcomes)).toEqual({ published: 1, duplicate: 19 });
          expect(outcomes.filter(({ kind }) => kind === 'duplicate')[0]).toEqual({
            kind: 'duplicate',
            existing: version,
          });
        }
        expect(await versionsIn(await open())).toEqual(['1.0.0', '1.1.0']);
      });

      it('lose no version and no download if all change one crate', async () => {
        const copies = await Promise.all([1, 2, 3].map(() => open()));
        const user = await makeUser(copies[0] ?? (await open()));
        const versions = Array.from({ length: 30 }, (_, patch) => `1.0.${patch}`);
        const outcomes = await Promise.all(
          copies.flatMap((records, copy) =>
            versions
              .filter((_, at) => at % copies.length === copy)
              .map((version) => records.publishVersion(publication(user, version))),
          ),
        );
        expect(kinds(outcomes)).toEqual({ published: 30 });
        expect((await versionsIn(await open())).toSorted()).toEqual(versions.toSorted());
        expect((await copies[0]?.listVersions('foo', FIRST_TEN))?.items[0]?.version).toBe('1.0.29');

        const counts = versions.map((version) => ({ crate: 'foo', version, count: 2 }));
        await Promise.all([
          ...copies.flatMap((records) => [
            records.addDownloads(counts, 1),
            records.addDownloads(counts.toReversed(), 1),
          ]),
          copies[0]?.publishVersion(publication(user, '2.0.0')),
        ]);
        expect((await copies[1]?.findCrate('foo'))?.downloads).toBe(30 * 2 * 6);
        expect(await copies[2]?.findDamage()).toBeNull();
      });

      it('create a crate under only one of its spellings', async () => {
        const records = await open();
        const user = await makeUser(records);
        const outcomes = await Promise.all(
          ['foo-bar', 'foo_bar', 'Foo-Bar'].map((name) =>
            records.publishVersion(publication(user, '1.0.0', name)),
          ),
        );
        expect(kinds(outcomes)).toEqual({ published: 1, 'other-spelling': 2 });
      });
    });

    describe('a lost connection', () => {
      let proxy: CuttingProxy;
      let far: Records;
      let near: Records;
      let user: User;
      beforeEach(async () => {
        const target = new URL(url);
        proxy = await startCuttingProxy({ port: Number(target.port) });
        target.port = String(proxy.port);
        near = await open();
        user = await makeUser(near);
        far = await open(target.href);
      });
      afterEach(() => proxy[Symbol.asyncDispose]());

      it('does not repeat a publish if the response to the commit is lost', async () => {
        await far.ping();
        proxy.cutBehind('COMMIT');
        expect(await far.publishVersion(publication(user, '1.0.0'))).toEqual({
          kind: 'published',
          isNewCrate: true,
        });
        expect(await versionsIn(near)).toEqual(['1.0.0']);
        expect((await near.listAudit({ crate: 'foo' }, FIRST_TEN)).total).toBe(1);
      });

      it.each(['BEGIN', 'INSERT INTO versions', 'INSERT INTO audit'])(
        'after %s does not lose or repeat a publish',
        async (text) => {
          await far.ping();
          const before = proxy.count;
          proxy.cutBehind(text);
          expect((await far.publishVersion(publication(user, '1.0.0'))).kind).toBe('published');
          expect(proxy.count).toBeGreaterThan(before);
          expect(await versionsIn(near)).toEqual(['1.0.0']);
          expect((await near.listAudit({ crate: 'foo' }, FIRST_TEN)).total).toBe(1);
        },
      );

      it('makes reads fail and a publish wait until the database is back', async () => {
        await far.publishVersion(publication(user, '1.0.0'));
        proxy.cut();
        await expect(far.findIndexFile('foo')).rejects.toMatchObject({ code: 'network' });
        await expect(far.ping()).rejects.toMatchObject({ code: 'network' });
        expect(far.figures?.()).toMatchObject({
          maxConnections: 10,
          inUse: 0,
          waiting: 0,
          repeats: 1,
          failures: 1,
        });
        const late = far.publishVersion(publication(user, '1.1.0'));
        await sleep(300);
        proxy.mend();
        expect((await late).kind).toBe('published');
        expect((await far.findIndexFile('foo'))?.body).toContain('1.1.0');
        // The next read finds its connection closed and uses another.
        proxy.cut();
        proxy.mend();
        expect((await far.findIndexFile('foo'))?.body).toContain('1.1.0');
      });

      it('keeps the records consistent, even if it happens again and again', async () => {
        const versions = Array.from({ length: 40 }, (_, patch) => `1.0.${patch}`);
        let isDone = false;
        const terminate = async (): Promise<void> => {
          while (!isDone) {
            await sleep(30);
            proxy.cut();
            proxy.mend();
          }
        };
        const cutting = terminate();
        const settled = await Promise.allSettled(
          versions.map((version) => far.publishVersion(publication(user, version))),
        );
        isDone = true;
        await cutting;
        const published = versions.filter((_, at) => settled[at]?.status === 'fulfilled');
        const there = await versionsIn(near);
        expect(new Set(there).size).toBe(there.length);
        expect(there).toEqual(expect.arrayContaining(published));
        // A publish that was reported as failed must not exist.
        expect(there.length).toBe(published.length);
        expect(await near.findDamage()).toBeNull();
      });
    });

    it('accept more concurrent publishes than there are connections', async () => {
      const address = new URL(url);
      address.searchParams.set('max', '2');
      const records = await open(address.href);
      const user = await makeUser(records);
      const outcomes = await Promise.all(
        Array.from({ length: 30 }, (_, patch) => records.publishVersion(publication(user, `1.0.${patch}`))),
      );
      expect(kinds(outcomes)).toEqual({ published: 30 });
    });

    it('do not change once they are read-only, even by publishes in progress', async () => {
      const [one, two, sealer] = [await open(url), await open(url), await open(url)];
      const user = await makeUser(one);
      for (let round = 0; round < 5; round += 1) {
        const publishing = Array.from({ length: 24 }, (_, patch) =>
          (patch % 2 === 0 ? one : two).publishVersion(publication(user, `1.${round}.${patch}`)),
        );
        const settled = Promise.allSettled(publishing);
        await sleep(round * 8);
        await sealer.setReadOnly();
        const sealed = await versionsIn(sealer);
        const outcomes = await settled;
        expect(await versionsIn(one)).toEqual(sealed);
        for (const each of outcomes) {
          if (each.status === 'rejected') expect(each.reason).toBeInstanceOf(ReadOnlyRecords);
        }
        expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBe(
          sealed.filter((version) => version.startsWith(`1.${round}.`)).length,
        );
        await one.setWritable();
      }
    });

    it('can be made read-only only by the owner of the tables, as the error says', async () => {
      const records = await open();
      const address = new URL(url);
      const schema = address.searchParams.get('search_path') ?? '';
      const role = 'pg_monitor';
      await changeRecords(
        place.location,
        `GRANT USAGE ON SCHEMA ${schema} TO ${role}; GRANT SELECT, INSERT ON ALL TABLES IN SCHEMA ${schema} TO ${role}`,
      );
      address.searchParams.set('role', role);
      const theirs = await open(address.href);
      await expect(theirs.setReadOnly()).rejects.toMatchObject({
        message: expect.stringContaining('42501'),
        hint: expect.stringContaining('the owner of the tables'),
      });
      expect(await records.isReadOnly()).toBe(false);
    });

    it('replace characters that PostgreSQL cannot store', async () => {
      const records = await open();
      const user = await makeUser(records);
      await records.publishVersion(publication(user, '1.0.0'));
      await records.updateUser(user.id, { name: 'a\0b' });
      expect((await records.findUser('alice'))?.name).toBe('a\u{fffd}b');
      expect(await records.findVersion('foo\0', '1.0.0\0')).toBeNull();
      expect(await records.findIndexFile('\ud800')).toBeNull();
    });

    it('can be moved to SQLite and back with snapshots', async () => {
      const records = await open();
      const user = await makeUser(records);
      const bob = await records.createUser({ login: 'bob', name: 'B\tö\\b\nb', isAdmin: true, atMs: 2 });
      for (const version of ['1.0.0', '1.1.0']) await records.publishVersion(publication(user, version));
      await records.changeOwners({
        ...{ crate: 'foo', action: 'add', logins: ['bob'], atMs: 3, actor: { user, token: null } },
      });
      const secret = await records.secret('cookies');
      const first = path.join(temp.path, 'first.db');
      await records.saveSnapshot(first);

      const file = await openSqliteRecords(path.join(temp.path, 'copy.db'), { isShared: true });
      await file.records.loadSnapshot(first);
      const second = path.join(temp.path, 'second.db');
      await file.records.publishVersion(publication(user, '1.2.0'));
      await file.records.saveSnapshot(second);
      file.close();

      await records.publishVersion(publication(user, '9.0.0', 'gone'));
      await records.loadSnapshot(second);
      expect(await versionsIn(records)).toEqual(['1.0.0', '1.1.0', '1.2.0']);
      expect(await records.findCrate('gone')).toBeNull();
      expect((await records.listOwners('foo'))?.map(({ login }) => login)).toEqual(['alice', 'bob']);
      expect(await records.findUser('BOB')).toEqual(bob);
      expect(Buffer.from(await records.secret('cookies')).equals(secret)).toBe(true);
      expect((await records.searchCrates('version', FIRST_TEN)).total).toBe(1);
      expect(await records.findDamage()).toBeNull();
      const carol = await records.createUser({ login: 'carol', name: null, isAdmin: false, atMs: 2 });
      expect(carol?.id).toBe((bob?.id ?? 0) + 1);
    });

    it('report wrong totals, and count again when a snapshot is loaded', async () => {
      const records = await open();
      await records.publishVersion(publication(await makeUser(records), '1.0.0'));
      expect(await records.findDamage()).toBeNull();
      for (const column of ['crates', 'versions', 'downloads']) {
        await changeRecords(place.location, `UPDATE totals SET ${column} = ${column} + 1`);
        expect(await records.findDamage(), column).toContain('are wrong');
        const copy = path.join(temp.path, `${column}.db`);
        await records.saveSnapshot(copy);
        await records.loadSnapshot(copy);
        expect(await records.findDamage()).toBeNull();
        expect(await records.count()).toMatchObject({ crates: 1, versions: 1, downloads: 0 });
      }
    });

    it('have the same search words as in SQLite', async () => {
      await open();
      const sql = postgres(url, { max: 1, fetch_types: false });
      const texts = [
        '["abc","net-io"]\nabc: über c++, node.js (“quoted”) by-the-way __init__ a_b it’s',
        '[]\n非同期処理 für 日本 und ไทย, ' + 'y'.repeat(100) + ' emoji 🦀🦀🦀x ÷×·—–…½ end',
        ...Array.from({ length: 40 }, (_, run) =>
          Array.from({ length: 30 }, (__, at) =>
            String.fromCodePoint(
              [33, 95, 97, 160, 0xc0, 0x370, 0x2010, 0x3000, 0x4e00, 0x1f600][(run * 7 + at * at) % 10] ?? 97,
            ),
          ).join(run % 2 === 0 ? '' : 'ab'),
        ),
      ].map((text) => text.toLowerCase());
      try {
        for (const text of texts) {
          const rows = await sql`SELECT word, is_in_name FROM words_of('ab_cde', ${`ab_cde\n${text}`})`;
          const found = rows.map((row) => `${String(row['word'])} ${String(row['is_in_name'])}`);
          const expected = wordsOf('ab_cde', text).map(({ word, isInName }) => `${word} ${Number(isInName)}`);
          expect(found.toSorted()).toEqual(expected.toSorted());
        }
      } finally {
        await sql.end();
      }
    });

    it('are found the same with and without tiers, the most downloaded of many matches first', async () => {
      const records = await open();
      await changeRecords(
        place.location,
        `INSERT INTO crates (name, canonical_name, max_version, keywords, downloads, created_at, updated_at)
       SELECT 'pack-' || n, 'pack_' || n, '1.0.0', '[]', 12000 - n, n, 20000 - n FROM generate_series(1, 12000) AS n;
       INSERT INTO crate_search (rowid, name, everything)
       SELECT id, canonical_name, canonical_name || E'\\n[]\\nthing' || CASE WHEN id % 10 = 0 THEN ' tenth' ELSE '' END
         || CASE WHEN id IN (5, 5000, 11111) THEN ' needle' ELSE '' END FROM crates`,
      );
      const find = async (query: string, more: Partial<SearchRequest> = {}): Promise<string> => {
        const { items, total } = await records.searchCrates(query, { limit: 3, offset: 0, ...more });
        return `${items.map(({ name }) => name.slice(5)).join(' ')} of ${total}`;
      };
      const inTiers = 'SELECT count(*) AS total FROM crate_search WHERE tier < 2';
      const answers = async (): Promise<Record<string, string>> => ({
        name: await find('pack_11111'),
        beginning: await find('PACK-1111'),
        letters: await find('pa', { offset: 999 }),
        part: await find('ack'),
        page: await find('thing', { offset: 3 }),
        rare: await find('needle'),
        rareToo: await find('needle', { order: 'updated', limit: 2 }),
        both: await find('thing tenth'),
        apart: await find('needle tenth', { order: 'downloads' }),
        nothing: await find('nothing at all'),
        byName: await find('thing', { order: 'name' }),
        newest: await find('tenth', { order: 'created' }),
        end: await find('thing', { offset: 1000 }),
      });
      const expected = {
        name: '11111 of 1',
        beginning: '1111 11110 11111 of 11',
        letters: '1000 of 1000',
        part: '1 2 3 of 1000',
        page: '4 5 6 of 1000',
        rare: '5 5000 11111 of 3',
        rareToo: '5 5000 of 3',
        both: '10 20 30 of 1000',
        apart: '5000 of 1',
        nothing: ' of 0',
        byName: '1 10 100 of 1000',
        newest: '12000 11990 11980 of 1000',
        end: ' of 1000',
      };
      expect(await answers()).toEqual(expected);
      expect(await countRows(url, inTiers)).toBe(0);
      await records.rankCrates();
      expect(await countRows(url, inTiers)).toBe(10_000);
      expect(await answers()).toEqual(expected);
      await changeRecords(place.location, "UPDATE crates SET downloads = 99999 WHERE name = 'pack-12000'");
      await records.rankCrates();
      expect(await find('tenth')).toBe('12000 10 20 of 1000');
      await changeRecords(place.location, 'DELETE FROM crates WHERE id > 4000');
      await records.rankCrates();
      expect(await countRows(url, inTiers)).toBe(0);
      expect(await find('tenth')).toBe('10 20 30 of 400');
    });
  },
);
