import { describe, expect, it } from 'vitest';
import {
  buildFeatureMap,
  formatFeatureValue,
  parseFeatureValue,
} from '../../../src/core/summary/feature-value.ts';
import { featureNameProblem } from '../../../src/core/summary/feature-name.ts';
import type { Dependency } from '../../../src/core/summary/summary.ts';
import type { SourceId } from '../../../src/core/package-id/source-id.ts';
import { ANY_VERSION } from '../../../src/core/version/requirement.ts';

const source: SourceId = {
  ix: 0,
  kind: 'path',
  url: 'file:///x',
  canonicalUrl: 'file:///x',
  reference: null,
  precise: null,
  registryName: null,
  namedIn: null,
  key: 'x',
  unpinnedKey: 'x',
};

function dependency(name: string, optional: boolean): Dependency {
  return {
    name,
    nameInToml: name,
    renamed: false,
    source,
    registry: null,
    req: ANY_VERSION,
    kind: 'normal',
    optional,
    defaultFeatures: true,
    features: [],
    platform: null,
  };
}

const dependencies = [dependency('d', false), dependency('o', true)];

function build(features: Record<string, string[]>): string | Record<string, string[]> {
  const result = buildFeatureMap(new Map(Object.entries(features)), dependencies);
  if (result.problem !== null) return result.problem.message;
  return Object.fromEntries(
    Array.from(result.features, ([name, values]) => [name, values.map(formatFeatureValue)]),
  );
}

describe('feature values', () => {
  it.each([
    ['f', { kind: 'feature', feature: 'f' }],
    ['dep:o', { kind: 'dep', dep: 'o' }],
    ['o/x', { kind: 'dep-feature', dep: 'o', feature: 'x', weak: false }],
    ['o?/x', { kind: 'dep-feature', dep: 'o', feature: 'x', weak: true }],
    ['dep:o/x/y', { kind: 'dep-feature', dep: 'dep:o', feature: 'x/y', weak: false }],
    ['/x', { kind: 'dep-feature', dep: '', feature: 'x', weak: false }],
    ['o?', { kind: 'feature', feature: 'o?' }],
  ])('reads %s and prints it back', (text, value) => {
    expect(parseFeatureValue(text)).toEqual(value);
    expect(formatFeatureValue(parseFeatureValue(text))).toBe(text);
  });

  it('adds the implicit feature of an optional dependency', () => {
    expect(build({ z: ['o'] })).toEqual({ o: ['dep:o'], z: ['o'] });
  });

  it('adds no implicit feature if a value has `dep:` or a feature has the name', () => {
    expect(build({ z: ['dep:o'] })).toEqual({ z: ['dep:o'] });
    expect(build({ o: ['dep:o', 'd/x'] })).toEqual({ o: ['dep:o', 'd/x'] });
  });

  it('fails quickly if very many values are unknown', () => {
    const many = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`f${i}`, ['x']]));
    const start = performance.now();
    expect(build(many)).toContain(
      'feature `f0` includes `x` which is neither a dependency nor another feature',
    );
    expect(performance.now() - start).toBeLessThan(5000);
  });

  it('sorts features bytewise and keeps the order of values', () => {
    expect(Object.keys(build({ b: [], a_: [], 'a-': ['b', 'a_'] }))).toEqual(['a-', 'a_', 'b', 'o']);
    expect(build({ b: [], 'a-': ['b', 'o'] })).toMatchObject({ 'a-': ['b', 'o'] });
  });

  it.each([
    [
      { abc: ['abd'] },
      'feature `abc` includes `abd` which is neither a dependency nor another feature\n\nhelp: a feature with a similar name exists: `abc`',
    ],
    [
      { abcdefgh: ['zz'] },
      'feature `abcdefgh` includes `zz` which is neither a dependency nor another feature',
    ],
    [
      { a: ['o'], b: ['dep:o'] },
      'feature `a` includes `o`, but `o` is an optional dependency without an implicit feature\nUse `dep:o` to enable the dependency.',
    ],
    [
      { a: ['d'] },
      'feature `a` includes `d`, but `d` is not an optional dependency\nA non-optional dependency of the same name is defined; consider adding `optional = true` to its definition.',
    ],
    [
      { a: ['dep:d'] },
      'feature `a` includes `dep:d`, but `d` is not an optional dependency\nA non-optional dependency of the same name is defined; consider adding `optional = true` to its definition.',
    ],
    [{ a: ['dep:zz'] }, 'feature `a` includes `dep:zz`, but `zz` is not listed as a dependency'],
    [
      { a: ['d?/x'] },
      'feature `a` includes `d?/x` with a `?`, but `d` is not an optional dependency\nA non-optional dependency of the same name is defined; consider removing the `?` or changing the dependency to be optional',
    ],
    [
      { a: ['dep:o/x'] },
      'feature `a` includes `dep:o/x` with both `dep:` and `/`\nTo fix this, remove the `dep:` prefix.\nIf the intent is to avoid creating an implicit feature `o` for an optional dependency, then consider replacing this with two values:\n    "dep:o", "o/x"',
    ],
    [
      { a: ['dep:d/x'] },
      'feature `a` includes `dep:d/x` with both `dep:` and `/`\nTo fix this, remove the `dep:` prefix.',
    ],
    [
      { a: ['dep:o?/x'] },
      'feature `a` includes `dep:o?/x` with both `dep:` and `/`\nTo fix this, remove the `dep:` prefix.',
    ],
    [{ a: ['o/x/y'] }, 'multiple slashes in feature `o/x/y` (included by feature `a`) are not allowed'],
    [
      { o: [] },
      'optional dependency `o` is not included in any feature\nMake sure that `dep:o` is included in one of features in the [features] table.',
    ],
    [{ a: ['zz?/x'] }, 'feature `a` includes `zz?/x`, but `zz` is not a dependency'],
    [
      { 'a b': [] },
      "invalid character ` ` in feature name: `a b`, characters must be Unicode XID characters, '-', `+`, or `.` (numbers, `+`, `-`, `_`, `.`, or most letters)",
    ],
  ])('refuses %j', (features, message) => {
    expect(build(features)).toBe(message);
  });

  it('reports which value names a missing dependency', () => {
    const { problem } = buildFeatureMap(new Map([['a', ['zz?/x']]]), []);
    expect(problem?.missing).toEqual({ feature: 'a', dependency: 'zz', weak: true });
  });

  it('allows a feature to include itself', () => {
    expect(build({ a: ['a'] })).toEqual({ a: ['a'], o: ['dep:o'] });
  });
});

describe('feature names', () => {
  it.each(['1a', 'c++17', 'a.b', 'default-features', '_x', 'é'])('may be %s', (name) => {
    expect(featureNameProblem(name)).toBeNull();
  });

  it.each([
    ['', 'feature name cannot be empty'],
    [
      '-a',
      'invalid character `-` in feature name: `-a`, the first character must be a Unicode XID start character or digit (most letters or `_` or `0` to `9`)',
    ],
    ['dep:x', 'feature named `dep:x` is not allowed to start with `dep:`'],
    ['a/b', 'invalid character `/` in feature name: `a/b`, feature name is not allowed to contain slashes'],
  ])('must not be %j', (name, message) => {
    expect(featureNameProblem(name)).toBe(message);
  });
});
