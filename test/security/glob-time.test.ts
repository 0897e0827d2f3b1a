import { expect, it } from 'vitest';
import { matchPathItself, parseIgnoreRules } from '../../src/archive/ignore-pattern.ts';

// A regular expression takes minutes for each of these.
it.each([
  ['many stars in one name', `${'*a'.repeat(30)}*b`, 'a'.repeat(250)],
  ['many folders', `${'**/a/'.repeat(30)}b`, 'a/'.repeat(1000)],
  ['stars in alternatives', '{*a,*aa}'.repeat(12), `${'a'.repeat(200)}b`],
])('matches a path against %s in a moment', (_, glob, path) => {
  const startedAt = performance.now();
  expect(matchPathItself(parseIgnoreRules([glob]), path, false)).toBeNull();
  expect(performance.now() - startedAt).toBeLessThan(1000);
});

it('reads a rule with much space in it in a moment', () => {
  const startedAt = performance.now();
  expect(parseIgnoreRules([`${' '.repeat(50_000)}x`])).toHaveLength(1);
  expect(performance.now() - startedAt).toBeLessThan(1000);
});
