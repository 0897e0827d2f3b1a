import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';

/**
 * One entry of a declared folder: text, a symbolic link, bytes in base64, or an empty folder. `mode` is octal
 * permission bits, `"444"` for example.
 */
export type TreeEntry =
  | string
  | { readonly text: string; readonly mode?: string }
  | { readonly link: string }
  | { readonly base64: string }
  | { readonly dir: true; readonly mode?: string };

/** A declared folder: relative path with `/` -> entry. In the last part of a path, `\xff` is that byte. */
export type Tree = Readonly<Record<string, TreeEntry>>;

/** Writes `tree` below `dir`. Texts and link targets pass through `substitute`. */
export function writeTree(dir: string, tree: Tree, substitute: (text: string) => string = (t) => t): void {
  for (const [name, entry] of Object.entries(tree)) {
    const parent = path.join(dir, path.dirname(name));
    mkdirSync(parent, { recursive: true });
    const file = child(parent, path.basename(name));
    if (typeof entry === 'object' && 'dir' in entry) {
      mkdirSync(file, { recursive: true });
      if (entry.mode !== undefined) chmodSync(file, Number.parseInt(entry.mode, 8));
      continue;
    }
    if (existsSync(file) || isLink(file)) rmSync(file, { recursive: true, force: true });
    if (typeof entry === 'string') writeFileSync(file, substitute(entry));
    else if ('link' in entry) symlinkSync(substitute(entry.link), file);
    else if ('base64' in entry) writeFileSync(file, Buffer.from(entry.base64, 'base64'));
    else {
      writeFileSync(file, substitute(entry.text));
      if (entry.mode !== undefined) chmodSync(file, Number.parseInt(entry.mode, 8));
    }
  }
}

/**
 * Lists the files and links below `dir` with their content: `path sha256-prefix` or `path -> target`, sorted. `skip`
 * excludes a path (relative, with `/`) and everything below it. A missing folder gives an empty list.
 */
export function listTree(dir: string, skip: (relative: string) => boolean = () => false): string[] {
  const lines: string[] = [];
  const visit = (relative: string): void => {
    const folder = path.join(dir, relative);
    for (const entry of orGone(() => readdirSync(folder, { withFileTypes: true })) ?? []) {
      const name = relative === '' ? entry.name : `${relative}/${entry.name}`;
      if (skip(name)) continue;
      const file = path.join(dir, name);
      if (entry.isDirectory()) {
        lines.push(`${name}/`);
        visit(name);
      } else if (entry.isSymbolicLink()) lines.push(`${name} -> ${readlinkSync(file)}`);
      else {
        const bytes = orGone(() => readFileSync(file));
        if (bytes !== null)
          lines.push(`${name} ${createHash('sha256').update(bytes).digest('hex').slice(0, 16)}`);
      }
    }
  };
  if (existsSync(dir)) visit('');
  return lines.sort();
}

/** Returns the result of `read`; null if a concurrent program has just removed the file. */
function orGone<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  }
}

/** Returns the path of `name` in `folder`, as bytes if the name contains an escaped byte. */
function child(folder: string, name: string): string | Buffer {
  if (!/\\x[0-9a-f]{2}/.test(name)) return path.join(folder, name);
  const bytes = name.replace(/\\x([0-9a-f]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(bytes, 'latin1')]);
}

function isLink(file: string | Buffer): boolean {
  return lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}
