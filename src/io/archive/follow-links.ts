/** Resolves links in paths that need not be UTF-8. */
import { readlinkSync } from 'node:fs';
import { toNativePath } from '../../core/files/byte-path.ts';
import { parentOf } from './parent-path.ts';

/** More links than any sensible path leads through, so that a cycle ends. */
const MAX_LINKS = 32;

/**
 * Resolves all links in a path. Paths are absolute byte strings. Missing parts stay as written. Returns `path` itself
 * if there are too many links.
 */
export function followLinks(path: string): string {
  const namesOf = (text: string) => text.split('/').filter((name) => name !== '');
  const pending = namesOf(path);
  let resolved = '';
  let links = 0;
  for (let name = pending.shift(); name !== undefined; name = pending.shift()) {
    if (name === '.') continue;
    if (name === '..') {
      resolved = parentOf(resolved);
      continue;
    }
    const target = linkTarget(`${resolved}/${name}`);
    if (target === null) {
      resolved = `${resolved}/${name}`;
      continue;
    }
    if (++links > MAX_LINKS) return path;
    if (target.startsWith('/')) resolved = '';
    pending.unshift(...namesOf(target));
  }
  return resolved === '' ? '/' : resolved;
}

/** Returns the text of a link; null if the path is not a link. */
function linkTarget(path: string): string | null {
  try {
    return readlinkSync(toNativePath(path), { encoding: 'latin1' });
  } catch {
    return null;
  }
}
