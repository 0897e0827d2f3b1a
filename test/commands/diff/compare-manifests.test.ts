import { describe, expect, it } from 'vitest';
import { changedDependencies, changedFeatures } from '../../../src/commands/diff/compare-manifests.ts';
import { readPreparedManifest } from '../../../src/core/manifest/read-prepared-manifest.ts';
import { SourceTable } from '../../../src/core/package-id/source-table.ts';
import type { Dependency } from '../../../src/core/summary/summary.ts';

/** Returns the dependencies of a manifest with these tables. */
function dependenciesOf(tables: string): readonly Dependency[] {
  const sources = new SourceTable();
  const text = `[package]\nname = 'p'\nversion = '1.0.0'\n[lib]\npath = 'lib.rs'\n${tables}`;
  const { summary } = readPreparedManifest(text, {
    path: '/p/Cargo.toml',
    source: sources.forPath('/p'),
    sources,
    registry: (name) => sources.forRegistryIndex(`sparse+https://${name}/`, name),
  });
  return summary.dependencies;
}

describe('changedDependencies', () => {
  it('lists additions, removals and changes by kind and name', () => {
    const old = dependenciesOf(
      "[dependencies]\nsame = '1'\ngone = '1'\nreq = '1.0'\n[dev-dependencies]\nreq = '1'\n",
    );
    const fresh = dependenciesOf(
      "[dependencies]\nsame = '1'\nreq = '1.2'\n[build-dependencies]\ncc = '1'\n[dev-dependencies]\nreq = '1'\n",
    );
    const reqs = changedDependencies(old, fresh).map((change) => [
      change.kind,
      change.name,
      change.old?.req ?? null,
      change.new?.req ?? null,
    ]);
    expect(reqs).toEqual([
      ['normal', 'gone', '^1', null],
      ['normal', 'req', '^1.0', '^1.2'],
      ['build', 'cc', null, '^1'],
    ]);
  });

  it('distinguishes targets, and notices every property of a dependency', () => {
    const plain = "version = '1'";
    const changeOf = (properties: string): unknown =>
      changedDependencies(
        dependenciesOf(`[target.'cfg(unix)'.dependencies]\na = { ${plain} }\n`),
        dependenciesOf(`[target.'cfg(unix)'.dependencies]\na = { ${plain}, ${properties} }\n`),
      ).map((change) => change.new);
    const same = {
      req: '^1',
      optional: false,
      default_features: true,
      features: [],
      package: null,
      registry: null,
    };
    expect(changeOf('optional = false')).toEqual([]);
    expect(changeOf('optional = true')).toEqual([{ ...same, optional: true }]);
    expect(changeOf('default-features = false')).toEqual([{ ...same, default_features: false }]);
    expect(changeOf("features = ['y', 'x']")).toEqual([{ ...same, features: ['x', 'y'] }]);
    expect(changeOf("package = 'b'")).toEqual([{ ...same, package: 'b' }]);
    expect(changeOf("registry-index = 'sparse+https://r/'")).toEqual([
      { ...same, registry: 'sparse+https://r/' },
    ]);
    const moved = changedDependencies(
      dependenciesOf("[dependencies]\na = '1'\n"),
      dependenciesOf("[target.'cfg(unix)'.dependencies]\na = '1'\n"),
    );
    expect(moved.map(({ target, old }) => [target, old === null])).toEqual([
      [null, false],
      ['cfg(unix)', true],
    ]);
  });
});

describe('changedFeatures', () => {
  it('lists additions, removals and changes by name, whatever the order of values', () => {
    const old = new Map([
      ['default', ['a', 'b']],
      ['gone', []],
      ['more', ['a']],
    ]);
    const fresh = new Map([
      ['more', ['a', 'b']],
      ['default', ['b', 'a']],
      ['extra', []],
    ]);
    expect(changedFeatures(old, fresh)).toEqual([
      { name: 'extra', old: null, new: [] },
      { name: 'gone', old: [], new: null },
      { name: 'more', old: ['a'], new: ['a', 'b'] },
    ]);
  });
});
