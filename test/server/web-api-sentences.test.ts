import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../../src/server/app.ts';
import { hashToken, TOKEN_SCOPES } from '../../src/server/auth/tokens.ts';
import type { User } from '../../src/server/store/values.ts';
import type { CrateDecl } from '../helpers/crate.ts';
import { frameBody, publishBody } from '../helpers/publish-body.ts';
import { openTestRegistry, TEST_URL, type TestRegistry } from '../helpers/test-registry.ts';

// Every sentence of the Registry Web API description that concerns the server, in order. Each test has the sentence in
// its title. Requests are sent as the description says that the client sends them.

const CLIENT_HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json',
  'user-agent': 'cargo/1.95.0',
};

/** The index of a registry that dependencies may come from. */
const ELSEWHERE = 'https://elsewhere.example/index';

let registry: TestRegistry;
let alice: User;
let bob: User;

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: unknown;
}

interface Asked {
  readonly token?: string | null;
  readonly body?: Uint8Array | string;
  readonly headers?: Readonly<Record<string, string>>;
}

async function ask(method: string, path: string, asked: Asked = {}): Promise<Answer> {
  const { token = 'of-alice', body, headers = CLIENT_HEADERS } = asked;
  const answer = await createApp(registry.context).fetch(
    new Request(TEST_URL + path, {
      method,
      headers: { ...headers, ...(token === null ? {} : { authorization: token }) },
      ...(body === undefined ? {} : { body: new Uint8Array(Buffer.from(body)) }),
    }),
    {},
  );
  const bytes = Buffer.from(await answer.arrayBuffer());
  const text = bytes.toString('utf8');
  const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true;
  return { status: answer.status, headers: answer.headers, text, json: isJson ? JSON.parse(text) : null };
}

const publish = (body: Uint8Array, asked: Asked = {}): Promise<Answer> =>
  ask('PUT', '/api/v1/crates/new', { ...asked, body });

/** Publishes a crate and checks that it is accepted. `more` replaces or adds fields of its JSON. */
async function published(decl: CrateDecl, more: Readonly<Record<string, unknown>> = {}): Promise<Answer> {
  const answer = await publish(publishBody(decl, more).bytes);
  expect([answer.status, answer.text], answer.text).toEqual([200, expect.anything()]);
  return answer;
}

/** Publishes a crate with the invalid fields `more`. Returns the status of the response. */
async function refusedWith(name: string, more: Readonly<Record<string, unknown>>): Promise<number> {
  return (await publish(publishBody({ name, version: '1.0.0' }, more).bytes)).status;
}

async function linesOf(name: string): Promise<readonly Record<string, unknown>[]> {
  const path = name.length > 3 ? `${name.slice(0, 2)}/${name.slice(2, 4)}/${name}` : `3/${name[0]}/${name}`;
  const { text } = await ask('GET', `/index/${path}`);
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line): Record<string, unknown> => JSON.parse(line));
}

const storedOf = async (name: string) =>
  (await registry.store.records.findVersion(name, '1.0.0'))?.metadata ?? null;
const users = (...logins: readonly string[]): string => JSON.stringify({ users: logins });
const isYanked = async (name: string): Promise<unknown> => (await linesOf(name))[0]?.['yanked'];
const error = (detail: unknown = expect.any(String)): unknown => ({ errors: [{ detail }] });

beforeAll(async () => {
  registry = await openTestRegistry({ dependencyRegistries: [ELSEWHERE] });
  alice = await registry.user('alice');
  bob = await registry.user('bob');
  for (const [user, secret] of [
    [alice, 'of-alice'],
    [bob, 'of-bob'],
  ] as const) {
    await registry.store.records.createToken({
      ...{ userId: user.id, name: 'test', hash: hashToken(secret), prefix: 'test', scopes: TOKEN_SCOPES },
      ...{ cratePatterns: [], createdAtMs: registry.nowMs, expiresAtMs: null },
    });
  }
  await published({ name: 'there', version: '1.0.0' });
});

afterAll(() => registry[Symbol.asyncDispose]());

describe('What the service does', () => {
  it('“host a web API at a location that the registry’s own configuration file (named config.json) defines”', async () => {
    const { json } = await ask('GET', '/index/config.json');
    expect(json).toMatchObject({ api: TEST_URL });
    expect((await ask('GET', '/api/v1/crates')).status).toBe(200);
  });

  it('“The registry also keeps an index of packages; publish, yank and unyank change what the index shows for a version.”', async () => {
    await published({ name: 'indexed', version: '1.0.0' });
    expect(await isYanked('indexed')).toBe(false);
    await ask('DELETE', '/api/v1/crates/indexed/1.0.0/yank');
    expect(await isYanked('indexed')).toBe(true);
    await ask('PUT', '/api/v1/crates/indexed/1.0.0/unyank');
    expect(await isYanked('indexed')).toBe(false);
  });
});

describe('General rules', () => {
  it('1 “The client sends these headers on every request: Content-Type, Accept, User-Agent (…; sent since client version 1.29)”: the server does not require them', async () => {
    for (const headers of [CLIENT_HEADERS, {}, { accept: 'image/png', 'content-type': 'text/odd' }]) {
      expect((await ask('GET', '/api/v1/crates', { headers })).status).toBe(200);
      const name = `headers-${Object.keys(headers).length}`;
      const { bytes } = publishBody({ name, version: '1.0.0' });
      expect((await publish(bytes, { headers })).status).toBe(200);
    }
  });

  it.each([
    ['PUT', '/api/v1/crates/new', undefined],
    ['DELETE', '/api/v1/crates/succeeds/1.0.0/yank', undefined],
    ['PUT', '/api/v1/crates/succeeds/1.0.0/unyank', undefined],
    ['GET', '/api/v1/crates/succeeds/owners', undefined],
    ['PUT', '/api/v1/crates/succeeds/owners', users('bob')],
    ['DELETE', '/api/v1/crates/succeeds/owners', users('bob')],
    ['GET', '/api/v1/crates?q=succeeds', undefined],
  ])('2 “A successful response uses status 200.” %s %s', async (method, path, body) => {
    const given = path.endsWith('/new') ? publishBody({ name: 'succeeds', version: '1.0.0' }).bytes : body;
    const answer = await ask(method, path, given === undefined ? {} : { body: given });
    expect([answer.status, answer.json], answer.text).toEqual([200, expect.any(Object)]);
    expect(answer.json).not.toHaveProperty('errors');
  });

  it('3 “Servers ignore unexpected query parameters and unexpected JSON fields.”', async () => {
    await published({ name: 'surprised', version: '1.0.0' }, { surprise: { a: [1] }, deps_extra: null });
    expect((await ask('GET', '/api/v1/crates?surprise=1&q=surprised')).json).toMatchObject({
      meta: { total: 1 },
    });
    const body = JSON.stringify({ users: ['bob'], surprise: true });
    expect((await ask('PUT', '/api/v1/crates/surprised/owners?surprise=1', { body })).status).toBe(200);
    expect((await ask('DELETE', '/api/v1/crates/surprised/1.0.0/yank?surprise=')).status).toBe(200);
  });

  it('4 “A JSON field that is missing is treated as null.”', async () => {
    const { archive } = publishBody({ name: 'sparing', version: '1.0.0' });
    const spare = await publish(frameBody('{"name":"sparing","vers":"1.0.0"}', archive));
    expect(spare.status, spare.text).toBe(200);
    const none = {
      deps: null,
      features: null,
      authors: null,
      keywords: null,
      categories: null,
      badges: null,
    };
    await published({ name: 'nothing-set', version: '1.0.0' }, none);
    expect({ ...(await storedOf('sparing')), name: '' }).toEqual({
      ...(await storedOf('nothing-set')),
      name: '',
    });
  });

  it.each([
    ['PUT', '/api/v1/crates/new'],
    ['DELETE', '/api/v1/crates/there/1.0.0/yank'],
    ['PUT', '/api/v1/crates/there/1.0.0/unyank'],
    ['PUT', '/api/v1/crates/there/owners'],
    ['DELETE', '/api/v1/crates/there/owners'],
  ])(
    '5 “Endpoints where the client sends Authorization are marked”: %s %s requires it',
    async (method, path) => {
      const { status, json, headers } = await ask(method, path, { token: null });
      expect([status, json]).toEqual([401, error()]);
      expect(headers.get('www-authenticate')).toBe(`Cargo login_url="${TEST_URL}/me"`);
    },
  );

  it('5 “Endpoints where the client sends Authorization are marked”: the list of owners checks it', async () => {
    expect((await ask('GET', '/api/v1/crates/there/owners')).status).toBe(200);
    expect((await ask('GET', '/api/v1/crates/there/owners', { token: 'bad' })).status).toBe(403);
  });
});

describe('Publish metadata object', () => {
  it.each<[string, string, unknown, unknown]>([
    ['authors “May be empty.”', 'authors', [], []],
    ['authors “array of strings”', 'authors', ['A', 'B <b@example.com>'], ['A', 'B <b@example.com>']],
    ['description “string or null”', 'description', 'What it is', 'What it is'],
    ['description “string or null”', 'description', null, null],
    [
      'documentation “string (URL) or null”',
      'documentation',
      'https://example.com/d',
      'https://example.com/d',
    ],
    ['documentation “string (URL) or null”', 'documentation', null, null],
    ['homepage “string (URL) or null”', 'homepage', 'https://example.com', 'https://example.com'],
    ['homepage “string (URL) or null”', 'homepage', null, null],
    ['repository “string (URL) or null”', 'repository', 'https://example.com/r', 'https://example.com/r'],
    ['repository “string (URL) or null”', 'repository', null, null],
    [
      'readme_file “Relative path to the readme file in the package.”',
      'readmeFile',
      'doc/README.md',
      'doc/README.md',
    ],
    ['license_file “Relative path to a license file in the package.”', 'licenseFile', 'LICENSE', 'LICENSE'],
    ['keywords “array of strings”', 'keywords', ['one', 'two'], ['one', 'two']],
    [
      'categories “array of strings”',
      'categories',
      ['parsing', 'os::unix-apis'],
      ['parsing', 'os::unix-apis'],
    ],
    ['license “string or null”', 'license', 'MIT OR Apache-2.0', 'MIT OR Apache-2.0'],
    ['license “string or null”', 'license', null, null],
  ])('%s (stores %s: %j)', async (_, field, value, stored) => {
    const name = `field-${createHash('sha256')
      .update(`${field}${JSON.stringify(value)}`)
      .digest('hex')
      .slice(0, 12)}`;
    const sent = field.replace('File', '_file');
    await published({ name, version: '1.0.0' }, { [sent]: value });
    expect(await storedOf(name)).toMatchObject({ [field]: stored });
  });

  it.each<[string, Readonly<Record<string, unknown>>]>([
    ['name “string”', { name: 7 }],
    ['name “Package name.”', { name: 'another' }],
    ['vers “string”', { vers: 1 }],
    ['vers “Version being published.”', { vers: '1.0.1' }],
    ['deps “array of dependency objects”', { deps: {} }],
    ['deps “array of dependency objects”', { deps: ['serde'] }],
    ['features “object: string -> array of strings”', { features: { a: 'b' } }],
    ['features “object: string -> array of strings”', { features: [] }],
    ['authors “array of strings”', { authors: 'me' }],
    ['description “string or null”', { description: 7 }],
    ['documentation “string (URL) or null”', { documentation: 'javascript:alert(1)' }],
    ['homepage “string (URL) or null”', { homepage: 'no url' }],
    ['repository “string (URL) or null”', { repository: 'git@example.com:a/b' }],
    ['readme “string or null”', { readme: ['#'] }],
    ['keywords “array of strings”', { keywords: [1] }],
    ['categories “array of strings”', { categories: 'parsing' }],
    ['license “string or null”', { license: {} }],
    ['badges “Each value is an object mapping string to string.”', { badges: { travis: 'x' } }],
    ['links “string or null”', { links: 1 }],
    ['rust_version “must be a valid version requirement without an operator”', { rust_version: '=1.70' }],
    ['rust_version “must be a valid version requirement without an operator”', { rust_version: 'new' }],
  ])('%s: refuses %j', async (_, more) => {
    expect(await refusedWith('malformed', more)).toBe(400);
    expect(await registry.store.records.findCrate('malformed')).toBeNull();
  });

  it('features “Each feature maps to the features or dependencies it enables.”', async () => {
    const deps = [{ name: 'there', req: '1', optional: true }];
    const features = { default: ['std'], std: ['dep:there'], plain: [] };
    await published({ name: 'featured', version: '1.0.0', deps, features });
    const [line] = await linesOf('featured');
    expect({ ...Object(line?.['features']), ...Object(line?.['features2']) }).toEqual(features);
  });

  it('features “The client imposes no limits on feature names.”: unusual names are accepted', async () => {
    const features = { 'c++20': [], _x: [], '1st': [], 'a.b': [] };
    await published({ name: 'odd-features', version: '1.0.0', features });
    expect((await linesOf('odd-features'))[0]).toMatchObject({ features });
  });

  it('readme “Content of the readme file.”', async () => {
    await published({ name: 'read', version: '1.0.0' }, { readme: '# Read me\n', readme_file: 'README.md' });
    expect(await registry.store.records.findReadme('read', '1.0.0')).toBe('# Read me\n');
  });

  it('badges “Interpretation of the format is up to the registry.”: unknown badges cause a warning', async () => {
    const { json } = await published(
      { name: 'badged', version: '1.0.0' },
      { badges: { maintenance: { status: 'none' }, sparkles: {} } },
    );
    expect(json).toMatchObject({ warnings: { invalid_badges: ['sparkles'] } });
  });

  it('links “Value of the package manifest’s links key; default null.”', async () => {
    const files = { 'src/lib.rs': '', 'build.rs': 'fn main() {}' };
    await published({ name: 'linked', version: '1.0.0', links: 'z', files });
    expect((await linesOf('linked'))[0]).toMatchObject({ links: 'z' });
    expect((await linesOf('there'))[0]).not.toHaveProperty('links');
  });

  it('rust_version “Minimal supported language version”', async () => {
    await published({ name: 'rusty', version: '1.0.0', rust_version: '1.70' });
    expect((await linesOf('rusty'))[0]).toMatchObject({ rust_version: '1.70' });
  });
});

describe('Dependency object', () => {
  it('“Original package name; if the dependency is renamed, the new name is in explicit_name_in_toml.”', async () => {
    await published({
      name: 'renames',
      version: '1.0.0',
      deps: [{ name: 'mine', package: 'there', req: '1' }],
    });
    expect((await linesOf('renames'))[0]).toMatchObject({ deps: [{ name: 'mine', package: 'there' }] });
  });

  it('“explicit_name_in_toml: missing or null means not renamed”, “registry: Missing or null means the current registry.”', async () => {
    const { archive } = publishBody({ name: 'plain-dep', version: '1.0.0', deps: ['there ^1'] });
    const dep = { name: 'there', version_req: '^1', features: [], optional: false, default_features: true };
    const json = { name: 'plain-dep', vers: '1.0.0', deps: [{ ...dep, kind: 'normal' }] };
    const answer = await publish(frameBody(JSON.stringify(json), archive));
    expect(answer.status, answer.text).toBe(200);
    const [line] = await linesOf('plain-dep');
    expect(line).toMatchObject({ deps: [{ name: 'there', req: '^1', target: null }] });
    expect(line?.['deps']).not.toMatchObject([{ package: expect.anything() }]);
    expect(line?.['deps']).not.toMatchObject([{ registry: expect.anything() }]);
  });

  it('“registry: URL of the index of the registry the dependency comes from.”', async () => {
    const dep = { name: 'far', req: '1', registry: ELSEWHERE };
    await published({ name: 'far-dep', version: '1.0.0', deps: [dep] });
    expect((await linesOf('far-dep'))[0]).toMatchObject({ deps: [{ registry: dep.registry }] });
  });

  it('“features enabled”, “optional”, “Whether default features are enabled”, “target: Null if not a target-specific dependency; otherwise a platform expression”', async () => {
    const dep = { name: 'there', req: '1', features: ['a'], optional: true, default: false };
    const target = 'cfg(unix)';
    await published({ name: 'full-dep', version: '1.0.0', deps: [{ ...dep, target }] });
    expect((await linesOf('full-dep'))[0]).toMatchObject({
      deps: [{ features: ['a'], optional: true, default_features: false, target }],
    });
  });

  it.each(['dev', 'build', 'normal'] as const)('“kind: One of dev, build, normal.” %s', async (kind) => {
    await published({ name: `kind-${kind}`, version: '1.0.0', deps: [{ name: 'there', req: '1', kind }] });
    expect((await linesOf(`kind-${kind}`))[0]).toMatchObject({ deps: [{ kind }] });
  });

  it.each([
    ['“kind: One of dev, build, normal.”', { kind: 'test' }],
    ['“version_req: Semver requirement.”', { version_req: 'one' }],
    ['“optional: boolean”', { optional: 'no' }],
    ['“features: array of strings”', { features: [1] }],
    ['“target: a platform expression string”', { target: 'cfg(' }],
    ['“registry: string (URL) or null”', { registry: 'elsewhere' }],
    ['“name: string”', { name: null }],
  ])('%s: refuses %j', async (_, more) => {
    const dep = { name: 'there', version_req: '1', features: [], optional: false, default_features: true };
    expect(await refusedWith('bad-dep', { deps: [{ ...dep, kind: 'normal', ...more }] })).toBe(400);
  });
});

describe('Owner object', () => {
  it('“id: unsigned 32-bit integer, Unique.” “login: Unique username of the owner.” “name: string or null, Optional display name.”', async () => {
    await registry.store.records.updateUser(bob.id, { name: 'Bob B.' });
    await published({ name: 'owned', version: '1.0.0' });
    await ask('PUT', '/api/v1/crates/owned/owners', { body: users('bob') });
    const { json } = await ask('GET', '/api/v1/crates/owned/owners');
    expect(json).toMatchObject({
      users: [
        { id: alice.id, login: 'alice', name: null },
        { id: bob.id, login: 'bob', name: 'Bob B.' },
      ],
    });
    expect(alice.id).not.toBe(bob.id);
    for (const { id } of [alice, bob]) expect(id === id >>> 0).toBe(true);
    const again = { login: 'ALICE', name: null, isAdmin: false, atMs: 1 };
    expect(await registry.store.records.createUser(again)).toBeNull();
  });
});

describe('States and transitions', () => {
  it('“Each published version of a package carries a yank field in the index.”', async () => {
    expect((await linesOf('there')).every((line) => line['yanked'] === false)).toBe(true);
  });

  it('“yank = false: DELETE yank endpoint, success: yank = true; Response ok: true.” “yank = true: PUT unyank endpoint, success: yank = false; Response ok: true.”', async () => {
    await published({ name: 'to-and-fro', version: '1.0.0' });
    const yank = await ask('DELETE', '/api/v1/crates/to-and-fro/1.0.0/yank');
    expect([yank.status, yank.json, await isYanked('to-and-fro')]).toEqual([200, { ok: true }, true]);
    const unyank = await ask('PUT', '/api/v1/crates/to-and-fro/1.0.0/unyank');
    expect([unyank.status, unyank.json, await isYanked('to-and-fro')]).toEqual([200, { ok: true }, false]);
  });

  it('“After a successful publish, the new version need not be in the index at once”: here it is there at once', async () => {
    await published({ name: 'at-once', version: '1.0.0' });
    expect(await linesOf('at-once')).toHaveLength(1);
  });
});

describe('Publish', () => {
  it('“The server validates the package, makes it available for download and adds it to the index.”', async () => {
    const { bytes, archive } = publishBody({ name: 'available', version: '1.0.0' });
    expect((await publish(bytes)).status).toBe(200);
    const { text, headers } = await ask('GET', '/api/v1/crates/available/1.0.0/download');
    expect([headers.get('content-length'), text]).toEqual([String(archive.length), archive.toString('utf8')]);
    const cksum = createHash('sha256').update(archive).digest('hex');
    expect(await linesOf('available')).toMatchObject([{ vers: '1.0.0', cksum }]);
  });

  it('“Request body is binary, in this order: 1. 32-bit unsigned little-endian integer … 4. The package archive file”', async () => {
    const { metadata, archive, bytes } = publishBody({ name: 'in-order', version: '1.0.0' });
    const json = Buffer.from(JSON.stringify(metadata));
    expect(bytes.readUInt32LE(0)).toBe(json.length);
    expect(bytes.subarray(4, 4 + json.length).equals(json)).toBe(true);
    expect(bytes.readUInt32LE(4 + json.length)).toBe(archive.length);
    expect((await publish(bytes)).status).toBe(200);
    const wrong = Buffer.from(publishBody({ name: 'out-of-order', version: '1.0.0' }).bytes);
    wrong.writeUInt32BE(wrong.readUInt32LE(0), 0);
    expect([400, 413]).toContain((await publish(wrong)).status);
    for (const length of [wrong.length - 1, wrong.length + 1]) {
      const { bytes: body } = publishBody({ name: 'cut-or-longer', version: '1.0.0' });
      const other = Buffer.alloc(length < body.length ? body.length - 1 : body.length + 1);
      body.copy(other);
      expect((await publish(other)).status).toBe(400);
    }
  });

  it('“Success response: JSON object with optional warnings (warnings object).” “invalid_categories … invalid_badges … other: array of strings”', async () => {
    const more = { categories: ['parsing', 'no-such-thing'], badges: { nope: { a: 'b' } } };
    expect((await published({ name: 'warned', version: '1.0.0' }, more)).json).toEqual({
      warnings: {
        invalid_categories: ['no-such-thing'],
        invalid_badges: ['nope'],
        other: expect.any(Array),
      },
    });
    expect(await storedOf('warned')).toMatchObject({ categories: ['parsing'] });
  });
});

describe('Yank and unyank', () => {
  it('“No request body.”: a body is ignored', async () => {
    const body = 'not expected';
    expect((await ask('DELETE', '/api/v1/crates/there/1.0.0/yank', { body })).json).toEqual({ ok: true });
    expect((await ask('PUT', '/api/v1/crates/there/1.0.0/unyank', { body })).json).toEqual({ ok: true });
  });

  it('“Sets yank of the given version to true in the index.”: other versions do not change', async () => {
    for (const version of ['1.0.0', '1.1.0']) await published({ name: 'one-of-two', version });
    await ask('DELETE', '/api/v1/crates/one-of-two/1.1.0/yank');
    expect((await linesOf('one-of-two')).map((line) => line['yanked'])).toEqual([false, true]);
  });
});

describe('Owners', () => {
  it('list: “Success response: {users: [owner object, ...]}.”', async () => {
    expect((await ask('GET', '/api/v1/crates/there/owners')).json).toEqual({
      users: [expect.objectContaining({ id: alice.id, login: 'alice', name: null })],
    });
  });

  it('add: “Success response: {ok: true, msg: string}; msg is displayed to the user.” remove: “Success response: {ok: true, msg: string}”', async () => {
    await published({ name: 'handed-on', version: '1.0.0' });
    const path = '/api/v1/crates/handed-on/owners';
    expect((await ask('PUT', path, { body: users('bob') })).json).toEqual({
      ok: true,
      msg: 'user bob has been added as an owner of crate handed-on',
    });
    expect((await ask('DELETE', path, { body: users('alice') })).json).toEqual({
      ok: true,
      msg: expect.any(String),
    });
    expect((await ask('GET', path)).json).toMatchObject({ users: [{ login: 'bob' }] });
  });

  it('“The registry decides how to process it”: a new owner may publish without accepting first', async () => {
    await published({ name: 'shared', version: '1.0.0' });
    await ask('PUT', '/api/v1/crates/shared/owners', { body: users('bob') });
    const { bytes } = publishBody({ name: 'shared', version: '1.1.0' });
    expect((await publish(bytes, { token: 'of-bob' })).status).toBe(200);
  });
});

describe('Search', () => {
  beforeAll(async () => {
    for (let i = 0; i < 12; i += 1) await published({ name: `needle-${i}`, version: '1.0.0' });
  });

  const search = async (query: string): Promise<{ crates: unknown[]; meta: { total: number } }> =>
    JSON.parse((await ask('GET', `/api/v1/crates?${query}`, { token: null })).text);

  it('“q: Search query; the criteria used are defined by the server.” “name, max_version: Highest version available, description: Textual description”', async () => {
    await published({ name: 'haystack', version: '1.0.0' });
    await published({ name: 'haystack', version: '1.2.0' }, { description: 'All of it' });
    expect((await search('q=haystack')).crates).toMatchObject([
      { name: 'haystack', max_version: '1.2.0', description: 'All of it' },
    ]);
  });

  it('“per_page: Number of results; default 10, maximum 100.”', async () => {
    expect((await search('q=needle')).crates).toHaveLength(10);
    expect((await search('q=needle&per_page=3')).crates).toHaveLength(3);
    expect((await search('q=needle&per_page=101')).crates).toHaveLength(12);
  });

  it('“total is the total number of results available on the server.”', async () => {
    expect((await search('q=needle&per_page=1')).meta.total).toBe(12);
  });

  it('“Whether Authorization is sent: not shown.”: search works without a token and with one', async () => {
    expect((await ask('GET', '/api/v1/crates', { token: null })).status).toBe(200);
    expect((await ask('GET', '/api/v1/crates')).status).toBe(200);
  });
});

describe('Login', () => {
  it('“/me is not an actual API request. It exists so that the client’s login command can show the user a URL to visit in a web browser to log in and obtain an API token.”', async () => {
    const { status, headers } = await ask('GET', '/me', { token: null, headers: { accept: 'text/html' } });
    expect([status, headers.get('location')]).toEqual([303, '/sign-in?return=%2Fme']);
  });
});

describe('Authentication', () => {
  const yank = (token: string): Promise<Answer> =>
    ask('DELETE', '/api/v1/crates/there/1.0.0/yank', { token });

  it('1 “its value is the API token”', async () => {
    expect((await yank('of-alice')).status).toBe(200);
  });

  it('2 “When the token is not valid, the server responds with status 403.”', async () => {
    for (const token of ['wrong', 'of-alice2', 'Basic b2Y6YWxpY2U=']) {
      const { status, json } = await yank(token);
      expect([status, json]).toEqual([403, error()]);
    }
  });

  it('4 “Who may perform which operation (ownership checks) is up to the registry.”: only owners may change a crate', async () => {
    const { bytes } = publishBody({ name: 'there', version: '2.0.0' });
    const answers = [
      await yank('of-bob'),
      await publish(bytes, { token: 'of-bob' }),
      await ask('PUT', '/api/v1/crates/there/owners', { token: 'of-bob', body: users('bob') }),
    ];
    for (const { status, json } of answers) expect([status, json]).toEqual([403, error()]);
  });
});

describe('Errors', () => {
  it.each([
    ['DELETE', '/api/v1/crates/absent/1.0.0/yank', 404],
    ['PUT', '/api/v1/crates/there/9.9.9/unyank', 404],
    ['GET', '/api/v1/crates/absent/owners', 404],
    ['GET', '/api/v1/nothing', 404],
    ['GET', '/api/v1/crates?per_page=0', 400],
    ['POST', '/api/v1/crates/new', 405],
  ])(
    '1 “Failure responses use an appropriate status code” 2 “A failure response body should be the error object” %s %s',
    async (method, path, status) => {
      const answer = await ask(method, path);
      expect([answer.status, answer.json]).toEqual([status, error()]);
    },
  );

  it('3 “the client shows the detail messages to the user, even if the status is 200”: successful responses have no errors', async () => {
    const { bytes } = publishBody({ name: 'no-errors', version: '1.0.0' });
    expect((await publish(bytes)).text).not.toContain('errors');
    expect((await ask('GET', '/api/v1/crates')).text).not.toContain('"errors"');
  });

  it('4 “When the status indicates an error and the body does not have that structure, the client shows a message meant to help debug”: internal errors have that structure too', async () => {
    const { records } = registry.context;
    const broken = { ...records, listOwners: () => Promise.reject(new Error('broken')) };
    const app = createApp({ ...registry.context, records: broken });
    const answer = await app.fetch(new Request(`${TEST_URL}/api/v1/crates/there/owners`), {});
    expect([answer.status, await answer.json()]).toEqual([500, error()]);
  });

  it('5 “status code and message per endpoint and condition (for example duplicate version, unknown package)”', async () => {
    const again = await publish(publishBody({ name: 'there', version: '1.0.0' }).bytes);
    expect([again.status, again.json]).toEqual([409, error('crate version `1.0.0` is already uploaded')]);
    const unknown = await ask('DELETE', '/api/v1/crates/absent/1.0.0/yank');
    expect(unknown.json).toEqual(error('crate `absent` does not exist'));
  });
});

describe('Versioning', () => {
  it('1 “Endpoints are versioned by the v1 path component”', async () => {
    expect((await ask('GET', '/api/v1/crates')).status).toBe(200);
    for (const path of ['/api/v2/crates', '/api/crates']) expect((await ask('GET', path)).status).toBe(404);
  });
});
