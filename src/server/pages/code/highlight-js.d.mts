/** A language that highlight.js knows here. `ini` is also TOML. */
export type Language =
  | 'bash'
  | 'c'
  | 'cmake'
  | 'cpp'
  | 'diff'
  | 'ini'
  | 'javascript'
  | 'json'
  | 'makefile'
  | 'markdown'
  | 'python'
  | 'rust'
  | 'x86asm'
  | 'xml'
  | 'yaml';

/** Returns code as HTML with nested `<span class="hljs-…">`. Its time may grow with the square of the length. */
export function highlight(code: string, language: Language): string;
