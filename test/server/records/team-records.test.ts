import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { teamLogin, teamNameOf } from '../../../src/server/store/team-login.ts';
import type { Records } from '../../../src/server/store/store.ts';
import type { Actor } from '../../../src/server/store/values.ts';
import { publishBody } from '../../helpers/publish-body.ts';
import { makeTempDir } from '../../helpers/temp-dir.ts';
import { changeRecords } from '../../helpers/test-location.ts';
import { openTestRegistry, type TestRegistry } from '../../helpers/test-registry.ts';

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
  expect(await publish(alice, '1.0.0')).toBe('published');
});
afterEach(() => registry[Symbol.asyncDispose]());

const ALL = { limit: 100, offset: 0 };

async function publish(actor: Actor, version: string, name = 'foo'): Promise<string> {
  const result = await registry.publish(actor, publishBody({ name, version }).bytes);
  return result.kind === 'published' ? 'published' : `${result.status} ${result.detail}`;
}

async function yank(actor: Actor): Promise<string> {
  const change = { crate: 'foo', version: '1.0.0', isYanked: true, reason: null, atMs: 9, actor };
  return (await records.setYanked(change)).kind;
}

async function create(name: string): Promise<string> {
  return (await records.createTeam({ name, atMs: 5, actor: root })).kind;
}

async function members(action: 'add' | 'remove', ...logins: string[]): Promise<unknown> {
  const outcome = await records.changeMembers({ team: 'infra', action, logins, atMs: 6, actor: root });
  return outcome.kind === 'changed' ? outcome.changed : outcome;
}

async function owners(action: 'add' | 'remove', logins: readonly string[], actor = alice): Promise<unknown> {
  const outcome = await records.changeOwners({ crate: 'foo', action, logins, atMs: 7, actor });
  return outcome.kind === 'changed' ? outcome.changed : outcome;
}

async function remove(name: string, mayOwnCrates = false): Promise<string> {
  return (await records.deleteTeam({ name, mayOwnCrates, atMs: 8, actor: root })).kind;
}

async function teamsOf(crate: string): Promise<readonly string[] | undefined> {
  return (await records.listOwnerTeams(crate))?.map(({ name }) => name);
}

async function audited(action: string): Promise<readonly string[]> {
  const { items } = await records.listAudit({}, ALL);
  return items
    .filter((entry) => entry.action === action)
    .map(({ actor, crate, subject, detail }) => [actor, crate, subject, detail].join(' '));
}

/** Makes the team `infra`, with Bob as its member, an owner of `foo`. */
async function setUp(): Promise<void> {
  await create('infra');
  await members('add', 'bob');
  await owners('add', ['team:infra']);
}

it('the login of a team is no login of a user', () => {
  expect(teamLogin('infra')).toBe('team:infra');
  expect([teamNameOf('team:infra'), teamNameOf('TEAM:Infra'), teamNameOf('team')]).toEqual([
    'infra',
    'Infra',
    null,
  ]);
});

describe('teams', () => {
  it('have names that are unique without regard to case', async () => {
    expect(await create('Infra')).toBe('created');
    expect(await create('INFRA')).toBe('taken');
    expect(await create('api')).toBe('created');
    expect(await records.findTeam('infra')).toMatchObject({ name: 'Infra', createdAtMs: 5, members: [] });
    expect(await records.findTeam('other')).toBeNull();
    const { items, total } = await records.listTeams({ limit: 1, offset: 1 });
    expect([items.map(({ name }) => name), total]).toEqual([['Infra'], 2]);
    expect(await audited('make-team')).toEqual(['root  team:api ', 'root  team:Infra ']);
  });

  it('get and lose members, all at once or not at all', async () => {
    await create('infra');
    expect(await members('add', 'BOB', 'nobody')).toEqual({ kind: 'no-user', login: 'nobody' });
    expect((await records.findTeam('infra'))?.members).toEqual([]);
    expect(await members('add', 'BOB', 'alice', 'bob')).toEqual(['bob', 'Alice']);
    expect(await members('add', 'bob')).toEqual([]);
    const logins = async (): Promise<unknown> =>
      (await records.findTeam('infra'))?.members.map(({ login }) => login);
    expect(await logins()).toEqual(['Alice', 'bob']);
    expect(await members('remove', 'alice', 'root')).toEqual({ kind: 'not-a-member', login: 'root' });
    expect(await members('remove', 'alice')).toEqual(['Alice']);
    expect(await logins()).toEqual(['bob']);
    expect((await records.listTeamsOf(bob.user.id)).map(({ name }) => name)).toEqual(['infra']);
    expect(await records.listTeamsOf(alice.user.id)).toEqual([]);
    expect(await audited('add-member')).toEqual(['root  Alice team:infra', 'root  bob team:infra']);
    expect(await audited('remove-member')).toEqual(['root  Alice team:infra']);
    const change = { team: 'other', action: 'add', logins: ['bob'], atMs: 1, actor: root } as const;
    expect(await records.changeMembers(change)).toEqual({ kind: 'no-team' });
  });

  it('have a limited number of members', async () => {
    await create('infra');
    const logins = Array.from({ length: 501 }, (_, index) => `user-${index}`);
    const rows = logins.map((login) => `('${login}', '${login}', 0, 0, 1)`).join(', ');
    const insert = 'INSERT INTO users (login, login_key, is_admin, is_disabled, created_at) VALUES';
    await changeRecords(registry.location, `${insert} ${rows}`);
    expect(await members('add', ...logins)).toEqual({ kind: 'too-many', max: 500 });
    expect(await members('add', ...logins.slice(1))).toHaveLength(500);
    expect(await members('add', 'user-0')).toEqual({ kind: 'too-many', max: 500 });
  });
});

describe('a team that owns a crate', () => {
  beforeEach(setUp);

  it('lets its members publish and yank, but change nothing else', async () => {
    expect(await publish(bob, '1.1.0')).toBe('published');
    expect(await yank(bob)).toBe('changed');
    expect(await owners('add', ['root'], bob)).toEqual({ kind: 'not-owner' });
    const change = { crate: 'foo', isTrustedOnly: true, atMs: 1, actor: bob };
    expect(await records.setTrustedOnly(change)).toEqual({ kind: 'not-owner' });
    expect(
      await records.createCratePublisher({
        ...{ issuer: 'https://ci.example', claims: [{ name: 'a', value: 'b' }], crate: 'foo' },
        ...{ atMs: 1, actor: bob },
      }),
    ).toEqual({ kind: 'not-owner' });
  });

  it('gives no rights to others, to former members, and to other crates', async () => {
    const eve = await registry.tokenOf(await registry.user('eve'));
    const notOwner = "403 this crate exists but you don't seem to be an owner";
    expect(await publish(eve, '1.1.0')).toBe(notOwner);
    await publish(alice, '1.0.0', 'bar');
    expect(await publish(bob, '1.1.0', 'bar')).toBe(notOwner);
    await members('remove', 'bob');
    expect(await publish(bob, '1.1.0')).toBe(notOwner);
    expect(await yank(bob)).toBe('not-owner');
  });

  it('does not extend the scopes and patterns of a token', async () => {
    const other = await registry.tokenOf(bob.user, { cratePatterns: ['bar'] });
    const yanks = await registry.tokenOf(bob.user, { scopes: ['yank'] });
    const refused =
      '403 the token does not allow this: it needs the scope `publish-update`, for the crate `foo`';
    for (const actor of [other, yanks]) expect(await publish(actor, '1.1.0')).toBe(refused);
  });

  it('is listed apart from users, and found by its login', async () => {
    expect((await records.listOwners('foo'))?.map(({ login }) => login)).toEqual(['Alice']);
    expect([await teamsOf('FOO'), await teamsOf('bar')]).toEqual([['infra'], undefined]);
    const found = async (...logins: string[]): Promise<unknown> =>
      (
        await records.listCrates(
          {
            ...{ query: '', keywords: [], categories: [], owners: logins },
            ...{ licenses: [], rustVersions: [], features: [] },
          },
          { ...ALL, order: 'name' },
        )
      ).items.map(({ name }) => name);
    await publish(alice, '1.0.0', 'bar');
    expect(await found('team:INFRA')).toEqual(['foo']);
    expect(await found('alice', 'team:infra')).toEqual(['foo']);
    expect(await found('team:infra', 'bob')).toEqual([]);
    expect(await found('team:other')).toEqual([]);
    expect(await found('infra')).toEqual([]);
    const rights = [alice, bob, root].map(({ user }) => records.findCrateRights('foo', user));
    expect(await Promise.all(rights)).toEqual(['all', 'versions', 'all']);
    expect(await records.findCrateRights('bar', bob.user)).toBe('none');
    expect(await records.findCrateRights('absent', root.user)).toBe('none');
  });

  it('can be added once and removed, but a user must stay an owner', async () => {
    expect(await owners('add', ['team:Infra'])).toEqual([]);
    expect(await owners('add', ['team:other'])).toEqual({ kind: 'no-team', login: 'team:other' });
    expect(await owners('remove', ['alice'])).toEqual({ kind: 'last-owner' });
    expect(await owners('remove', ['alice', 'team:infra'])).toEqual({ kind: 'last-owner' });
    expect(await owners('remove', ['team:infra', 'TEAM:INFRA'])).toEqual(['team:infra']);
    expect(await owners('remove', ['team:infra'])).toEqual({ kind: 'not-an-owner', login: 'team:infra' });
    expect(await teamsOf('foo')).toEqual([]);
    expect(await audited('add-owner')).toEqual(['Alice foo team:infra ']);
    expect(await audited('remove-owner')).toEqual(['Alice foo team:infra ']);
  });

  it('is deleted only on purpose, and then owns nothing', async () => {
    expect(await remove('infra')).toBe('owns-crates');
    expect((await records.listTeams(ALL)).items).toMatchObject([
      { name: 'infra', memberCount: 1, crateCount: 1 },
    ]);
    expect(await remove('INFRA', true)).toBe('deleted');
    expect(await remove('infra', true)).toBe('no-team');
    expect([await teamsOf('foo'), await records.listTeamsOf(bob.user.id)]).toEqual([[], []]);
    expect(await publish(bob, '1.1.0')).toContain('403');
    expect(await audited('remove-owner')).toEqual(['root foo team:infra ']);
    expect(await audited('delete-team')).toEqual(['root  team:infra ']);
    // A new team of that name has no rights of the old one.
    await create('infra');
    await members('add', 'bob');
    expect(await publish(bob, '1.1.0')).toContain('403');
  });

  it('survives the deletion of its crate', async () => {
    await records.deleteCrate({
      ...{ crate: 'foo', actor: null, reason: null, atMs: 1, mayReuseVersions: true },
      nameReservedUntilMs: 0,
    });
    expect((await records.findTeam('infra'))?.crateCount).toBe(0);
    expect(await remove('infra')).toBe('deleted');
  });

  it('lets a trusted publisher of a member publish, which the owners see', async () => {
    const publisher = { issuer: 'https://ci.example', claims: [{ name: 'a', value: 'b' }] };
    await records.createPublisher({
      ...publisher,
      ...{ cratePatterns: ['fo*'], userId: bob.user.id, atMs: 1, actor: root },
    });
    expect(await records.listCratePublishers('foo')).toHaveLength(1);
    await members('remove', 'bob');
    expect(await records.listCratePublishers('foo')).toEqual([]);
  });
});

it('a team that is deleted while it becomes an owner is an owner or gone, never both', async () => {
  for (let round = 0; round < 5; round += 1) {
    await create('infra');
    const [added, deleted] = await Promise.all([owners('add', ['team:infra']), remove('infra', true)]);
    expect([['team:infra'], { kind: 'no-team', login: 'team:infra' }]).toContainEqual(added);
    expect(deleted).toBe('deleted');
    expect([await teamsOf('foo'), (await records.listTeams(ALL)).total]).toEqual([[], 0]);
  }
});

it('a member who is removed during a publish is refused, or removed after it', async () => {
  await setUp();
  for (let round = 1; round <= 5; round += 1) {
    const [published] = await Promise.all([publish(bob, `1.${round}.0`), members('remove', 'bob')]);
    expect(published).toMatch(/^published$|^403 /);
    expect(await publish(bob, `2.${round}.0`)).toContain('403');
    await members('add', 'bob');
  }
});

it('changes of teams by a former admin are refused', async () => {
  await create('infra');
  const authorized = records.authorize(root, registry.context.clock);
  await records.updateUser(root.user.id, { isAdmin: false });
  const change = { atMs: 1, actor: root };
  const lost = /no longer allowed/;
  await expect(authorized.createTeam({ ...change, name: 'x' })).rejects.toThrow(lost);
  await expect(
    authorized.changeMembers({ ...change, team: 'infra', action: 'add', logins: ['bob'] }),
  ).rejects.toThrow(lost);
  await expect(authorized.deleteTeam({ ...change, name: 'infra', mayOwnCrates: true })).rejects.toThrow(lost);
  expect((await records.findTeam('infra'))?.members).toEqual([]);
});

it('teams are in a snapshot, and read-only records refuse to change them', async () => {
  await setUp();
  const temp = makeTempDir('teams');
  const snapshot = `${temp.path}/snapshot.db`;
  await records.saveSnapshot(snapshot);
  await remove('infra', true);
  await create('later');
  await records.loadSnapshot(snapshot);
  temp.remove();
  expect((await records.listTeams(ALL)).items).toMatchObject([{ name: 'infra', crateCount: 1 }]);
  expect(await publish(bob, '1.1.0')).toBe('published');
  await records.setReadOnly();
  const readOnly = /read-only/;
  await expect(create('new')).rejects.toThrow(readOnly);
  await expect(members('add', 'alice')).rejects.toThrow(readOnly);
  await expect(owners('remove', ['team:infra'])).rejects.toThrow(readOnly);
  await expect(remove('infra', true)).rejects.toThrow(readOnly);
  await records.setWritable();
  expect(await create('new')).toBe('created');
});
