import { expect, test } from 'vitest';
import {
  isRustVersionCompatible,
  matchesPartialVersion,
  parsePartialVersion,
  parseRustVersion,
} from '../../../src/core/version/partial-version.ts';
import { VersionParseError, parseVersion } from '../../../src/core/version/version.ts';

test.each(['1', '1.70', '1.70.0', '1.43.0-beta.1', '1.43.0-beta.1.x', '1.2.3+b'])(
  'accepts %s as written',
  (text) => {
    expect(parsePartialVersion(text).text).toBe(text);
  },
);

test('removes spaces around a version', () => {
  expect(parsePartialVersion(' 1.70 ')).toEqual({
    major: 1,
    minor: 70,
    patch: null,
    pre: null,
    build: null,
    text: '1.70',
  });
});

const REQUIREMENT = 'unexpected version requirement, expected a version like "1.32"';
test.each([
  ['^1.43', REQUIREMENT],
  ['~1.43', REQUIREMENT],
  ['1, 2', REQUIREMENT],
  ['x', REQUIREMENT],
  ['1.x', REQUIREMENT],
  ['1.1.x', REQUIREMENT],
  ['1.43-beta.1', 'unexpected prerelease field, expected a version like "1.32"'],
  ['1.43+b', 'unexpected build field, expected a version like "1.32"'],
  ['1.43.0-beta.1', 'unexpected prerelease field, expected a version like "1.32"'],
  ['1.43.0+b', 'unexpected build field, expected a version like "1.32"'],
  ['foodaddle', 'expected a version like "1.32"'],
  ['', 'expected a version like "1.32"'],
])('rejects %j as a Rust version', (text, message) => {
  expect(() => parseRustVersion(text)).toThrow(new VersionParseError(message));
});

test.each([
  ['1.70.1', '1.70', false],
  ['1.30', '1', false],
  ['1', '1.70', true],
  ['2', '1.70', false],
  ['1.70', '1.70.0', true],
  ['1.69.5', '1.70', true],
  ['0.9', '1.70', false],
])('a package that needs Rust %s is compatible with %s: %s', (required, available, expected) => {
  expect(isRustVersionCompatible(parseRustVersion(required), parsePartialVersion(available))).toBe(expected);
});

test.each([
  ['1', '1.9.9', true],
  ['1', '1.9.9-rc.1', false],
  ['1.9.9-rc.1', '1.9.9-rc.1', true],
  ['1.2', '1.3.0', false],
  ['1.2.3', '1.2.3+b', true],
  ['1.2.3+a', '1.2.3+b', false],
])('the partial version %s matches %s: %s', (partial, version, expected) => {
  expect(matchesPartialVersion(parsePartialVersion(partial), parseVersion(version))).toBe(expected);
});
