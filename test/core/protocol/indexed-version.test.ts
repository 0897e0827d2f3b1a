import { describe, expect, it } from 'vitest';
import { SourceTable } from '../../../src/core/package-id/source-table.ts';
import { decodeIndexLine } from '../../../src/core/protocol/index-line.ts';
import { type IndexedVersion, indexedVersionOf } from '../../../src/core/protocol/indexed-version.ts';

const sources = new SourceTable();
const original = sources.cratesIo();
const actual = sources.cratesIoSparse();

const LINE = { name: 'a', vers: '1.0.0+build', deps: [], cksum: 'ff', features: {}, yanked: false };
const DEPENDENCY = {
  ...{ name: 'd', req: '^1', features: [], optional: false, default_features: true },
  ...{ target: null, kind: 'normal' },
};

function versionOf(line: object): IndexedVersion {
  const entry = decodeIndexLine(JSON.stringify({ ...LINE, ...line }), { original, actual }, sources);
  if (entry?.kind !== 'usable') throw new Error(`not usable: ${JSON.stringify(entry)}`);
  return indexedVersionOf(entry.summary);
}

describe('indexedVersionOf', () => {
  it('has null for everything that the index does not contain', () => {
    expect(versionOf({})).toEqual({
      ...{ name: 'a', version: '1.0.0+build', yanked: false, checksum: 'ff', rustVersion: null },
      ...{ links: null, publishedAt: null, features: {}, dependencies: [] },
    });
  });

  it('formats the time of publication as the index does', () => {
    expect(versionOf({ pubtime: '2025-11-12T19:30:12Z' }).publishedAt).toBe('2025-11-12T19:30:12Z');
  });

  it('names a dependency by its crate, and its registry if that is another one', () => {
    const deps = [
      {
        ...DEPENDENCY,
        name: 'renamed',
        package: 'real',
        kind: 'build',
        target: 'cfg(unix)',
        features: ['x'],
      },
      { ...DEPENDENCY, optional: true, registry: 'sparse+https://other/index/' },
    ];
    const { dependencies, features } = versionOf({ deps, features: { y: ['renamed/x'] } });
    const common = { defaultFeatures: true, req: '^1' };
    expect(dependencies).toEqual([
      {
        ...{ ...common, name: 'real', rename: 'renamed', kind: 'build', optional: false, features: ['x'] },
        ...{ target: 'cfg(unix)', registry: null },
      },
      {
        ...{ ...common, name: 'd', rename: null, kind: 'normal', optional: true, features: [] },
        ...{ target: null, registry: 'sparse+https://other/index/' },
      },
    ]);
    expect(features).toEqual({ d: ['dep:d'], y: ['renamed/x'] });
  });
});
