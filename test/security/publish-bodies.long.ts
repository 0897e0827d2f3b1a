import fc from 'fast-check';
import { expect, it } from 'vitest';
import { TsregError } from '../../src/core/errors/error.ts';
import { decodePublishBody } from '../../src/core/protocol/publish-body.ts';
import { decodePublishMetadata } from '../../src/core/protocol/publish-metadata.ts';
import { checkMetadata } from '../../src/server/publish/check-metadata.ts';
import { frameBody, publishBody } from '../helpers/publish-body.ts';
import { samples } from '../helpers/samples.ts';

const SEED = 29_009;
const BUDGET_MS = 20_000;
const MAX_MS = 1500;
const LIMITS = { maxMetadataBytes: 1024 * 1024, maxArchiveBytes: 1024 * 1024 };

const { metadata, archive } = publishBody({
  name: 'good',
  version: '1.0.0',
  features: { f: ['dep:b'], g: ['f'] },
  deps: [{ name: 'b', req: '1', optional: true, target: 'cfg(unix)' }],
});

const value: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(
    'x'.repeat(100_000),
    '1.'.repeat(50_000),
    `^${'1,'.repeat(30_000)}`,
    `cfg(${'all('.repeat(5000)})`,
  ),
  fc.constantFrom('MIT OR '.repeat(10_000), '('.repeat(50_000), 'é'.repeat(50_000), '\u0000', -1, 1e308),
  fc.constantFrom([], {}, '[['.repeat(1000)),
  fc.nat(30_000).map((count) => Array.from({ length: count }, (_, i) => `k${i}`)),
  fc
    .nat(5000)
    .map((count) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, [`f${i + 1}`]]))),
  fc.nat(3000).map((count) => Array.from({ length: count }, () => Object.values(metadata['deps'] ?? {})[0])),
);
/** The metadata with some fields replaced, or other text, valid JSON or not. */
const json = fc.oneof(
  fc
    .dictionary(fc.constantFrom(...Object.keys(metadata), 'other'), value, { maxKeys: 4 })
    .map((changed) => JSON.stringify({ ...metadata, ...changed })),
  value.map((other) => JSON.stringify(other)),
  fc.string(),
  fc.constantFrom('['.repeat(200_000), '{"a":'.repeat(100_000), '"', '\uFEFF{}', '1e999999'),
);
const bodies = fc
  .record({
    json,
    damage: fc.oneof(
      { weight: 3, arbitrary: fc.constant([]) },
      fc.array(fc.tuple(fc.nat(400), fc.nat(255)), { maxLength: 4 }),
    ),
    cut: fc.oneof({ weight: 3, arbitrary: fc.constant(1) }, fc.double({ min: 0, max: 1, noNaN: true })),
    tail: fc.oneof({ weight: 3, arbitrary: fc.constant(new Uint8Array()) }, fc.uint8Array({ maxLength: 20 })),
    chunk: fc.constantFrom(1, 7, 1000, 65_536),
  })
  .map(({ json: text, damage, cut, tail, chunk }) => {
    const whole = frameBody(text, archive);
    for (const [at, byte] of damage) if (at < whole.length) whole[at] = byte;
    const bytes = Buffer.concat([whole.subarray(0, Math.ceil(whole.length * cut)), tail]);
    return { bytes, chunk: Math.max(chunk, Math.ceil(bytes.length / 5000)) };
  });

async function* inChunks({
  bytes,
  chunk,
}: {
  readonly bytes: Buffer;
  readonly chunk: number;
}): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += chunk) yield bytes.subarray(at, at + chunk);
}

it('decodes any publish body in bounded time, or refuses it with a TsregError', async () => {
  const counts = { bodies: 0, decoded: 0, taken: 0, refused: 0 };
  let [maxMs, slowest] = [0, ''];
  for (const body of samples(bodies, { seed: SEED, budgetMs: BUDGET_MS })) {
    const startedMs = performance.now();
    try {
      const parts = await decodePublishBody(inChunks(body), LIMITS);
      let length = 0;
      for await (const chunk of parts.archive) length += chunk.length;
      expect(length).toBe(parts.archiveLength);
      counts.decoded += 1;
      checkMetadata(decodePublishMetadata(parts.metadata), {
        strict: false,
        isOwnIndex: () => false,
        allowsRegistry: () => true,
      });
      counts.taken += 1;
    } catch (error) {
      if (!(error instanceof TsregError)) throw error;
      expect(['source', 'limit']).toContain(error.code);
      counts.refused += 1;
    }
    counts.bodies += 1;
    const tookMs = performance.now() - startedMs;
    if (tookMs > maxMs) [maxMs, slowest] = [tookMs, body.bytes.toString('latin1', 4, 90)];
    expect(tookMs, body.bytes.toString('latin1', 4, 200)).toBeLessThan(MAX_MS);
  }
  console.log(`seed ${SEED}: ${JSON.stringify(counts)}, slowest ${Math.round(maxMs)} ms: ${slowest}`);
  expect(counts.bodies).toBeGreaterThan(300);
  expect(counts.taken).toBeGreaterThan(10);
});
