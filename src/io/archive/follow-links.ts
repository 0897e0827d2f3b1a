import { readlinkSync } from 'node:fs';
import { toNativePath } from '../../core/files/byte-path.ts';

const MAX_LINKS = 32;

/**
 * Resolves all links in a path. Paths are absolute byte strings. Missing parts stay as written. Returns `path` itself
 * if there are too many links.
 */
export function followLinks(path: string): string {
  let rest = path.split('/').filter((name) => name !== '');
  let at = '';
  for (let links = 0; rest.length > 0; ) {
    const [name = '', ...others] = rest;
    rest = others;
    if (name === '..') {
      at = at.slice(0, Math.max(at.lastIndexOf('/'), 0));
      continue;
    }
    if (name === '.') continue;
    const target = linkTarget(`${at}/${name}`);
    if (target === null) {
      at = `${at}/${name}`;
      continue;
    }
    if (++links > MAX_LINKS) return path;
    if (target.startsWith('/')) at = '';
    rest = [...target.split('/').filter((part) => part !== ''), ...rest];
  }
  return at === '' ? '/' : at;
}

function linkTarget(path: string): string | null {
  try {
    return readlinkSync(toNativePath(path), { encoding: 'latin1' });
  } catch {
    return null;
  }
}
