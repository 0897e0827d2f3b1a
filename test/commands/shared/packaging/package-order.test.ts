import { describe, expect, it } from 'vitest';
import type { PackageManifest } from '../../../../src/core/manifest/manifest.ts';
import { orderPackages } from '../../../../src/commands/shared/packaging/package-order.ts';
import { SourceTable } from '../../../../src/core/package-id/source-table.ts';
import { MemoryFiles } from '../../../helpers/memory-files.ts';
import { ManifestLoader } from '../../../../src/io/workspace/manifest-loader.ts';

/** Loads packages from folders with their names; each value has the dependency tables of a package. */
function load(tables: Readonly<Record<string, string>>): { manifest: PackageManifest }[] {
  const sources = new SourceTable();
  const manifests = new ManifestLoader({
    files: new MemoryFiles(
      Object.fromEntries(
        Object.entries(tables).flatMap(([name, table]) => [
          [`/w/${name}/Cargo.toml`, `[package]\nname = '${name}'\nversion = '1.0.0'\n${table}`],
          [`/w/${name}/src/lib.rs`, ''],
        ]),
      ),
    ),
    sources,
    cargoHome: '/home',
    registry: () => sources.cratesIo(),
  });
  return Object.keys(tables).map((name) => ({ manifest: manifests.loadPackage(`/w/${name}/Cargo.toml`) }));
}

function orderOf(tables: Readonly<Record<string, string>>): readonly string[] {
  return orderPackages(load(tables)).packages.map(({ manifest }) => manifest.summary.id.name);
}

const on = (name: string, table = 'dependencies'): string =>
  `[${table}]\n${name} = { path = '../${name}', version = '1' }\n`;

describe('orderPackages', () => {
  it('sorts independent packages by name', () => {
    expect(orderOf({ b: '', c: '', a: '' })).toEqual(['a', 'b', 'c']);
  });

  it('puts dependencies of every kind first', () => {
    expect(orderOf({ a: on('c'), b: '', c: on('d', 'build-dependencies'), d: '' })).toEqual([
      'd',
      'c',
      'a',
      'b',
    ]);
    expect(orderOf({ a: on('b', 'dev-dependencies'), b: '' })).toEqual(['b', 'a']);
    expect(orderOf({ a: on('b', "target.'cfg(unix)'.dependencies"), b: '' })).toEqual(['b', 'a']);
  });

  it('ignores dependencies without a version, on itself and on packages that are not selected', () => {
    expect(orderOf({ a: "[dev-dependencies]\nb = { path = '../b' }\n", b: '' })).toEqual(['a', 'b']);
    expect(orderOf({ a: on('a', 'dev-dependencies'), b: '' })).toEqual(['a', 'b']);
    const [a, b] = load({ a: on('b'), b: '' });
    if (a === undefined || b === undefined) throw new Error('both are there');
    expect(orderPackages([a]).dependencies.get(a)).toEqual([]);
    expect(orderPackages([b, a]).dependencies.get(a)).toEqual([b]);
  });

  it('breaks cycles', () => {
    expect(orderOf({ a: on('b'), b: on('a', 'dev-dependencies') })).toEqual(['b', 'a']);
  });
});
