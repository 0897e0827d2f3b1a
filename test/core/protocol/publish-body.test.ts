import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decodePublishBody, encodePublishHead } from '../../../src/core/protocol/publish-body.ts';

const LIMITS = { maxMetadataBytes: 200, maxArchiveBytes: 200 };

const bodyOf = (metadata: Uint8Array, archive: Uint8Array): Uint8Array =>
  Buffer.concat([encodePublishHead(metadata, archive.length), archive]);

async function* cut(body: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  let at = 0;
  for (const size of sizes) {
    yield body.subarray(at, at + size);
    at += size;
  }
  yield body.subarray(at);
}

async function decode(body: Uint8Array, sizes: readonly number[] = []): Promise<readonly [Buffer, Buffer]> {
  const { metadata, archive, archiveLength } = await decodePublishBody(cut(body, sizes), LIMITS);
  const parts: Uint8Array[] = [];
  for await (const part of archive) parts.push(part);
  const whole = Buffer.concat(parts);
  expect(whole.length).toBe(archiveLength);
  return [Buffer.from(metadata), whole];
}

const bytes = fc.uint8Array({ maxLength: 200 });

it('decodes an encoded body from chunks of any size', async () => {
  await fc.assert(
    fc.asyncProperty(bytes, bytes, fc.array(fc.nat(9)), async (metadata, archive, sizes) => {
      const [left, right] = await decode(bodyOf(metadata, archive), sizes);
      expect(left.equals(metadata)).toBe(true);
      expect(right.equals(archive)).toBe(true);
    }),
  );
});

it('encodes both lengths in little-endian order before the parts', () => {
  const body = bodyOf(Buffer.from('{}'), Buffer.alloc(258, 7));
  expect(Buffer.from(body).toString('latin1', 0, 14)).toBe('\x02\0\0\0{}\x02\x01\0\0\x07\x07\x07\x07');
});

it('refuses to encode a length of more than 32 bits', () => {
  expect(() => encodePublishHead(Buffer.from('{}'), 2 ** 32)).toThrow(
    expect.objectContaining({ code: 'limit' }),
  );
});

it('refuses a body that ends early or continues after the archive', async () => {
  const body = Buffer.from(bodyOf(Buffer.from('{"a":1}'), Buffer.from('archive')));
  for (let end = 0; end < body.length; end += 1) {
    await expect(decode(body.subarray(0, end), [3, 3]), `cut at ${end}`).rejects.toMatchObject({
      code: 'source',
    });
  }
  await expect(decode(Buffer.concat([body, Buffer.from('x')]))).rejects.toThrow('has data after the archive');
});

it('refuses a part that is too long before reading it', async () => {
  const endless = async function* (head: Buffer): AsyncGenerator<Uint8Array> {
    yield head;
    throw new Error('read on');
  };
  const length = Buffer.from([201, 0, 0, 0]);
  await expect(decodePublishBody(endless(length), LIMITS)).rejects.toMatchObject({ code: 'limit' });
  const second = Buffer.concat([Buffer.from([1, 0, 0, 0, 0x7b]), length]);
  await expect(decodePublishBody(endless(second), LIMITS)).rejects.toMatchObject({ code: 'limit' });
});
