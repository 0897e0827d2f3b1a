import fc from 'fast-check';
import { randomBytes } from 'node:crypto';
import { gunzipSync, inflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { GzipWriter } from '../../../src/io/archive/gzip-writer.ts';

/** Compressible bytes whose blocks refer back to the previous block. */
const TEXT = Buffer.concat(
  Array.from({ length: 80 }, (_, index) => {
    const line = Buffer.from(`fn function_${index}() -> Result<(), Error> { Ok(()) }\n`);
    return Buffer.concat([randomBytes(4096), ...Array.from({ length: 300 }, () => line)]);
  }),
);

async function compress(data: Buffer, step: () => number): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  const gzip = new GzipWriter(
    'a-1.0.0.crate',
    Promise.resolve((bytes) => parts.push(Buffer.from(bytes))),
  );
  for (let at = 0; at < data.length; ) {
    const part = data.subarray(at, at + step());
    gzip.put(part);
    at += part.length;
    while (gzip.isBehind) await gzip.drain();
  }
  gzip.end();
  await gzip.finish();
  return Buffer.concat(parts);
}

describe('GzipWriter', () => {
  test('writes the header that cargo writes', async () => {
    const file = await compress(Buffer.from('x'), () => 1);
    expect(file.subarray(0, 24)).toEqual(
      Buffer.from('\x1f\x8b\x08\x08\0\0\0\0\x02\xffa-1.0.0.crate\0', 'latin1'),
    );
  });

  test.each([0, 1, 65_535, 65_536, 65_537, 131_072, 1_048_575, 1_048_576, 1_310_720, 1_500_000])(
    'writes %d bytes that gunzip restores',
    async (size) => {
      const data = TEXT.subarray(0, size);
      expect(gunzipSync(await compress(data, () => 100_000)).equals(data)).toBe(true);
    },
  );

  test('produces the same output for chunks of any size', async () => {
    const whole = await compress(TEXT, () => TEXT.length);
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 400_000 }), { minLength: 1 }), async (steps) => {
        let next = 0;
        const parts = await compress(TEXT, () => steps[next++ % steps.length] ?? 1);
        expect(parts.equals(whole)).toBe(true);
      }),
      { numRuns: 10 },
    );
  });

  test('compresses across block boundaries', async () => {
    const half = randomBytes(16_384);
    const data = Buffer.concat([Buffer.alloc(65_536 - half.length), half, half]);
    const file = await compress(data, () => data.length);
    expect(file.length).toBeLessThan(1.5 * half.length);
    expect(inflateRawSync(file.subarray(24)).equals(data)).toBe(true);
  });
});
