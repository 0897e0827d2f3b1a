import { describe, expect, it } from 'vitest';
import { compareFiles, type FileChange } from '../../../src/commands/diff/compare-files.ts';
import type { PackedFile } from '../../../src/commands/shared/packaging/crate-content.ts';
import { patchText } from '../../../src/commands/diff/patch-text.ts';
import { statText } from '../../../src/commands/diff/print.ts';
import { stripStyles } from '../../../src/io/terminal/style.ts';

const file = (content: string | Uint8Array, isExecutable = false): PackedFile => ({
  data: typeof content === 'string' ? Buffer.from(content) : content,
  isExecutable,
});

function compare(
  old: Readonly<Record<string, PackedFile>>,
  fresh: Readonly<Record<string, PackedFile>>,
): readonly FileChange[] {
  return compareFiles(new Map(Object.entries(old)), new Map(Object.entries(fresh)));
}

const patchOf = (changes: readonly FileChange[]): string => stripStyles(changes.map(patchText).join(''));

describe('compareFiles', () => {
  it('leaves out equal files, and sorts by bytes', () => {
    const changes = compare(
      { same: file('x'), b: file('1'), 'a/b': file('1') },
      { same: file('x'), 'a-b': file('1'), b: file('2') },
    );
    expect(changes.map(({ path }) => path)).toEqual(['a-b', 'a/b', 'b']);
  });

  it('compares neither binary nor large files line by line', () => {
    const large = 'x\n'.repeat(600_000);
    const changes = compare(
      { nul: file('a\0'), latin: file('a'), large: file(large) },
      { nul: file('b\0'), latin: file(Buffer.from([0xe9])), large: file(`${large}y`) },
    );
    expect(changes.map(({ path, lines }) => [path, lines])).toEqual([
      ['large', 'too-large'],
      ['latin', 'binary'],
      ['nul', 'binary'],
    ]);
    expect(patchOf(changes)).toBe(
      'diff --git a/large b/large\nFiles a/large and b/large differ (too large to compare line by line)\n' +
        'diff --git a/latin b/latin\nBinary files a/latin and b/latin differ\n' +
        'diff --git a/nul b/nul\nBinary files a/nul and b/nul differ\n',
    );
    expect(stripStyles(statText(changes))).toBe(
      'changed files:\n' +
        '      large (large, 1.1MiB -> 1.1MiB)\n' +
        '      latin (binary, 1B -> 1B)\n' +
        '      nul (binary, 2B -> 2B)\n',
    );
  });

  it('limits the time for many files of which most lines differ', () => {
    const permuted = (factor: number): PackedFile =>
      file(Array.from({ length: 1009 }, (_, i) => `${(i * factor) % 1009}\n`).join(''));
    const names = Array.from({ length: 120 }, (_, i) => `file-${String(i).padStart(3, '0')}`);
    const side = (factor: number): Readonly<Record<string, PackedFile>> =>
      Object.fromEntries(names.map((name) => [name, permuted(factor)]));
    const changes = compare({ ...side(1), last: file('a\nb\n') }, { ...side(7), last: file('a\nc\n') });
    const added = changes.map(({ lines }) => (typeof lines === 'string' ? null : lines.added));
    expect(added[0]).toBeLessThan(1009);
    expect(added[119]).toBe(1009);
    expect(added.at(-1)).toBe(1);
  });

  it('stops comparing lines when the changes are too large', () => {
    const large = file(`${'x'.repeat(999)}\n`.repeat(1000));
    const names = Array.from({ length: 40 }, (_, i) => `file-${String(i).padStart(2, '0')}`);
    const changes = compare({}, Object.fromEntries(names.map((name) => [name, large])));
    expect(changes.filter(({ lines }) => typeof lines !== 'string')).toHaveLength(33);
    expect(changes.at(-1)?.lines).toBe('limit');
    expect(patchOf(changes.slice(-1))).toContain(
      'Files /dev/null and b/file-39 differ (too many large changes to show all)\n',
    );
  });
});

describe('patchText', () => {
  it('prints new, deleted, empty and executable files as git does', () => {
    const changes = compare(
      { gone: file('a\n'), mode: file('a\n'), run: file('a\n', true) },
      { empty: file(''), mode: file('a\n', true), run: file('b\n'), 'two words': file('a\n') },
    );
    expect(patchOf(changes)).toBe(
      [
        'diff --git a/empty b/empty',
        'new file mode 100644',
        'diff --git a/gone b/gone',
        'deleted file mode 100644',
        '--- a/gone',
        '+++ /dev/null',
        '@@ -1 +0,0 @@',
        '-a',
        'diff --git a/mode b/mode',
        'old mode 100644',
        'new mode 100755',
        'diff --git a/run b/run',
        'old mode 100755',
        'new mode 100644',
        '--- a/run',
        '+++ b/run',
        '@@ -1 +1 @@',
        '-a',
        '+b',
        'diff --git a/two words b/two words',
        'new file mode 100644',
        '--- /dev/null',
        '+++ b/two words\t',
        '@@ -0,0 +1 @@',
        '+a',
        '',
      ].join('\n'),
    );
    expect(stripStyles(statText(changes))).toBe(
      [
        'changed files:',
        '          empty (added)',
        '      -1  gone (deleted)',
        '          mode (now executable)',
        '  +1  -1  run (no longer executable)',
        '  +1      two words (added)',
        '',
      ].join('\n'),
    );
  });

  it('shows hidden characters and commands of CI systems, and keeps tabs and code', () => {
    const [code] = compare(
      { a: file('\t::core::x\n::error::x\n##[y]\n') },
      { a: file('\t::core::x\n::error::x\n##[y]\nz\n') },
    );
    expect(patchOf(code === undefined ? [] : [code])).toContain(
      '\n \t::core::x\n \\u{3a}:error::x\n \\u{23}#[y]\n+z\n',
    );
    const [change] = compare({ 'a\u202e': file('') }, { 'a\u202e': file('\tx\u202e\u001b[31m\r\n') });
    expect(patchOf(change === undefined ? [] : [change])).toBe(
      'diff --git a/a\\u{202e} b/a\\u{202e}\n--- a/a\\u{202e}\n+++ b/a\\u{202e}\n' +
        '@@ -0,0 +1 @@\n+\tx\\u{202e}\\u{1b}[31m\\r\n',
    );
  });
});
