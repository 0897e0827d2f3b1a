import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CrateBytes, CrateCallOptions, Report } from '../../src/index.ts';
import { builtLibrary, builtServer } from '../helpers/built-library.ts';
import { buildCrate, type CrateDecl } from '../helpers/crate.ts';
import { publishBody } from '../helpers/publish-body.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';

const library = await builtLibrary();
const { startRegistry } = await builtServer();
const { extract, manifest, publish, tarball, versions, yank } = library;

const temp = makeTempDir('library-crates');
const registry = await startRegistry();
let token = '';
let count = 0;

afterAll(async () => {
  await registry.close();
  temp.remove();
});

/** Returns options for calls with a new working folder and a new `CARGO_HOME`. */
function fresh(): CrateCallOptions & { readonly cwd: string } {
  count += 1;
  const cwd = path.join(temp.path, `user-${count}`);
  mkdirSync(cwd);
  return { cwd, env: { CARGO_HOME: path.join(cwd, 'home') }, index: registry.indexUrl };
}

function archiveOf(decl: CrateDecl): Buffer {
  const { archive } = buildCrate(
    { extra: 'description = "d"\nlicense = "MIT"\n', ...decl },
    () => registry.indexUrl,
  );
  if (archive === null) throw new Error('no archive');
  return archive;
}

async function failureOf(call: Promise<unknown>): Promise<unknown> {
  return call.then(
    () => null,
    (error: unknown) => error,
  );
}

const TEA: readonly CrateDecl[] = [
  { name: 'tea-leaf', version: '0.9.0' },
  { name: 'tea-leaf', version: '1.2.0', features: { default: ['hot'], hot: [] } },
  { name: 'tea-leaf', version: '1.2.3' },
  { name: 'tea-leaf', version: '1.10.0' },
  { name: 'tea-leaf', version: '2.0.0-rc.1' },
  { name: 'tea-cup', version: '0.1.0-alpha' },
];

beforeAll(async () => {
  token = await registry.token('alice');
  const options = { ...fresh(), token };
  for (const decl of TEA) await publish({ ...options, waitMs: 0, file: archiveOf(decl) });
  await yank({ ...options, crates: ['tea-leaf@1.10.0'] });
});

describe('versions', () => {
  it('returns every version, highest first', async () => {
    const all = await versions('tea-leaf', fresh());
    expect(all.map(({ version, yanked }) => `${version}${yanked ? ' yanked' : ''}`)).toEqual([
      '2.0.0-rc.1',
      '1.10.0 yanked',
      '1.2.3',
      '1.2.0',
      '0.9.0',
    ]);
    expect(all[3]).toMatchObject({
      features: { default: ['hot'], hot: [] },
      rustVersion: null,
      dependencies: [],
    });
    expect(all[3]?.publishedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  });

  it('finds a crate whose name differs in `-` and `_`', async () => {
    expect(await versions('tea_cup', fresh())).toMatchObject([{ name: 'tea-cup', version: '0.1.0-alpha' }]);
  });

  it('rejects a version, a name that does not exist, and a name that none can have', async () => {
    expect(await failureOf(versions('tea-leaf@1', fresh()))).toMatchObject({
      code: 'usage',
      message: '`tea-leaf@1` names a version: expected only the name, `tea-leaf`',
    });
    expect(await failureOf(versions('tea-bag', fresh()))).toMatchObject({
      code: 'not-found',
      message: expect.stringContaining('could not find `tea-bag` in registry'),
    });
    expect(await failureOf(versions('not/a name', fresh()))).toMatchObject({ code: 'usage' });
  });

  it('uses the index data on disk without network', async () => {
    const options = fresh();
    expect(await failureOf(versions('tea-leaf', { ...options, offline: true }))).toMatchObject({
      code: 'not-found',
      message: 'the index entry of `tea-leaf` is not on disk',
    });
    await versions('tea-leaf', options);
    expect(await versions('tea-leaf', { ...options, offline: true })).toHaveLength(5);
  });
});

describe('manifest', () => {
  it.each([
    ['tea-leaf', '1.2.3'],
    ['tea-leaf@1', '1.2.3'],
    ['tea-leaf@=1.2', '1.2.3'],
    ['tea-leaf@1.2.0', '1.2.0'],
    ['tea-leaf@=1.2.0', '1.2.0'],
    ['tea-leaf@1.10.0', '1.10.0'],
    ['tea-leaf@2.0.0-rc.1', '2.0.0-rc.1'],
    ['tea-cup', '0.1.0-alpha'],
  ])('finds %s: %s', async (spec, version) => {
    expect(await manifest(spec, fresh())).toMatchObject({ name: spec.replace(/@.*/, ''), version });
  });

  it('lists the dependencies of a version', async () => {
    const deps = [
      'tea-leaf ^1.2',
      {
        name: 'cup',
        package: 'tea-cup',
        req: '=0.1.0-alpha',
        kind: 'build',
        optional: true,
        target: 'cfg(unix)',
      },
    ] as const;
    const decl = { name: 'tea-time', version: '1.0.0', deps, features: { fancy: ['dep:cup'] } };
    await publish({ ...fresh(), token, file: archiveOf({ ...decl, registry: 'own' }) });
    const { dependencies, features } = await manifest('tea-time', fresh());
    const common = { defaultFeatures: true, features: [], registry: null };
    expect(dependencies).toEqual(
      expect.arrayContaining([
        {
          ...common,
          name: 'tea-leaf',
          rename: null,
          req: '^1.2',
          kind: 'normal',
          optional: false,
          target: null,
        },
        {
          ...common,
          ...{ name: 'tea-cup', rename: 'cup', req: '=0.1.0-alpha', kind: 'build' },
          ...{ optional: true, target: 'cfg(unix)' },
        },
      ]),
    );
    expect(features).toEqual({ fancy: ['dep:cup'] });
  });

  it.each([
    ['tea-leaf@3', 'not-found', 'could not find `tea-leaf@3` in registry'],
    ['tea-leaf@1.10', 'not-found', 'all versions that match `tea-leaf@1.10` are yanked'],
    ['tea-leaf@^1', 'usage', 'invalid package: `tea-leaf@^1`'],
    ['https://example.com/tea-leaf', 'usage', 'is a URL'],
    ['', 'usage', 'invalid package'],
  ])('rejects `%s` with %s', async (spec, code, message) => {
    expect(await failureOf(manifest(spec, fresh()))).toMatchObject({
      code,
      message: expect.stringContaining(message),
    });
  });
});

describe('tarball', () => {
  it('returns the published bytes, also as streams', async () => {
    const found = await tarball('tea-leaf@1.2.3', fresh());
    const { bytes, checksum, version } = found;
    expect(version).toBe('1.2.3');
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(checksum);
    for (const stream of [found.stream(), found.stream()]) {
      expect(Buffer.from(await new Response(stream).arrayBuffer()).equals(bytes)).toBe(true);
    }
  });

  it('rejects a file in the package cache that is damaged', async () => {
    const options = fresh();
    await tarball('tea-leaf', options);
    const home = path.join(options.cwd, 'home');
    const [cached = ''] = readdirSync(home, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.crate'),
    );
    writeFileSync(path.join(home, cached), 'damaged');
    expect(await failureOf(tarball('tea-leaf', { ...options, offline: true }))).toMatchObject({
      code: 'checksum',
    });
  });
});

describe('extract', () => {
  it('writes the files into a folder, which it creates', async () => {
    const options = fresh();
    const { path: folder, version } = await extract('tea-leaf@0.9', 'new/leaf', options);
    expect([folder, version]).toEqual([path.join(options.cwd, 'new', 'leaf'), '0.9.0']);
    expect(readFileSync(path.join(folder, 'Cargo.toml'), 'utf8')).toContain('name = "tea-leaf"');
    const empty = makeTempDir('library-extract');
    await extract('tea-leaf', empty.path, options);
    expect(readdirSync(empty.path)).toContain('src');
    empty.remove();
  });

  it('replaces nothing, and downloads nothing then', async () => {
    const options = fresh();
    writeFileSync(path.join(options.cwd, 'file'), 'mine');
    for (const dir of ['.', 'file']) {
      expect(await failureOf(extract('tea-leaf', dir, options))).toMatchObject({
        code: 'io',
        message: expect.stringContaining('already exists'),
      });
    }
    expect(readFileSync(path.join(options.cwd, 'file'), 'utf8')).toBe('mine');
    expect(existsSync(path.join(options.cwd, 'home'))).toBe(false);
  });
});

describe('publish with `file`', () => {
  async function* parts(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += 100) yield bytes.subarray(at, at + 100);
  }

  it.each<[string, (bytes: Buffer) => CrateBytes]>([
    ['bytes', (bytes) => bytes],
    ['generator', parts],
    ['ReadableStream', (bytes) => new Blob([bytes]).stream()],
  ])('sends a %s', async (kind, fileOf) => {
    const name = `from-${kind.toLowerCase()}`;
    const bytes = archiveOf({ name, version: '1.0.0' });
    const { packages } = await publish({ ...fresh(), token, file: fileOf(bytes) });
    expect(packages).toMatchObject([{ name, version: '1.0.0', state: 'published' }]);
    expect(Buffer.from((await tarball(name, fresh())).bytes).equals(bytes)).toBe(true);
  });

  it('plans it', async () => {
    const file = archiveOf({ name: 'planned', version: '1.0.0' });
    const { rounds } = await library.planPublish({ ...fresh(), file });
    expect(rounds.flat()).toMatchObject([{ name: 'planned', kind: 'new-crate' }]);
  });

  it('names neither a path nor a folder for bytes that are no archive', async () => {
    const failure = await failureOf(
      publish({ ...fresh(), token, file: new TextEncoder().encode('no archive') }),
    );
    expect(failure).toMatchObject({
      code: 'archive',
      message: 'failed to read the archive in `file`: `tsreg package` makes one that can be published',
    });
  });

  it('rejects a stream that fails, and one of something else', async () => {
    const broken = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.error(new Error('disk on fire'));
      },
    });
    expect(await failureOf(publish({ ...fresh(), token, file: broken }))).toMatchObject({
      code: 'io',
      message: 'failed to read the stream `file`',
      cause: { message: 'disk on fire' },
    });
    const locked = new Blob(['text']).stream();
    locked.getReader();
    expect(await failureOf(publish({ ...fresh(), token, file: locked }))).toMatchObject({
      code: 'io',
      message: 'failed to read the stream `file`',
    });
    const texts: unknown = new Blob(['text']).stream().pipeThrough(new TextDecoderStream());
    const called: unknown = Reflect.get(library, 'publish');
    if (typeof called !== 'function') throw new Error('no function');
    expect(await failureOf(called({ ...fresh(), token, file: texts }))).toMatchObject({
      code: 'usage',
      message: 'the stream `file` must yield values of `Uint8Array`',
    });
    expect(await failureOf(called({ ...fresh(), token, file: 5 }))).toMatchObject({
      code: 'usage',
      message: '`file` must be a string or bytes or a stream of bytes, not this number',
    });
  });

  it('can be aborted while the stream is silent', async () => {
    const controller = new AbortController();
    const silent = new ReadableStream<Uint8Array>({ pull: () => new Promise(() => {}) });
    const call = failureOf(publish({ ...fresh(), token, file: silent, signal: controller.signal }));
    controller.abort();
    expect(await call).toMatchObject({ code: 'aborted' });
  });
});

describe('search.all', () => {
  it('yields the crates of all pages, and reads a page when it is requested', async () => {
    const names = Array.from({ length: 101 }, (_, at) => `page-${String(at).padStart(3, '0')}`);
    for (const name of names) {
      const { bytes } = publishBody({ name, version: '1.0.0' });
      const request = { method: 'PUT', headers: { authorization: token }, body: new Uint8Array(bytes) };
      const { status } = await registry.fetch(new Request(`${registry.url}/api/v1/crates/new`, request));
      expect(status).toBe(200);
    }
    const found: string[] = [];
    for await (const { name } of library.search.all('page', { ...fresh(), sort: 'alpha' })) found.push(name);
    expect(found).toEqual(names);
    const started: unknown[] = [];
    const report: Partial<Report> = { progress: (state) => void started.push(state) };
    for await (const { name } of library.search.all('page', { ...fresh(), sort: 'alpha', report })) {
      if (name === 'page-005') break;
    }
    expect(started).toEqual([null]);
  });

  it('fails when the first crate is requested', async () => {
    const all = library.search.all('page', {
      ...fresh(),
      index: 'sparse+http://127.0.0.1:1/',
      config: ['net.retry=0'],
    });
    expect(await failureOf(all.next())).toMatchObject({ code: 'network' });
    const query: unknown = Reflect.get(library.search, 'all');
    if (typeof query !== 'function') throw new Error('no function');
    expect(await failureOf(query(undefined, fresh()).next())).toMatchObject({
      code: 'usage',
      message: '`query` is missing, a string',
    });
  });

  it('ends with `aborted` between two crates of a page', async () => {
    const controller = new AbortController();
    const all = library.search.all('page', { ...fresh(), signal: controller.signal });
    await all.next();
    controller.abort();
    expect(await failureOf(all.next())).toMatchObject({ name: 'AbortError', code: 'aborted' });
  });

  it('ends with `aborted` between two pages', async () => {
    const controller = new AbortController();
    const all = library.search.all('page', { ...fresh(), signal: controller.signal });
    for (let read = 0; read < 100; read += 1) await all.next();
    controller.abort();
    expect(await failureOf(all.next())).toMatchObject({ code: 'aborted' });
    expect(await all.next()).toEqual({ done: true, value: undefined });
  });
});
