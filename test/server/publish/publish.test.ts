import { existsSync, readdirSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PublishResult } from '../../../src/server/publish/publish-result.ts';
import type { Actor } from '../../../src/server/store/values.ts';
import type { CrateDecl } from '../../helpers/crate.ts';
import { frameBody, publishBody } from '../../helpers/publish-body.ts';
import { blobKeys } from '../../helpers/test-storage.ts';
import { openTestRegistry, TEST_LIMITS, TEST_URL, type TestRegistry } from '../../helpers/test-registry.ts';

type Sent = Readonly<Record<string, unknown>>;

/** Indexes that dependencies may name. */
const OTHERS = [
  'sparse+https://example.com/index/',
  'sparse+https://example.com/',
  'sparse+https://example.org/',
];

let registry: TestRegistry;
let alice: Actor;
beforeEach(async () => {
  await reopen(false);
});
afterEach(() => registry[Symbol.asyncDispose]());

async function reopen(strict: boolean): Promise<void> {
  registry = await openTestRegistry({ strict, dependencyRegistries: OTHERS });
  alice = await registry.tokenOf(await registry.user('alice'));
}

async function beStrict(): Promise<void> {
  await registry[Symbol.asyncDispose]();
  await reopen(true);
}

function send(decl: Partial<CrateDecl>, more: Sent = {}): Promise<PublishResult> {
  return registry.publish(alice, publishBody({ name: 'foo', version: '1.0.0', ...decl }, more).bytes);
}

async function outcome(decl: Partial<CrateDecl>, more: Sent = {}): Promise<string> {
  const result = await send(decl, more);
  return result.kind === 'refused' ? `${result.status} ${result.detail}` : result.kind;
}

/** Returns the keys of all blobs, and the files of unfinished uploads. */
async function storedFiles(): Promise<readonly string[]> {
  const files = existsSync(registry.folder) ? readdirSync(registry.folder, { recursive: true }) : [];
  const left = files.filter((name) => String(name).includes('incoming/'));
  return [...(await blobKeys(registry.store.blobs)), ...left.map(String)];
}

it('stores the archive, the index entry and an audit entry', async () => {
  const body = publishBody({ name: 'foo', version: '1.0.0' });
  const result = await registry.publish(alice, body.bytes);
  expect(result).toMatchObject({ kind: 'published', checksum: body.crate.checksum, isNewCrate: true });
  const { records, blobs } = registry.store;
  const version = await records.findVersion('foo', '1.0.0');
  expect(version).toMatchObject({ checksum: body.crate.checksum, size: body.archive.length });
  const blob = await blobs.open(version?.blobKey ?? '');
  const parts: Uint8Array[] = [];
  for await (const part of blob?.stream ?? []) parts.push(part);
  expect(Buffer.concat(parts).equals(body.archive)).toBe(true);
  expect((await records.findIndexFile('foo'))?.body).toContain('"pubtime":"2026-01-02T03:04:06Z"');
  const { items } = await records.listAudit({}, { limit: 9, offset: 0 });
  expect(items).toMatchObject([{ action: 'publish', crate: 'foo', detail: `sha256:${body.crate.checksum}` }]);
});

it('checks everything and stores nothing in a dry run', async () => {
  const { bytes } = publishBody({ name: 'foo', version: '1.0.0' }, { categories: ['nonsense'] });
  const result = await registry.publish(alice, bytes, true);
  expect(result).toMatchObject({ kind: 'published', warnings: { invalidCategories: ['nonsense'] } });
  expect(await registry.store.records.findCrate('foo')).toBeNull();
  expect(await storedFiles()).toEqual([]);
  const cut = publishBody({ name: 'foo', version: '1.0.0', archive: 'cut' });
  expect(await registry.publish(alice, cut.bytes, true)).toMatchObject({ kind: 'refused', status: 400 });
  expect(await outcome({})).toBe('published');
  expect(await registry.publish(alice, bytes, true)).toMatchObject({ kind: 'refused', status: 409 });
});

it('removes characters that are invisible or control a terminal from what it repeats of a request', async () => {
  const result = await outcome({}, { deps: [{ name: 'b\u009b\u202e\u200bar', version_req: 'one' }] });
  expect(result).toContain('bar');
  expect(result).not.toMatch(/[\u009b\u202e\u200b]/);
});

it('stores nothing of a refused crate', async () => {
  for (const archive of ['cut', 'garbage'] as const) expect(await outcome({ archive })).toMatch(/^400 /);
  expect(await outcome({ manifest: '[package]\nname = "bar"\n' })).toMatch(/^400 /);
  expect(await outcome({ files: { 'src/lib.rs': 'x'.repeat(TEST_LIMITS.maxCrateBytes) } })).toMatch(/^413 /);
  expect(await outcome({}, { readme: 'x'.repeat(TEST_LIMITS.maxMetadataBytes) })).toMatch(/^413 /);
  expect(await storedFiles()).toEqual([]);
  expect(await registry.store.records.count()).toMatchObject({ crates: 0, versions: 0 });
});

it('drops unknown categories and badges with a warning', async () => {
  const result = await send(
    {},
    {
      categories: [
        'algorithms',
        'Development-Tools::FFI',
        'algorithms',
        'nonsense',
        'science::bioinformatics::genomics',
      ],
      badges: {
        maintenance: { status: 'as-is' },
        'travis-ci': { branch: 'main' },
        nonsense: {},
        codecov: { repository: 'a/b', service: null },
      },
    },
  );
  expect(result).toMatchObject({
    kind: 'published',
    warnings: { invalidCategories: ['nonsense'], invalidBadges: ['nonsense', 'travis-ci'], other: [] },
  });
  const metadata = (await registry.store.records.findVersion('foo', '1.0.0'))?.metadata;
  expect(metadata?.categories).toEqual([
    'algorithms',
    'development-tools::ffi',
    'science::bioinformatics::genomics',
  ]);
  expect([...(metadata?.badges.keys() ?? [])]).toEqual(['codecov', 'maintenance']);
});

describe('the registry of a dependency in the index', () => {
  const depsOf = async (): Promise<unknown> => {
    const body = (await registry.store.records.findIndexFile('foo'))?.body ?? '';
    return JSON.parse(body).deps.map(({ registry: url }: { registry: unknown }) => url);
  };

  it('is null for this registry, with or without its URL in the request', async () => {
    const own = `sparse+${TEST_URL}/index/`;
    await send({ deps: [{ name: 'b', req: '^1', registry: own }, 'c ^1'] });
    expect(await depsOf()).toEqual([null, null]);
    expect((await registry.store.records.listDependents('b', { limit: 5, offset: 0 })).total).toBe(1);
  });

  it('is the index URL of another registry', async () => {
    const other = 'sparse+https://example.com/index/';
    expect(await outcome({ deps: [{ name: 'b', req: '^1', registry: other }] })).toBe('published');
    expect(await depsOf()).toEqual([other]);
    expect((await registry.store.records.listDependents('b', { limit: 5, offset: 0 })).total).toBe(0);
  });
});

describe('invalid metadata', () => {
  it.each([
    [{ name: '' }, 'cannot be empty'],
    [{ name: 'a'.repeat(65) }, 'too long'],
    [{ name: '1a' }, 'cannot start with a digit'],
    [{ name: '_a' }, 'the first character must be'],
    [{ name: 'é' }, 'the first character must be'],
    [{ name: 'aé' }, 'invalid character `é`'],
    [{ name: 'a b' }, 'invalid character ` `'],
    [{ name: '../a' }, 'invalid character `.`'],
    [{ name: 'a/b' }, 'invalid character `/`'],
    [{ name: 'con' }, 'reserved name'],
    [{ name: 'Proc-Macro' }, 'reserved name'],
    [{ vers: '1.0' }, 'invalid semver version'],
    [{ vers: '' }, 'invalid semver version'],
    [{ vers: '1.0.0/../x' }, 'invalid semver version'],
    [{ vers: '01.0.0' }, 'invalid semver version'],
    [{ vers: `1.0.0-${'a'.repeat(150)}` }, 'too long'],
    [{ keywords: ['a b'] }, 'invalid keyword'],
    [{ keywords: ['-a'] }, 'invalid keyword'],
    [{ license: 'MIT OR' }, 'license'],
    [{ homepage: 'javascript:alert(1)' }, 'must begin with http'],
    [{ repository: 'http://' }, 'must begin with http'],
    [{ documentation: 'ftp://x' }, 'must begin with http'],
    [{ rust_version: '>=1.2' }, 'rust-version'],
    [{ links: 'a\nb' }, 'control characters'],
    [{ features: { 'a/b': [] } }, 'slash'],
    [{ features: { a: ['b'] } }, 'neither a dependency nor another feature'],
    [{ features: { a: ['dep:b'] } }, 'b'],
    [{ features: { 'a b': [] } }, 'is not a feature'],
  ])('is refused: %j', async (more, detail) => {
    const result = await outcome({}, more);
    expect(result.slice(0, 4)).toBe('400 ');
    expect(result).toContain(detail);
  });

  it.each([
    [{ name: '1' }, 'digit'],
    [{ name: 'é' }, 'first character'],
    [{ explicit_name_in_toml: 'a.b' }, 'invalid character'],
    [{ version_req: 'one' }, 'invalid version requirement'],
    [{ version_req: '' }, 'invalid version requirement'],
    [{ target: 'cfg(' }, 'invalid target'],
    [{ kind: 'other' }, 'of the kind'],
    [{ registry: 'nonsense' }, 'URL of an index'],
    [{ registry: 'sparse+https://a:secret@example.com/' }, 'password'],
    [{ registry: 'sparse+https://:secret@example.com/' }, 'password'],
    [{ features: ['a/b'] }, 'not a valid feature of'],
    [{ features: ['dep:a'] }, 'not a valid feature of'],
  ])('of a dependency is refused: %j', async (dep, detail) => {
    const result = await outcome({}, { deps: [{ name: 'bar', version_req: '^1', ...dep }] });
    expect(result.slice(0, 4)).toBe('400 ');
    expect(result).toContain(detail);
  });
});

describe('an archive', () => {
  const base = { name: 'foo', version: '1.0.0' };
  it.each<[string, Partial<CrateDecl>, Sent]>([
    ['name', { manifest: '[package]\nname = "bar"\nversion = "1.0.0"\n' }, {}],
    ['version', { manifest: '[package]\nname = "foo"\nversion = "1.0.1"\n' }, {}],
    ['links', { links: 'z' }, { links: 'y' }],
    ['rust-version', { rust_version: '1.70' }, { rust_version: '1.60' }],
    ['dependency `b`', { deps: ['b ^1'] }, { deps: [] }],
    ['dependency `b`', {}, { deps: [{ name: 'b', version_req: '^1' }] }],
    ['dependency `b`', { deps: ['b ^1'] }, { deps: [{ name: 'b', version_req: '^2' }] }],
    ['dependency `b`', { deps: ['b ^1'] }, { deps: [{ name: 'b', version_req: '^1', kind: 'dev' }] }],
    ['dependency `b`', { deps: ['b ^1'] }, { deps: [{ name: 'b', version_req: '^1', optional: true }] }],
    [
      'dependency `b`',
      { deps: ['b ^1'] },
      { deps: [{ name: 'b', version_req: '^1', default_features: false }] },
    ],
    ['dependency `b`', { deps: ['b ^1'] }, { deps: [{ name: 'b', version_req: '^1', features: ['x'] }] }],
    ['dependency `b`', { deps: ['b ^1'] }, { deps: [{ name: 'b', version_req: '^1', target: 'cfg(unix)' }] }],
    [
      'dependency `b`',
      { deps: ['b ^1'] },
      { deps: [{ name: 'c', explicit_name_in_toml: 'b', version_req: '^1' }] },
    ],
    [
      'dependency `b`',
      { deps: [{ name: 'b', req: '^1', registry: 'sparse+https://example.com/' }] },
      { deps: [{ name: 'b', version_req: '^1', registry: 'sparse+https://example.org/' }] },
    ],
    ['feature `f`', { features: { f: [] } }, { features: {} }],
    ['feature `f`', { features: { f: [], g: [] } }, { features: { f: ['g'], g: [] } }],
  ])('is refused if its %s differs from the metadata', async (what, decl, more) => {
    const result = await outcome({ ...base, ...decl }, more);
    expect(result.slice(0, 4)).toBe('400 ');
    expect(result).toContain(what);
  });

  it('is refused if its manifest is unusable', async () => {
    for (const manifest of [
      '',
      '[package',
      '[workspace]',
      '[package]\nname = 1',
      '[package]\nname = "foo"\nversion.workspace = true',
    ]) {
      expect(await outcome({ manifest })).toMatch(/^400 the archive's `Cargo.toml` /);
    }
    const noTarget = await outcome({ files: { 'readme.md': '' } });
    expect(noTarget).toContain('no targets specified');
    expect(noTarget).not.toContain('/package');
  });

  it('is accepted if its manifest is equivalent to the metadata', async () => {
    const deps = [
      { name: 'alias', package: 'real', req: '1', features: ['b', 'a'], optional: true, default: false },
      { name: 'one', req: '>= 1, <2', kind: 'dev', target: 'cfg(any(unix,windows))' },
      { name: 'one', req: '=1.2.3', kind: 'build' },
    ] as const;
    const sent = [
      { name: 'one', version_req: '=1.2.3', kind: 'build' },
      { name: 'one', version_req: '>=1, <2', kind: 'dev', target: 'cfg(any(unix, windows))' },
      {
        ...{ name: 'real', explicit_name_in_toml: 'alias', version_req: '^1', features: ['a', 'b'] },
        ...{ optional: true, default_features: false },
      },
    ];
    const features = { x: ['dep:alias', 'alias?/y'], '1': [] };
    expect(await outcome({ deps, features, links: 'z', rust_version: '1.60' }, { deps: sent })).toBe(
      'published',
    );
  });
});

it('accepts a name that only crates.io reserves, and a licence file without a licence', async () => {
  expect(await outcome({ name: 'driver' }, { license_file: 'LICENSE', license: null })).toBe('published');
});

describe('a registry with the rules of crates.io', () => {
  const full = { description: 'd', license: 'MIT OR Apache-2.0' };

  it.each<[Sent, string]>([
    [{ ...full, description: ' ' }, 'missing or empty metadata fields: description'],
    [{ description: 'd' }, 'missing or empty metadata fields: license'],
    [{}, 'missing or empty metadata fields: description, license'],
    [{ ...full, license: 'My-Own' }, 'is not a license'],
    [{ ...full, description: 'é'.repeat(501) }, 'too long'],
    [{ ...full, keywords: ['a', 'b', 'c', 'd', 'e', 'f'] }, 'at most 5 keywords'],
    [{ ...full, keywords: ['a'.repeat(21)] }, 'invalid keyword'],
    [{ ...full, categories: ['nonsense'] }, 'not supported: nonsense'],
    [{ ...full, name: 'driver' }, 'reserved name'],
    [{ ...full, deps: [{ name: 'b', version_req: '*' }] }, 'wildcard'],
    [
      { ...full, deps: [{ name: 'b', version_req: '1', registry: 'https://example.com/' }] },
      'another registry',
    ],
    [{ ...full, deps: [{ name: 'b', version_req: '1' }] }, 'no known crate named `b`'],
  ])('refuses %j', async (more, detail) => {
    await beStrict();
    expect(await outcome({}, more)).toContain(detail);
  });

  it('accepts crates that follow them, and dependencies only in their exact spelling', async () => {
    await beStrict();
    expect(await outcome({ name: 'b_c' }, full)).toBe('published');
    expect(await outcome({ deps: ['b_c ^1'] }, { ...full, license: 'MIT/Apache-2.0' })).toBe('published');
    expect(await outcome({ version: '1.0.1', deps: ['b-c ^1'] }, full)).toContain(
      'no known crate named `b-c`',
    );
  });
});

it('refuses bodies with wrong lengths', async () => {
  const { metadata, archive, bytes } = publishBody({ name: 'foo', version: '1.0.0' });
  for (const body of [
    Buffer.alloc(0),
    Buffer.alloc(3),
    bytes.subarray(0, bytes.length - 1),
    Buffer.concat([bytes, Buffer.alloc(1)]),
    frameBody('', archive),
    frameBody(JSON.stringify(metadata), Buffer.alloc(0)),
  ]) {
    expect(await registry.publish(alice, body)).toMatchObject({ kind: 'refused', status: 400 });
  }
  expect(await registry.publish(alice, Buffer.alloc(8, 255))).toMatchObject({ status: 413 });
  expect(await storedFiles()).toEqual([]);
});
