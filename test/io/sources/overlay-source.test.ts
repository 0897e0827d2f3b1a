import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SourceId } from '../../../src/core/package-id/source-id.ts';
import { ABSENT, UNKNOWN } from '../../../src/core/resolve/problem.ts';
import { createCatalog, type PackageCatalog } from '../../../src/io/sources/catalog.ts';
import { openLocalRegistry } from '../../../src/io/sources/write-local-registry.ts';
import type { Summary } from '../../../src/core/summary/summary.ts';
import { parseVersion } from '../../../src/core/version/version.ts';
import { buildCrate, type BuiltCrate, type CrateDecl } from '../../helpers/crate.ts';
import { type RegistryServer, startRegistryServer } from '../../helpers/registry-server.ts';
import { makeSourceContext } from '../../helpers/source-context.ts';
import { onWindows } from '../../helpers/system.ts';
import { makeTempDir } from '../../helpers/temp-dir.ts';

let server: RegistryServer;
let root: string;
beforeAll(async () => {
  server = await startRegistryServer();
});
afterAll(() => server.close());
beforeEach(() => {
  const temp = makeTempDir('overlay');
  root = temp.path;
  server.mount('mock', {
    crates: [crate({ name: 'aa', version: '1.0.0', yanked: true }), crate({ name: 'aa', version: '1.1.0' })],
  });
  return () => temp.remove();
});

const crate = (decl: CrateDecl): BuiltCrate =>
  buildCrate({ registry: 'mock', ...decl }, (name) => `sparse+${server.url}/${name}/`);

interface Run {
  readonly catalog: PackageCatalog;
  readonly source: SourceId;
  readonly lines: readonly string[];
  /** Returns the versions of `aa` and their checksums. */
  readonly versions: () => Promise<Record<string, string | null>>;
  readonly find: (version: string) => Summary;
}

/** Starts a run in which the packages `made` overlay the registry, with the archives that a server would have. */
async function run(...made: readonly BuiltCrate[]): Promise<Run> {
  const { context, lines } = makeSourceContext({ cwd: root, home: join(root, 'home') });
  const { sources } = context;
  const source = sources.forRegistryIndex(`sparse+${server.url}/mock/`, 'mock');
  const writer = await openLocalRegistry(
    { folder: join(root, 'made'), registry: source, cratesIo: sources.cratesIo() },
    { ...context, env: process.env },
  );
  for (const each of made) {
    const { name, version } = each.decl;
    const path = join(root, `${name}.crate`);
    writeFileSync(path, each.archive ?? '');
    const id = { name, version: parseVersion(version), source, key: '' };
    await writer.add({
      summary: {
        id,
        dependencies: [],
        features: new Map(),
        links: null,
        rustVersion: null,
        checksum: null,
        yanked: false,
        publishedAtMs: null,
      },
      features: new Map(),
      archive: { path, sha256: each.checksum },
    });
  }
  writer.close();
  const catalog = createCatalog(context).fork(writer.overlay);
  const find = (version: string): Summary => {
    const found = catalog.table.exact(source, 'aa', parseVersion(version));
    if (typeof found === 'symbol') throw new Error('not found');
    return found;
  };
  return {
    catalog,
    source,
    lines,
    find,
    versions: async () => {
      if (catalog.table.all(source, 'aa') === UNKNOWN) await catalog.loader.load([{ source, name: 'aa' }]);
      const all = catalog.table.all(source, 'aa');
      if (all === UNKNOWN) throw new Error('still unknown');
      return Object.fromEntries(all.map(({ id, checksum }) => [id.version.text, checksum]));
    },
  };
}

describe('packages that overlay a registry', () => {
  it('belong to the registry and replace packages with the same version', async () => {
    const other = crate({ name: 'aa', version: '1.1.0', files: { 'src/lib.rs': '// other' } });
    const { versions, find, source, lines } = await run(other);
    expect(await versions()).toEqual({
      '1.0.0': crate({ name: 'aa', version: '1.0.0' }).checksum,
      '1.1.0': other.checksum,
    });
    expect(find('1.1.0').id.source).toBe(source);
    expect(lines).toEqual(['Updating `mock` index']);
  });

  it('have only their last version', async () => {
    const { versions } = await run(
      crate({ name: 'aa', version: '2.0.0' }),
      crate({ name: 'aa', version: '3.0.0' }),
    );
    expect(Object.keys(await versions()).sort()).toEqual(['1.0.0', '1.1.0', '3.0.0']);
  });

  it('are unpacked from their folder, while all others are downloaded', async () => {
    const { catalog, versions, find, lines } = await run(crate({ name: 'aa', version: '2.0.0' }));
    await versions();
    const fetched = await catalog.fetchPackages([find('2.0.0'), find('1.1.0')]);
    expect(fetched.map(({ id }) => id.version.text)).toEqual(['2.0.0', '1.1.0']);
    expect(fetched.every((each) => existsSync(join(each.root, 'Cargo.toml')))).toBe(true);
    expect(lines).toEqual([
      'Updating `mock` index',
      `Unpacking aa v2.0.0 (registry \`${join(root, 'made')}\`)`,
      'Downloading crates ...',
      'Downloaded aa v1.1.0 (registry `mock`)',
    ]);
  });

  it('are downloaded if their archive is damaged', async () => {
    const { catalog, versions, find } = await run(crate({ name: 'aa', version: '1.1.0' }));
    writeFileSync(join(root, 'made', 'aa-1.1.0.crate'), 'spoiled');
    await versions();
    const [fetched] = await catalog.fetchPackages([find('1.1.0')]);
    expect(readFileSync(join(fetched?.root ?? '', 'Cargo.toml'), 'utf8')).toContain('name = "aa"');
  });

  it('are yanked if the registry says so', async () => {
    const { catalog, versions, find, lines } = await run(crate({ name: 'aa', version: '1.0.0' }));
    await versions();
    expect(find('1.0.0').yanked).toBe(false);
    const ids = ['1.0.0', '1.1.0'].map((version) => find(version).id);
    expect(await catalog.yankedAmong(ids)).toEqual([ids[0]]);
    expect(lines).toEqual(['Updating `mock` index']);
  });

  it('do not exist in another catalog', async () => {
    const { catalog, source, versions } = await run(crate({ name: 'aa', version: '2.0.0' }));
    await versions();
    const plain = catalog.fork(null);
    expect(plain.table.all(source, 'aa')).toBe(UNKNOWN);
    await plain.loader.load([{ source, name: 'aa' }]);
    expect(plain.table.exact(source, 'aa', parseVersion('2.0.0'))).toBe(ABSENT);
  });
});

describe('a written local registry', () => {
  it('has the archive and the index line of every package', async () => {
    await run(crate({ name: 'aa', version: '2.0.0' }));
    expect(readdirSync(join(root, 'made')).sort()).toEqual(['.cargo-lock', 'aa-2.0.0.crate', 'index']);
    expect(readFileSync(join(root, 'made', 'aa-2.0.0.crate'))).toEqual(
      crate({ name: 'aa', version: '2.0.0' }).archive,
    );
    expect(readFileSync(join(root, 'made/index/2/aa'), 'utf8')).toMatch(
      /^\{"name":"aa","vers":"2.0.0",.*\}$/,
    );
  });

  it('starts with an empty index, even in the same folder', async () => {
    await run(crate({ name: 'aa', version: '2.0.0' }));
    const { versions } = await run();
    expect(Object.keys(await versions()).sort()).toEqual(['1.0.0', '1.1.0']);
    expect(readdirSync(join(root, 'made', 'index'))).toEqual([]);
  });

  it.skipIf(onWindows)(
    'keeps other writers out until it is closed (not on Windows: tsreg takes no locks of cargo there)',
    async () => {
      const { context, lines } = makeSourceContext({ cwd: root, home: join(root, 'home') });
      const cratesIo = context.sources.cratesIo();
      const options = { folder: join(root, 'made'), registry: cratesIo, cratesIo };
      const operation = { ...context, env: process.env };
      const first = await openLocalRegistry(options, operation);
      const second = openLocalRegistry(options, operation);
      await expect.poll(() => lines).toEqual(['Blocking waiting for file lock on temporary registry']);
      first.close();
      (await second).close();
    },
  );
});
