import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { encodeIndexCache, splitIndexFile } from '../../src/sources/index-cache.ts';
import {
  type ExpectedLine,
  makeSharedLines,
  readSharedLines,
  takeSharedLine,
} from '../../src/sources/shared-lines.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';

const temp = makeTempDir('shared-lines');
afterAll(() => temp.remove());

const line = (version: string, more = ''): string => `{"name":"ä","vers":"${version}","deps":[]${more}}`;

/** A cached index file with these lines, and the line that is expected in it. */
function cached(name: string, lines: readonly string[], version = '1.0.0'): ExpectedLine {
  const index = path.join(temp.path, name);
  mkdirSync(temp.path, { recursive: true });
  writeFileSync(index, encodeIndexCache(splitIndexFile(Buffer.from(lines.join('\n')), 'Unknown')));
  return { index, version };
}

test('lines are found by version, each once', () => {
  const expected = [
    cached('two', [line('0.9.0'), line('1.0.0')]),
    cached('two', [line('0.9.0'), line('1.0.0')], '0.9.0'),
    cached('one', [line('1.0.0', ',"v":2')]),
  ];
  const lines = makeSharedLines(3);
  readSharedLines(expected, lines);
  expect([0, 1, 2].map((at) => takeSharedLine(lines, at))).toEqual([
    ...[line('1.0.0'), line('0.9.0'), line('1.0.0', ',"v":2')],
  ]);
});

test('what is not there, or not in an index, is left to who needs it', () => {
  const expected = [
    { index: path.join(temp.path, 'none'), version: '1.0.0' },
    cached('other', [line('1.0.1')]),
    { index: null, version: '1.0.0' },
    cached('there', [line('1.0.0')]),
  ];
  const lines = makeSharedLines(4);
  readSharedLines(expected, lines);
  expect([0, 1, 2, 3].map((at) => takeSharedLine(lines, at))).toEqual([null, null, null, line('1.0.0')]);
});

test('what was asked for before it was read is not read any more', () => {
  const expected = [cached('a', [line('1.0.0')]), cached('b', [line('1.0.0')])];
  const lines = makeSharedLines(2);
  expect(takeSharedLine(lines, 0)).toBe(null);
  readSharedLines(expected, lines);
  expect([takeSharedLine(lines, 0), takeSharedLine(lines, 1)]).toEqual([null, line('1.0.0')]);
});

test('what finds no room is left out, and what is behind it is not', () => {
  const large = line('1.0.0', `,"x":"${'x'.repeat(10_000)}"`);
  const expected = [cached('large', [large]), cached('small', [line('1.0.0')])];
  const lines = makeSharedLines(2);
  readSharedLines(expected, lines);
  expect([takeSharedLine(lines, 0), takeSharedLine(lines, 1)]).toEqual([null, line('1.0.0')]);
});
