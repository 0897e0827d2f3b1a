import { applyPatch } from 'diff';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffLines as diffLinesWithin, type LineDiff } from '../../../src/commands/diff/diff-lines.ts';

/** Returns the difference without the effort. */
function diffLines(oldText: string, newText: string, maxEdits = 2000): Omit<LineDiff, 'triedEdits'> {
  const { triedEdits: _, ...difference } = diffLinesWithin(oldText, newText, { maxEdits });
  return difference;
}

const apply = (oldText: string, hunks: string): string | false =>
  hunks === '' ? oldText : applyPatch(oldText, `--- a\n+++ b\n${hunks}`);

describe('diffLines', () => {
  it('prints hunks as git does', () => {
    expect(diffLines('a\nb\nc\nd\ne\nf\n', 'a\nb\nc\nd\nE\nf\n')).toEqual({
      added: 1,
      removed: 1,
      hunks: '@@ -2,5 +2,5 @@\n b\n c\n d\n-e\n+E\n f\n',
    });
    expect(diffLines('a\n', 'b\n').hunks).toBe('@@ -1 +1 @@\n-a\n+b\n');
    expect(diffLines('', 'a\nb\n').hunks).toBe('@@ -0,0 +1,2 @@\n+a\n+b\n');
    expect(diffLines('a\n', '').hunks).toBe('@@ -1 +0,0 @@\n-a\n');
    expect(diffLines('a\nb\n', 'b\n').hunks).toBe('@@ -1,2 +1 @@\n-a\n b\n');
  });

  it('marks a missing line end on each side', () => {
    const mark = '\\ No newline at end of file\n';
    expect(diffLines('a', 'a\n').hunks).toBe(`@@ -1 +1 @@\n-a\n${mark}+a\n`);
    expect(diffLines('a\n', 'a').hunks).toBe(`@@ -1 +1 @@\n-a\n+a\n${mark}`);
    expect(diffLines('', 'a').hunks).toBe(`@@ -0,0 +1 @@\n+a\n${mark}`);
  });

  it('returns no hunks for equal texts', () => {
    for (const text of ['', 'a', 'a\r\n'])
      expect(diffLines(text, text)).toEqual({ added: 0, removed: 0, hunks: '' });
  });

  it('replaces the whole text if too much differs, within seconds', () => {
    const lines = (word: string): string =>
      Array.from({ length: 20_000 }, (_, i) => `${word} ${i}\n`).join('');
    const start = performance.now();
    const { added, removed, hunks } = diffLines(`${lines('old')}end`, `${lines('new')}end`);
    expect(performance.now() - start).toBeLessThan(20_000);
    expect([added, removed]).toEqual([20_001, 20_001]);
    expect(hunks).toMatch(/^@@ -1,20001 \+1,20001 @@\n-old 0\n/);
    expect(hunks.match(/^\\ /gm)).toHaveLength(2);
  });

  it('returns the number of changes that it tried', () => {
    const tried = (oldText: string, newText: string): number =>
      diffLinesWithin(oldText, newText, { maxEdits: 2 }).triedEdits;
    expect(tried('a\nb\n', 'a\nc\n')).toBe(2);
    expect(tried('a\nb\nc\n', 'c\nb\na\n')).toBe(2);
    expect(tried('', 'a\n')).toBe(0);
    // More than two lines are only in one of the texts: there is nothing to try.
    expect(tried('a\nb\n', 'c\nd\n')).toBe(0);
  });

  it('returns hunks that make the new text of the old one (property)', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', 'c', '', ' ', '\r', '-', '+x', '\\ no', '@@ -1 +1 @@', '\u2028'), {
        maxLength: 12,
      })
      .chain((lines) => fc.constantFrom(lines.join('\n'), lines.map((line) => `${line}\n`).join('')));
    fc.assert(
      fc.property(text, text, (oldText, newText) => {
        const { added, removed, hunks } = diffLines(oldText, newText);
        expect(apply(oldText, hunks)).toBe(newText);
        expect(hunks === '').toBe(oldText === newText);
        expect(added + removed > 0).toBe(oldText !== newText);
      }),
      { numRuns: 1000, seed: 7 },
    );
  });
});
