import { describe, expect, test } from 'vitest';
import { parseYankTargets } from '../../../src/commands/yank/plan.ts';

const form = { isExact: false };

describe('parseYankTargets', () => {
  test.each([
    [['a@1.0.0'], null, [{ name: 'a', version: '1.0.0' }]],
    [['a'], '1.0.0', [{ name: 'a', version: '1.0.0' }]],
    [
      ['a', 'b@2.0.0-x+y'],
      null,
      [
        { name: 'a', version: null },
        { name: 'b', version: '2.0.0-x+y' },
      ],
    ],
    [
      ['a', 'b'],
      '1.0.0',
      [
        { name: 'a', version: '1.0.0' },
        { name: 'b', version: '1.0.0' },
      ],
    ],
    [['a@^1'], null, [{ name: 'a', version: '^1' }]],
    [['a'], '>=1, <2', [{ name: 'a', version: '>=1, <2' }]],
    [['a@1.*'], null, [{ name: 'a', version: '1.*' }]],
    [[], '1.0.0', [{ name: null, version: '1.0.0' }]],
    [[], null, [{ name: null, version: null }]],
  ] as const)('parses %j with %j', (words, version, expected) => {
    const targets = parseYankTargets(words, version, form).map((target) => ({
      name: target.name,
      version:
        target.version === null
          ? null
          : target.version.kind === 'exact'
            ? target.version.version
            : target.version.requirement.text,
    }));
    expect(targets).toEqual(expected);
  });

  test.each([
    [['a@1.0.0'], '1.0.0', 'cannot specify both `@1.0.0` and `--version`'],
    [['@1'], null, 'missing crate name for `@1`'],
    [['a@1.0'], null, 'invalid version `1.0`'],
    [['a@'], null, 'invalid version ``'],
    [
      ['a@v1.0.0'],
      null,
      'the version provided, `v1.0.0` is not a valid SemVer version\n\nhelp: try changing the version to `1.0.0`',
    ],
    [['a@>'], null, 'invalid version range `>`'],
  ] as const)('refuses %j with %j', (words, version, message) => {
    expect(() => parseYankTargets(words, version, form)).toThrow(
      expect.objectContaining({ message }) as Error,
    );
  });

  test('hints at ranges, unless the message of cargo has a hint', () => {
    const refused = (word: string) => expect(() => parseYankTargets([word], null, form));
    refused('a@1.0').toThrow(expect.objectContaining({ hint: expect.stringContaining('A range') }) as Error);
    refused('a@v1.0.0').toThrow(expect.objectContaining({ hint: null }) as Error);
  });

  test('refuses ranges if versions must be exact', () => {
    expect(() => parseYankTargets(['a@^1.0.0'], null, { isExact: true })).toThrow('invalid version `^1.0.0`');
  });
});
