import { beforeAll, describe, expect, it } from 'vitest';
import type { Language } from '../../../../src/server/pages/code/highlight-js.mjs';
import type { Html } from '../../../../src/server/pages/shared/html.ts';
import { loadHighlighter, type CodeTask } from '../../../../src/server/pages/code/source-highlight.ts';
import { languageOf, languageOfBlock } from '../../../../src/server/pages/code/source-language.ts';
import { numberedLines } from '../../../../src/server/pages/code/source-text.ts';
import { CODE_ATTACKS } from '../source-attacks.ts';

let highlight: (task: CodeTask) => Html;

beforeAll(async () => {
  const linesOfCode = await loadHighlighter();
  highlight = (task) => numberedLines(linesOfCode(task));
});

const LANGUAGES: readonly Language[] = [
  ...(['bash', 'c', 'cmake', 'cpp', 'diff', 'ini', 'javascript', 'json'] as const),
  ...(['makefile', 'markdown', 'python', 'rust', 'x86asm', 'xml', 'yaml'] as const),
];

/** Returns the text that a browser shows, without line numbers. Expects only the elements of numbered lines. */
function shownText(markup: string): string {
  const text = markup
    .replace(/<span class="row" id="L\d+"><a href="#L\d+" aria-label="Line \d+">\d+<\/a>/g, '')
    .replace(/<span class="(?:hl-[a-z]+|hidden-character)">|<\/span>/g, '');
  expect(text).not.toMatch(/[<>]/);
  return text
    .replace(
      /&(lt|gt|quot|#39);/g,
      (_, name: string) => ({ lt: '<', gt: '>', quot: '"', '#39': "'" })[name] ?? '',
    )
    .replaceAll('&amp;', '&');
}

describe('highlighted code', () => {
  it('has styles for keywords, strings, comments and numbers', () => {
    const { text } = highlight({ code: 'let x = "a"; // 1\nlet y = 0x40;\n', language: 'rust' });
    expect(text).toContain('<span class="hl-keyword">let</span>');
    expect(text).toContain('<span class="hl-string">&quot;a&quot;</span>');
    expect(text).toContain('<span class="hl-comment">// 1</span>');
    expect(text).toContain('<span class="hl-number">0x40</span>');
  });

  it('has numbered lines with links to themselves', () => {
    const { text } = highlight({ code: 'a\r\n\nb', language: 'ini' });
    expect([...text.matchAll(/id="(L\d)"><a href="#(L\d)" aria-label="Line (\d)">\3<\/a>/g)]).toHaveLength(3);
  });

  it('continues a comment on the next line', () => {
    const { text } = highlight({ code: '/* a\nb */ fn', language: 'rust' });
    expect(text).toContain('<span class="hl-comment">b */</span>');
  });

  it.each(LANGUAGES)('shows exactly the code and no other elements: %s', (language) => {
    for (const attack of CODE_ATTACKS) {
      const code = attack.replace(/[\r\0\u202e\u2066]/g, '');
      expect(shownText(highlight({ code, language }).text)).toBe(`${code.replace(/\n$/, '')}\n`);
    }
  });

  it('shows hidden characters by their numbers', () => {
    const { text } = highlight({ code: 'let a\u202e = 1;\rlet b;', language: 'rust' });
    expect(text).not.toMatch(/[\u202e\r]/);
    expect(text).toContain('<span class="hidden-character">U+202E</span>');
    expect(text).toContain('<span class="hidden-character">U+000D</span>');
  });
});

it('languageOf recognizes files by name and by extension', () => {
  const paths = [
    'src/lib.rs',
    'Cargo.toml.orig',
    'Cargo.lock',
    'sys/Makefile',
    'a/CMakeLists.txt',
    'x.S',
    'X.MD',
  ];
  expect(paths.map(languageOf)).toEqual(['rust', 'ini', 'ini', 'makefile', 'cmake', 'x86asm', 'markdown']);
  expect(['LICENSE', 'src/rs', '.rs/x', ''].map(languageOf)).toEqual([null, 'rust', null, null]);
});

it('languageOfBlock recognizes names of languages and extensions of files', () => {
  const infos = ['rust', 'rust,no_run', 'Rust {.numbered}', 'rs', 'toml', 'console', 'c++', 'text', ''];
  expect(infos.map(languageOfBlock)).toEqual([
    ...['rust', 'rust', 'rust', 'rust', 'ini', 'bash', 'cpp'],
    ...[null, null],
  ]);
});
