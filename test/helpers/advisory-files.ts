import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** The parts of an advisory in RustSec's format. */
export interface RustsecDecl {
  readonly id: string;
  readonly crate: string;
  readonly title?: string;
  /** Requirements as in the file; none by default. */
  readonly patched?: readonly string[];
  readonly unaffected?: readonly string[];
  /** Further lines of `[advisory]`. */
  readonly extra?: string;
}

/** Returns a file in RustSec's format. */
export function rustsecFile({ id, crate, title, patched, unaffected, extra }: RustsecDecl): string {
  return `\`\`\`toml
[advisory]
id = "${id}"
package = "${crate}"
date = "2021-01-04"
${extra ?? ''}

[versions]
patched = ${JSON.stringify(patched ?? [])}
unaffected = ${JSON.stringify(unaffected ?? [])}
\`\`\`

# ${title ?? `A problem in ${crate}`}

Details with a \`code\` word.
`;
}

/** Writes files below a folder, which is created if needed. */
export function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}
