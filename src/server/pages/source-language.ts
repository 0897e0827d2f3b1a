import type { Language } from './highlight-js.mjs';

/** Languages by the whole name of a file, in lower case. */
const BY_NAME: ReadonlyMap<string, Language> = new Map([
  ['cargo.lock', 'ini'],
  ['cargo.toml.orig', 'ini'],
  ['cmakelists.txt', 'cmake'],
  ['gnumakefile', 'makefile'],
  ['makefile', 'makefile'],
]);

/** Languages by the extension of a file, in lower case. */
const BY_EXTENSION: ReadonlyMap<string, Language> = new Map(
  (
    [
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
    ] as const
  ).flatMap(([language, extensions]) =>
    extensions.split(' ').map((extension) => [extension, language] as const),
  ),
);

/** Returns the language of a file by its name; null if it is not known. */
export function languageOf(path: string): Language | null {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  return BY_NAME.get(name) ?? BY_EXTENSION.get(name.slice(name.lastIndexOf('.') + 1)) ?? null;
}
