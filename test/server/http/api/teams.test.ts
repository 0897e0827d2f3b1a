import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp, type ServerApp } from '../../../../src/server/app.ts';
import { openApiDocument } from '../../../../src/server/http/api/openapi.ts';
import { makeSecret, TOKEN_SCOPES } from '../../../../src/server/auth/tokens.ts';
import { differences, type Document } from '../../../helpers/matches-schema.ts';
import { publishBody } from '../../../helpers/publish-body.ts';
import { openTestRegistry, TEST_URL, type TestRegistry } from '../../../helpers/test-registry.ts';

let registry: TestRegistry;
let document: Document;
let app: ServerApp;
let alice: string;
let bob: string;

beforeAll(async () => {
  registry = await openTestRegistry();
  app = createApp(registry.context);
  document = JSON.parse(JSON.stringify(openApiDocument(registry.context.settings)));
  alice = await tokenOf('alice');
  bob = await tokenOf('bob');
  expect((await ask('PUT', 'crates/new', { token: alice, body: version('1.0.0') })).status).toBe(200);
  const { records } = registry.store;
  for (const name of ['infra', 'idle']) await records.createTeam({ name, atMs: 1, actor: null });
  await records.changeMembers({ team: 'infra', action: 'add', logins: ['bob'], atMs: 1, actor: null });
});

afterAll(() => registry[Symbol.asyncDispose]());

const version = (number: string): Uint8Array => publishBody({ name: 'mug', version: number }).bytes;
const logins = (...users: string[]): Uint8Array => Buffer.from(JSON.stringify({ users }));

async function tokenOf(login: string): Promise<string> {
  const { secret, hash, prefix } = makeSecret();
  const { id: userId } = await registry.user(login);
  await registry.store.records.createToken({
    ...{ userId, name: 'test', hash, prefix, scopes: TOKEN_SCOPES, cratePatterns: [] },
    ...{ createdAtMs: registry.nowMs, expiresAtMs: null },
  });
  return secret;
}

async function ask(
  method: string,
  path: string,
  { token, body }: { readonly token?: string; readonly body?: Uint8Array } = {},
): Promise<{ status: number; json: unknown }> {
  const init = {
    method,
    headers: token === undefined ? {} : { authorization: token },
    ...(body === undefined ? {} : { body: new Uint8Array(body) }),
  };
  const answer = await app.fetch(new Request(`${TEST_URL}/api/v1/${path}`, init), {});
  return { status: answer.status, json: await answer.json() };
}

const error = (detail: string): unknown => ({ errors: [{ detail }] });
const TEAM = { login: 'team:infra', name: 'infra', avatar: null, url: `${TEST_URL}/teams/infra` };

/** Returns the differences between a response and the OpenAPI document. */
function undocumented(path: string, json: unknown): readonly string[] {
  const pointer = `#/paths/${path.replaceAll('/', '~1')}/get/responses/200/content/application~1json/schema`;
  return differences(document, { $ref: pointer }, json);
}

describe('a team in the web API', () => {
  it('becomes an owner, is listed after the users, and stops being one', async () => {
    const path = 'crates/mug/owners';
    expect(await ask('PUT', path, { token: alice, body: logins('team:infra', 'alice') })).toEqual({
      status: 200,
      json: {
        ok: true,
        msg: 'team team:infra has been added as an owner of crate mug, user alice is already an owner of crate mug',
      },
    });
    const { json } = await ask('GET', path);
    expect(json).toEqual({
      users: [
        expect.objectContaining({ login: 'alice', kind: 'user' }),
        { ...TEAM, id: expect.any(Number), kind: 'team' },
      ],
    });
    expect(undocumented('/api/v1/crates/{crate}/owners', json)).toEqual([]);
    const teams = await ask('GET', 'crates/mug/owner_team');
    expect(teams.json).toEqual({ teams: [{ ...TEAM, id: expect.any(Number), kind: 'team' }] });
    expect(undocumented('/api/v1/crates/{crate}/owner_team', teams.json)).toEqual([]);
    expect((await ask('GET', 'crates/mug/owner_user')).json).toMatchObject({ users: [{ login: 'alice' }] });
    expect((await ask('DELETE', path, { token: alice, body: logins('TEAM:infra') })).status).toBe(200);
    expect((await ask('GET', 'crates/mug/owner_team')).json).toEqual({ teams: [] });
    expect((await ask('GET', 'crates/absent/owner_team')).status).toBe(404);
  });

  it('lets its members publish and yank, but not change owners', async () => {
    const path = 'crates/mug/owners';
    expect((await ask('PUT', 'crates/new', { token: bob, body: version('1.1.0') })).status).toBe(403);
    await ask('PUT', path, { token: alice, body: logins('team:infra') });
    expect((await ask('PUT', 'crates/new', { token: bob, body: version('1.1.0') })).status).toBe(200);
    expect((await ask('DELETE', 'crates/mug/1.1.0/yank', { token: bob })).status).toBe(200);
    expect(await ask('PUT', path, { token: bob, body: logins('bob') })).toEqual({
      status: 403,
      json: error('only owners have permission to modify owners'),
    });
  });

  it.each([
    ['PUT', ['team:other'], 404, 'could not find team with login `team:other`'],
    ['PUT', ['team:'], 404, 'could not find team with login `team:`'],
    ['PUT', ['github:acme:infra'], 404, 'could not find user with login `github:acme:infra`'],
    ['DELETE', ['team:idle'], 404, 'could not find owner with login `team:idle`'],
    [
      ...(['DELETE', ['alice', 'team:infra'], 409] as const),
      'cannot remove all owners of a crate: at least one user is required',
    ],
  ] as const)('%s of the owners %j is refused', async (method, names, status, detail) => {
    const answer = await ask(method, 'crates/mug/owners', { token: alice, body: logins(...names) });
    expect(answer).toEqual({ status, json: error(detail) });
  });

  it('is found by its login: by everyone if it owns a crate, otherwise with a token', async () => {
    await ask('PUT', 'crates/mug/owners', { token: alice, body: logins('team:infra') });
    const { json } = await ask('GET', 'teams/team%3AINFRA');
    expect(json).toEqual({ team: { ...TEAM, id: expect.any(Number) } });
    expect(undocumented('/api/v1/teams/{login}', json)).toEqual([]);
    expect((await ask('GET', 'teams/team:infra')).json).toEqual(json);
    expect(await ask('GET', 'teams/team:idle')).toEqual({
      status: 404,
      json: error('team `team:idle` does not exist'),
    });
    expect((await ask('GET', 'teams/team:idle', { token: bob })).status).toBe(200);
    for (const login of ['infra', 'bob', 'team:other'])
      expect((await ask('GET', `teams/${login}`, { token: bob })).status, login).toBe(404);
  });
});
