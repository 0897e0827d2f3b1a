import { execFileSync } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { present } from '../../../src/core/errors/assert.ts';
import { ObjectStore } from '../../../src/io/git/object-store.ts';
import { applyDelta } from '../../../src/io/git/packed-object.ts';
import { makeTempDir, type TempDir } from '../../helpers/temp-dir.ts';

let temp: TempDir;
beforeEach(() => {
  temp = makeTempDir('object-store');
  git('init', '--quiet');
});
afterEach(() => temp.remove());

function git(...args: string[]): string {
  return execFileSync('git', args, {
    cwd: temp.path,
    encoding: 'utf8',
    env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
  }).trim();
}

/** Adds a file with its name as its content, and moves all objects to one new pack. Returns the id of the file. */
function addPacked(name: string): string {
  writeFileSync(join(temp.path, name), name);
  git('add', '.');
  git('repack', '-a', '-d', '--quiet');
  return git('rev-parse', `:${name}`);
}

const open = (): ObjectStore => new ObjectStore(join(temp.path, '.git/objects'));

test('finds objects that git has moved to another pack', () => {
  const first = addPacked('first');
  const [reading, searching] = [open(), open()];
  expect(reading.read(first)?.data.toString()).toBe('first');
  expect(searching.has(first)).toBe(true);
  const second = addPacked('second');
  expect(reading.read(first)?.data.toString()).toBe('first');
  expect(reading.read(second)?.data.toString()).toBe('second');
  expect(searching.withPrefix(first.slice(0, 8))).toEqual([first]);
});

test('finds no object whose pack git is removing', () => {
  const first = addPacked('first');
  const folder = join(temp.path, '.git/objects/pack');
  for (const name of readdirSync(folder)) if (name.endsWith('.pack')) rmSync(join(folder, name));
  expect(open().read(first)).toBeNull();
});

test('throws for a damaged object, loose or in a pack', () => {
  writeFileSync(join(temp.path, 'loose'), 'loose');
  const loose = git('hash-object', '-w', 'loose');
  const path = join('.git/objects', loose.slice(0, 2), loose.slice(2));
  rmSync(join(temp.path, path));
  writeFileSync(join(temp.path, path), 'damaged');
  expect(() => open().read(loose)).toThrow(`damaged git object in \`${loose}\``);
  rmSync(join(temp.path, path));
  const packed = addPacked('packed');
  const folder = join(temp.path, '.git/objects/pack');
  const pack = present(
    readdirSync(folder).find((name) => name.endsWith('.pack')),
    'the pack',
  );
  chmodSync(join(folder, pack), 0o600);
  // The signature, version and count of a pack take 12 bytes, and the header of a short object one.
  writeFileSync(join(folder, pack), readFileSync(join(folder, pack)).fill(0xff, 13));
  expect(() => open().read(packed)).toThrow(/^damaged git object in `.*pack-[0-9a-f]{40}`$/);
});

test('reads a long chain of deltas', () => {
  const length = 2000;
  const idOf = (index: number): Buffer => {
    const id = Buffer.alloc(20);
    id.writeUInt8(index % 256, 0);
    id.writeUInt32BE(index, 1);
    return id;
  };
  const delta = deflateSync(Buffer.from([1, 1, 0x90, 1]));
  const objects = [Buffer.concat([Buffer.from([0x31]), deflateSync(Buffer.from('x'))])];
  for (let i = 1; i <= length; i++) objects.push(Buffer.concat([Buffer.from([0x74]), idOf(i - 1), delta]));
  let end = 12;
  const entries = objects.map((object, i) => {
    const offset = Buffer.alloc(4);
    offset.writeUInt32BE(end);
    end += object.length;
    return { id: idOf(i), offset };
  });
  entries.sort((a, b) => a.id.compare(b.id));
  const head = Buffer.alloc(8 + 256 * 4);
  head.writeUInt32BE(0xff744f63, 0);
  head.writeUInt32BE(2, 4);
  for (let byte = 0; byte < 256; byte++)
    head.writeUInt32BE(entries.filter(({ id }) => id.readUInt8(0) <= byte).length, 8 + byte * 4);
  const ids = entries.map(({ id }) => id);
  const offsets = entries.map(({ offset }) => offset);
  const folder = join(temp.path, '.git/objects/pack');
  writeFileSync(join(folder, 'pack-1.pack'), Buffer.concat([Buffer.alloc(12), ...objects]));
  writeFileSync(
    join(folder, 'pack-1.idx'),
    Buffer.concat([head, ...ids, Buffer.alloc(objects.length * 4), ...offsets]),
  );
  expect(open().read(idOf(length).toString('hex'))?.data.toString()).toBe('x');
});

test('refuses a delta whose size is no number', () => {
  const delta = Buffer.concat([Buffer.from([0]), Buffer.alloc(200, 0x80), Buffer.from([0])]);
  expect(() => applyDelta({ kind: 'blob', data: Buffer.alloc(0) }, delta)).toThrow('damaged git object');
});
