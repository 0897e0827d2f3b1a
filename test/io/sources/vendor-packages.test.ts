import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { makePackageId } from '../../../src/core/package-id/package-id.ts';
import { SourceTable } from '../../../src/core/package-id/source-table.ts';
import { parseVersion } from '../../../src/core/version/version.ts';
import { makeDirectorySource } from '../../../src/io/sources/directory-source.ts';
import { vendorCrate } from '../../../src/io/sources/vendor-crate.ts';
import { vendorFiles } from '../../../src/io/sources/vendor-files.ts';
import { VendorFolder } from '../../../src/io/sources/vendor-folder.ts';
import { vendorPackages } from '../../../src/io/sources/vendor-packages.ts';
import { MemoryFiles } from '../../helpers/memory-files.ts';
import { recordingContext } from '../../helpers/recording-report.ts';
import { packTar } from '../../helpers/tar.ts';
import { makeTempDir, type TempDir } from '../../helpers/temp-dir.ts';

const sources = new SourceTable();
let temp: TempDir;
beforeEach(() => {
  temp = makeTempDir('vendor-packages');
});
afterEach(() => temp.remove());

test('vendorPackages handles each failure, also of packages that are unpacked in advance', async () => {
  const folder = new VendorFolder({ path: 'vendor', cwd: temp.path, keepsOthers: false });
  rmSync(join(temp.path, 'vendor'), { recursive: true });
  const unhandled: unknown[] = [];
  const onUnhandled = (error: unknown): void => void unhandled.push(error);
  process.on('unhandledRejection', onUnhandled);
  const list = async () => {
    await sleep(20);
    return [];
  };
  const content = { kind: 'files', list, manifest: null } as const;
  const archive = { folder: temp.path, name: 'b-1.0.0.crate' };
  const common = { root: temp.path, checksum: null };
  const idOf = (name: string) => makePackageId(name, parseVersion('1.0.0'), sources.cratesIo());
  const vendoring = vendorPackages(
    [
      { ...common, id: idOf('a'), name: 'a', content },
      { ...common, id: idOf('b'), name: 'b', content: { kind: 'crate', archive } },
    ],
    folder,
    recordingContext().context,
  );
  await expect(vendoring).rejects.toThrow('failed to copy vendored sources for a v1.0.0');
  await sleep(0);
  process.off('unhandledRejection', onUnhandled);
  expect(unhandled).toEqual([]);
});

test('vendorFiles names a folder that it cannot create', () => {
  writeFileSync(join(temp.path, 'file'), '');
  const place = { from: temp.path, files: [], to: join(temp.path, 'file', 'a'), root: 'vendor/a' };
  expect(() => vendorFiles({ ...place, checksum: null, manifest: null })).toThrow(
    'failed to create directory `vendor/a`',
  );
});

test('vendorCrate replaces the part that a thread left', () => {
  const unpacked = join(temp.path, 'a-1.0.0');
  mkdirSync(unpacked);
  writeFileSync(join(unpacked, 'part'), '');
  const archive = gzipSync(packTar([{ path: 'a-1.0.0/Cargo.toml', data: Buffer.from('') }]));
  vendorCrate(archive, { parent: temp.path, dirName: 'a-1.0.0', root: 'vendor/a', checksum: null });
  expect(existsSync(unpacked)).toBe(true);
  expect(readdirSync(unpacked).sort()).toEqual(['.cargo-checksum.json', 'Cargo.toml']);
});

test('a directory source that cannot be listed fails like in cargo', async () => {
  const files = new MemoryFiles({ '/v/': '' });
  files.list = () => {
    throw Object.assign(new Error('EACCES'), { code: 'EACCES', errno: -13 });
  };
  const id = sources.forDirectory('/v');
  const { report } = recordingContext().context;
  const load = () => {
    throw new Error('not called');
  };
  await expect(makeDirectorySource(id, id, { files, load, report }).load()).rejects.toThrow(
    'failed to read root of directory source: /v',
  );
});
