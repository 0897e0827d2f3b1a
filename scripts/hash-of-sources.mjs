import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';

const root = path.dirname(import.meta.dirname);

/** Returns a hash of the program's code. It is part of cache keys, because another build may print another result. */
export function hashOfSources() {
  const hash = createHash('sha256');
  const files = readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .sort((a, b) => (a < b ? -1 : 1));
  for (const file of [...files, '../package-lock.json']) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(path.join(root, 'src', file)))
      .update('\0');
  }
  return hash.digest('hex').slice(0, 16);
}
