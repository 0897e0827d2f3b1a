import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { publish } from '../../../src/server/publish/publish.ts';
import { SCHEMA_VERSION } from '../../../src/server/records/schema.ts';
import type { Records } from '../../../src/server/store/store.ts';
import type { Actor } from '../../../src/server/store/values.ts';
import { makeSecret } from '../../../src/server/auth/tokens.ts';
import type { CrateDecl } from '../../helpers/crate.ts';
import { publishBody } from '../../helpers/publish-body.ts';
import { openTestRegistry, TEST_CHECKS, type TestRegistry } from '../../helpers/test-registry.ts';

let registry: TestRegistry;
let records: Records;
let alice: Actor;
let bob: Actor;
let root: Actor;
beforeEach(async () => {
  registry = await openTestRegistry();
  ({ records } = registry.store);
  alice = await registry.tokenOf(await registry.user('Alice'));
  bob = await registry.tokenOf(await registry.user('bob'));
  root = { user: await registry.user('root', true), token: null };
});
afterEach(() => registry[Symbol.asyncDispose]());

const FIRST_TEN = { limit: 10, offset: 0 };

async function add(
  decl: CrateDecl,
  { actor = alice, more = {} }: { readonly actor?: Actor; readonly more?: Record<string, unknown> } = {},
): Promise<string> {
  const result = await registry.publish(actor, publishBody(decl, more).bytes);
  return result.kind === 'published' ? 'published' : `${result.status} ${result.detail}`;
}

async function yank(actor: Actor, crate: string, version: string, isYanked = true): Promise<string> {
  const { kind } = await records.setYanked({ crate, version, isYanked, reason: 'broken', atMs: 9, actor });
  return kind;
}

async function owners(crate: string): Promise<readonly string[]> {
  return ((await records.listOwners(crate)) ?? []).map(({ login }) => login);
}

async function changeOwners(actor: Actor, action: 'add' | 'remove', ...logins: string[]): Promise<string> {
  const outcome = await records.changeOwners({ crate: 'foo', action, logins, atMs: 7, actor });
  return outcome.kind === 'changed' ? `changed ${outcome.changed.join(' ')}` : outcome.kind;
}

async function lines(name: string): Promise<readonly Record<string, unknown>[]> {
  const file = await records.findIndexFile(name);
  return (file?.body ?? '')
    .split('\n')
    .slice(0, -1)
    .map((line): Record<string, unknown> => JSON.parse(line));
}

describe('versions', () => {
  it('are refused if the publisher loses the right during the upload', async () => {
    const body = publishBody({ name: 'foo', version: '1.0.0' }).bytes;
    const half = body.length - 10;
    const lost =
      '403 no longer allowed: the token was revoked or expired, or the user was disabled or lost rights, during the request';
    const publishWhile = async (actor: Actor, change: () => Promise<unknown>): Promise<string> => {
      async function* slowly(): AsyncGenerator<Uint8Array> {
        yield body.subarray(0, half);
        await change();
        yield body.subarray(half);
      }
      const result = await publish(registry.context, {
        body: slowly(),
        actor,
        isDryRun: false,
        checks: TEST_CHECKS,
      });
      return result.kind === 'published' ? 'published' : `${result.status} ${result.detail}`;
    };
    const { token, user } = bob;
    const revoked = { userId: user.id, tokenId: token?.id ?? 0, atMs: 1 };
    expect(await publishWhile(bob, () => records.revokeToken(revoked))).toBe(lost);
    const again = await registry.tokenOf(user);
    expect(await publishWhile(again, () => records.updateUser(user.id, { isDisabled: true }))).toBe(lost);
    expect(await records.findCrate('foo')).toBeNull();
    expect(await publishWhile(alice, () => Promise.resolve())).toBe('published');
  });

  it('are in the index in publish order, under the lower-case name only', async () => {
    await add({ name: 'Foo-Bar', version: '1.0.0' });
    await add({ name: 'Foo-Bar', version: '0.9.0' });
    expect((await lines('foo-bar')).map(({ vers }) => vers)).toEqual(['1.0.0', '0.9.0']);
    expect(await records.findIndexFile('Foo-Bar')).toBeNull();
    expect(await records.findIndexFile('foo_bar')).toBeNull();
    expect((await records.findCrate('FOO_BAR'))?.name).toBe('Foo-Bar');
    expect((await records.listVersions('foo_bar', FIRST_TEN)).items.map(({ version }) => version)).toEqual([
      '1.0.0',
      '0.9.0',
    ]);
  });

  it('are listed in pages, the highest first', async () => {
    for (const version of ['1.9.0', '1.10.0', '2.0.0-rc.1', '1.10.0-rc.1'])
      await add({ name: 'foo', version });
    const part = async (limit: number, offset: number): Promise<unknown> => {
      const { items, total } = await records.listVersions('Foo', { limit, offset });
      return [items.map(({ version }) => version), total];
    };
    expect(await part(2, 0)).toEqual([['2.0.0-rc.1', '1.10.0'], 4]);
    expect(await part(2, 2)).toEqual([['1.10.0-rc.1', '1.9.0'], 4]);
    expect(await part(2, 4)).toEqual([[], 4]);
    expect(await part(0, 0)).toEqual([[], 4]);
    expect((await records.listVersions('nothing', { limit: 2, offset: 0 })).total).toBe(0);
  });

  it('are listed without yanked ones, the last published first', async () => {
    for (const version of ['1.0.0', '3.0.0', '2.0.0', '1.5.0']) await add({ name: 'foo', version });
    await add({ name: 'bar', version: '0.1.0' });
    await yank(alice, 'foo', '1.5.0');
    await yank(alice, 'foo', '3.0.0');
    const request = { offset: 0, order: 'published', isWithoutYanked: true } as const;
    const listed = async (limit: number): Promise<unknown> => {
      const { items, total } = await records.listVersions('foo', { ...request, limit });
      return [items.map(({ version }) => version), total];
    };
    expect(await listed(10)).toEqual([['2.0.0', '1.0.0'], 2]);
    expect(await listed(1)).toEqual([['2.0.0'], 2]);
    expect(await listed(0)).toEqual([[], 2]);
    const newest = async (limit: number): Promise<unknown> =>
      (await records.listNewVersions(limit)).map(({ crate, version }) => `${crate} ${version}`);
    expect(await newest(10)).toEqual(['bar 0.1.0', 'foo 2.0.0', 'foo 1.0.0']);
    expect(await newest(2)).toEqual(['bar 0.1.0', 'foo 2.0.0']);
  });

  it('are refused if they exist already, even with other build metadata', async () => {
    expect(await add({ name: 'foo', version: '1.0.0+a' })).toBe('published');
    expect(await add({ name: 'foo', version: '1.0.0+a' })).toBe(
      '409 crate version `1.0.0+a` is already uploaded',
    );
    expect(await add({ name: 'foo', version: '1.0.0' })).toBe(
      '409 crate version `1.0.0+a` is already uploaded, which differs only in build metadata',
    );
    expect(await add({ name: 'foo', version: '1.0.0-a' })).toBe('published');
  });

  it('are refused under another spelling of the crate name', async () => {
    await add({ name: 'foo-bar', version: '1.0.0' });
    for (const name of ['foo_bar', 'Foo-bar', 'FOO_BAR']) {
      expect(await add({ name, version: '2.0.0' })).toBe(
        `409 the name \`${name}\` is taken: the crate was previously named \`foo-bar\``,
      );
    }
  });

  it('describe their crate: the highest unyanked one counts, or else the highest', async () => {
    await add({ name: 'foo', version: '1.9.0' }, { more: { description: 'nine', keywords: ['a'] } });
    await add({ name: 'foo', version: '1.10.0' }, { more: { description: 'ten' } });
    await add({ name: 'foo', version: '2.0.0-rc.1' }, { more: { description: 'rc' } });
    await add({ name: 'foo', version: '1.2.0' }, { more: { description: 'two' } });
    const shown = async (): Promise<unknown> => {
      const crate = await records.findCrate('foo');
      return [crate?.maxVersion, crate?.description];
    };
    expect(await shown()).toEqual(['2.0.0-rc.1', 'rc']);
    await yank(alice, 'foo', '2.0.0-rc.1');
    expect(await shown()).toEqual(['1.10.0', 'ten']);
    for (const version of ['1.9.0', '1.10.0', '1.2.0']) await yank(alice, 'foo', version);
    expect(await shown()).toEqual(['2.0.0-rc.1', 'rc']);
  });

  it('can be yanked only by owners and admins, with a reason and a new ETag of the index file', async () => {
    await add({ name: 'foo', version: '1.0.0' });
    const before = await records.findIndexFile('foo');
    expect(await yank(bob, 'foo', '1.0.0')).toBe('not-owner');
    expect(await yank(alice, 'foo', '1.0.1')).toBe('no-version');
    expect(await yank(alice, 'fo', '1.0.0')).toBe('no-crate');
    expect(await records.findIndexFile('foo')).toEqual(before);
    expect(await yank(alice, 'foo', '1.0.0')).toBe('changed');
    expect(await yank(root, 'foo', '1.0.0')).toBe('unchanged');
    expect((await lines('foo'))[0]?.['yanked']).toBe(true);
    expect((await records.findVersion('foo', '1.0.0'))?.yankReason).toBe('broken');
    expect((await records.findIndexFile('foo'))?.etag).not.toBe(before?.etag);
    expect(await yank(root, 'foo', '1.0.0', false)).toBe('changed');
    expect((await records.findVersion('foo', '1.0.0'))?.yankReason).toBeNull();
    expect((await records.findIndexFile('foo'))?.body).toBe(before?.body);
  });

  it('keep their metadata, and their readme separately', async () => {
    const readme = '# Hé\n';
    await add({ name: 'foo', version: '1.0.0', features: { '2': [], '1': ['2'] } }, { more: { readme } });
    const version = await records.findVersion('foo', '1.0.0');
    expect(version?.metadata.readme).toBeNull();
    expect([...(version?.metadata.features ?? [])]).toEqual([
      ['1', ['2']],
      ['2', []],
    ]);
    expect(version?.publishedBy).toBe('Alice');
    expect(await records.findReadme('foo', '1.0.0')).toBe(readme);
    expect(await records.findReadme('foo', '1.0.1')).toBeNull();
  });

  it('count downloads for themselves and their crate', async () => {
    await add({ name: 'foo', version: '1.0.0' });
    await add({ name: 'foo', version: '1.1.0' });
    await records.addDownloads(
      [
        { crate: 'foo', version: '1.0.0', count: 3 },
        { crate: 'FOO', version: '1.1.0', count: 4 },
        { crate: 'foo', version: '9.0.0', count: 50 },
        { crate: 'bar', version: '1.0.0', count: 50 },
      ],
      1,
    );
    expect((await records.findCrate('foo'))?.downloads).toBe(7);
    expect((await records.listVersions('foo', FIRST_TEN)).items.map(({ downloads }) => downloads)).toEqual([
      4, 3,
    ]);
    expect(await records.count()).toEqual({ crates: 1, versions: 2, downloads: 7, users: 3 });
  });
});

it('lists each dependent with its highest version and strongest dependency kind', async () => {
  await add({ name: 'base_x', version: '1.0.0' });
  const onBase = { name: 'base-x', req: '^1', registry: `sparse+http://127.0.0.1:7878/index/` };
  await add({ name: 'old', version: '1.0.0', deps: [onBase] });
  await add({ name: 'old', version: '2.0.0' });
  await add({
    name: 'user',
    version: '1.0.0',
    deps: [
      { ...onBase, kind: 'dev' },
      { ...onBase, name: 'renamed', package: 'base_x', optional: true },
    ],
  });
  expect(await records.listDependents('BASE-X', FIRST_TEN)).toEqual({
    total: 1,
    items: [{ crate: 'user', version: '1.0.0', versionReq: '^1', kind: 'normal', isOptional: true }],
  });
});

describe('search', () => {
  const find = async (query: string): Promise<string> => {
    const { items, total } = await records.searchCrates(query, FIRST_TEN);
    expect(total).toBe(items.length);
    return items.map(({ name }) => name).join(' ');
  };
  beforeEach(async () => {
    await add({ name: 'serde', version: '1.0.0' }, { more: { description: 'A framework' } });
    await add({ name: 'serde_json', version: '1.0.0' }, { more: { keywords: ['json'] } });
    await add({ name: 'my-serde', version: '1.0.0' }, { more: { description: 'Über 100% "fun"' } });
    await add({ name: 'x', version: '1.0.0' }, { more: { description: 'talks serde' } });
    await records.addDownloads([{ crate: 'x', version: '1.0.0', count: 9 }], 1);
  });

  it('ranks exact names first, then starts and parts of names, then other matches', async () => {
    expect(await find('serde')).toBe('serde serde_json my-serde x');
    expect(await find('SERDE')).toBe('serde serde_json my-serde x');
  });

  it('requires all words and treats `-` and `_` as equal', async () => {
    expect(await find('serde frame')).toBe('serde');
    expect(await find('serde-json')).toBe('serde_json');
    expect(await find('my_serde')).toBe('my-serde');
    expect(await find('json nothing')).toBe('');
  });

  it('treats special characters as text', async () => {
    expect(await find('100%')).toBe('my-serde');
    expect(await find('"fun"')).toBe('my-serde');
    for (const query of [
      '%',
      '_',
      '"',
      'a OR b',
      'NEAR(',
      "'; --",
      '*',
      'serde*',
      '\\',
      'name:serde',
      '\0',
    ]) {
      expect((await records.searchCrates(query, FIRST_TEN)).total).toBeLessThan(5);
    }
    expect(await find('%')).toBe('');
  });

  it('matches short words at the start of names, and all crates for an empty query', async () => {
    expect(await find('se')).toBe('serde serde_json');
    expect(await find('x')).toBe('x');
    expect(await find(' ')).toBe('x my-serde serde_json serde');
    expect((await records.searchCrates('serde', { limit: 1, offset: 1 })).items[0]?.name).toBe('serde_json');
    for (const query of ['...', '%%% serde', '"""'])
      expect((await records.searchCrates(query, FIRST_TEN)).total, query).toBe(0);
  });

  it('finds changed descriptions and no deleted crates', async () => {
    await add({ name: 'serde', version: '2.0.0' }, { more: { description: 'Rewritten' } });
    expect(await find('framework')).toBe('');
    expect(await find('rewritten')).toBe('serde');
    await records.deleteCrate({ ...DELETION, crate: 'serde' });
    expect(await find('rewritten')).toBe('');
  });
});

const DELETION = {
  actor: null,
  reason: 'leaked',
  atMs: Date.UTC(2026, 0, 1),
  mayReuseVersions: false,
  nameReservedUntilMs: Date.UTC(2030, 0, 1),
} as const;

describe('owners', () => {
  beforeEach(async () => {
    await add({ name: 'foo', version: '1.0.0' });
  });

  it('are the first publisher and the users that an owner adds', async () => {
    expect(await owners('foo')).toEqual(['Alice']);
    expect(await records.listOwners('bar')).toBeNull();
    expect(await add({ name: 'foo', version: '1.1.0' }, { actor: bob })).toBe(
      "403 this crate exists but you don't seem to be an owner",
    );
    expect(await changeOwners(bob, 'add', 'bob')).toBe('not-owner');
    expect(await changeOwners(alice, 'add', 'BOB', 'alice')).toBe('changed bob');
    expect(await owners('foo')).toEqual(['Alice', 'bob']);
    expect(await add({ name: 'foo', version: '1.1.0' }, { actor: bob })).toBe('published');
    expect((await records.listOwnedCrates(bob.user.id)).map(({ name }) => name)).toEqual(['foo']);
  });

  it('change all at once or not at all, and at least one remains', async () => {
    expect(await changeOwners(alice, 'add', 'bob', 'nobody')).toBe('no-user');
    expect(await owners('foo')).toEqual(['Alice']);
    expect(await changeOwners(alice, 'remove', 'alice')).toBe('last-owner');
    expect(await changeOwners(alice, 'remove', 'bob')).toBe('not-an-owner');
    await changeOwners(alice, 'add', 'bob');
    expect(await changeOwners(alice, 'remove', 'alice', 'bob')).toBe('last-owner');
    expect(await changeOwners(bob, 'remove', 'alice', 'alice')).toBe('changed Alice');
    expect(await owners('foo')).toEqual(['bob']);
  });

  it('share their rights with all admins', async () => {
    expect(await add({ name: 'foo', version: '1.1.0' }, { actor: root })).toBe('published');
    expect(await yank(root, 'foo', '1.0.0')).toBe('changed');
    expect(await changeOwners(root, 'add', 'bob')).toBe('changed bob');
    expect(await owners('foo')).toEqual(['Alice', 'bob']);
  });
});

describe('tokens', () => {
  it('are limited to their scopes and crate patterns', async () => {
    const user = alice.user;
    const newOnly = await registry.tokenOf(user, { scopes: ['publish-new'], cratePatterns: ['my-*', 'one'] });
    const updateOnly = await registry.tokenOf(user, { scopes: ['publish-update'] });
    expect(await add({ name: 'other', version: '1.0.0' }, { actor: newOnly })).toMatch(
      /^403 the token does not/,
    );
    expect(await add({ name: 'one', version: '1.0.0' }, { actor: newOnly })).toBe('published');
    expect(await add({ name: 'MY_x', version: '1.0.0' }, { actor: newOnly })).toBe('published');
    expect(await add({ name: 'one', version: '1.0.1' }, { actor: newOnly })).toMatch(/`publish-update`/);
    expect(await add({ name: 'one', version: '1.0.1' }, { actor: updateOnly })).toBe('published');
    expect(await add({ name: 'two', version: '1.0.0' }, { actor: updateOnly })).toMatch(/`publish-new`/);
  });

  it('are found by their hash and revoked only by their user', async () => {
    const { hash, prefix, secret } = makeSecret();
    expect(secret).toMatch(/^tsreg_[\w-]{43}$/);
    expect(secret.startsWith(prefix)).toBe(true);
    const token = await records.createToken({
      ...{ userId: bob.user.id, name: 'ci', hash, prefix, scopes: ['yank'], cratePatterns: ['a*'] },
      ...{ createdAtMs: 1, expiresAtMs: 2 },
    });
    expect(await records.findTokenByHash(secret)).toBeNull();
    expect(await records.findTokenByHash(hash)).toEqual({ user: bob.user, token });
    const tokenId = token.id;
    expect(await records.revokeToken({ userId: alice.user.id, tokenId, atMs: 5 })).toBe(false);
    expect(await records.revokeToken({ userId: bob.user.id, tokenId, atMs: 5 })).toBe(true);
    expect(await records.revokeToken({ userId: bob.user.id, tokenId, atMs: 6 })).toBe(false);
    await records.touchToken(tokenId, 100_000);
    await records.touchToken(tokenId, 130_000);
    const found = await records.findTokenByHash(hash);
    expect(found?.token).toEqual({ ...token, revokedAtMs: 5, lastUsedAtMs: 100_000 });
    expect((await records.listTokens(bob.user.id)).map(({ id }) => id)).toEqual([bob.token?.id, tokenId]);
  });
});

describe('users', () => {
  it('have logins that are unique regardless of case', async () => {
    expect(await records.createUser({ login: 'ALICE', name: null, isAdmin: true, atMs: 1 })).toBeNull();
    expect((await records.findUser('aLICE'))?.login).toBe('Alice');
    const { items, total } = await records.listUsers({ limit: 2, offset: 1 });
    expect([total, ...items.map(({ login }) => login)]).toEqual([3, 'bob', 'root']);
  });

  it('lose only their sessions if they are disabled or their password is removed', async () => {
    const { id } = bob.user;
    const signIn = (): Promise<void> =>
      records.createSession('s', { userId: id, createdAtMs: 10, expiresAtMs: 20 });
    await records.updateUser(id, { passwordHash: 'h', name: 'Bob' });
    await signIn();
    await records.updateUser(id, { isAdmin: true, isDisabled: false });
    expect(await records.findSession('s')).toEqual({
      ...{ userId: id, createdAtMs: 10, expiresAtMs: 20 },
      user: { ...bob.user, name: 'Bob', isAdmin: true, hasPassword: true },
    });
    await records.updateUser(id, { isDisabled: true });
    expect(await records.findSession('s')).toBeNull();
    expect(await records.findPasswordHash(id)).toBe('h');
    await signIn();
    await records.updateUser(id, { passwordHash: null });
    expect(await records.findSession('s')).toBeNull();
    expect((await records.findUserById(id))?.hasPassword).toBe(false);
  });

  it('are throttled by recent failed sign-ins', async () => {
    const take = async (atMs: number, max: number | null = null): Promise<number | undefined> => {
      const attempt = { limits: [{ subject: 'bob', max }], atMs, sinceMs: 15 };
      return (await records.takeSignInAttempt(attempt))?.get('bob');
    };
    const giveBack = (atMs: number, forgotten: string | null): Promise<void> =>
      records.giveBackSignInAttempt({ subjects: ['bob'], atMs, forgotten });
    expect([await take(10), await take(20), await take(30), await take(30)]).toEqual([1, 1, 2, 3]);
    await giveBack(30, null);
    expect(await take(40)).toBe(3);
    expect(await take(40, 3)).toBeUndefined();
    await giveBack(40, 'bob');
    expect(await take(40, 1)).toBe(1);
  });
});

describe('permanent deletion', () => {
  beforeEach(async () => {
    await add({ name: 'foo', version: '1.0.0' });
    await add({ name: 'foo', version: '1.1.0+x' });
    await records.addDownloads([{ crate: 'foo', version: '1.0.0', count: 2 }], 1);
  });

  it('removes a version from the index and blocks its number unless reuse is allowed', async () => {
    const key = (await records.findVersion('foo', '1.1.0+x'))?.blobKey;
    const deletion = { ...DELETION, crate: 'foo', version: '1.1.0+x' };
    expect(await records.deleteVersion({ ...deletion, version: '1.1.0' })).toEqual({ kind: 'no-version' });
    expect(await records.deleteVersion(deletion)).toEqual({ kind: 'deleted', crate: 'foo', blobKeys: [key] });
    expect((await lines('foo')).map(({ vers }) => vers)).toEqual(['1.0.0']);
    expect((await records.findCrate('foo'))?.maxVersion).toBe('1.0.0');
    expect(await add({ name: 'foo', version: '1.1.0+y' })).toMatch(
      /^409 crate version `1.1.0\+y` was deleted/,
    );
    await add({ name: 'foo', version: '1.2.0' });
    await records.deleteVersion({ ...deletion, version: '1.2.0', mayReuseVersions: true });
    expect(await add({ name: 'foo', version: '1.2.0' })).toBe('published');
    expect((await records.findCrate('foo'))?.downloads).toBe(2);
  });

  it('reserves the name of a crate for its owners for a while', async () => {
    const outcome = await records.deleteCrate({ ...DELETION, crate: 'FOO' });
    expect(outcome.kind === 'deleted' && outcome.blobKeys.length).toBe(2);
    expect(await records.findIndexFile('foo')).toBeNull();
    expect(await records.deleteCrate({ ...DELETION, crate: 'foo' })).toEqual({ kind: 'no-crate' });
    expect(await add({ name: 'Foo', version: '3.0.0' }, { actor: bob })).toBe(
      '409 a crate named `Foo` was deleted, and the name is reserved for its owners until 2030-01-01',
    );
    expect(await add({ name: 'Foo', version: '1.0.0' })).toMatch(/was deleted/);
    expect(await add({ name: 'Foo', version: '3.0.0' })).toBe('published');
    expect(await owners('foo')).toEqual(['Alice']);
  });

  it('releases the name of a crate after that time, but not its version numbers', async () => {
    await records.deleteCrate({ ...DELETION, crate: 'foo' });
    registry.nowMs = Date.UTC(2031, 0, 1);
    expect(await add({ name: 'Foo', version: '1.0.0' }, { actor: bob })).toMatch(/was deleted/);
    expect(await add({ name: 'Foo', version: '3.0.0' }, { actor: bob })).toBe('published');
  });

  it('removes a crate with its last version', async () => {
    for (const version of ['1.0.0', '1.1.0+x'])
      await records.deleteVersion({ ...DELETION, crate: 'foo', version });
    expect(await records.findCrate('foo')).toBeNull();
    expect(await records.findDamage()).toBeNull();
  });
});

it('lists who did what in the audit trail', async () => {
  await add({ name: 'foo', version: '1.0.0' });
  await yank(alice, 'foo', '1.0.0');
  await changeOwners(alice, 'add', 'bob');
  await records.deleteCrate({ ...DELETION, crate: 'foo', actor: root });
  const { items, total } = await records.listAudit({ crate: 'foo' }, { limit: 4, offset: 0 });
  expect(total).toBe(5);
  expect(items.map(({ actor, action, version, subject }) => [actor, action, version, subject])).toEqual([
    ['root', 'delete-crate', null, null],
    ['root', 'delete-version', '1.0.0', null],
    ['Alice', 'add-owner', null, 'bob'],
    ['Alice', 'yank', '1.0.0', null],
  ]);
  expect(items[3]?.tokenId).toBe(alice.token?.id);
  expect((await records.listAudit({ actor: 'root', action: 'delete-crate' }, FIRST_TEN)).total).toBe(1);
});

it('creates each secret once', async () => {
  const secret = await records.secret('cookies');
  expect(secret.length).toBe(32);
  expect(Buffer.from(await records.secret('cookies')).equals(secret)).toBe(true);
  expect(Buffer.from(await records.secret('other')).equals(secret)).toBe(false);
  await records.ping();
  expect(await records.schemaVersion()).toBe(SCHEMA_VERSION);
});
