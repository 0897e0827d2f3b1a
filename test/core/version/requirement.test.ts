import fc from 'fast-check';
import semver from 'semver';
import { expect, test } from 'vitest';
import { isExactReq, matchesReq } from '../../../src/core/version/matches-req.ts';
import { ANY_VERSION, exactReq, lockReq, parseVersionReq } from '../../../src/core/version/requirement.ts';
import { VersionParseError, parseVersion } from '../../../src/core/version/version.ts';

test.each([
  ['1', '^1'],
  ['^1', '^1'],
  ['~1.2.3', '~1.2.3'],
  ['=1.2', '=1.2'],
  ['>= 1.0 , < 2', '>=1.0, <2'],
  ['*', '*'],
  ['X', '*'],
  [' x ', '*'],
  ['1.x', '1.*'],
  ['1.*.*', '1.*'],
  ['1.2.X', '1.2.*'],
  ['=1.*', '=1'],
  ['~1.2.x', '~1.2'],
  ['1,2', '^1, ^2'],
  ['1.2.3+b', '^1.2.3'],
  ['>1.2.3-rc.1+b, <=2', '>1.2.3-rc.1, <=2'],
  [' 1 ', '^1'],
  ['18446744073709551615', '^18446744073709551615'],
])('prints %j as %s', (text, printed) => {
  expect(parseVersionReq(text).text).toBe(printed);
  expect(parseVersionReq(printed)).toEqual(parseVersionReq(text));
});

test.each([
  ['', 'unexpected end of input while parsing major version number'],
  ['>=1.2.3,', 'unexpected end of input while parsing major version number'],
  ['1 || 2', "expected comma after major version number, found '|'"],
  ['1 2', "expected comma after major version number, found '2'"],
  ['v1', "unexpected character 'v' while parsing major version number"],
  ['\t1', "unexpected character '\\t' while parsing major version number"],
  ['01', 'invalid leading zero in major version number'],
  ['1.2.3.4', "expected comma after patch version number, found '.'"],
  ['1.0+b', "expected comma after minor version number, found '+'"],
  ['1.0-b', "expected comma after minor version number, found '-'"],
  ['>*', "unexpected character '*' while parsing major version number"],
  ['==1', "unexpected character '=' while parsing major version number"],
  ['1.*.3', 'unexpected character after wildcard in version req'],
  ['*.1', 'unexpected character after wildcard in version req'],
  ['*, 1', 'wildcard req (*) must be the only comparator in the version req'],
  ['1, x', 'wildcard req (x) must be the only comparator in the version req'],
  ['1, * ,2', 'wildcard req (*) must be the only comparator in the version req'],
  ['1, *2', "unexpected character '*' while parsing major version number"],
  ['1.2.3-', 'empty identifier segment in pre-release identifier'],
  ['1.2.3+', 'empty identifier segment in build metadata'],
  ['abc', "unexpected character 'a' while parsing major version number"],
  [Array<string>(33).fill('1').join(','), 'excessive number of version comparators'],
])('rejects %j', (text, message) => {
  expect(() => parseVersionReq(text)).toThrow(new VersionParseError(message));
});

test('accepts up to 32 comparators', () => {
  expect(parseVersionReq(Array<string>(32).fill('1').join(',')).comparators).toHaveLength(32);
});

test.each([
  ['^1.2.3', '1.2.3 1.2.4 1.9.0 1.2.3+b', '1.2.2 2.0.0 0.9.0 1.2.3-rc.1 1.3.0-rc.1'],
  ['^0.2.3', '0.2.3 0.2.4', '0.3.0 1.2.3 0.2.2'],
  ['^0.0.3', '0.0.3', '0.0.4 0.0.2 0.1.3'],
  ['^0.0', '0.0.0 0.0.9', '0.1.0'],
  ['^0', '0.0.0 0.9.9', '1.0.0'],
  ['^1.2.3-rc.1', '1.2.3-rc.1 1.2.3-rc.2 1.2.3 1.3.0', '1.2.3-alpha 1.2.4-rc.1'],
  ['~1', '1.0.0 1.9.9', '2.0.0'],
  ['~1.2', '1.2.0 1.2.9', '1.3.0 1.1.0'],
  ['~1.2.3', '1.2.3 1.2.4', '1.2.2 1.3.0'],
  ['=1.2', '1.2.0 1.2.9', '1.3.0 1.2.0-rc.1'],
  ['=1.0.0+1', '1.0.0 1.0.0+2', '1.0.1'],
  ['>1.2', '1.3.0 2.0.0', '1.2.9 1.2.0'],
  ['>1', '2.0.0', '1.9.9'],
  ['>=1.2', '1.2.0 9.0.0', '1.1.9'],
  ['>1.2.3-a', '1.2.3-b 1.2.3 1.2.4', '1.2.3-a 1.2.4-b'],
  ['<2', '1.9.9 0.0.0', '2.0.0 2.1.0 2.0.0-rc.1'],
  ['<=1.2', '1.2.9 0.1.0', '1.3.0'],
  ['<1.2.3', '1.2.2', '1.2.3 1.2.3-rc.1'],
  ['1.*', '1.0.0 1.9.0', '2.0.0 1.0.0-a'],
  ['*', '0.0.0 9.9.9', '1.0.0-a'],
  ['>=1.0.0-rc.1', '1.0.0-rc.1 1.0.0 2.0.0', '1.0.1-rc.1'],
  ['0.3.0-9, =0.*', '', '0.3.0-beta-2 0.3.0-10'],
  ['>=9007199254740992', '9007199254740992.0.0 9007199254740993.0.0', '9007199254740991.0.0'],
])('%s accepts %s and refuses %s', (req, accepted, refused) => {
  const parsed = parseVersionReq(req);
  const list = (text: string): string[] => text.split(' ').filter((word) => word !== '');
  expect(list(accepted).filter((text) => !matchesReq(parsed, parseVersion(text)))).toEqual([]);
  expect(list(refused).filter((text) => matchesReq(parsed, parseVersion(text)))).toEqual([]);
});

test('a dependency without a version accepts pre-releases, but a wildcard does not', () => {
  const pre = parseVersion('1.0.0-rc.1');
  expect(matchesReq(ANY_VERSION, pre)).toBe(true);
  expect(matchesReq(parseVersionReq('*'), pre)).toBe(false);
  expect(ANY_VERSION.text).toBe('*');
});

test('a locked requirement accepts one version with its build metadata, and keeps its text', () => {
  const locked = lockReq(parseVersionReq('^1'), parseVersion('1.2.0+b'));
  expect(matchesReq(locked, parseVersion('1.2.0+b'))).toBe(true);
  expect(matchesReq(locked, parseVersion('1.2.0'))).toBe(false);
  expect(locked.text).toBe('^1');
  expect(isExactReq(locked)).toBe(true);
});

test('an exact requirement ignores build metadata', () => {
  const exact = exactReq(parseVersion('1.2.3-a+b'));
  expect(exact.text).toBe('=1.2.3-a');
  expect(matchesReq(exact, parseVersion('1.2.3-a+c'))).toBe(true);
  expect([exact, parseVersionReq('=1.2'), parseVersionReq('1.2.3'), ANY_VERSION].map(isExactReq)).toEqual([
    true,
    false,
    false,
    false,
  ]);
});

test('agrees with npm on single comparators of three numbers', () => {
  const number = fc.nat({ max: 3 });
  const pre = fc.constantFrom('', '', '-0', '-1', '-a', '-a.1', '-b');
  const version = fc.tuple(number, number, number, pre).map(([a, b, c, p]) => `${a}.${b}.${c}${p}`);
  const op = fc.constantFrom('^', '~', '=', '>', '>=', '<', '<=');
  fc.assert(
    fc.property(op, version, version, (sign, bound, text) => {
      expect(matchesReq(parseVersionReq(sign + bound), parseVersion(text))).toBe(
        semver.satisfies(text, sign + bound),
      );
    }),
    { numRuns: 2000 },
  );
});

test('agrees with npm on releases for comparators with partial versions', () => {
  const number = fc.nat({ max: 3 });
  const part = fc.oneof(
    number.map(String),
    fc.tuple(number, number).map((pair) => pair.join('.')),
  );
  const version = fc.tuple(number, number, number).map((parts) => parts.join('.'));
  const op = fc.constantFrom('^', '~', '=', '>', '>=', '<', '<=');
  fc.assert(
    fc.property(op, part, version, (sign, bound, text) => {
      expect(matchesReq(parseVersionReq(sign + bound), parseVersion(text))).toBe(
        semver.satisfies(text, sign + bound),
      );
    }),
    { numRuns: 2000 },
  );
});
