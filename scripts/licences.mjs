import { existsSync, readFileSync, readdirSync, realpathSync } from 'node:fs';
import path from 'node:path';

const root = path.dirname(import.meta.dirname);

/** The licences of the packages whose modules (paths) are in the bundles: they ask to be passed on with it. */
export function licences(modules) {
  const folders = new Set();
  for (const module of modules) {
    // The innermost package.
    const folder = /^(.*\bnode_modules\/(?:@[^/]+\/)?[^/]+)/.exec(module)?.[1];
    if (folder !== undefined && existsSync(folder)) folders.add(realpathSync(path.resolve(root, folder)));
  }
  const parts = [...folders].map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    const text = file === undefined ? '' : readFileSync(path.join(folder, file), 'utf8').trim();
    return `${name} ${version} (${license})\n\n${text}\n`;
  });
  // The same version may be there more than once.
  return [...new Set(parts)].sort((a, b) => a.localeCompare(b)).join(`\n${'-'.repeat(80)}\n\n`);
}
