/** Paths as text, by the rules of Rust's `Path`: joined without normalising, compared by components. */

/** `path` as seen from `base`: `path` itself if absolute, else the two joined, nothing resolved. */
export function joinPath(base: string, path: string): string {
  if (path.startsWith('/')) return path;
  return base.endsWith('/') ? base + path : `${base}/${path}`;
}

/** The folder that holds `path`, which is normalised; the root is its own. */
export function parentFolder(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), 1));
}

/**
 * Resolves `.`, `..` and repeated slashes as text; links are not followed. `..` stays only at the start of a
 * relative path.
 */
export function normalizePath(path: string): string {
  if (!/(?:^|\/)\.{1,2}(?:\/|$)|\/\/|[^/]\/$/.test(path)) return path;
  const isAbsolute = path.startsWith('/');
  const kept: string[] = [];
  for (const component of pathComponents(path)) {
    if (component !== '..') kept.push(component);
    else if (kept.length > 0 && kept.at(-1) !== '..') kept.pop();
    else if (!isAbsolute) kept.push('..');
  }
  return (isAbsolute ? '/' : '') + kept.join('/');
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

/** The way from the folder `base` to `path`; both absolute and normalised. Empty if they are equal. */
export function relativePath(base: string, path: string): string {
  const from = pathComponents(base);
  const to = pathComponents(path);
  let shared = 0;
  while (shared < from.length && from[shared] === to[shared]) shared++;
  return [...from.slice(shared).fill('..'), ...to.slice(shared)].join('/');
}

function pathComponents(path: string): string[] {
  return path.split('/').filter((component) => component !== '' && component !== '.');
}
