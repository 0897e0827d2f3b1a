/**
 * Paths as text, by the rules of Rust's `Path`: joined without normalizing, compared by components.
 *
 * On Windows, the path itself determines the rules: one that begins with a drive (`C:\`), with `\\server\share\` or
 * with `\\?\` has `\` and `/` as separators. On other systems, these are ordinary characters, and only `/` is a
 * separator.
 */
import { sep } from 'node:path';

/**
 * The root of an absolute Windows path, with the following separator if there is one. The alternatives: a drive, also
 * after `\\?\`; `\\?\UNC\server\share`; a device such as `\\.\NUL`; `\\server\share`.
 */
const WINDOWS_ROOT =
  /^(?:(?:\\\\\?\\)?[A-Za-z]:[\\/]|\\\\\?\\UNC\\[^\\]+\\[^\\]+(?:\\|$)|\\\\[?.]\\[^\\/]+(?:\\|$)|\\\\(?![?.][\\/])[^\\/]+[\\/][^\\/]+(?:[\\/]|$))/;

/** Returns the root of an absolute path: `/`, `C:\`, `\\server\share\`; null if the path is relative. */
export function rootOfPath(path: string): string | null {
  if (path.startsWith('/')) return '/';
  return windowsRoot(path);
}

/** Joins `path` to `base` without resolving anything. Returns `path` itself if it is absolute. */
export function joinPath(base: string, path: string): string {
  const root = windowsRoot(base);
  if (root !== null) return joinWindowsPath({ base, root }, path);
  if (path.startsWith('/')) return path;
  return base.endsWith('/') ? base + path : `${base}/${path}`;
}

/** Returns the folder that contains `path`, which must be absolute and normalized; the root for the root. */
export function parentFolder(path: string): string {
  const root = windowsRoot(path);
  if (root === null) return path.slice(0, Math.max(path.lastIndexOf('/'), 1));
  const end = Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\'));
  return end < root.length ? root : path.slice(0, end);
}

/**
 * Resolves `.`, `..` and repeated separators as text, without following links. `..` only stays at the start of a
 * relative path.
 */
export function normalizePath(path: string): string {
  const root = windowsRoot(path);
  if (root !== null) return root + resolveDots(windowsComponents(path, root), true).join('\\');
  // Nearly all paths have neither `.` nor `..`, no repeated separator, and none at the end.
  if (!/(?:^|\/)\.{1,2}(?:\/|$)|\/\/|[^/]\/$/.test(path)) return path;
  const isAbsolute = path.startsWith('/');
  return (isAbsolute ? '/' : '') + resolveDots(pathComponents(path), isAbsolute).join('/');
}

/** Returns the last component of a path that does not end with a separator. */
export function fileName(path: string): string {
  const end = path.lastIndexOf('/');
  return path.slice((sep === '/' ? end : Math.max(end, path.lastIndexOf('\\'))) + 1);
}

/** Returns true if the last component of the path is a name, so that it may be a file. */
export function hasFileName(path: string): boolean {
  const root = windowsRoot(path);
  const last = (root === null ? pathComponents(path) : windowsComponents(path, root)).at(-1);
  return last !== undefined && last !== '..';
}

/** Returns an absolute path with only the system's own separator, so that it can be compared as text. */
export function toNativeSeparators(path: string): string {
  return windowsRoot(path) === null ? path : path.replaceAll('/', '\\');
}

/** Returns an absolute path with `/` as its only separator, so that it can be compared with joined parts. */
export function toSlashes(path: string): string {
  return windowsRoot(path) === null ? path : path.replaceAll('\\', '/');
}

/** Returns a path that git printed, which has `/` on every system, with the system's separator. */
export function pathOfGit(path: string): string {
  return sep === '/' ? path : path.replaceAll('/', '\\');
}

/**
 * Returns true if `path` starts with all components of `prefix`; both or neither are absolute. `..` is a component like
 * any other.
 */
export function startsWithPath(path: string, prefix: string): boolean {
  const components = pathComponents(path);
  return pathComponents(prefix).every((component, i) => component === components[i]);
}

/** Returns true if the two have the same components; both or neither are absolute. */
export function pathsEqual(a: string, b: string): boolean {
  return a === b || pathComponents(a).join('/') === pathComponents(b).join('/');
}

/**
 * Returns the path from the folder `base` to `path`, with `/` as its separator on every system. Both are absolute and
 * normalized. The result is empty if they are equal, and `path` itself if they are on different drives.
 */
export function relativePath(base: string, path: string): string {
  const from = pathComponents(base);
  const to = pathComponents(path);
  if (windowsRoot(path) !== null && from[0] !== to[0]) return path;
  let shared = 0;
  while (shared < from.length && from[shared] === to[shared]) shared++;
  return [...from.slice(shared).fill('..'), ...to.slice(shared)].join('/');
}

/** Returns the root of an absolute Windows path; null for other paths, and on other systems. */
function windowsRoot(path: string): string | null {
  if (sep === '/') return null;
  // Cheaper than the expression: nearly all paths here start with a name or with `/`.
  const first = path.charAt(0);
  if (first === '/' || (first !== '\\' && path.charAt(1) !== ':')) return null;
  return WINDOWS_ROOT.exec(path)?.[0] ?? null;
}

/** Joins `path` to the absolute path `base`, whose root is `root`. */
function joinWindowsPath({ base, root }: { base: string; root: string }, path: string): string {
  if (windowsRoot(path) !== null) return path;
  // Relative to the root of the same drive.
  if (/^[\\/]/.test(path)) return `${root.replace(/[\\/]$/, '')}\\${path.slice(1)}`;
  return /[\\/]$/.test(base) ? base + path : `${base}\\${path}`;
}

/**
 * Returns the components, without empty ones and `.`. For Windows, the root is the first, with its drive in upper case:
 * the case of drives does not matter.
 */
function pathComponents(path: string): string[] {
  const root = windowsRoot(path);
  if (root !== null) {
    const prefix = root.replaceAll('/', '\\').replace(/\\$/, '');
    const isDrive = /^(?:\\\\\?\\)?[a-z]:$/.test(prefix);
    return [isDrive ? prefix.toUpperCase() : prefix, ...windowsComponents(path, root)];
  }
  return path.split('/').filter((component) => component !== '' && component !== '.');
}

/** Returns the components after the root, without empty ones and `.`. */
function windowsComponents(path: string, root: string): string[] {
  const components = path.slice(root.length).split(/[\\/]/);
  return components.filter((component) => component !== '' && component !== '.');
}

/** Drops each `..` with the component before it. At the start, keeps it in a relative path and drops it in others. */
function resolveDots(components: readonly string[], isAbsolute: boolean): readonly string[] {
  const resolved: string[] = [];
  for (const component of components) {
    if (component !== '..') resolved.push(component);
    else if (resolved.length > 0 && resolved.at(-1) !== '..') resolved.pop();
    else if (!isAbsolute) resolved.push('..');
  }
  return resolved;
}
