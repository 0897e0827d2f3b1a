import { describe, expect, test } from 'vitest';
import { checkCrateName } from '../../../../src/commands/shared/registry/named-crates.ts';

describe('checkCrateName', () => {
  test.each(['a', 'Foo_Bar-2', 'größe', '1st'])('accepts %s', (name) => {
    expect(() => checkCrateName(name)).not.toThrow();
  });

  test('hints to leave out a version', () => {
    expect(() => checkCrateName('a@1')).toThrow(
      expect.objectContaining({ hint: 'leave out the version: `a`' }) as Error,
    );
  });

  test.each(['', '.', '..', '../../x', 'a/b', 'a\\b', 'a b', 'a?x', 'a#x', 'a%2Fb', 'a\n', 'a@1'])(
    'refuses %j',
    (name) => {
      expect(() => checkCrateName(name)).toThrow(`\`${name}\` is not the name of a crate`);
    },
  );
});
