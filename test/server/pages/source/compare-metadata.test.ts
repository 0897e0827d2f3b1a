import { expect, it } from 'vitest';
import type { PublishedDependency } from '../../../../src/core/protocol/publish-metadata.ts';
import { changedDependencies } from '../../../../src/server/pages/source/compare-metadata.ts';

const dependency = (name: string, more: Partial<PublishedDependency> = {}): PublishedDependency => ({
  ...{ name, versionReq: '^1', features: [], optional: false, defaultFeatures: true, target: null },
  ...{ kind: 'normal', registry: null, explicitNameInToml: null },
  ...more,
});

const changesOf = (
  old: readonly PublishedDependency[],
  fresh: readonly PublishedDependency[],
): readonly string[] =>
  changedDependencies({ dependencies: old }, { dependencies: fresh }).map(
    ({ name, detail, old: before, new: after }) => `${name} ${detail}: ${before} → ${after}`,
  );

it('shows a dependency whose registry has changed', () => {
  const registry = 'https://other.example/index';
  expect(changesOf([dependency('log')], [dependency('log', { registry, optional: true })])).toEqual([
    `log : ^1 → ^1, from ${registry}, optional`,
  ]);
  expect(changesOf([dependency('log', { registry })], [dependency('log', { registry })])).toEqual([]);
});

it('sorts by name, and leaves several changes of one name in their order', () => {
  const old = [dependency('b'), dependency('a', { kind: 'dev' }), dependency('a')];
  expect(changesOf(old, [])).toEqual([
    'a development dependency: ^1 → null',
    'a : ^1 → null',
    'b : ^1 → null',
  ]);
});
