import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

const root = path.dirname(import.meta.dirname);

/**
 * Returns a hash of the code and data of the program in `folder`. It is part of cache keys, because another build may
 * print another result.
 */
export function hashOfSources(folder = root) {
  const hash = createHash('sha256');
  const src = path.join(folder, 'src');
  const files = readdirSync(src, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(src, path.join(entry.parentPath, entry.name)))
    .sort((a, b) => (a < b ? -1 : 1));
  for (const file of [...files, '../package-lock.json']) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(path.join(src, file)))
      .update('\0');
  }
  return hash.digest('hex').slice(0, 16);
}
