import { mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { present } from '../../../src/core/errors/assert.ts';
import { listPacks, type Pack, searchPack } from '../../../src/io/git/pack-index.ts';
import { makeTempDir, type TempDir } from '../../helpers/temp-dir.ts';

const OID = 'ab'.repeat(20);
const HEAD_BYTES = 8 + 256 * 4;

let temp: TempDir;
let file: string;
let pack: Pack;
beforeEach(() => {
  temp = makeTempDir('pack-index');
  mkdirSync(join(temp.path, 'pack'));
  file = join(temp.path, 'pack/pack-1.idx');
  writeFileSync(file, indexOfOne(12));
  pack = present(listPacks(temp.path)[0], 'the pack');
});
afterEach(() => temp.remove());

/** Returns the index of a pack with one object. */
function indexOfOne(offset: number): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32BE(0xff744f63, 0);
  head.writeUInt32BE(2, 4);
  for (let byte = 0xab; byte < 256; byte++) head.writeUInt32BE(1, 8 + byte * 4);
  const checksumAndOffset = Buffer.alloc(8);
  checksumAndOffset.writeUInt32BE(offset, 4);
  return Buffer.concat([head, Buffer.from(OID, 'hex'), checksumAndOffset]);
}

test('searchPack returns the offset of an object', () => {
  expect(searchPack(pack, OID, () => true)).toBe(12);
  expect(searchPack(pack, '', () => true)).toBeNull();
});

test('searchPack finds nothing in a pack that git has removed since', () => {
  rmSync(file);
  expect(searchPack(pack, OID, () => true)).toBeNull();
});

test.each([
  ['ids', 10],
  ['offsets', 26],
])('searchPack throws if the %s are cut off', (_, length) => {
  truncateSync(file, HEAD_BYTES + length);
  expect(() => searchPack(pack, OID, () => true)).toThrow(`damaged git object in \`${file}\``);
});

test('searchPack throws for a damaged number of ids or position', () => {
  const damaged = `damaged git object in \`${file}\``;
  const largeOffset = Buffer.concat([indexOfOne(0x80000000), Buffer.alloc(8, 0xff)]);
  writeFileSync(file, largeOffset);
  expect(() => searchPack(pack, OID, () => true)).toThrow(damaged);
  largeOffset.fill(0xff, 8 + 0xab * 4, HEAD_BYTES);
  writeFileSync(file, largeOffset);
  const [many] = listPacks(temp.path);
  expect(() => searchPack(present(many, 'the pack'), OID, () => true)).toThrow(damaged);
});
