import { expect, it } from 'vitest';
import { parseIndexLine } from '../../src/index.ts';
import { buildCrate } from '../helpers/crate.ts';

it('returns the version that a line describes', () => {
  const { indexLine, checksum } = buildCrate(
    {
      name: 'demo',
      version: '1.2.3',
      registry: 'own',
      links: 'z',
      yanked: true,
      rust_version: '1.70',
      features: { json: ['dep:codec'] },
      deps: [
        'log ^0.4',
        { name: 'codec', package: 'codec-core', req: '1', optional: true, features: ['x'], default: false },
        { name: 'other', kind: 'dev', target: 'cfg(unix)', registry: 'more' },
      ],
      index: { pubtime: '2024-05-31T12:00:00Z' },
    },
    (registry) => `sparse+https://${registry}.example/index/`,
  );
  const common = { rename: null, kind: 'normal', optional: false, defaultFeatures: true, features: [] };
  const shared = { ...common, target: null, registry: null };
  expect(parseIndexLine(indexLine)).toEqual({
    ...{ name: 'demo', version: '1.2.3', yanked: true, checksum, rustVersion: '1.70', links: 'z' },
    publishedAt: '2024-05-31T12:00:00Z',
    features: { json: ['dep:codec'] },
    dependencies: [
      { ...shared, name: 'log', req: '^0.4' },
      {
        ...{ ...shared, name: 'codec-core', rename: 'codec', req: '^1', optional: true },
        ...{ features: ['x'], defaultFeatures: false },
      },
      {
        ...{ ...shared, name: 'other', req: '*', kind: 'dev', target: 'cfg(unix)' },
        registry: 'sparse+https://more.example/index/',
      },
    ],
  });
});

it.each([
  ['nope', 'the index line has no valid `name` and `vers`'],
  ['{"name":"../a","vers":"1.0.0"}', 'the index line has no valid `name` and `vers`'],
  ['{"name":"a","vers":"1.0.0","deps":[]}', 'the index line of `a@1.0.0` is invalid'],
  [
    '{"name":"a","vers":"1.0.0","deps":[],"cksum":"","features":{},"v":9}',
    'the index line of `a@1.0.0` has the format 9, which this version of tsreg does not know; update tsreg',
  ],
])('throws for %j', (line, message) => {
  expect(() => parseIndexLine(line)).toThrow(expect.objectContaining({ code: 'source', message }));
});

it('throws for an argument that is no text', () => {
  expect(() => Reflect.apply(parseIndexLine, null, [{}])).toThrow('`line` must be a string, not this object');
});
