import { describe, expect, test } from 'vitest';
import { SourceTable } from '../../../src/core/package-id/source-table.ts';
import { decodeIndexLine, readLineVersion } from '../../../src/core/protocol/index-line.ts';

const sources = new SourceTable();
const original = sources.cratesIo();
const actual = sources.cratesIoSparse();
const decode = (line: object | string) =>
  decodeIndexLine(typeof line === 'string' ? line : JSON.stringify(line), { original, actual }, sources);
const usable = (line: object) => {
  const entry = decode(line);
  if (entry?.kind !== 'usable') throw new Error(`not usable: ${JSON.stringify(entry)}`);
  return entry.summary;
};
const plain = { name: 'a', vers: '1.0.0', deps: [], cksum: 'ff', features: {}, yanked: false };
const dep = {
  name: 'd',
  req: '^1',
  features: [],
  optional: false,
  default_features: true,
  target: null,
  kind: 'normal',
};

describe('decodeIndexLine', () => {
  test('reads every relevant field', () => {
    const summary = usable({
      ...plain,
      deps: [
        { ...dep, name: 'renamed', package: 'real', kind: 'build', target: 'cfg(unix)', features: ['', 'x'] },
        { ...dep, optional: true, default_features: false, registry: 'sparse+https://other/index/' },
        { ...dep, name: 'e', registry: 'https://github.com/rust-lang/crates.io-index' },
      ],
      features: { z: ['b'], b: [] },
      features2: { z: ['dep:d'], y: ['d?/x'] },
      links: 'native',
      rust_version: '1.60',
      yanked: true,
      pubtime: '2025-11-12T19:30:12Z',
      v: 2,
    });
    expect(summary.id.source).toBe(original);
    expect(summary).toMatchObject({ links: 'native', rustVersion: '1.60', checksum: 'ff', yanked: true });
    expect(summary.publishedAtMs).toBe(Date.parse('2025-11-12T19:30:12Z'));
    const [renamed, other, named] = summary.dependencies;
    expect(renamed).toMatchObject({
      name: 'real',
      nameInToml: 'renamed',
      renamed: true,
      kind: 'build',
      features: ['x'],
    });
    expect(renamed?.source).toBe(original);
    expect(renamed?.registry).toBe(null);
    expect(renamed?.platform).not.toBe(null);
    expect(other).toMatchObject({
      optional: true,
      defaultFeatures: false,
      source: { kind: 'sparse-registry' },
    });
    expect(other?.registry).toBe(other?.source);
    expect(named).toMatchObject({ kind: 'normal', registry: null });
    expect(named?.source).toBe(original);
    expect([...summary.features]).toEqual([
      ['b', []],
      ['y', [{ kind: 'dep-feature', dep: 'd', feature: 'x', weak: true }]],
      [
        'z',
        [
          { kind: 'feature', feature: 'b' },
          { kind: 'dep', dep: 'd' },
        ],
      ],
    ]);
  });

  test('reads dev-dependencies too', () => {
    const dev = { ...dep, name: 'e', kind: 'dev' };
    const features = { z: ['e/x'] };
    expect(usable({ ...plain, deps: [dep, dev], features }).dependencies).toMatchObject([
      { name: 'd', kind: 'normal' },
      { name: 'e', kind: 'dev' },
    ]);
    for (const deps of [[dep], [{ ...dev, req: '?' }]])
      expect(decode({ ...plain, deps, features })).toMatchObject({ kind: 'rejected' });
  });

  test('maps a dependency on the replacement registry to the original one', () => {
    const url = `sparse+${actual.url}`;
    expect(usable({ ...plain, deps: [{ ...dep, registry: url }] }).dependencies[0]?.source).toBe(original);
  });

  test('uses defaults for missing optional fields', () => {
    const summary = usable({ name: 'a', vers: '1.0.0', deps: [{ name: 'd', req: '*' }], cksum: '' });
    expect(summary).toMatchObject({ links: null, rustVersion: null, yanked: false });
    expect(summary.dependencies[0]).toMatchObject({
      kind: 'normal',
      optional: false,
      defaultFeatures: true,
      features: [],
    });
  });

  test.each(['1970-01-01T00:00:00Z', '1999-12-31T23:59:59Z', '2000-02-29T12:00:00Z', '2026-03-01T00:00:01Z'])(
    'reads the publication time %s',
    (pubtime) => {
      expect(usable({ ...plain, pubtime }).publishedAtMs).toBe(Date.parse(pubtime));
    },
  );

  test.each([
    ['no deps', { name: 'a', vers: '1.0.0', cksum: '' }],
    ['no checksum', { name: 'a', vers: '1.0.0', deps: [] }],
    ['deps of the wrong shape', { ...plain, deps: {} }],
    ['a bad requirement', { ...plain, deps: [{ ...dep, req: '>>1' }] }],
    ['a bad target', { ...plain, deps: [{ ...dep, target: 'cfg(' }] }],
    ['a feature of nothing', { ...plain, features: { a: ['nothing'] } }],
    ['null features', { ...plain, features: null }],
    ['a bad rust version', { ...plain, rust_version: '1.60-beta' }],
    ['a bad time', { ...plain, pubtime: '2025-1-12T19:30:12Z' }],
    ['a day that is none', { ...plain, pubtime: '2025-02-29T19:30:12Z' }],
    ['a yanked that is no boolean', { ...plain, yanked: 1 }],
    ['a registry that is no URL', { ...plain, deps: [{ ...dep, registry: 'nope' }] }],
  ])('returns an invalid entry for %s', (_, line) => {
    expect(decode(line)).toMatchObject({ kind: 'rejected', name: 'a', reason: { kind: 'invalid-entry' } });
  });

  test('reports a newer format as unsupported, whether it is readable or not', () => {
    const reason = { kind: 'unsupported-index', indexVersion: 3, rustVersion: null };
    expect(decode({ ...plain, v: 3 })).toMatchObject({ kind: 'rejected', reason });
    expect(decode({ name: 'a', vers: '1.0.0', v: 3 })).toMatchObject({ kind: 'rejected', reason });
  });

  test('takes a format of more than 32 bits as an invalid value', () => {
    expect(decode({ ...plain, v: 2 ** 32 - 1 })).toMatchObject({ reason: { kind: 'unsupported-index' } });
    expect(decode({ ...plain, v: 2 ** 32 })).toMatchObject({ reason: { kind: 'invalid-entry' } });
  });

  test.each([
    ['1.99', '1.99'],
    ['1.99-beta', null],
    [1.99, null],
  ])('reports the Rust version %s of a newer format if it is valid', (rust_version, rustVersion) => {
    const reason = { kind: 'unsupported-index', indexVersion: 3, rustVersion };
    for (const line of [plain, { name: 'a', vers: '1.0.0' }]) {
      expect(decode({ ...line, v: 3, rust_version })).toMatchObject({ kind: 'rejected', reason });
    }
  });

  test.each([
    '',
    'x',
    '[]',
    '{}',
    '{"name":"a","vers":"x"}',
    '{"vers":"1.0.0"}',
    '{"name":"a","vers":"1.0.0"',
  ])('returns null for %s', (text) => expect(decode(text)).toBe(null));
});

describe('readLineVersion', () => {
  test.each([
    ['{"name":"a","vers":"1.0.0","deps":[]}', '1.0.0'],
    ['{"name": "a", "vers": "1.0.0", "deps": []}', '1.0.0'],
    ['{"vers":"1.2.0+b","name":"a"}', '1.2.0+b'],
    ['{ "name" : "\\u0061", "vers" : "1.0.0" }', '1.0.0'],
  ])('returns the version of %s', (text, version) => expect(readLineVersion(text)?.text).toBe(version));

  test.each([
    '',
    '{"name":"a","vers":"1.0","deps":[]}',
    '{"name":"a","vers":"1.0.0","de',
    '{"name": "a", "vers": "1.0.0", "de',
    '{"vers":"1.0.0"}',
  ])('returns null for %s', (text) => expect(readLineVersion(text)).toBe(null));
});
