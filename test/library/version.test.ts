import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { satisfies, TsregError, Version } from '../../src/index.ts';
import { builtLibrary } from '../helpers/built-library.ts';

const usage = (message: string): object =>
  expect.objectContaining({ name: 'TsregError', code: 'usage', message: expect.stringContaining(message) });

function failureOf(body: () => unknown): unknown {
  try {
    return body();
  } catch (error) {
    return error;
  }
}

describe('Version', () => {
  it('has the parts of a version, and its text', () => {
    const version = Version.parse('1.20.300-rc.1+build.5');
    expect(version).toMatchObject({ major: 1, minor: 20, patch: 300, pre: 'rc.1', build: 'build.5' });
    expect(String(version)).toBe('1.20.300-rc.1+build.5');
    expect(JSON.stringify({ version })).toBe('{"version":"1.20.300-rc.1+build.5"}');
    expect(String(new Version('0.1.0'))).toBe('0.1.0');
  });

  it('sorts texts and versions in the order of cargo', () => {
    const sorted = [
      '0.9.0',
      '1.0.0-alpha',
      '1.0.0-rc.2',
      '1.0.0-rc.10',
      '1.0.0',
      '1.0.0+a',
      '1.2.0',
      '1.10.0',
    ];
    expect(sorted.toReversed().sort(Version.compare)).toEqual(sorted);
    expect(sorted.toReversed().map(Version.parse).sort(Version.compare).map(String)).toEqual(sorted);
    expect(Version.compare('1.0.0', Version.parse('1.0.0'))).toBe(0);
  });

  it('compares numbers of 64 bits exactly', () => {
    const [low, high] = ['18446744073709551614.0.0', '18446744073709551615.0.0'];
    expect(Version.compare(low, high)).toBeLessThan(0);
    expect(String(Version.parse(high))).toBe(high);
  });

  it.each([
    ['', 'invalid version ``: empty string, expected a semver version'],
    ['1.2', 'invalid version `1.2`: unexpected end of input while parsing minor version number'],
    ['v1.2.3', 'invalid version `v1.2.3`: unexpected character'],
    [' 1.2.3', 'invalid version ` 1.2.3`'],
  ])('refuses %j', (text, message) => {
    for (const call of [
      () => Version.parse(text),
      () => Version.compare('1.0.0', text),
      () => satisfies(text, '*'),
    ]) {
      expect(failureOf(call)).toEqual(usage(message));
    }
  });

  it('refuses values that are no texts', () => {
    expect(failureOf(() => Reflect.apply(Version.parse, null, [5]))).toEqual(
      usage('`version` must be a string, not this number'),
    );
    expect(failureOf(() => Reflect.apply(satisfies, null, ['1.0.0', null]))).toEqual(
      usage('`requirement` must be a string, not null'),
    );
  });

  it('is printed with its name, also by the library as it ships', async () => {
    const { Version: Shipped } = await builtLibrary();
    for (const version of [Version.parse('1.2.3'), Shipped.parse('1.2.3')]) {
      expect(inspect(version)).toMatch(/^Version \{ major: 1, minor: 2,/);
    }
  });
});

describe('satisfies', () => {
  it.each<[string, string, boolean]>([
    ['1.9.0', '1.2', true],
    ['2.0.0', '1.2', false],
    ['0.2.9', '0.2.3', true],
    ['0.3.0', '0.2.3', false],
    ['1.3.0', '~1.2', false],
    ['1.2.3', '=1.2.3', true],
    ['1.5.0', '>=1, <2', true],
    ['1.5.0', '1.*', true],
    ['2.0.0-rc.1', '2', false],
    ['2.0.0-rc.1', '*', false],
    ['2.0.0-rc.2', '2.0.0-rc.1', true],
    ['1.0.0+build', '=1.0.0', true],
  ])('is, for the version %s and the requirement %s, %s', (version, requirement, expected) => {
    expect(satisfies(version, requirement)).toBe(expected);
    expect(satisfies(Version.parse(version), requirement)).toBe(expected);
  });

  it.each([
    ['', 'invalid version requirement ``'],
    ['^x', 'invalid version requirement `^x`'],
    ['1 || 2', 'invalid version requirement `1 || 2`: expected comma'],
  ])('refuses the requirement %j', (requirement, message) => {
    const failure = failureOf(() => satisfies('1.0.0', requirement));
    expect(failure).toBeInstanceOf(TsregError);
    expect(failure).toEqual(usage(message));
  });
});
