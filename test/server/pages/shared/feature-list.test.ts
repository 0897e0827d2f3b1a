import { expect, it } from 'vitest';
import type { PublishedDependency } from '../../../../src/core/protocol/publish-metadata.ts';
import { formatFeatureValue } from '../../../../src/core/summary/feature-value.ts';
import { listFeatures } from '../../../../src/server/pages/shared/feature-list.ts';

const OPTIONAL: PublishedDependency = {
  ...{ name: 'serde', versionReq: '1', features: [], optional: true, defaultFeatures: true, target: null },
  ...{ kind: 'normal', registry: null, explicitNameInToml: null },
};

/** Returns the features in a line each; `*` marks those that are enabled by default. */
function list(features: Record<string, string[]>, ...dependencies: PublishedDependency[]): readonly string[] {
  const listed = listFeatures({ features: new Map(Object.entries(features)), dependencies });
  return listed.map(
    ({ name, isDefault, values }) =>
      `${name}${isDefault ? '*' : ''}: ${values.map(formatFeatureValue).join(' ')}`,
  );
}

it('marks the features that are enabled by default, directly or through others', () => {
  expect(list({ zip: [], b: ['c'], default: ['b'], c: ['b'] })).toEqual([
    'default*: b',
    'b*: c',
    'c*: b',
    'zip: ',
  ]);
  expect(list({ a: [] })).toEqual(['a: ']);
});

it('lists the feature that an optional dependency implies, unless a feature names the dependency', () => {
  expect(list({}, OPTIONAL)).toEqual(['serde: dep:serde']);
  expect(list({}, { ...OPTIONAL, explicitNameInToml: 'ser' })).toEqual(['ser: dep:ser']);
  expect(list({ std: ['dep:serde'] }, OPTIONAL)).toEqual(['std: dep:serde']);
  expect(list({ default: ['serde/std'] }, OPTIONAL)).toEqual(['default*: serde/std', 'serde*: dep:serde']);
  expect(list({ default: ['serde?/std'] }, OPTIONAL)).toEqual(['default*: serde?/std', 'serde: dep:serde']);
});
