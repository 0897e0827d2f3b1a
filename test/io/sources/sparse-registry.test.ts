import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, sep } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Config } from '../../../src/io/config/config.ts';
import { NodeFiles } from '../../../src/io/disk/node-files.ts';
import { PackageCache } from '../../../src/io/disk/package-cache.ts';
import { SourceTable } from '../../../src/core/package-id/source-table.ts';
import { ABSENT, UNKNOWN } from '../../../src/core/resolve/problem.ts';
import { RegistryAccess } from '../../../src/io/sources/registry-access.ts';
import type { SourceContext } from '../../../src/io/sources/source-context.ts';
import type { FetchedPackage } from '../../../src/io/sources/source.ts';
import { SparseRegistry } from '../../../src/io/sources/sparse-registry.ts';
import type { Summary } from '../../../src/core/summary/summary.ts';
import { parseVersion, type Version } from '../../../src/core/version/version.ts';
import { buildCrate, type CrateDecl } from '../../helpers/crate.ts';
import { holdElsewhere } from '../../helpers/held-lock.ts';
import { recordingContext } from '../../helpers/recording-report.ts';
import {
  type Fault,
  type Mount,
  type RegistryServer,
  startRegistryServer,
} from '../../helpers/registry-server.ts';
import { NOT_FOUND, onWindows, packagesHome } from '../../helpers/system.ts';

let server: RegistryServer;
let home: string;
beforeAll(async () => {
  server = await startRegistryServer();
});
afterAll(() => server.close());
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'sparse-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

/** The path of Node.js, which exists on every system, as a TOML string. */
const NODE = JSON.stringify(process.execPath);

const crates = (...decls: CrateDecl[]) => decls.map((decl) => buildCrate(decl, () => ''));
const AA = { name: 'aa', version: '1.0.0' };
const AA2 = { name: 'aa', version: '1.1.0', yanked: true };

interface Setup {
  readonly config?: string;
  readonly env?: Record<string, string>;
  readonly offline?: boolean;
  readonly showsProgress?: boolean;
  readonly name?: string | null;
}

/** Opens the registry as a new run does. */
function openRegistry({
  config = '',
  env = {},
  offline = false,
  showsProgress = false,
  name = 'alt',
}: Setup = {}) {
  const url = `sparse+${server.url}/r/`;
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'config.toml'), `[registries.alt]\nindex = "${url}"\n${config}`);
  const { context, lines, bars } = recordingContext(undefined, showsProgress);
  const files = new NodeFiles();
  const sources = new SourceTable();
  const surroundings: SourceContext = {
    ...context,
    config: new Config({
      cwd: home,
      env: {
        CARGO_HOME: home,
        PATH: process.env.PATH,
        HOME: home,
        __CARGO_TEST_FIXED_RETRY_SLEEP_MS: '1',
        ...env,
      },
      files,
      report: context.report,
    }),
    files,
    sources,
    load: () => {
      throw new Error('no manifest is read here');
    },
    cache: new PackageCache(home, context),
    offlineFlag: offline ? '--offline' : null,
    verbosity: 'normal',
  };
  const access = new RegistryAccess(surroundings);
  const source = sources.forRegistryIndex(url, name);
  const registry = new SparseRegistry(source, source, { context: surroundings, access });
  server.requests.length = 0;
  return { registry, lines, bars, access, cache: surroundings.cache };
}

function mount(decls: readonly CrateDecl[], more: Partial<Mount> = {}): void {
  server.mount('r', { crates: crates(...decls), ...more });
}

const paths = () => server.requests.map(({ path }) => path.replace('/r/', ''));
const versions = (found: readonly Summary[] | typeof UNKNOWN) =>
  found === UNKNOWN ? 'unknown' : found.map(({ id }) => id.version.text).toSorted();

/** Returns the messages of the error that `body` throws and of its causes. */
async function chain(body: () => Promise<unknown>): Promise<string[]> {
  const messages: string[] = [];
  try {
    await body();
  } catch (error) {
    for (let cause = error; cause instanceof Error; cause = cause.cause) messages.push(cause.message);
  }
  return messages;
}

function tree(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(folder.length + 1)
        .replaceAll(sep, '/'),
    )
    .toSorted();
}

describe('the index of a sparse registry', () => {
  test('is requested once per file, after config.json', async () => {
    mount([AA, AA2, { name: 'b', version: '2.0.0' }]);
    const { registry, lines } = openRegistry();
    expect(registry.all('aa')).toBe(UNKNOWN);
    await registry.load(['aa', 'b', 'none']);
    await registry.load(['aa']);
    expect(paths()[0]).toBe('config.json');
    expect(paths().slice(1).toSorted()).toEqual(['1/b', '2/aa', 'no/ne/none']);
    expect(lines).toEqual(['Updating `alt` index']);
    expect(versions(registry.all('aa'))).toEqual(['1.0.0', '1.1.0']);
    expect(registry.all('none')).toEqual([]);
    const [headers] = server.requests.map((request) => request.headers);
    expect(headers).toMatchObject({
      'cargo-protocol': 'version=1',
      accept: 'text/plain',
      'accept-encoding': 'deflate, gzip',
      'user-agent': 'cargo/1.99.0',
    });
  });

  test('is requested with the revision of a cached file, which a 304 keeps', async () => {
    mount([AA]);
    await openRegistry().registry.load(['aa']);
    const { registry } = openRegistry();
    registry.invalidate();
    await registry.load(['aa']);
    expect(paths()).toEqual(['config.json', '2/aa']);
    expect(server.requests[0]?.headers['if-none-match']).toBe(undefined);
    expect(server.requests[1]?.headers['if-none-match']).toMatch(/^"[0-9a-f]{8}"$/);
    expect(server.requests[1]?.status).toBe(304);
    expect(versions(registry.all('aa'))).toEqual(['1.0.0']);
  });

  test('is requested with If-Modified-Since if the revision is a date', async () => {
    mount([AA], {
      faults: [
        {
          kind: 'status',
          status: 200,
          path: '2/aa',
          body: `${crates(AA)[0]?.indexLine}`,
          headers: { 'last-modified': 'Wed, 21 Oct 2015 07:28:00 GMT' },
        },
      ],
    });
    await openRegistry().registry.load(['aa']);
    const { registry } = openRegistry();
    registry.invalidate();
    await registry.load(['aa']);
    expect(server.requests[1]?.headers['if-modified-since']).toBe('Wed, 21 Oct 2015 07:28:00 GMT');
  });

  test('has cached versions without a request or a lock', async () => {
    mount([AA]);
    await openRegistry().registry.load(['aa']);
    rmSync(join(home, '.package-cache'));
    const { registry, lines } = openRegistry();
    const summary = registry.exact('aa', parseVersion('1.0.0'));
    expect(typeof summary).toBe('object');
    expect(registry.exact('aa', parseVersion('1.0.0'))).toBe(summary);
    expect([paths(), lines, existsSync(join(home, '.package-cache')), registry.isUpdated]).toEqual([
      [],
      [],
      false,
      false,
    ]);
    await registry.load(['aa']);
    expect(registry.all('aa')).toEqual([summary]);
    expect((registry.all('aa') as Summary[])[0]).toBe(summary);
    expect(paths()).toEqual([]);
  });

  test('is updated for a version that is not on disk', async () => {
    mount([AA]);
    await openRegistry().registry.load(['aa', 'b']);
    mount([AA, { ...AA2, yanked: false }, { name: 'b', version: '1.0.0' }]);
    const { registry } = openRegistry();
    expect(registry.exact('aa', parseVersion('1.1.0'))).toBe(UNKNOWN);
    await registry.load(['aa']);
    expect(registry.isUpdated).toBe(true);
    expect(paths()).toEqual(['config.json', '2/aa']);
    expect(registry.exact('aa', parseVersion('1.1.0'))).not.toBe(UNKNOWN);
    expect(registry.exact('aa', parseVersion('9.0.0'))).toBe(ABSENT);
    expect(registry.exact('b', parseVersion('1.0.0'))).toBe(UNKNOWN);
  });

  test('is requested only for the file that is missing on disk', async () => {
    mount([AA, { name: 'b', version: '1.0.0' }]);
    await openRegistry().registry.load(['aa']);
    const { registry } = openRegistry();
    expect(registry.exact('b', parseVersion('1.0.0'))).toBe(UNKNOWN);
    await registry.load(['aa', 'b']);
    expect(paths()).toEqual(['1/b']);
    expect(registry.isUpdated).toBe(false);
  });

  test('is prefetched with the first query, and cached once a file is needed', async () => {
    mount([AA, { name: 'b', version: '2.0.0' }, { name: 'c', version: '1.0.0' }]);
    const { registry, lines } = openRegistry();
    registry.prefetch(['aa', 'b', 'c']);
    await registry.load(['aa']);
    await expect.poll(() => paths().toSorted()).toEqual(['1/b', '1/c', '2/aa', 'config.json']);
    const cached = (): string[] =>
      tree(join(packagesHome(home), 'registry')).filter((path) => /.cache/.test(path));
    expect(cached()).toHaveLength(1);
    await registry.request(['aa', 'b']);
    expect(cached()).toHaveLength(2);
    expect(versions(registry.all('b'))).toEqual(['2.0.0']);
    expect(registry.all('c')).toBe(UNKNOWN);
    expect([paths().length, lines]).toEqual([4, ['Updating `alt` index']]);
    // A file is requested again once its prefetch is cancelled.
    registry.cancelPrefetch();
    await registry.load(['c']);
    expect(paths().filter((path) => path === '1/c')).toHaveLength(2);
  });

  test('is prefetched for cached files only after an update, with their revisions', async () => {
    mount([AA, { name: 'b', version: '2.0.0' }]);
    await openRegistry().registry.load(['aa']);
    const { registry } = openRegistry();
    registry.prefetch(['aa', 'b']);
    await registry.config();
    await registry.load(['aa', 'b']);
    expect(paths()).toEqual(['1/b']);
    registry.invalidate();
    await registry.load(['aa']);
    await expect.poll(() => paths().toSorted()).toEqual(['1/b', '1/b', '2/aa', 'config.json']);
    expect(server.requests.filter(({ status }) => status === 304)).toHaveLength(2);
  });

  test('fails to prefetch only once the file is needed, which counts as the first try', async () => {
    mount([AA], { faults: [{ kind: 'status', status: 500, path: '2/aa', times: 1 }] });
    const { registry, lines } = openRegistry();
    registry.prefetch(['aa', 'b']);
    await registry.config();
    await expect.poll(() => paths().toSorted()).toEqual(['1/b', '2/aa', 'config.json']);
    expect(lines).toEqual(['Updating `alt` index']);
    await registry.load(['aa']);
    expect(lines[1]).toMatch(/^warning: spurious network error \(3 tries remaining\): failed to get/);
    expect(paths().filter((path) => path === '2/aa')).toHaveLength(2);
    expect(versions(registry.all('aa'))).toEqual(['1.0.0']);
  });

  test('has only cached files offline', async () => {
    mount([AA]);
    await openRegistry().registry.load(['aa']);
    const { registry, lines } = openRegistry({ offline: true });
    registry.invalidate();
    await registry.load(['aa', 'b']);
    expect(versions(registry.all('aa'))).toEqual(['1.0.0']);
    expect(registry.all('b')).toEqual([]);
    expect(registry.exact('b', parseVersion('1.0.0'))).toBe(ABSENT);
    expect([paths(), lines]).toEqual([[], []]);
  });

  test('loses a package on status 404', async () => {
    mount([AA]);
    await openRegistry().registry.load(['aa']);
    mount([AA], { faults: [{ kind: 'status', status: 404, path: '2/aa' }] });
    const { registry } = openRegistry();
    registry.invalidate();
    await registry.load(['aa']);
    expect(registry.all('aa')).toEqual([]);
    expect(tree(join(packagesHome(home), 'registry', 'index')).some((path) => path.endsWith('2/aa'))).toBe(
      false,
    );
  });

  test('has no packages and no configuration without config.json', async () => {
    mount([AA], { faults: [{ kind: 'status', status: 404, path: 'config' }] });
    const { registry } = openRegistry();
    registry.invalidate();
    await registry.load(['aa']);
    expect(registry.all('aa')).toEqual([]);
    await expect(registry.config()).rejects.toThrow('config.json not found');
  });

  test('`config.json` on disk needs no lock, unless it is incomplete', async () => {
    mount([AA]);
    await openRegistry().registry.config();
    rmSync(join(home, '.package-cache'), { force: true });
    await openRegistry().registry.config();
    expect([existsSync(join(home, '.package-cache')), paths()]).toEqual([false, []]);
    const [file = ''] = tree(home).filter((name) => name.endsWith('config.json'));
    writeFileSync(join(home, file), '{"dl": "');
    await openRegistry().registry.config();
    expect([existsSync(join(home, '.package-cache')), paths()]).toEqual([true, ['config.json']]);
  });

  test.each(['config', '2/aa'])('fails with an internal error for an unexpected 304 at %s', async (path) => {
    mount([AA], { faults: [{ kind: 'status', status: 304, path }] });
    await expect(openRegistry().registry.load(['aa'])).rejects.toMatchObject({ isInternal: true });
  });

  const failed = (path: string) => `download of ${path} failed`;
  test.each<[string, Fault, (string | RegExp)[]]>([
    ['a refusal', { kind: 'status', status: 403, path: '2/aa' }, [/got 403\nbody:\nout of order$/]],
    [
      'a package that is gone',
      { kind: 'status', status: 410, path: '2/aa' },
      [/\(127\.0\.0\.1\), got 410\n/],
    ],
    [
      'a package that is banned',
      { kind: 'status', status: 451, path: '2/aa' },
      [/\(127\.0\.0\.1\), got 451\n/],
    ],
    [
      'a 304 for config.json',
      { kind: 'status', status: 304, path: 'config' },
      ['config.json is never stored in the index cache'],
    ],
    [
      'config.json that is none',
      { kind: 'replace', body: '{"a":1}', path: 'config' },
      ['missing field `dl` at line 1 column 7'],
    ],
    [
      'a 304 for nothing',
      { kind: 'status', status: 304, path: '2/aa' },
      ['registry said cache valid when no cache exists'],
    ],
    ['no gzip', { kind: 'gzip', path: '2/aa' }, [failed('2/aa'), /^\[61\]/]],
    ['half of a gzip', { kind: 'gzip-cut', path: '2/aa' }, [failed('2/aa'), /^\[61\]/]],
    ['a cut file', { kind: 'cut', path: '2/aa' }, [failed('2/aa'), /^\[18\]/]],
    ['an announcement that is too long', { kind: 'long', path: '2/aa' }, [failed('2/aa'), /^\[18\]/]],
  ])('fails for %s and caches nothing', async (_, fault, expected) => {
    mount([AA], { faults: [fault] });
    const messages = await chain(() => openRegistry({ config: '[net]\nretry = 1\n' }).registry.load(['aa']));
    expect(messages.length).toBe(expected.length);
    for (const [i, message] of messages.entries()) expect(message).toMatch(expected[i] ?? '');
    expect(
      tree(join(packagesHome(home), 'registry', 'index')).filter((path) => path.includes('.cache')),
    ).toEqual([]);
  });

  test('distinguishes usable, unsupported and invalid lines', async () => {
    mount([
      AA,
      { ...AA, version: '1.2.0', index: { v: 3 } },
      { ...AA, version: '1.3.0', index: { deps: 'x' } },
      { ...AA, version: '1.4.0', index_line: 'not json' },
      { ...AA, version: '1.5.0', index: { name: 'AA' } },
    ]);
    const { registry } = openRegistry();
    await registry.load(['aa']);
    expect(versions(registry.all('aa'))).toEqual(['1.0.0']);
    expect(registry.rejected('aa').map(({ version, reason }) => [version.text, reason.kind])).toEqual([
      ['1.2.0', 'unsupported-index'],
      ['1.3.0', 'invalid-entry'],
    ]);
    expect(await registry.similarNames('aa')).toEqual(['aa', 'AA']);
  });

  test('finds similar names that differ by dash or case', async () => {
    mount([
      { name: 'my_crate', version: '1.0.0' },
      { name: 'Other', version: '1.0.0' },
    ]);
    const { registry } = openRegistry();
    expect(await registry.similarNames('my-crate')).toEqual(['my_crate']);
    expect(await registry.similarNames('other')).toEqual(['Other']);
    expect(await registry.similarNames('none')).toEqual([]);
  });

  test('must have a URL that ends in a slash', () => {
    const { access } = openRegistry();
    const source = new SourceTable().forRegistryIndex('sparse+http://127.0.0.1/index', 'x');
    expect(() => new SparseRegistry(source, source, { context: {} as SourceContext, access })).toThrow(
      'sparse registry url must end in a slash `/`: sparse+http://127.0.0.1/index',
    );
  });
});

describe('packages of a sparse registry', () => {
  async function load(setup: Setup = {}, names = ['aa']) {
    const opened = openRegistry(setup);
    await opened.registry.load(names);
    const summaries = names.flatMap((name) => opened.registry.all(name) as Summary[]);
    server.requests.length = 0;
    opened.lines.length = 0;
    return { ...opened, summaries };
  }
  const many = Array.from({ length: 20 }, (_, i) => ({ name: `p${i}`, version: '1.0.0' }));
  const names = many.map(({ name }) => name);

  test('are downloaded and unpacked, and found again without a request or a lock', async () => {
    mount(many);
    const { registry, lines, summaries } = await load({}, names);
    expect(registry.isDownloaded('p0', summaries[0]!.id.version)).toBe(false);
    const fetched = await registry.fetch(summaries);
    expect(fetched.map(({ id }) => id.name)).toEqual(names);
    for (const { root } of fetched) expect(readFileSync(join(root, '.cargo-ok'), 'utf8')).toBe('{"v":1}');
    expect(lines[0]).toBe('Downloading crates ...');
    expect(lines.slice(1).toSorted()).toEqual(
      names.map((name) => `Downloaded ${name} v1.0.0 (registry \`alt\`)`).toSorted(),
    );
    expect(registry.isDownloaded('p0', summaries[0]!.id.version)).toBe(true);
    rmSync(join(home, '.package-cache'));
    const again = openRegistry();
    expect((await again.registry.fetch(summaries)).map(({ root }) => root)).toEqual(
      fetched.map(({ root }) => root),
    );
    expect([paths(), again.lines, existsSync(join(home, '.package-cache'))]).toEqual([[], [], false]);
  });

  test('are reported in order when they are unpacked, but not if they already are', async () => {
    mount(many, { faults: [{ kind: 'slow', path: 'p0/1.0.0', delayMs: 200 }] });
    const { registry, summaries } = await load({}, names);
    const told: string[] = [];
    const onUnpacked = ({ id, root, wasDownloaded }: FetchedPackage): void => {
      expect([existsSync(join(root, '.cargo-ok')), wasDownloaded]).toEqual([true, true]);
      told.push(id.name);
    };
    await registry.fetch(summaries, { onUnpacked });
    expect(told).toEqual(names);
    told.length = 0;
    await registry.fetch(summaries, { onUnpacked });
    expect(told).toEqual([]);
  });

  test('are reported only up to the first that fails', async () => {
    mount(many, { faults: [{ kind: 'status', status: 404, path: 'p3/1.0.0' }] });
    const { registry, summaries } = await load({}, names);
    const told: string[] = [];
    const fetching = registry.fetch(summaries, { onUnpacked: ({ id }) => told.push(id.name) });
    await expect(fetching).rejects.toThrow('failed to download from');
    expect(names.slice(0, 3)).toEqual(expect.arrayContaining(told));
  });

  test('are listed offline if they are downloaded, while the lock is held', async () => {
    mount([AA, { name: 'aa', version: '1.2.0' }, { name: 'aa-b', version: '1.0.0' }]);
    const { registry: online, summaries } = await load({}, ['aa', 'aa-b']);
    await online.fetch(summaries.filter(({ id }) => id.version.text === '1.0.0'));
    const { registry, cache } = openRegistry({ offline: true });
    const ask = (accepts = (_version: Version): boolean => true) => registry.downloaded('aa', accepts);
    expect(ask()).toBe(UNKNOWN);
    registry.invalidate();
    expect(ask()).toBe(UNKNOWN);
    await cache.hold(async () => {
      const found = ask();
      expect(versions(found)).toEqual(['1.0.0']);
      expect(ask(() => false)).toEqual([]);
      expect(registry.exact('aa', parseVersion('1.0.0'))).toBe(found === UNKNOWN ? null : found[0]);
      const all = registry.all('aa');
      expect(versions(all)).toEqual(['1.0.0', '1.2.0']);
      expect(all).toContain(found === UNKNOWN ? null : found[0]);
      // The index file is completely loaded now, so that it decides.
      expect(ask()).toBe(UNKNOWN);
    });
    const updating = openRegistry();
    updating.registry.invalidate();
    expect(updating.registry.downloaded('aa', () => true)).toBe(UNKNOWN);
  });

  test('are not listed if the index does not have one of them', async () => {
    mount([AA]);
    const { registry: online, summaries } = await load();
    const [fetched] = await online.fetch(summaries);
    writeFileSync(join(fetched?.archive?.folder ?? '', 'aa-3.0.0.crate'), 'x');
    const { registry, cache } = openRegistry({ offline: true });
    registry.invalidate();
    await cache.hold(async () => {
      expect(registry.downloaded('aa', () => true)).toBe(UNKNOWN);
      expect(versions(registry.downloaded('aa', ({ text }) => text.startsWith('1.')))).toEqual(['1.0.0']);
    });
  });

  test('that were found before an index update are requested from the index once', async () => {
    mount([AA, { name: 'b', version: '1.0.0' }]);
    const { summaries } = await load();
    const { registry } = openRegistry();
    expect(registry.exact('aa', parseVersion('1.0.0'))).not.toBe(UNKNOWN);
    registry.invalidate();
    await registry.load(['b']);
    server.requests.length = 0;
    await registry.fetch(summaries);
    expect(paths()).toEqual(['2/aa', 'dl/aa/1.0.0/download']);
    server.requests.length = 0;
    await registry.fetch(summaries);
    expect(paths()).toEqual([]);
  });

  test('are summarized if progress bars are shown', async () => {
    mount(many);
    const { registry, lines, bars, summaries, access } = await load({ showsProgress: true }, names);
    await registry.fetch(summaries);
    access.finishDownloads();
    expect(lines).not.toContain('Downloading crates ...');
    expect(lines.at(-1)).toMatch(/^Downloaded 20 crates \(\d+\.\dKiB\) in \d+\.\d\ds$/);
    expect(bars.at(-1)).toBe(null);
    expect(bars).toContainEqual(expect.objectContaining({ verb: 'Downloading', total: 20 }));
  });

  test('are unpacked from an existing archive, and downloaded again if it is damaged', async () => {
    mount([AA]);
    const { registry, summaries } = await load();
    const [{ root } = { root: '' }] = await registry.fetch(summaries);
    rmSync(root, { recursive: true });
    server.requests.length = 0;
    await registry.fetch(summaries);
    expect(paths()).toEqual([]);
    const archive = join(root, '..', '..', '..', 'cache', basename(dirname(root)), 'aa-1.0.0.crate');
    writeFileSync(archive, readFileSync(archive).subarray(0, 30));
    rmSync(root, { recursive: true });
    await registry.fetch(summaries);
    expect(paths()).toEqual(['dl/aa/1.0.0/download']);
    expect(existsSync(join(root, '.cargo-ok'))).toBe(true);
  });

  test('replace an unfinished folder', async () => {
    mount([AA]);
    const { registry, summaries } = await load();
    const [{ root } = { root: '' }] = await registry.fetch(summaries);
    rmSync(join(root, '.cargo-ok'));
    writeFileSync(join(root, 'rest'), '');
    await registry.fetch(summaries);
    expect(tree(root)).toEqual(['.cargo-ok', 'Cargo.toml', 'src/lib.rs']);
  });

  test.each<[string, Fault | null, CrateDecl, (string | RegExp)[]]>([
    [
      'a status',
      { kind: 'status', status: 404, path: 'dl/' },
      AA,
      [/^failed to download from `http.*download`$/, /got 404\nbody:\nout of order$/],
    ],
    [
      'changed bytes',
      { kind: 'flip', path: 'dl/' },
      AA,
      ['failed to verify the checksum of `aa v1.0.0 (registry `alt`)`'],
    ],
    [
      'half of the bytes',
      { kind: 'short', path: 'dl/' },
      AA,
      ['failed to verify the checksum of `aa v1.0.0 (registry `alt`)`'],
    ],
    ['a cut transfer', { kind: 'cut', path: 'dl/' }, AA, [/^failed to download from `http/, /^\[18\]/]],
    [
      'no archive',
      null,
      { ...AA, archive: 'garbage' },
      [
        'failed to unpack package `aa v1.0.0 (registry `alt`)`',
        'failed to iterate over archive',
        'invalid gzip header',
      ],
    ],
    [
      'a way out',
      null,
      { ...AA, entries: [{ path: 'bb-1.0.0/x' }] },
      ['failed to unpack package `aa v1.0.0 (registry `alt`)`', /isn't under "aa-1.0.0"$/],
    ],
  ])('fail because of %s and leave nothing unpacked', async (_, fault, decl, expected) => {
    mount([decl], { faults: fault === null ? [] : [fault] });
    const { registry, summaries } = await load({ config: '[net]\nretry = 0\n' });
    const messages = await chain(() => registry.fetch(summaries));
    expect(messages.length).toBe(expected.length);
    for (const [i, message] of messages.entries()) {
      const want = expected[i] ?? '';
      if (typeof want === 'string') expect(message).toBe(want);
      else expect(message).toMatch(want);
    }
    expect(tree(join(packagesHome(home), 'registry', 'src'))).toEqual([]);
  });

  test('are not downloaded offline', async () => {
    mount([AA]);
    await load();
    const { registry, summaries } = await load({ offline: true });
    expect(await chain(() => registry.fetch(summaries))).toEqual([
      'failed to download `aa v1.0.0 (registry `alt`)`',
      'attempting to make an HTTP request, but --offline was specified',
    ]);
  });

  test('are no longer requested after a failure', async () => {
    const lots = Array.from({ length: 200 }, (_, i) => ({ name: `q${i}`, version: '1.0.0' }));
    mount(lots, { faults: [{ kind: 'status', status: 403, path: 'dl/', times: 1 }] });
    const { registry, summaries } = await load(
      {},
      lots.map(({ name }) => name),
    );
    expect((await chain(() => registry.fetch(summaries))).at(-1)).toContain('got 403');
    expect(server.requests.length).toBeLessThan(150);
  });

  test.skipIf(onWindows)(
    "are fetched under cargo's lock (not on Windows: tsreg takes no locks of cargo there)",
    async () => {
      mount([AA]);
      const { registry, summaries, lines } = await load();
      const holder = await holdElsewhere(join(home, '.package-cache'), join(home, 'held'));
      await registry.fetch(summaries);
      expect(lines[0]).toBe('Blocking waiting for file lock on package cache');
      holder.kill();
    },
  );
});

describe('tokens', () => {
  const providers = '[registry]\nglobal-credential-providers = ["cargo:token"]\n';
  const fetchOne = async (setup: Setup) => {
    const { registry } = openRegistry(setup);
    await registry.load(['aa']);
    return await registry.fetch(registry.all('aa') as Summary[]);
  };
  beforeEach(() => mount([AA], { token: 'secret', config: { 'auth-required': true } }));

  test.each<[string, Setup]>([
    ['configuration', { config: `token = "secret"\n${providers}` }],
    ['a variable', { config: providers, env: { CARGO_REGISTRIES_ALT_TOKEN: 'secret' } }],
    [
      'a program that prints it',
      { config: `credential-provider = ["cargo:token-from-stdout", ${NODE}, "-p", "'secret'"]\n` },
    ],
  ])('come from %s', async (_, setup) => {
    expect(await fetchOne(setup)).toHaveLength(1);
    expect(
      server.requests.map(({ headers, path }) => [path.replace('/r/', ''), headers.authorization]),
    ).toEqual([
      ['config.json', undefined],
      ['config.json', 'secret'],
      ['2/aa', 'secret'],
      ['dl/aa/1.0.0/download', 'secret'],
    ]);
    server.requests.length = 0;
    const { registry } = openRegistry(setup);
    registry.invalidate();
    await registry.load(['aa']);
    expect(server.requests[0]?.headers.authorization).toBe('secret');
  });

  test('prevent prefetches if the registry requires them', async () => {
    mount([AA], { token: 'secret', config: { 'auth-required': true } });
    const { registry } = openRegistry({ config: `token = "secret"\n${providers}` });
    registry.prefetch(['aa', 'b']);
    await registry.load(['aa']);
    expect(paths()).toEqual(['config.json', 'config.json', '2/aa']);
  });

  test('come from the credentials file before the configuration', async () => {
    writeFileSync(join(home, 'credentials.toml'), '[registries.alt]\ntoken = "secret"\n');
    expect(await fetchOne({ config: `token = "wrong"\n${providers}` })).toHaveLength(1);
  });

  test.skipIf(onWindows)(
    'come from a program that speaks the credential protocol (not on Windows: it is a script)',
    async () => {
      const program = join(home, 'provider.sh');
      writeFileSync(
        program,
        `#!/bin/sh
echo '{"v":[1]}'
read line
printf '%s' "$line" > ${home}/asked
echo '{"Ok":{"kind":"get","token":"secret","cache":"session","operation_independent":true}}'
`,
      );
      chmodSync(program, 0o755);
      expect(await fetchOne({ config: `credential-provider = ["${program}", "x"]\n` })).toHaveLength(1);
      const asked = readFileSync(join(home, 'asked'), 'utf8');
      expect(asked).toContain(`"kind":"get","operation":"read","args":["x"]`);
      expect(asked).toContain(`"index-url":"sparse+${server.url}/r/","name":"alt"`);
      expect(asked).toContain('www-authenticate: Cargo login_url=');
    },
  );

  test.each<[string, Setup, (string | RegExp)[]]>([
    ['no provider', {}, [/^authenticated registries require a credential-provider to be configured\n/]],
    [
      'no token',
      { config: providers },
      [
        'no token found for `alt`, please run `tsreg login --registry alt`\nor use environment variable CARGO_REGISTRIES_ALT_TOKEN',
      ],
    ],
    [
      'a wrong token',
      { config: `token = "wrong"\n${providers}` },
      [
        /^token rejected for `alt`, please run.*\nor use .*\nnote: the token does not include an authentication scheme$/,
        /\(127\.0\.0\.1\), got 401\nbody:\na token is needed$/,
      ],
    ],
    [
      'a token that is two lines',
      { config: `token = "a\\r\\nx: y"\n${providers}` },
      [/^token contains invalid characters/],
    ],
    [
      'a program that fails',
      { config: `credential-provider = ["cargo:token-from-stdout", ${NODE}, "-e", "process.exit(1)"]\n` },
      [
        `credential provider \`cargo:token-from-stdout ${process.execPath} -e process.exit(1)\` failed action \`get\``,
        `process \`${process.execPath}\` failed with status \`exit status: 1\``,
      ],
    ],
    [
      'a program that is not there',
      { config: 'credential-provider = ["/no/such/program"]\n' },
      [/failed action `get`$/, 'failed to spawn credential process', NOT_FOUND],
    ],
    [
      'a program that says nothing',
      // Node.js refuses the flag that it gets.
      { config: `credential-provider = [${NODE}]\n` },
      [/failed action `get`$/, 'failed to deserialize hello', 'EOF while parsing a value at line 1 column 0'],
    ],
  ])('cause a clear error for %s', async (_, setup, expected) => {
    const messages = await chain(() => openRegistry(setup).registry.load(['aa']));
    expect(messages.length).toBe(expected.length);
    for (const [i, message] of messages.entries()) expect(message).toMatch(expected[i] ?? '');
    expect(messages.join('\n')).not.toContain('wrong');
  });

  test('cause a warning if another credential provider is configured', async () => {
    const { registry, lines } = openRegistry({
      config: `token = "t"\ncredential-provider = ["cargo:token-from-stdout", ${NODE}, "-p", "'secret'"]\n`,
    });
    await registry.load(['aa']);
    expect(lines).toContain(
      `warning: registry \`alt\` has a token configured in ${join(home, 'config.toml')} that will be ignored because this registry is configured to use credential-provider \`cargo:token-from-stdout\``,
    );
  });
});
