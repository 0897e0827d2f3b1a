/** Parents of paths in the configuration: cut as text, without normalizing or following links. */
import { parentFolder, rootOfPath } from '../../core/files/path.ts';

/**
 * Returns the path without its last component; the root for the root. `..` is a component like any other. Ignores `.`
 * and repeated slashes, like `Path::parent` of Rust, which cargo uses.
 */
export function parentPath(path: string): string {
  const root = rootOfPath(path);
  if (root !== null && root !== '/')
    return parentFolder(root + path.slice(root.length).replace(/(?:[\\/]\.?)+$/, ''));
  // `a/.` and `a/` have the same last component as `a`.
  let end = path.length;
  for (;;) {
    if (end > 1 && path[end - 1] === '/') end -= 1;
    else if (end > 1 && path[end - 1] === '.' && path[end - 2] === '/') end -= 1;
    else break;
  }
  const slash = path.lastIndexOf('/', end - 1);
  if (slash === -1) return '';
  // In `a/./b` and `a//b`, the parent of `b` is `a`.
  let start = slash;
  for (;;) {
    if (start > 1 && path[start - 1] === '/') start -= 1;
    else if (start > 2 && path[start - 1] === '.' && path[start - 2] === '/') start -= 2;
    else break;
  }
  return start === 0 ? '/' : path.slice(0, start);
}
