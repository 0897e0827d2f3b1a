import type { Language } from './highlight-js.mjs';

/** Languages by the whole name of a file, in lower case. */
const BY_NAME: ReadonlyMap<string, Language> = new Map([
  ['cargo.lock', 'ini'],
  ['cargo.toml.orig', 'ini'],
  ['cmakelists.txt', 'cmake'],
  ['gnumakefile', 'makefile'],
  ['makefile', 'makefile'],
]);

/** Languages, each with the extensions of its files, in lower case. */
const EXTENSIONS = [
  ['bash', 'sh bash zsh'],
  ['c', 'c h'],
  ['cmake', 'cmake'],
  ['cpp', 'cc cpp cxx hh hpp hxx'],
  ['diff', 'diff patch'],
  ['ini', 'toml ini cfg'],
  ['javascript', 'js mjs cjs'],
  ['json', 'json'],
  ['makefile', 'mk mak'],
  ['markdown', 'md markdown'],
  ['python', 'py'],
  ['rust', 'rs'],
  ['x86asm', 's asm'],
  ['xml', 'xml svg html htm'],
  ['yaml', 'yml yaml'],
] as const;

const BY_EXTENSION: ReadonlyMap<string, Language> = new Map(
  EXTENSIONS.flatMap(([language, extensions]) =>
    extensions.split(' ').map((extension) => [extension, language] as const),
  ),
);

/** Names of languages in Markdown, besides the extensions of their files. */
const BY_MARKDOWN_NAME: ReadonlyMap<string, Language> = new Map([
  ...EXTENSIONS.map(([language]) => [language, language] as const),
  ['c++', 'cpp'],
  ['console', 'bash'],
  ['shell', 'bash'],
]);

/** Returns the language of a file by its name; null if it is not known. */
export function languageOf(path: string): Language | null {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  return BY_NAME.get(name) ?? BY_EXTENSION.get(name.slice(name.lastIndexOf('.') + 1)) ?? null;
}

/** Returns the language of a code block in Markdown by its info string, such as `rust,no_run`; null if it is not known. */
export function languageOfBlock(info: string): Language | null {
  const name =
    info
      .trim()
      .split(/[\s,{]/, 1)[0]
      ?.toLowerCase() ?? '';
  return BY_MARKDOWN_NAME.get(name) ?? BY_EXTENSION.get(name) ?? null;
}
