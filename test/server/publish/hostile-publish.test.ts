import { readdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Actor } from '../../../src/server/store/values.ts';
import { verifyStore } from '../../../src/server/admin/verify-store.ts';
import { frameBody, publishBody } from '../../helpers/publish-body.ts';
import { packTar, type TarEntry } from '../../helpers/tar.ts';
import { blobKeys, FOLDER_IS_ELSEWHERE } from '../../helpers/test-storage.ts';
import { openTestRegistry, type TestRegistry } from '../../helpers/test-registry.ts';

let registry: TestRegistry;
let actor: Actor;
beforeAll(async () => {
  registry = await openTestRegistry();
  actor = await registry.tokenOf(await registry.user('mallory'));
});
afterAll(() => registry[Symbol.asyncDispose]());

/** Checks that the registry is consistent, and that no other files are in its folder or next to it. */
async function expectNothingStrange(): Promise<void> {
  const names = readdirSync(dirname(registry.folder), { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map(({ name, parentPath }) => `${parentPath.slice(registry.folder.length)}/${name}`);
  for (const name of names) {
    expect(name).toMatch(
      /^\/(?:registry\.db(?:-wal|-shm|-journal|-no-wal)?|crates\/[0-9a-f]{2}\/[0-9a-f]{2}\/[0-9a-f-]{81}\.crate)$/,
    );
  }
  const result = await verifyStore(registry.store, {
    nowMs: Date.now() + 1e9,
    removeUnreferenced: false,
    forgetDamaged: false,
  });
  expect(result).toMatchObject({ problems: [], unreferenced: [] });
  const files = names.filter((name) => name.endsWith('.crate'));
  expect(FOLDER_IS_ELSEWHERE === null ? files.length : result.versions).toBe(result.versions);
  expect((await blobKeys(registry.store.blobs)).length).toBe(result.versions);
}

/** Publishes `body`, and checks that it is published or refused with a proper message. Returns which, or the status. */
async function refusedOrPublished(body: Uint8Array): Promise<'published' | number> {
  const result = await registry.publish(actor, body);
  if (result.kind === 'published') return 'published';
  expect([400, 403, 409, 413]).toContain(result.status);
  expect(result.detail).not.toBe('');
  expect(result.detail).not.toMatch(/undefined|\[object|not a function|of null|\/package\b/);
  expect(result.detail).not.toContain(registry.folder);
  expect(result.detail).not.toMatch(/[\0-\x08\x0b-\x1f\x7f]/);
  expect(result.detail.length).toBeLessThan(2500);
  return result.status;
}

const GOOD = publishBody(
  {
    name: 'good',
    version: '1.0.0',
    features: { f: ['dep:b'] },
    deps: [{ name: 'b', req: '1', optional: true }],
  },
  { description: 'd', readme: '# r', keywords: ['k'], badges: { maintenance: { status: 'none' } } },
);

/** Odd values for any field of the JSON. */
const oddValue = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    0,
    -1,
    1e308,
    '',
    ' ',
    '..',
    '../../etc/passwd',
    '/',
    'a'.repeat(3000),
    '\0',
    '\ud800',
    '\u202e',
    '__proto__',
    'constructor',
    '*',
    '>=1, <2, ',
    'cfg(not(all(',
    [],
    {},
    [[]],
    [null],
    { a: null },
    JSON.parse('{"__proto__":{"a":[]}}'),
    Array.from({ length: 2000 }, () => 'a'),
  ),
  fc.jsonValue(),
  fc.string({ unit: 'binary' }),
);

const KEYS = Object.keys(GOOD.metadata);
const DEP_KEYS = [
  'name',
  'version_req',
  'features',
  'optional',
  'default_features',
  'target',
  'kind',
  'registry',
  'explicit_name_in_toml',
];

const RUNS = { numRuns: 150 };

describe('publishing', () => {
  it('accepts or properly refuses odd values in fields', async () => {
    const change = fc.record({
      key: fc.constantFrom(...KEYS),
      value: oddValue,
      depKey: fc.option(fc.constantFrom(...DEP_KEYS)),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 2 }), async (changes) => {
        const metadata: Record<string, unknown> = { ...GOOD.metadata };
        for (const { key, value, depKey } of changes) {
          if (depKey === null) metadata[key] = value;
          else metadata['deps'] = [{ name: 'b', version_req: '1', optional: true, [depKey]: value }];
        }
        await refusedOrPublished(frameBody(JSON.stringify(metadata), GOOD.archive));
      }),
      RUNS,
    );
  });

  it('accepts or properly refuses bodies with changed, removed or inserted bytes', async () => {
    const edit = fc.record({
      at: fc.nat(GOOD.bytes.length - 1),
      cut: fc.nat(20),
      put: fc.uint8Array({ maxLength: 20 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 4 }), async (edits) => {
        let { bytes } = GOOD;
        for (const { at, cut, put } of edits) {
          bytes = Buffer.concat([bytes.subarray(0, at), put, bytes.subarray(at + cut)]);
        }
        await refusedOrPublished(bytes);
      }),
      RUNS,
    );
  });

  it('accepts or properly refuses truncated, deeply nested and invalid JSON', async () => {
    const json = JSON.stringify(GOOD.metadata);
    const odd = fc.oneof(
      fc.nat(json.length).map((end) => json.slice(0, end)),
      fc.string({ unit: 'binary' }),
      fc
        .nat(40_000)
        .map((depth) => `{"name":"a","vers":"1.0.0","deps":${'['.repeat(depth)}${']'.repeat(depth)}}`),
      fc
        .nat(9000)
        .map((depth) => `{"name":"a","vers":"1.0.0","x":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}}`),
      fc.uint8Array().map((bytes) => Buffer.from(bytes)),
    );
    await fc.assert(
      fc.asyncProperty(odd, async (text) => {
        await refusedOrPublished(frameBody(text, GOOD.archive));
      }),
      RUNS,
    );
  });

  it('accepts or properly refuses archives with odd entries', async () => {
    const top = 'good-2.0.0';
    const path = fc.oneof(
      fc.constantFrom(
        '../x',
        `${top}/../../x`,
        '/tmp/x',
        `${top}/a/../../../x`,
        `${top}`,
        '',
        `${top}/`,
        `${top}//x`,
      ),
      fc.constantFrom(`${top}/Cargo.toml`, `${top}/CARGO.TOML`, `${top}/Cargo.toml/x`, `${top}/src/lib.rs/x`),
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.string({ maxLength: 30 }).map((name) => `${top}/${name}`),
    );
    const entry: fc.Arbitrary<TarEntry> = fc
      .record({ path, data: fc.uint8Array({ maxLength: 600 }), link: fc.option(path) })
      .map(({ path: name, data, link }) => ({
        path: name,
        data: Buffer.from(data),
        ...(link === null ? {} : { link }),
      }));
    const manifest = fc.constantFrom(
      '[package]\nname = "good"\nversion = "2.0.0"\n',
      '[package]\nname = "good"\nversion = "2.0.0"\nreadme = "../../../etc/passwd"\nbuild = "/etc/passwd"\n',
      `[package]\nname = "good"\nversion = "2.0.0"\n[lib]\npath = "../../x.rs"\n`,
      `a = ${'['.repeat(5000)}${']'.repeat(5000)}`,
      `[${'a.'.repeat(3000)}a]`,
      '[package]\nname = "good"\nversion = "2.0.0"\n[dependencies]\nb = { path = "../../.." }\n',
      '[package]\nname = "good"\nversion = "2.0.0"\n[patch.crates-io]\nb = { path = "../../.." }\n',
      '[package]\nname.workspace = true\n[workspace]\nmembers = ["../*"]\n',
      '\ufeff',
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(entry, { maxLength: 4 }),
        manifest,
        fc.boolean(),
        async (entries, text, isFirst) => {
          const own = { path: `${top}/Cargo.toml`, data: Buffer.from(text) };
          const tar = packTar(isFirst ? [own, ...entries] : [...entries, own]);
          const metadata = { name: 'good', vers: '2.0.0' };
          await refusedOrPublished(frameBody(JSON.stringify(metadata), gzipSync(tar)));
        },
      ),
      RUNS,
    );
  });

  it('accepts or properly refuses archives whose uncompressed bytes were changed', async () => {
    const tar = packTar([
      { path: 'good-3.0.0/Cargo.toml', data: Buffer.from('[package]\nname = "good"\nversion = "3.0.0"\n') },
      { path: 'good-3.0.0/src/lib.rs', data: Buffer.alloc(700, 0x20) },
    ]);
    const change = fc.record({ at: fc.nat(tar.length - 1), byte: fc.nat(255) });
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { minLength: 1, maxLength: 6 }),
        fc.nat(tar.length),
        async (changes, end) => {
          const changed = Buffer.from(tar.subarray(0, end < 600 ? end : tar.length));
          for (const { at, byte } of changes) if (at < changed.length) changed[at] = byte;
          await refusedOrPublished(frameBody('{"name":"good","vers":"3.0.0"}', gzipSync(changed)));
        },
      ),
      RUNS,
    );
  });
});

it('leaves no stray files and a consistent registry after all hostile requests', async () => {
  await expectNothingStrange();
  expect(await refusedOrPublished(publishBody({ name: 'last', version: '1.0.0' }).bytes)).toBe('published');
  await expectNothingStrange();
});
