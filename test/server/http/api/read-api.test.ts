import { array, type Decoder, field, fields, orElse, string } from '../../../../src/core/json/decode.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp, type ServerApp } from '../../../../src/server/app.ts';
import { makeSecret } from '../../../../src/server/auth/tokens.ts';
import type { Actor } from '../../../../src/server/store/values.ts';
import { type Document, differences, resolve } from '../../../helpers/matches-schema.ts';
import { publishBody } from '../../../helpers/publish-body.ts';
import { openTestRegistry, TEST_URL, type TestRegistry } from '../../../helpers/test-registry.ts';

const META = {
  description: 'Tides in <b>',
  authors: ['Ann <ann@example.com>', 'Bo'],
  keywords: ['sea', 'moon'],
  categories: ['development-tools::procedural-macro-helpers', 'science'],
  license: 'MIT',
  homepage: 'https://tide.example',
  documentation: 'https://docs.tide.example',
  repository: 'https://github.com/tide/tide',
  readme: '# Tide\n\nA [guide](docs/guide.md) <script>alert(1)</script>',
  readme_file: 'README.md',
};

let registry: TestRegistry;
let actor: Actor;
let open: ServerApp;
let closed: ServerApp;
let document: Document;

beforeAll(async () => {
  registry = await openTestRegistry();
  const user = await registry.user('alice');
  await registry.store.records.updateUser(user.id, { name: 'Alice A' });
  await registry.user('quiet');
  actor = await registry.tokenOf(user);
  for (const version of ['0.1.0', '1.0.0', '1.1.0', '2.0.0-rc.1', '1.0.1+build.7'])
    await publish({ version });
  await yank('tide-pool', '1.1.0', 'loses water');
  const deps = [
    { name: 'tide-pool', req: '^1', kind: 'dev' } as const,
    { name: 'tide-pool', req: '^1.0', features: ['full'], optional: true, default: false },
    { name: 'sys', package: 'libc', req: '0.2', target: 'cfg(unix)' },
  ];
  await publish(
    { name: 'user', version: '1.0.0', deps },
    { license: null, license_file: 'LICENSE', readme: null },
  );
  await publish({ name: 'Other', version: '0.1.0-alpha', deps: ['tide_pool 1'] });
  await publish({ name: 'gone', version: '1.0.0' });
  await yank('gone', '1.0.0', null);
  await registry.store.records.addDownloads(
    [
      { crate: 'tide-pool', version: '1.0.0', count: 7 },
      { crate: 'user', version: '1.0.0', count: 3 },
    ],
    registry.nowMs,
  );
  open = createApp(registry.context);
  closed = createApp({ ...registry.context, settings: { ...registry.context.settings, authRequired: true } });
  document = JSON.parse((await ask('/api/openapi.json')).text);
});

afterAll(() => registry[Symbol.asyncDispose]());

async function publish(
  decl: Partial<Parameters<typeof publishBody>[0]>,
  more: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const body = publishBody({ name: 'tide-pool', version: '1.0.0', ...decl }, { ...META, ...more });
  expect(await registry.publish(actor, body.bytes)).toMatchObject({ kind: 'published' });
}

async function yank(crate: string, version: string, reason: string | null): Promise<void> {
  await registry.store.records.setYanked({
    crate,
    version,
    isYanked: true,
    reason,
    atMs: registry.nowMs,
    actor,
  });
}

async function ask(
  path: string,
  { token, app = open }: { readonly token?: string; readonly app?: ServerApp } = {},
): Promise<{ status: number; text: string; headers: Headers }> {
  const headers = token === undefined ? {} : { authorization: token };
  const answer = await app.fetch(new Request(`http://127.0.0.1${path}`, { headers }), {});
  return { status: answer.status, text: await answer.text(), headers: answer.headers };
}

/** Returns the JSON of a response with status 200. */
async function read(path: string): Promise<Record<string, unknown>> {
  const { status, text } = await ask(`/api/v1/${path}`);
  expect([status, text]).toEqual([200, expect.any(String)]);
  return JSON.parse(text);
}

/** Returns the status and the error of a response. */
async function refusal(path: string): Promise<readonly [number, unknown]> {
  const { status, text } = await ask(`/api/v1/${path}`);
  return [status, JSON.parse(text)];
}

const error = (detail: unknown): unknown => ({ errors: [{ detail }] });

const ALICE = { login: 'alice', name: 'Alice A', avatar: null, url: `${TEST_URL}/users/alice` };

const any: Decoder<unknown> = (value) => value;
/** Returns the names of crates. */
const names = array(field('name', string));
/** Returns the version numbers in a response; null if it has none. */
const numbers = field('versions', orElse(array(field('num', string)), null));

describe('a crate', () => {
  it('has the fields of crates.io, its versions (last published first), keywords and categories', async () => {
    const { crate, versions, keywords, categories } = await read('crates/TIDE_pool');
    expect(crate).toEqual({
      ...{ id: 'tide-pool', name: 'tide-pool', description: META.description, homepage: META.homepage },
      ...{ documentation: META.documentation, repository: META.repository, badges: [], exact_match: false },
      ...{ created_at: expect.any(String), updated_at: expect.any(String), downloads: 7 },
      ...{ recent_downloads: null, versions: [4, 5, 2, 3, 1].map(() => expect.any(Number)) },
      ...{ keywords: META.keywords, categories: META.categories, default_version: '1.0.1+build.7' },
      ...{ num_versions: 5, yanked: false, max_version: '2.0.0-rc.1', newest_version: '1.0.1+build.7' },
      ...{ max_stable_version: '1.0.1+build.7', trustpub_only: false },
      links: {
        owners: '/api/v1/crates/tide-pool/owners',
        owner_user: '/api/v1/crates/tide-pool/owner_user',
        owner_team: '/api/v1/crates/tide-pool/owner_team',
        reverse_dependencies: '/api/v1/crates/tide-pool/reverse_dependencies',
        version_downloads: '/api/v1/crates/tide-pool/downloads',
        versions: null,
      },
    });
    expect(numbers({ versions })).toEqual(['1.0.1+build.7', '2.0.0-rc.1', '1.1.0', '1.0.0', '0.1.0']);
    expect(keywords).toMatchObject([{ id: 'sea', keyword: 'sea' }, { id: 'moon' }]);
    expect(categories).toMatchObject([
      { slug: META.categories[0], category: 'Procedural macro helpers' },
      { id: 'science', category: 'Science' },
    ]);
  });

  it('has the IDs of its versions in the same order', async () => {
    const { crate, versions } = await read('crates/tide-pool');
    expect(crate).toMatchObject({ versions: array(field('id', any))(versions) });
  });

  it.each([
    ['', { versions: null, keywords: null, categories: null }],
    ['keywords', { versions: null, keywords: [{}, {}], categories: null }],
    ['categories,downloads', { versions: null, keywords: null, categories: [{}, {}] }],
    ['default_version', { versions: [{ num: '1.0.1+build.7' }], keywords: null }],
    ['versions,badges', { versions: [{}, {}, {}, {}, {}], keywords: null }],
    ['full', { versions: [{}, {}, {}, {}, {}], keywords: [{}, {}], categories: [{}, {}] }],
  ])('has only the parts that `include=%s` names', async (include, expected) => {
    const found = await read(`crates/tide-pool?include=${include}`);
    expect(found).toMatchObject(expected);
    const hasVersions = /full|versions/.test(include);
    expect(found['crate']).toMatchObject({
      links: { versions: hasVersions ? null : '/api/v1/crates/tide-pool/versions' },
    });
  });

  it('cannot include unknown parts', async () => {
    expect(await refusal('crates/tide-pool?include=versions,toString')).toEqual([
      400,
      error(expect.stringContaining('not `toString`')),
    ]);
  });

  it('that is yanked completely, or has only pre-releases, says so', async () => {
    expect((await read('crates/gone'))['crate']).toMatchObject({
      ...{ yanked: true, max_version: '1.0.0', newest_version: '1.0.0', max_stable_version: null },
      default_version: '1.0.0',
    });
    expect((await read('crates/other'))['crate']).toMatchObject({
      ...{ name: 'Other', yanked: false, max_version: '0.1.0-alpha', max_stable_version: null },
      default_version: '0.1.0-alpha',
    });
  });

  it.each(['', '/versions', '/downloads', '/owner_user', '/owner_team', '/reverse_dependencies', '/1.0.0'])(
    'that does not exist causes crates.io’s error at `%s`',
    async (path) => {
      expect(await refusal(`crates/nope${path}`)).toEqual([404, error('crate `nope` does not exist')]);
    },
  );
});

describe('the versions of a crate', () => {
  it('come in parts that `next_page` continues, highest first', async () => {
    const first = await read('crates/tide_pool/versions?per_page=2');
    expect(numbers(first)).toEqual(['2.0.0-rc.1', '1.1.0']);
    expect(first['meta']).toEqual({ total: 5, next_page: '?per_page=2&seek=2' });
    const second = await read('crates/tide-pool/versions?per_page=2&seek=2');
    expect(numbers(second)).toEqual(['1.0.1+build.7', '1.0.0']);
    expect(numbers(await read('crates/tide-pool/versions?per_page=2&page=2'))).toEqual(numbers(second));
    const last = await read('crates/tide-pool/versions?per_page=2&seek=4');
    expect([numbers(last), last['meta']]).toEqual([['0.1.0'], { total: 5, next_page: null }]);
    expect(await read('crates/tide-pool/versions?seek=99')).toMatchObject({
      versions: [],
      meta: { next_page: null },
    });
  });

  it('come all at once by default, and by date on request', async () => {
    const all = await read('crates/tide-pool/versions');
    expect([numbers(all), all['meta']]).toMatchObject([{ length: 5 }, { next_page: null }]);
    const newest = await read('crates/tide-pool/versions?sort=date&per_page=3');
    expect(numbers(newest)).toEqual(['1.0.1+build.7', '2.0.0-rc.1', '1.1.0']);
    expect(newest['meta']).toEqual({ total: 5, next_page: '?sort=date&per_page=3&seek=3' });
  });

  it.each(['seek=x', 'seek=', 'sort=toString', 'per_page=0', 'page=-1'])(
    'cannot be read with `%s`',
    async (query) => {
      expect(await refusal(`crates/tide-pool/versions?${query}`)).toEqual([400, error(expect.any(String))]);
    },
  );
});

describe('a version', () => {
  it('has the fields of crates.io', async () => {
    const { version } = await read('crates/tide_pool/1.1.0');
    const path = '/api/v1/crates/tide-pool/1.1.0';
    expect(version).toEqual({
      ...{ id: expect.any(Number), crate: 'tide-pool', num: '1.1.0', dl_path: `${path}/download` },
      ...{ readme_path: `${path}/readme`, created_at: expect.any(String), updated_at: expect.any(String) },
      ...{ downloads: 0, features: {}, yanked: true, yank_message: 'loses water', lib_links: null },
      links: {
        dependencies: `${path}/dependencies`,
        version_downloads: `${path}/downloads`,
        authors: `${path}/authors`,
      },
      ...{
        license: 'MIT',
        crate_size: expect.any(Number),
        checksum: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
      ...{ published_by: { ...ALICE, id: expect.any(Number) }, audit_actions: [], rust_version: null },
      ...{ description: META.description, homepage: META.homepage, documentation: META.documentation },
      repository: META.repository,
    });
  });

  it('has the license `non-standard` if it names only a file', async () => {
    expect(await read('crates/user/1.0.0')).toMatchObject({ version: { license: 'non-standard' } });
  });

  it('is found by its exact number only, and otherwise causes crates.io’s error', async () => {
    expect(await read('crates/tide-pool/1.0.1+build.7')).toMatchObject({ version: { num: '1.0.1+build.7' } });
    for (const path of ['', '/dependencies', '/readme', '/authors', '/downloads']) {
      expect(await refusal(`crates/TIDE-pool/1.0${path}`)).toEqual([
        404,
        error('crate `tide-pool` does not have a version `1.0`'),
      ]);
    }
  });

  it('lists its dependencies in the order of the manifest, with different IDs', async () => {
    const { dependencies } = await read('crates/user/1.0.0/dependencies');
    const [id, versionId] = [expect.any(Number), expect.any(Number)];
    const common = { id, version_id: versionId, downloads: 0, default_features: true, features: [] };
    expect(dependencies).toEqual([
      { ...common, crate_id: 'tide-pool', req: '^1', optional: false, target: null, kind: 'dev' },
      {
        ...common,
        ...{
          crate_id: 'tide-pool',
          req: '^1.0',
          optional: true,
          default_features: false,
          features: ['full'],
        },
        ...{ target: null, kind: 'normal' },
      },
      { ...common, crate_id: 'libc', req: '0.2', optional: false, target: 'cfg(unix)', kind: 'normal' },
    ]);
    const ids = array(field('id', any))(dependencies);
    expect(new Set(ids).size).toBe(3);
  });

  it('lists its authors', async () => {
    expect(await read('crates/tide-pool/1.0.0/authors')).toEqual({
      users: [],
      meta: { names: META.authors },
    });
  });

  it('has downloads by day, separately for the five highest versions of a crate', async () => {
    const date = new Date(registry.nowMs).toISOString().slice(0, 10);
    const version = (await registry.store.records.findVersion('tide-pool', '1.0.0'))?.id;
    const expected = { version_downloads: [{ version, downloads: 7, date }] };
    expect(await read('crates/tide-pool/1.0.0/downloads')).toEqual(expected);
    expect(await read('crates/tide-pool/1.1.0/downloads')).toEqual({ version_downloads: [] });
    expect(await read('crates/tide-pool/downloads')).toEqual({ ...expected, meta: { extra_downloads: [] } });
  });

  it('has its readme as HTML that nothing can run in', async () => {
    const { status, text, headers } = await ask('/api/v1/crates/tide-pool/1.0.0/readme');
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=UTF-8']);
    expect(headers.get('content-security-policy')).toMatch(/^sandbox; default-src 'none';/);
    expect(text).toMatch(/Tide <a href="#readme-tide"[^>]*>#<\/a><\/h1>/);
    expect(text).toContain('https://github.com/tide/tide/');
    expect(text).not.toContain('script');
    expect(await refusal('crates/user/1.0.0/readme')).toEqual([
      404,
      error('crate `user` version `1.0.0` has no readme'),
    ]);
  });
});

it('lists owners with all details, and no teams', async () => {
  expect(await read('crates/tide_pool/owner_user')).toEqual({
    users: [{ ...ALICE, id: expect.any(Number), kind: 'user' }],
  });
  expect(await read('crates/tide-pool/owner_team')).toEqual({ teams: [] });
});

it('lists dependents with the strongest dependency, its version and the downloads of the dependent', async () => {
  const { dependencies, versions, meta } = await read('crates/tide_pool/reverse_dependencies');
  expect(meta).toEqual({ total: 2 });
  expect(dependencies).toMatchObject([
    { crate_id: 'tide-pool', kind: 'normal', req: '^1.0', optional: true, downloads: 3, features: ['full'] },
    { crate_id: 'tide-pool', req: '1', downloads: 0 },
  ]);
  expect(versions).toMatchObject([{ crate: 'user' }, { crate: 'Other', num: '0.1.0-alpha' }]);
  expect(array(field('version_id', any))(dependencies)).toEqual(array(field('id', any))(versions));
  const page = await read('crates/tide-pool/reverse_dependencies?per_page=1&page=2');
  expect(page).toMatchObject({ versions: [{ crate: 'Other' }], meta: { total: 2 } });
});

describe('the search', () => {
  it('lists crates as they are without their parts, and marks an exact match', async () => {
    const { crate } = await read('crates/tide-pool?include=');
    const { crates, meta } = await read('crates?q=tide_POOL');
    expect({ crates, meta }).toEqual({
      crates: [{ ...Object(crate), exact_match: true }],
      meta: { total: 1 },
    });
    expect((await read('crates?q=pool'))['crates']).toMatchObject([{ exact_match: false }]);
  });

  it.each([
    ['keyword=Moon&sort=alpha', ['gone', 'Other', 'tide-pool', 'user']],
    ['category=development-tools&q=tide&per_page=1', ['tide-pool']],
    ['keyword=sun', []],
    ['category=science&keyword=sun', []],
  ])('selects crates by category and keyword: %s', async (query, expected) => {
    expect(names((await read(`crates?${query}`))['crates'])).toEqual(expected);
  });
});

describe('the summary', () => {
  it('has totals, and lists of crates without their versions', async () => {
    const summary = await read('summary');
    expect(summary).toMatchObject({
      num_crates: 4,
      num_downloads: 10,
      popular_keywords: [
        { keyword: 'moon', crates_cnt: 4 },
        { keyword: 'sea', crates_cnt: 4 },
      ],
      popular_categories: [
        { slug: 'development-tools', crates_cnt: 4 },
        { slug: 'science', crates_cnt: 4 },
      ],
    });
    expect(names(summary['new_crates'])).toEqual(['gone', 'Other', 'user', 'tide-pool']);
    expect(names(summary['most_downloaded']).slice(0, 2)).toEqual(['tide-pool', 'user']);
    expect(summary['most_recently_downloaded']).toEqual(summary['most_downloaded']);
    expect(names(summary['just_updated'])).toEqual(['gone', 'tide-pool']);
    expect(summary).toMatchObject({
      most_downloaded: [
        { versions: null, links: { versions: '/api/v1/crates/tide-pool/versions' } },
        {},
        {},
        {},
      ],
    });
  });

  it('omits crates that are deleted meanwhile', async () => {
    const records = { ...registry.context.records, describeCrates: async () => [] };
    const { status, text } = await ask('/api/v1/summary', {
      app: createApp({ ...registry.context, records }),
    });
    expect([status, JSON.parse(text)]).toMatchObject([200, { new_crates: [], most_downloaded: [] }]);
  });
});

describe('a user', () => {
  it('is found by everyone if they own a crate', async () => {
    expect(await read('users/ALICE')).toEqual({ user: { ...ALICE, id: expect.any(Number) } });
  });

  it('without crates is hidden from strangers, as if they did not exist', async () => {
    expect(await refusal('users/quiet')).toEqual([404, error('user `quiet` does not exist')]);
    expect(await refusal('users/nobody')).toEqual([404, error('user `nobody` does not exist')]);
    const { secret, hash, prefix } = makeSecret();
    const times = { createdAtMs: registry.nowMs, expiresAtMs: null };
    await registry.store.records.createToken({
      ...{ userId: actor.user.id, name: 'test', hash, prefix, scopes: ['read'], cratePatterns: [], ...times },
    });
    expect(await ask('/api/v1/users/quiet', { token: secret })).toMatchObject({ status: 200 });
  });
});

const READS = [
  ['getCrate', 'crates/tide-pool'],
  ['getCrate', 'crates/other?include='],
  ['listVersions', 'crates/tide-pool/versions?per_page=2'],
  ['getVersion', 'crates/user/1.0.0'],
  ['getDependencies', 'crates/user/1.0.0/dependencies'],
  ['getAuthors', 'crates/tide-pool/1.0.0/authors'],
  ['getVersionDownloads', 'crates/tide-pool/1.0.0/downloads'],
  ['getCrateDownloads', 'crates/tide-pool/downloads'],
  ['listOwners', 'crates/tide-pool/owners'],
  ['listUserOwners', 'crates/tide-pool/owner_user'],
  ['listTeamOwners', 'crates/tide-pool/owner_team'],
  ['listReverseDependencies', 'crates/tide-pool/reverse_dependencies'],
  ['searchCrates', 'crates?q=tide'],
  ['getUser', 'users/alice'],
  ['getSummary', 'summary'],
] as const;

describe('every response', () => {
  it.each(READS)('of %s (%s) matches the OpenAPI document', async (id, path) => {
    const operations = Object.values(fields(document['paths'])).flatMap((item) =>
      Object.values(fields(item)),
    );
    const operation = operations.find((each) => fields(each)['operationId'] === id);
    const schema = resolve(fields(operation), 'responses/200/content/application~1json/schema');
    expect(differences(document, schema, await read(path))).toEqual([]);
  });

  it('that is an error matches it, too', async () => {
    const schema = resolve(document, '#/components/schemas/Errors');
    expect(differences(document, schema, JSON.parse((await ask('/api/v1/crates/nope')).text))).toEqual([]);
  });

  it.each([...READS.map(([, path]) => path), 'crates/tide-pool/1.0.0/readme'])(
    'of %s needs a token if the registry is private',
    async (path) => {
      expect((await ask(`/api/v1/${path}`, { app: closed })).status).toBe(401);
      expect((await ask(`/api/v1/${path}`, { app: closed, token: 'invalid' })).status).toBe(403);
      expect((await ask(`/api/v1/${path}`, { token: 'invalid' })).status).toBe(403);
    },
  );
});
