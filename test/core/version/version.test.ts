import fc from 'fast-check';
import semver from 'semver';
import { describe, expect, test } from 'vitest';
import { compareVersions, compatBucket } from '../../../src/core/version/compare-versions.ts';
import { VersionParseError, parseVersion } from '../../../src/core/version/version.ts';

const identifier = fc.oneof(
  fc.nat({ max: 30 }).map(String),
  fc.stringMatching(/^[0-9]{0,2}[a-zA-Z-][0-9a-zA-Z-]{0,3}$/),
);
const identifiers = fc.array(identifier, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('.'));
const number = fc.oneof(fc.nat({ max: 3 }), fc.nat({ max: 1_000_000 }));
const versionText = fc
  .tuple(number, number, number, fc.option(identifiers), fc.option(identifiers))
  .map(
    ([major, minor, patch, pre, build]) =>
      `${major}.${minor}.${patch}${pre === null ? '' : `-${pre}`}${build === null ? '' : `+${build}`}`,
  );

test('splits a version into its parts', () => {
  expect(parseVersion('1.20.300-rc.1+b.02')).toEqual({
    major: 1,
    minor: 20,
    patch: 300,
    pre: 'rc.1',
    build: 'b.02',
    text: '1.20.300-rc.1+b.02',
  });
  expect(parseVersion('9007199254740992.9007199254740991.18446744073709551615')).toMatchObject({
    major: 9007199254740992n,
    minor: 9007199254740991,
    patch: 18446744073709551615n,
  });
});

test.each([
  ['', 'empty string, expected a semver version'],
  ['1', 'unexpected end of input while parsing major version number'],
  ['1.', 'unexpected end of input while parsing minor version number'],
  ['1.2', 'unexpected end of input while parsing minor version number'],
  ['1.2.', 'unexpected end of input while parsing patch version number'],
  ['a.b.c', "unexpected character 'a' while parsing major version number"],
  ['1.q.r', "unexpected character 'q' while parsing minor version number"],
  ['1.2.é', "unexpected character 'é' while parsing patch version number"],
  ['1.2.😀', "unexpected character '😀' while parsing patch version number"],
  [' 1.2.3', "unexpected character ' ' while parsing major version number"],
  ['1.2.3 ', "unexpected character ' ' after patch version number"],
  ['1.2.3\n', "unexpected character '\\n' after patch version number"],
  ['1.2.3\u200b', "unexpected character '\\u{200b}' after patch version number"],
  ["1.2.3'", "unexpected character '\\'' after patch version number"],
  ['1-2', "unexpected character '-' after major version number"],
  ['1.2.3-', 'empty identifier segment in pre-release identifier'],
  ['1.2.3-a..b', 'empty identifier segment in pre-release identifier'],
  ['1.2.3-a.', 'empty identifier segment in pre-release identifier'],
  ['1.2.3-.a', 'empty identifier segment in pre-release identifier'],
  ['1.2.3-01', 'invalid leading zero in pre-release identifier'],
  ['1.2.3-a+', 'empty identifier segment in build metadata'],
  ['1.2.3-a_b', "unexpected character '_' after pre-release identifier"],
  ['1.2.3+a+b', "unexpected character '+' after build metadata"],
  ['01.2.3', 'invalid leading zero in major version number'],
  ['1.00.3', 'invalid leading zero in minor version number'],
  ['99999999999999999999.0.0', 'value of major version number exceeds u64::MAX'],
  ['1.18446744073709551616.0', 'value of minor version number exceeds u64::MAX'],
])('rejects %j', (text, message) => {
  expect(() => parseVersion(text)).toThrow(new VersionParseError(message));
});

test('accepts leading zeros in build metadata and in mixed identifiers', () => {
  expect(parseVersion('1.0.0-0a.0+01')).toMatchObject({ pre: '0a.0', build: '01' });
});

describe('compareVersions', () => {
  test('orders by precedence, then by build metadata', () => {
    const ascending = [
      '0.0.0',
      '0.9.0',
      '0.10.0',
      '1.0.0-0',
      '1.0.0-2',
      '1.0.0-10',
      '1.0.0-9007199254740992',
      '1.0.0-9007199254740993',
      '1.0.0--',
      '1.0.0-A',
      '1.0.0-alpha',
      '1.0.0-alpha.1',
      '1.0.0-alpha.beta',
      '1.0.0-beta.2',
      '1.0.0-beta.11',
      '1.0.0-rc.1',
      '1.0.0',
      '1.0.0+0',
      '1.0.0+00',
      '1.0.0+1',
      '1.0.0+01',
      '1.0.0+001',
      '1.0.0+2',
      '1.0.0+10',
      '1.0.0+10.0',
      '1.0.0+a',
      '9007199254740991.0.0',
      '9007199254740992.0.0',
      '9007199254740993.0.0',
    ].map(parseVersion);
    for (const [i, a] of ascending.entries()) {
      for (const [j, b] of ascending.entries()) {
        expect([a.text, b.text, Math.sign(compareVersions(a, b))]).toEqual([
          a.text,
          b.text,
          Math.sign(i - j),
        ]);
      }
    }
  });

  test('agrees with npm without build metadata, and is 0 only for equal texts', () => {
    fc.assert(
      fc.property(versionText, versionText, (a, b) => {
        const plain = (text: string): string => text.replace(/\+.*/, '');
        expect(Math.sign(compareVersions(parseVersion(plain(a)), parseVersion(plain(b))))).toBe(
          semver.compare(plain(a), plain(b)),
        );
        expect(compareVersions(parseVersion(a), parseVersion(b)) === 0).toBe(a === b);
      }),
      { numRuns: 500 },
    );
  });
});

test.each([
  ['1.2.3', '1'],
  ['1.0.0-rc.1', '1'],
  ['0.2.3', '0.2'],
  ['0.0.3', '0.0.3'],
  ['0.0.0', '0.0.0'],
  ['9007199254740993.0.0', '9007199254740993'],
])('compatBucket of %s is %s', (text, key) => {
  expect(compatBucket(parseVersion(text))).toBe(key);
});
