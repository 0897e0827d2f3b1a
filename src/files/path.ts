/**
 * Paths as text, by the rules of Rust's `Path`: joined without normalising, compared by components.
 *
 * On Windows the path itself tells which rules count: one that begins with a drive (`C:\`), with `\\server\share\` or with
 * `\\?\` has `\` and `/` as separators. On all other systems these are characters as any other, and only `/` separates.
 */
import { sep } from 'node:path';

/** The root of an absolute path of Windows, with the separator behind it, if there is one. */
const WINDOWS_ROOT =
  /^(?:(?:\\\\\?\\)?[A-Za-z]:[\\/]|\\\\\?\\UNC\\[^\\]+\\[^\\]+(?:\\|$)|\\\\[?.]\\[^\\/]+(?:\\|$)|\\\\(?![?.][\\/])[^\\/]+[\\/][^\\/]+(?:[\\/]|$))/;

/** The root of an absolute path: `/`, `C:\`, `\\server\share\`; null if the path is not absolute. */
export function rootOfPath(path: string): string | null {
  if (path.startsWith('/')) return '/';
  return windowsRoot(path);
}

/** `path` as seen from `base`: `path` itself if absolute, else the two joined, nothing resolved. */
export function joinPath(base: string, path: string): string {
  const root = windowsRoot(base);
  if (root !== null) return joinWindowsPath({ base, root }, path);
  if (path.startsWith('/')) return path;
  return base.endsWith('/') ? base + path : `${base}/${path}`;
}

/** The folder that holds `path`, which is normalised; the root is its own. */
export function parentFolder(path: string): string {
  const root = windowsRoot(path);
  if (root === null) return path.slice(0, Math.max(path.lastIndexOf('/'), 1));
  const end = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'));
  return end < root.length ? root : path.slice(0, end);
}

/**
 * Resolves `.`, `..` and repeated separators as text; links are not followed. `..` stays only at the start of a
 * relative path.
 */
export function normalizePath(path: string): string {
  const root = windowsRoot(path);
  if (root !== null) return root + resolveDots(windowsComponents(path, root), true).join('\\');
  if (!/(?:^|\/)\.{1,2}(?:\/|$)|\/\/|[^/]\/$/.test(path)) return path;
  const isAbsolute = path.startsWith('/');
  return (isAbsolute ? '/' : '') + resolveDots(pathComponents(path), isAbsolute).join('/');
}

/** The last component of a path that does not end with a separator. */
export function fileName(path: string): string {
  const end = path.lastIndexOf('/');
  return path.slice((sep === '/' ? end : Math.max(end, path.lastIndexOf('\\'))) + 1);
}

/** True if a file can stand at the path: its last component is a name. */
export function hasFileName(path: string): boolean {
  const root = windowsRoot(path);
  const last = (root === null ? pathComponents(path) : windowsComponents(path, root)).at(-1);
  return last !== undefined && last !== '..';
}

/** The path with the separator that is the system's own, so that it can be compared as text; otherwise as it is. */
export function toNativeSeparators(path: string): string {
  return windowsRoot(path) === null ? path : path.replaceAll('/', '\\');
}

/** The path with `/` alone where that separates, too, so that it can be compared with what was put together from parts. */
export function toSlashes(path: string): string {
  return windowsRoot(path) === null ? path : path.replaceAll('\\', '/');
}

/** A path as git prints it, with `/` on every system, as the system has it. */
export function pathOfGit(path: string): string {
  return sep === '/' ? path : path.replaceAll('/', '\\');
}

/** True if every component of `prefix` begins `path`. `..` is a component like any other. */
export function startsWithPath(path: string, prefix: string): boolean {
  const components = pathComponents(path);
  return pathComponents(prefix).every((component, i) => component === components[i]);
}

/** True if the two have the same components. */
export function pathsEqual(a: string, b: string): boolean {
  return a === b || pathComponents(a).join('/') === pathComponents(b).join('/');
}

/**
 * The way from the folder `base` to `path`; both absolute and normalised. Empty if they are equal, and `path` itself
 * where there is no way: from one drive to another.
 */
export function relativePath(base: string, path: string): string {
  const from = pathComponents(base);
  const to = pathComponents(path);
  if (windowsRoot(path) !== null && from[0] !== to[0]) return path;
  let shared = 0;
  while (shared < from.length && from[shared] === to[shared]) shared++;
  return [...from.slice(shared).fill('..'), ...to.slice(shared)].join('/');
}

function windowsRoot(path: string): string | null {
  if (sep === '/') return null;
  const first = path.charCodeAt(0);
  if (first === 47 || (first !== 92 && path.charCodeAt(1) !== 58)) return null;
  return WINDOWS_ROOT.exec(path)?.[0] ?? null;
}

function joinWindowsPath({ base, root }: { base: string; root: string }, path: string): string {
  if (windowsRoot(path) !== null) return path;
  // From the root of the same drive.
  if (/^[\\/]/.test(path)) return `${root.replace(/[\\/]$/, '')}\\${path.slice(1)}`;
  return /[\\/]$/.test(base) ? base + path : `${base}\\${path}`;
}

/** Components; the root of a path of Windows is the first, its drive in capitals as the system has no difference there. */
function pathComponents(path: string): string[] {
  const root = windowsRoot(path);
  if (root !== null) {
    const same = root.replaceAll('/', '\\').replace(/\\$/, '');
    return [/^(?:\\\\\?\\)?[a-z]:$/.test(same) ? same.toUpperCase() : same, ...windowsComponents(path, root)];
  }
  return path.split('/').filter((component) => component !== '' && component !== '.');
}

/** What stands behind the root. */
function windowsComponents(path: string, root: string): string[] {
  const rest = path.slice(root.length).split(/[\\/]/);
  return rest.filter((component) => component !== '' && component !== '.');
}

function resolveDots(components: readonly string[], isAbsolute: boolean): readonly string[] {
  const kept: string[] = [];
  for (const component of components) {
    if (component !== '..') kept.push(component);
    else if (kept.length > 0 && kept.at(-1) !== '..') kept.pop();
    else if (!isAbsolute) kept.push('..');
  }
  return kept;
}
