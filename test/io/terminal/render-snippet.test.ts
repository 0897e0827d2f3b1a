import { describe, expect, it } from 'vitest';
import { renderSnippet } from '../../../src/io/terminal/render-snippet.ts';
import { stripStyles } from '../../../src/io/terminal/style.ts';
import { onWindows } from '../../helpers/system.ts';
import path from 'node:path';

/** Renders an error about the part of `marked` between « and ». */
function render(marked: string, message = 'wrong', cwd = '/ws'): string {
  const [before = '', inside = '', after = ''] = marked.split(/[«»]/u);
  const span = { start: before.length, end: before.length + inside.length };
  return renderSnippet(
    { path: '/ws/Cargo.toml', text: before + inside + after, span, message },
    { cwd, width: null },
  );
}

describe('a span in one line', () => {
  it('is underlined', () => {
    expect(stripStyles(render('[package]\nname = «"x"» # c\n'))).toBe(
      'error: wrong\n --> Cargo.toml:2:8\n  |\n2 | name = "x" # c\n  |        ^^^\n',
    );
  });

  it.skipIf(onWindows)('is shown in colours (not on Windows, which has other colours)', () => {
    expect(render('a=«1»', 'one\ntwo')).toBe(
      '\x1b[1m\x1b[91merror\x1b[0m\x1b[1m: one\x1b[0m\n       \x1b[1mtwo\x1b[0m\n' +
        ' \x1b[1m\x1b[94m--> \x1b[0mCargo.toml:1:3\n  \x1b[1m\x1b[94m|\x1b[0m\n' +
        '\x1b[1m\x1b[94m1\x1b[0m \x1b[1m\x1b[94m|\x1b[0m a=1\n' +
        '  \x1b[1m\x1b[94m|\x1b[0m   \x1b[1m\x1b[91m^\x1b[0m\n',
    );
  });

  it('may be empty at the end of a line or of the text', () => {
    expect(stripStyles(render('a = «»\n'))).toBe(
      'error: wrong\n --> Cargo.toml:1:5\n  |\n1 | a = \n  |     ^\n',
    );
    expect(stripStyles(render('a\n«»'))).toBe('error: wrong\n --> Cargo.toml:1:3\n  |\n1 | a\n  |  ^\n');
    expect(stripStyles(render('«»'))).toBe('error: wrong\n --> Cargo.toml:1:1\n  |\n1 |\n  | ^\n');
  });

  it('is located by character and underlined by display column', () => {
    expect(stripStyles(render('\tb = {"漢字" = «1»}'))).toBe(
      'error: wrong\n --> Cargo.toml:1:14\n  |\n1 |     b = {"漢字" = 1}\n  |                   ^\n',
    );
  });

  it('indents empty lines of the message', () => {
    expect(stripStyles(render('a=«1»', 'one\n\n'))).toMatch(/^error: one\n {7}\n {7}\n --> /);
  });

  it('is shown with the path relative to the working folder', () => {
    expect(stripStyles(render('a=«1»', 'wrong', '/ws/sub/deep'))).toContain(
      ` --> ${path.join('..', '..', 'Cargo.toml')}:1:3\n`,
    );
  });

  it('widens the margin for long line numbers', () => {
    expect(stripStyles(render(`${'\n'.repeat(9)}a=«1»`))).toBe(
      'error: wrong\n  --> Cargo.toml:10:3\n   |\n10 | a=1\n   |   ^\n',
    );
  });

  it('stays visible in a long line', () => {
    expect(stripStyles(render(`d=«3» # ${'x'.repeat(200)}`))).toBe(
      `error: wrong\n --> Cargo.toml:1:3\n  |\n1 | d=3 # ${'x'.repeat(127)}...\n  |   ^\n`,
    );
    expect(stripStyles(render(`${' '.repeat(160)}d=«3»`))).toBe(
      `error: wrong\n --> Cargo.toml:1:163\n  |\n1 | ...${' '.repeat(19)}d=3\n  | ${' '.repeat(24)}^\n`,
    );
  });
});

describe('a span of several lines', () => {
  it('is marked with a vertical bar', () => {
    expect(stripStyles(render('d = «[\n  1,\n]»\n'))).toBe(
      'error: wrong\n --> Cargo.toml:1:5\n  |\n1 |   d = [\n  |  _____^\n2 | |   1,\n3 | | ]\n  | |_^\n',
    );
  });

  it('starts with a corner if only white space precedes it', () => {
    expect(stripStyles(render('  «[a]\nb=1\n»c'))).toBe(
      'error: wrong\n --> Cargo.toml:1:3\n  |\n1 | /   [a]\n2 | | b=1\n3 | | c\n  | |_^\n',
    );
  });

  it('omits the lines in the middle', () => {
    const text = stripStyles(render('d = «[\n1,\n2,\n3,\n4,\n5,\n6,\n7\n]»\n'));
    expect(text).toBe(
      'error: wrong\n --> Cargo.toml:1:5\n  |\n1 |   d = [\n  |  _____^\n2 | | 1,\n3 | | 2,\n4 | | 3,\n' +
        '... |\n8 | | 7\n9 | | ]\n  | |_^\n',
    );
  });
});
