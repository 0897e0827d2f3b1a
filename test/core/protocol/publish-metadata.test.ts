import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  decodePublishMetadata,
  encodePublishMetadata,
  type PublishMetadata,
} from '../../../src/core/protocol/publish-metadata.ts';

/** Metadata that cargo sent for a package with one renamed dependency. */
const RECORDED =
  '{"name":"foo-bar","vers":"0.2.0","deps":[{"optional":false,"default_features":false,"name":"actual","features":[],' +
  '"version_req":"=1.2.3","target":null,"kind":"normal","registry":"https://example.com/index",' +
  '"explicit_name_in_toml":"renamed"}],"features":{"1":["2"],"2":[],"a":["dep:renamed"]},"authors":["A <a@b.c>"],' +
  '"description":"d","documentation":null,"homepage":null,"readme":"# r\\n","readme_file":"README.md","keywords":["k"],' +
  '"categories":[],"license":"MIT","license_file":null,"repository":null,"badges":{"maintenance":{"status":"none"}},' +
  '"links":null,"rust_version":"1.60"}';

const decode = (text: string): PublishMetadata => decodePublishMetadata(Buffer.from(text));

it('encodes metadata as cargo does', () => {
  expect(encodePublishMetadata(decode(RECORDED))).toBe(RECORDED);
});

const text = fc.string({ unit: 'grapheme', maxLength: 8 }).filter((each) => !each.includes('\0'));
const texts = fc.array(text, { maxLength: 3 });
const maybe = fc.option(text);
const mapOf = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<ReadonlyMap<string, T>> =>
  fc.array(fc.tuple(text, value), { maxLength: 3 }).map((entries) => new Map(entries));
const metadata: fc.Arbitrary<PublishMetadata> = fc.record({
  name: text,
  version: text,
  dependencies: fc.array(
    fc.record({
      name: text,
      versionReq: text,
      features: texts,
      optional: fc.boolean(),
      defaultFeatures: fc.boolean(),
      target: maybe,
      kind: fc.constantFrom('normal', 'dev', 'build'),
      registry: maybe,
      explicitNameInToml: maybe,
    }),
    { maxLength: 3 },
  ),
  features: mapOf(texts),
  authors: texts,
  description: maybe,
  documentation: maybe,
  homepage: maybe,
  readme: maybe,
  readmeFile: maybe,
  keywords: texts,
  categories: texts,
  license: maybe,
  licenseFile: maybe,
  repository: maybe,
  badges: mapOf(mapOf(text)),
  links: maybe,
  rustVersion: maybe,
});

it('decodes encoded metadata to the same value', () => {
  fc.assert(
    fc.property(metadata, (value) => {
      expect(decode(encodePublishMetadata(value))).toEqual(value);
    }),
  );
});

it('treats missing fields as null and ignores unknown ones', () => {
  const bare = decode('{"name":"a","vers":"1.0.0"}');
  expect(bare).toMatchObject({ dependencies: [], authors: [], description: null, links: null });
  expect(bare.features.size + bare.badges.size).toBe(0);
  const nulls = Object.keys(JSON.parse(RECORDED)).map((key) => `"${key}":null`);
  expect(decode(`{${nulls.join(',')},"name":"a","vers":"1.0.0","x":[{}]}`)).toEqual(bare);
  expect(decode('{"name":"a","vers":"1.0.0","deps":[{"name":"b","version_req":"1"}]}').dependencies).toEqual([
    {
      ...{ name: 'b', versionReq: '1', features: [], optional: false, defaultFeatures: true },
      ...{ target: null, kind: 'normal', registry: null, explicitNameInToml: null },
    },
  ]);
});

it.each([
  ['[]', 'the document must be an object'],
  ['null', 'the document must be an object'],
  ['{"name":"a"}', '`vers` is missing'],
  ['{"name":1,"vers":"1.0.0"}', '`name` must be a string'],
  ['{"name":"a","vers":"1.0.0","deps":{}}', '`deps` must be a list'],
  ['{"name":"a","vers":"1.0.0","deps":[1]}', '`deps[0]` must be an object'],
  ['{"name":"a","vers":"1.0.0","deps":[{"name":"b"}]}', '`deps[0].version_req` is missing'],
  ['{"name":"a","vers":"1.0.0","features":{"f":[[]]}}', '`features.f[0]` must be a string'],
  ['{"name":"a","vers":"1.0.0","features":{"__proto__":1}}', '`features.__proto__` must be a list'],
  ['{"name":"a","vers":"1.0.0","readme":"\\u0000"}', '`readme` has characters that are not allowed'],
  ['{"name":"a","vers":"1.0.0","readme":"\\ud800"}', '`readme` has characters that are not allowed'],
  ['{"name":"a","vers":"1.0.0","deps":[{"name":"b","version_req":"1","kind":"x"}]}', 'of the kind `x`'],
  [
    '{"name":"a","vers":"1.0.0","deps":[{"name":"b","version_req":"1","optional":1}]}',
    'must be true or false',
  ],
  ['{', 'JSON'],
  ['', 'JSON'],
])('refuses %s', (json, detail) => {
  expect(() => decode(json)).toThrow(detail);
});

it('refuses invalid UTF-8 and reads no field from the prototype', () => {
  expect(() => decodePublishMetadata(Buffer.from('{"name":"\xff"}', 'latin1'))).toThrow('invalid UTF-8');
  expect(() => decode('{"__proto__":{"name":"a","vers":"1.0.0"}}')).toThrow('`name` is missing');
});
