import { renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { AdvisoryDatabase } from '../../../../src/server/publish/advisories/advisory-database.ts';
import { AdvisoryIndex } from '../../../../src/server/publish/advisories/advisory-index.ts';
import { readAdvisoryFolder } from '../../../../src/server/publish/advisories/advisory-folder.ts';
import { rustsecFile, writeFiles } from '../../../helpers/advisory-files.ts';
import { makeTempDir, type TempDir } from '../../../helpers/temp-dir.ts';

let dir: TempDir;
let nowMs: number;
let logged: (readonly [event: string, values: unknown])[];

beforeEach(() => {
  dir = makeTempDir('advisories');
  nowMs = Date.UTC(2026, 2, 14);
  logged = [];
});
afterEach(() => dir.remove());

const note = (event: string, values?: unknown): void => void logged.push([event, values]);

function open(): Promise<AdvisoryDatabase> {
  const log = { info: note, warning: note, error: note };
  return AdvisoryDatabase.open(dir.path, { clock: { now: () => nowMs }, log });
}

function idsOf(database: AdvisoryDatabase, crate: string, version = '1.0.0'): readonly string[] {
  return database.of(crate, version).map(({ id }) => id);
}

/** Changes the time of a folder, as a file system with coarse times may not do between two tests. */
function touch(name: string): void {
  utimesSync(path.join(dir.path, name), new Date(nowMs), new Date(nowMs));
}

const osv = (id: string, name: string, more: object = {}): string =>
  JSON.stringify({
    id,
    affected: [
      {
        package: { ecosystem: 'crates.io', name },
        ranges: [{ type: 'SEMVER', events: [{ introduced: '0' }, { fixed: '2.0.0' }] }],
      },
    ],
    ...more,
  });

it('reads both formats at any depth, and finds crates in any spelling', async () => {
  writeFiles(dir.path, {
    'crates/tiny-http/RUSTSEC-2020-0031.md': rustsecFile({ id: 'RUSTSEC-2020-0031', crate: 'tiny-http' }),
    'osv/2021/GHSA-aaaa-bbbb-cccc.json': osv('GHSA-aaaa-bbbb-cccc', 'Other'),
    'README.md': '# not an advisory',
    'crates/tiny-http/CODE-OF-CONDUCT.md': '# not an advisory',
    '.git/RUSTSEC-2020-0001.md': 'not read',
    'rust/cargo/CVE-2019-16760.md': rustsecFile({
      id: 'CVE-2019-16760',
      crate: 'cargo',
      patched: ['>=1.26'],
    }),
  });
  const database = await open();
  expect(database.crates).toEqual(['Other', 'tiny-http']);
  expect(idsOf(database, 'Tiny_HTTP')).toEqual(['RUSTSEC-2020-0031']);
  expect([idsOf(database, 'other'), idsOf(database, 'other', '2.0.0')]).toEqual([
    ['GHSA-aaaa-bbbb-cccc'],
    [],
  ]);
  expect([idsOf(database, 'unknown'), idsOf(database, 'other', 'x')]).toEqual([[], []]);
  expect(database.state).toMatchObject({ advisories: 2, brokenFiles: 0, readAtMs: nowMs });
  expect(logged).toEqual([['advisories-read', { folder: dir.path, advisories: 2 }]]);
});

it('shows each advisory once, as RustSec has it, vulnerabilities first', async () => {
  const unmaintained = { id: 'RUSTSEC-2022-0009', crate: 'x', extra: 'informational = "unmaintained"' };
  writeFiles(dir.path, {
    'GHSA-aaaa-bbbb-cccc.json': osv('GHSA-aaaa-bbbb-cccc', 'x', { aliases: ['RUSTSEC-2021-0002'] }),
    'GHSA-dddd-eeee-ffff.json': osv('GHSA-dddd-eeee-ffff', 'x', { aliases: ['CVE-2021-7777'] }),
    'GHSA-gggg-hhhh-iiii.json': osv('GHSA-gggg-hhhh-iiii', 'x', { aliases: ['CVE-2021-8888'] }),
    'RUSTSEC-2021-0002.json': osv('RUSTSEC-2021-0002', 'x', { aliases: ['CVE-2021-8888'] }),
    'crates/x/RUSTSEC-2021-0002.md': rustsecFile({
      ...{ id: 'RUSTSEC-2021-0002', crate: 'x', extra: 'aliases = ["CVE-2021-8888"]' },
    }),
    'crates/x/RUSTSEC-2022-0009.md': rustsecFile(unmaintained),
  });
  const database = await open();
  expect(idsOf(database, 'x')).toEqual(['RUSTSEC-2021-0002', 'GHSA-dddd-eeee-ffff', 'RUSTSEC-2022-0009']);
});

it('finds the copies among many advisories about one crate in a short time', () => {
  const advisories = Array.from({ length: 20_000 }, (_, number) => ({
    ...({ id: `ACME-2026-${number}`, title: '', kind: 'vulnerability', severity: null, url: null } as const),
    ...{ crate: 'x', aliases: [`CVE-2026-${number}`], patched: [], affects: () => true },
  }));
  const copies = advisories.map((advisory) => ({ ...advisory, id: advisory.id.replace('ACME', 'OTHER') }));
  const startMs = performance.now();
  expect(new AdvisoryIndex([...copies, ...advisories]).size).toBe(20_000);
  expect(performance.now() - startMs).toBeLessThan(5_000);
});

it('skips broken files, and warns once with their number', async () => {
  writeFiles(dir.path, {
    'RUSTSEC-2021-0001.md': 'no TOML',
    'RUSTSEC-2021-0002.md': '```toml\nx = \n```\n',
    'RUSTSEC-2021-0003.json': '{',
    'RUSTSEC-2021-0004.md': `${rustsecFile({ id: 'RUSTSEC-2021-0004', crate: 'x' })}${' '.repeat(300_000)}`,
    'RUSTSEC-2021-0005.md': rustsecFile({ id: 'RUSTSEC-2021-0005', crate: 'x' }),
  });
  writeFileSync(path.join(dir.path, 'RUSTSEC-2021-0006.md'), Buffer.from([0xff, 0xfe]));
  symlinkSync(path.join(dir.path, 'RUSTSEC-2021-0005.md'), path.join(dir.path, 'RUSTSEC-2021-0007.md'));
  const database = await open();
  expect(idsOf(database, 'x')).toEqual(['RUSTSEC-2021-0005']);
  expect(logged.slice(1)).toEqual([['advisories-broken', { folder: dir.path, files: 5 }]]);
});

it('reads a limited number of files', async () => {
  for (const number of ['0001', '0002']) {
    const id = `RUSTSEC-2021-${number}`;
    writeFiles(dir.path, { [`${id}.md`]: rustsecFile({ id, crate: 'x' }) });
  }
  const some = await readAdvisoryFolder(dir.path, { maxFiles: 1, maxFolders: 1 });
  expect([some.advisories.length, some.isTruncated]).toEqual([1, true]);
  const all = await readAdvisoryFolder(dir.path, { maxFiles: 2, maxFolders: 1 });
  expect([all.advisories.length, all.isTruncated]).toEqual([2, false]);
});

it('reads the upper and first folders of a database that has too many, such as the one of GitHub', async () => {
  for (const id of ['GHSA-aaaa-aaaa-aaaa', 'GHSA-aaaa-aaaa-bbbb', 'GHSA-aaaa-aaaa-cccc'])
    writeFiles(dir.path, { [`reviewed/${id}/${id}.json`]: osv(id, 'x') });
  const readWithin = async (maxFolders: number): Promise<readonly [readonly string[], boolean]> => {
    const read = await readAdvisoryFolder(dir.path, { maxFiles: 9, maxFolders });
    return [read.advisories.map(({ id }) => id), read.isTruncated];
  };
  expect(await readWithin(4)).toEqual([['GHSA-aaaa-aaaa-aaaa', 'GHSA-aaaa-aaaa-bbbb'], true]);
  expect((await readWithin(5))[1]).toBe(false);
});

it('notices a pull that changes only the content of files', async () => {
  const file = 'RUSTSEC-2021-0001.md';
  const decl = { id: 'RUSTSEC-2021-0001', crate: 'x' };
  writeFiles(dir.path, { [file]: rustsecFile(decl), '.git/index': 'before' });
  const database = await open();
  writeFiles(dir.path, { [file]: rustsecFile({ ...decl, patched: ['>=1.0.0'] }), '.git/index': 'after' });
  touch('.git/index');
  nowMs += 60_000;
  idsOf(database, 'x');
  await database.close();
  expect(idsOf(database, 'x')).toEqual([]);
});

it('keeps the known advisories while the folder is empty, as a volume that is not mounted', async () => {
  writeFiles(dir.path, { 'db/RUSTSEC-2021-0001.md': rustsecFile({ id: 'RUSTSEC-2021-0001', crate: 'x' }) });
  const database = await open();
  const idsAfterCheck = async (): Promise<readonly string[]> => {
    nowMs += 60_000;
    idsOf(database, 'x');
    await database.close();
    return idsOf(database, 'x');
  };
  renameSync(path.join(dir.path, 'db'), path.join(dir.path, '.db'));
  expect(await idsAfterCheck()).toEqual(['RUSTSEC-2021-0001']);
  expect(logged.at(-1)).toMatchObject(['advisories-not-read', { folder: dir.path }]);
  expect(database.state.failure).toBe('the folder no longer has any advisory');
  writeFiles(dir.path, { 'RUSTSEC-2021-0002.md': rustsecFile({ id: 'RUSTSEC-2021-0002', crate: 'x' }) });
  expect(await idsAfterCheck()).toEqual(['RUSTSEC-2021-0002']);
  expect(database.state.failure).toBe(null);
});

it('knows new advisories at the first lookup after a quiet time', async () => {
  const startTimer = vi.spyOn(globalThis, 'setInterval');
  const database = await open();
  const [onTimer] = startTimer.mock.calls.at(-1) ?? [];
  startTimer.mockRestore();
  writeFiles(dir.path, { 'RUSTSEC-2021-0001.md': rustsecFile({ id: 'RUSTSEC-2021-0001', crate: 'x' }) });
  touch('.');
  nowMs += 60_000;
  onTimer?.();
  await database.close();
  expect(idsOf(database, 'x')).toEqual(['RUSTSEC-2021-0001']);
});

it('reads a changed folder again in the background, and looks at most once a minute', async () => {
  writeFiles(dir.path, {
    'crates/x/RUSTSEC-2021-0001.md': rustsecFile({ id: 'RUSTSEC-2021-0001', crate: 'x' }),
  });
  const database = await open();
  writeFiles(dir.path, {
    'crates/x/RUSTSEC-2021-0002.md': rustsecFile({ id: 'RUSTSEC-2021-0002', crate: 'x' }),
  });
  touch('crates/x');
  nowMs += 59_999;
  idsOf(database, 'x');
  await database.close();
  expect(idsOf(database, 'x')).toHaveLength(1);
  nowMs += 1;
  // This lookup starts the look, and does not wait for it.
  expect(idsOf(database, 'x')).toHaveLength(1);
  await database.close();
  expect(idsOf(database, 'x')).toEqual(['RUSTSEC-2021-0002', 'RUSTSEC-2021-0001']);
  expect(database.state.readAtMs).toBe(nowMs);
  nowMs += 60_000;
  idsOf(database, 'x');
  await database.close();
  expect(logged.filter(([event]) => event === 'advisories-read')).toHaveLength(2);
});

it('keeps the known advisories while the folder is gone', async () => {
  writeFiles(dir.path, {
    'RUSTSEC-2021-0001.md': rustsecFile({ id: 'RUSTSEC-2021-0001', crate: 'x' }),
  });
  const database = await open();
  rmSync(dir.path, { recursive: true });
  nowMs += 60_000;
  idsOf(database, 'x');
  await database.close();
  expect(idsOf(database, 'x')).toEqual(['RUSTSEC-2021-0001']);
  expect(logged.at(-1)).toMatchObject(['advisories-not-read', { folder: dir.path }]);
});

it('warns once about a folder that is gone, and again if it was back', async () => {
  const away = `${dir.path}-away`;
  writeFiles(dir.path, { 'RUSTSEC-2021-0001.md': rustsecFile({ id: 'RUSTSEC-2021-0001', crate: 'x' }) });
  const database = await open();
  const check = async (): Promise<void> => {
    nowMs += 60_000;
    idsOf(database, 'x');
    await database.close();
  };
  for (const _ of ['first', 'second']) {
    renameSync(dir.path, away);
    await check();
    await check();
    renameSync(away, dir.path);
    await check();
  }
  expect(logged.filter(([event]) => event === 'advisories-not-read')).toHaveLength(2);
});

it('warns about a folder without advisories, such as the wrong one', async () => {
  await open();
  expect(logged.at(-1)).toEqual(['advisories-missing', { folder: dir.path }]);
});

it('cannot be opened without its folder', async () => {
  dir.remove();
  await expect(open()).rejects.toThrow(`cannot read the advisories in \`${dir.path}\``);
});
