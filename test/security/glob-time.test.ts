import { expect, it } from 'vitest';
import { matchPathItself, parseIgnoreRules } from '../../src/io/archive/ignore-pattern.ts';

// A backtracking regular expression takes minutes for each of these.
it.each([
  ['many stars in one name', `${'*a'.repeat(30)}*b`, 'a'.repeat(250)],
  ['many folders', `${'**/a/'.repeat(30)}b`, 'a/'.repeat(1000)],
  ['stars in alternatives', '{*a,*aa}'.repeat(12), `${'a'.repeat(200)}b`],
])('matches a path against %s in less than a second', (_, glob, path) => {
  const startedAt = performance.now();
  expect(matchPathItself(parseIgnoreRules([glob]), path, 'file')).toBeNull();
  expect(performance.now() - startedAt).toBeLessThan(1000);
});

it('parses a rule with many spaces in less than a second', () => {
  const startedAt = performance.now();
  expect(parseIgnoreRules([`${' '.repeat(50_000)}x`])).toHaveLength(1);
  expect(performance.now() - startedAt).toBeLessThan(1000);
});
