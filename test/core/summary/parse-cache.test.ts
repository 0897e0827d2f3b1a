import { expect, test } from 'vitest';
import { parsePlatform } from '../../../src/core/platform/parse-platform.ts';
import { ParseCache } from '../../../src/core/summary/parse-cache.ts';
import { parseVersionReq } from '../../../src/core/version/requirement.ts';

test('equal texts have the same parse result', () => {
  const parsed = new ParseCache();
  for (const text of ['^1.2', '>=1, <3', '*'])
    expect(parsed.requirement(text)).toEqual(parseVersionReq(text));
  expect(parsed.requirement('^1.2')).toBe(parsed.requirement('^1.2'));
  for (const text of ['cfg(unix)', 'cfg(not(windows))', 'wasm32-wasip1'])
    expect(parsed.platform(text)).toEqual(parsePlatform(text));
  expect(parsed.platform('cfg(unix)')).toBe(parsed.platform('cfg(unix)'));
});

test('an invalid text fails every time', () => {
  const parsed = new ParseCache();
  for (let time = 0; time < 2; time += 1) {
    expect(() => parsed.requirement('one')).toThrow('unexpected character');
    expect(() => parsed.platform('cfg(')).toThrow();
  }
});
