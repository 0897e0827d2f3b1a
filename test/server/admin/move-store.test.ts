import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { backupStore, restoreStore } from '../../../src/server/admin/backup-store.ts';
import { openS3Blobs, type S3Blobs } from '../../../src/server/blobs/s3-blobs.ts';
import { createApp } from '../../../src/server/app.ts';
import { moveStore, type MoveOptions, type MoveResult } from '../../../src/server/admin/move-store.ts';
import { openStore } from '../../../src/server/admin/open-store.ts';
import { ReadOnlyRecords } from '../../../src/server/records/read-only.ts';
import { STATIC_CONFIG_PATH } from '../../../src/server/static/static-layout.ts';
import { folderLocation } from '../../../src/server/admin/store-location.ts';
import type { Records, Store } from '../../../src/server/store/store.ts';
import type { Actor } from '../../../src/server/store/values.ts';
import { makeSecret, TOKEN_SCOPES } from '../../../src/server/auth/tokens.ts';
import { verifyStore } from '../../../src/server/admin/verify-store.ts';
import { imitateBucket } from '../../helpers/imitated-bucket.ts';
import { publishBody } from '../../helpers/publish-body.ts';
import { makeTempDir, type TempDir } from '../../helpers/temp-dir.ts';
import { openTestRegistry, type TestRegistry } from '../../helpers/test-registry.ts';
import { blobKeys } from '../../helpers/test-storage.ts';

let temp: TempDir;
/** A registry in a folder, or in the database and the object store that the environment names. */
let here: TestRegistry;
/** An empty store that is always in a folder. */
let there: Store;
let alice: Actor;
beforeEach(async () => {
  temp = makeTempDir('move');
  here = await openTestRegistry();
  there = await openStore(folderLocation(path.join(temp.path, 'there')), {});
  alice = await here.tokenOf(await here.user('alice'));
  for (const version of ['1.0.0', '1.1.0']) await add('foo', version);
});
afterEach(async () => {
  await there.close();
  await here[Symbol.asyncDispose]();
  temp.remove();
});

async function add(name: string, version: string): Promise<void> {
  const { kind } = await here.publish(alice, publishBody({ name, version }).bytes);
  expect(kind).toBe('published');
}

const tokenId = (): number => alice.token?.id ?? 0;

type Halves = Pick<Store, 'records' | 'blobs'>;

async function move(from: Halves, to: Halves, more: Partial<MoveOptions> = {}): Promise<MoveResult> {
  return await moveStore(
    { from, to },
    {
      movesRecords: true,
      overwrites: false,
      report: { status: () => undefined, progress: () => undefined },
      signal: new AbortController().signal,
      ...more,
    },
  );
}

async function versions({ records }: Pick<Store, 'records'>): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const { crate, version } of records.eachVersion()) found.push(`${crate} ${version}`);
  return found.toSorted();
}

async function problems(store: Halves): Promise<unknown> {
  const options = { nowMs: Date.now(), removeUnreferenced: false, forgetDamaged: false };
  return (await verifyStore(store, options)).problems;
}

const yank = (records: Records, version: string, isYanked = true): Promise<unknown> =>
  records.setYanked({ crate: 'foo', version, isYanked, reason: null, atMs: 5, actor: alice });

describe('moving a registry', () => {
  it('moves everything and makes the source read-only', async () => {
    await here.user('bob');
    const index = await here.store.records.findIndexFile('foo');
    expect(await move(here.store, there)).toMatchObject({ versions: 2, problems: [] });
    expect(await there.records.findIndexFile('foo')).toEqual(index);
    expect((await there.records.listOwners('foo'))?.map(({ login }) => login)).toEqual(['alice']);
    expect(await there.records.isReadOnly()).toBe(false);
    expect(await here.store.records.isReadOnly()).toBe(true);
    const { records } = here.store;
    const body = publishBody({ name: 'foo', version: '1.2.0' }).bytes;
    const { hash, prefix } = makeSecret();
    const token = { userId: alice.user.id, name: 'late', hash, prefix, scopes: [], cratePatterns: [] };
    for (const change of [
      () => here.publish(alice, body),
      () => yank(records, '1.0.0'),
      () => records.changeOwners({ crate: 'foo', action: 'add', logins: ['bob'], atMs: 1, actor: alice }),
      () => records.createUser({ login: 'carol', name: null, isAdmin: false, atMs: 1 }),
      () => records.updateUser(alice.user.id, { isAdmin: true }),
      () => records.createToken({ ...token, createdAtMs: 1, expiresAtMs: null }),
      () => records.revokeToken({ userId: alice.user.id, tokenId: tokenId(), atMs: 1 }),
      () => records.addReservedName({ pattern: 'x', reason: null, atMs: 1 }),
      () =>
        records.deleteCrate({
          crate: 'foo',
          actor: null,
          reason: null,
          atMs: 1,
          mayReuseVersions: false,
          nameReservedUntilMs: 0,
        }),
    ]) {
      await expect(change()).rejects.toThrow(ReadOnlyRecords);
    }
    // Counters, token uses and sessions still change.
    await records.addDownloads([{ crate: 'foo', version: '1.0.0', count: 2 }], 1);
    await records.touchToken(tokenId(), 99_999_999);
    await records.createSession('x', { userId: alice.user.id, createdAtMs: 1, expiresAtMs: 2 });
    expect(await records.consumeRateLimit({ subject: 'x', perMinute: 1, atMs: 1 })).toBe(0);
    expect(await versions(here.store)).toEqual(['foo 1.0.0', 'foo 1.1.0']);
    expect((await records.findCrate('foo'))?.downloads).toBe(2);
  });

  it('moves back and forth with all changes made in between', async () => {
    await move(here.store, there);
    await expect(yank(there.records, '1.0.0')).resolves.toMatchObject({});
    expect(await move(there, here.store)).toMatchObject({ versions: 2, problems: [] });
    expect(await there.records.isReadOnly()).toBe(true);
    expect((await here.store.records.findVersion('foo', '1.0.0'))?.isYanked).toBe(true);
    await add('bar', '1.0.0');
    expect(await move(here.store, there)).toMatchObject({ versions: 3, problems: [] });
    expect(await versions(there)).toEqual(['bar 1.0.0', 'foo 1.0.0', 'foo 1.1.0']);
    expect(await problems(there)).toEqual([]);
  });

  it('can be repeated, but requires `overwrites` if the destination has changed', async () => {
    await move(here.store, there);
    expect(await move(here.store, there)).toMatchObject({ versions: 2, problems: [] });
    await here.store.records.setWritable();
    await add('bar', '1.0.0');
    expect(await move(here.store, there)).toMatchObject({ versions: 3, problems: [] });
    await yank(there.records, '1.0.0');
    await expect(move(here.store, there)).rejects.toThrow('has changes since it was moved');
    expect((await there.records.findVersion('foo', '1.0.0'))?.isYanked).toBe(true);
    await move(here.store, there, { overwrites: true });
    expect((await there.records.findVersion('foo', '1.0.0'))?.isYanked).toBe(false);
  });

  it('reports whether the source is still writable if the destination is incomplete', async () => {
    const lost = { ...there, blobs: { ...there.blobs, open: async () => null } };
    expect((await move(here.store, lost)).sourceTakesChanges).toBe(true);
    await here.store.records.setReadOnly();
    expect((await move(here.store, lost)).sourceTakesChanges).toBe(false);
    expect(await here.store.records.isReadOnly()).toBe(true);
  });

  it('replaces another registry only with `overwrites`', async () => {
    await there.records.createUser({ login: 'somebody', name: null, isAdmin: false, atMs: 1 });
    await expect(move(here.store, there)).rejects.toThrow('another registry is at the destination');
    expect(await here.store.records.isReadOnly()).toBe(false);
    expect(await there.records.findUser('somebody')).not.toBeNull();
    expect(await move(here.store, there, { overwrites: true })).toMatchObject({ problems: [] });
    expect(await there.records.findUser('somebody')).toBeNull();
  });

  it('moves or refuses each concurrent publish', async () => {
    const taken: string[] = [];
    let isOver = false;
    const publishing = (async () => {
      for (let patch = 0; !isOver; patch += 1) {
        const version = `2.0.${patch}`;
        try {
          const { kind } = await here.publish(alice, publishBody({ name: 'busy', version }).bytes);
          if (kind === 'published') taken.push(`busy ${version}`);
        } catch (error) {
          expect(error).toBeInstanceOf(ReadOnlyRecords);
          return;
        }
      }
    })();
    while (taken.length < 3) await new Promise((resolve) => setTimeout(resolve, 5));
    const result = await move(here.store, there);
    isOver = true;
    await publishing;
    expect(result.problems).toEqual([]);
    expect(await versions(there)).toEqual([...taken, 'foo 1.0.0', 'foo 1.1.0'].toSorted());
  });

  it('leaves the source writable and the destination empty if it fails', async () => {
    const broken: Halves = {
      blobs: there.blobs,
      records: { ...there.records, loadSnapshot: () => Promise.reject(new Error('no space')) },
    };
    await expect(move(here.store, broken)).rejects.toThrow('no space');
    await add('foo', '1.2.0');
    const [key = ''] = await blobKeys(here.store.blobs);
    await here.store.blobs.delete(key);
    await there.blobs.delete(key);
    await expect(move(here.store, there)).rejects.toThrow('its .crate is missing');
    await add('foo', '1.3.0');
    expect(await versions(there)).toEqual([]);
  });

  it('leaves the destination writable even if the source cannot be made writable', async () => {
    const lost: Halves = {
      blobs: here.store.blobs,
      records: {
        ...here.store.records,
        saveSnapshot: () => Promise.reject(new Error('lost')),
        setWritable: () => Promise.reject(new Error('still lost')),
      },
    };
    await expect(move(lost, there)).rejects.toThrow('still lost');
    expect(await there.records.isReadOnly()).toBe(false);
  });

  it('leaves the source writable if it is interrupted, and can be repeated', async () => {
    for (const verb of ['Locking', 'Moving', 'Verifying']) {
      const controller = new AbortController();
      const report = {
        status: (word: string) => (word === verb ? controller.abort(new Error(`at ${verb}`)) : undefined),
        progress: () => undefined,
      };
      await expect(move(here.store, there, { report, signal: controller.signal })).rejects.toThrow(
        `at ${verb}`,
      );
      expect(await here.store.records.isReadOnly()).toBe(false);
    }
    expect(await move(here.store, there)).toMatchObject({ versions: 2, problems: [] });
  });

  it('succeeds if a killed run left the source read-only', async () => {
    await here.store.records.setReadOnly();
    await here.store.records.setReadOnly();
    expect(await move(here.store, there)).toMatchObject({ versions: 2, problems: [] });
    await here.store.records.setWritable();
    await here.store.records.setWritable();
    await add('foo', '1.2.0');
  });
});

describe('moving a part of a registry', () => {
  it('can move only the records', async () => {
    expect(await move(here.store, { records: there.records, blobs: here.store.blobs })).toMatchObject({
      ...{ versions: 2, problems: [] },
    });
    expect(await blobKeys(there.blobs)).toEqual([]);
    expect(await versions(there)).toEqual(['foo 1.0.0', 'foo 1.1.0']);
  });

  it('can move only the blobs, and new blobs in a second run', async () => {
    const to = { records: here.store.records, blobs: there.blobs };
    expect(await move(here.store, to, { movesRecords: false })).toMatchObject({ versions: 2, problems: [] });
    await add('bar', '1.0.0');
    expect(await move(here.store, to, { movesRecords: false })).toMatchObject({ versions: 3, problems: [] });
    expect(await blobKeys(there.blobs)).toEqual(await blobKeys(here.store.blobs));
  });
});

it('writes the static index at a destination with static files', async () => {
  await using first = await imitateBucket();
  await using second = await imitateBucket();
  const opened = await Promise.all([first, second].map(({ url, env }) => openS3Blobs(url, env)));
  const [one, two] = opened;
  if (one === undefined || two === undefined) throw new Error('no buckets');
  const index = async ({ staticFiles }: S3Blobs): Promise<string> =>
    (await staticFiles?.read('index/3/f/foo'))?.text ?? '';
  for (const { staticFiles } of opened) {
    const how = { etag: null, contentType: 'application/json', cacheControl: 'no-cache' };
    await staticFiles?.write(STATIC_CONFIG_PATH, '{}\n', how);
  }
  await move(here.store, { records: there.records, blobs: one });
  expect(await index(one)).toContain('"vers":"1.1.0"');
  const to = { records: there.records, blobs: two };
  const { problems: found } = await move({ ...to, blobs: one }, to, { movesRecords: false });
  expect(found).toEqual([]);
  expect(await index(two)).toContain('"vers":"1.1.0"');
  for (const { close } of opened) close();
});

it('responds with 503 to changes of a read-only registry and still serves reads', async () => {
  const app = createApp(here.context);
  const { secret, hash, prefix } = makeSecret();
  const { id: userId } = alice.user;
  const more = { scopes: TOKEN_SCOPES, cratePatterns: [], createdAtMs: 1, expiresAtMs: null };
  await here.store.records.createToken({ userId, name: 'x', hash, prefix, ...more });
  await here.store.records.setReadOnly();
  const headers = { authorization: secret };
  const ask = async (where: string, init: RequestInit = {}): Promise<Response> =>
    await app.fetch(new Request(`http://127.0.0.1${where}`, { headers, ...init }), {});
  const refused = await ask('/api/v1/crates/foo/1.0.0/yank', { method: 'DELETE' });
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '30']);
  expect(await refused.text()).toContain('is read-only here');
  expect((await ask('/index/3/f/foo')).status).toBe(200);
  expect((await ask('/api/v1/crates/foo/1.0.0/download')).status).toBe(200);
});

it('restores a backup into another kind of store, which is writable afterwards', async () => {
  const folder = path.join(temp.path, 'backup');
  const { records } = here.store;
  await here.user('bob');
  await records.createTeam({ name: 'infra', atMs: 1, actor: null });
  await records.changeMembers({ team: 'infra', action: 'add', logins: ['bob'], atMs: 1, actor: null });
  const owner = { crate: 'foo', logins: ['team:infra'], atMs: 1, actor: alice };
  await records.changeOwners({ ...owner, action: 'add' });
  const team = { name: 'infra', members: [{ login: 'bob' }], crateCount: 1 };
  await records.setReadOnly();
  await backupStore(here.store, folder);
  await restoreStore(there, folder);
  expect(await problems(there)).toEqual([]);
  expect(await there.records.findTeam('infra')).toMatchObject(team);
  const other = path.join(temp.path, 'other');
  await backupStore(there, other);
  await restoreStore(here.store, other);
  expect(await problems(here.store)).toEqual([]);
  expect(await records.findTeam('infra')).toMatchObject(team);
  // The registry was read-only before.
  await add('foo', '1.2.0');
});
