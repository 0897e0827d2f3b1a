/** Links to folders that git's ignore rules would match if they were folders. gitignore(5). */
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readSetting, type RepositoryPlace, type WorkTreeOptions } from '../git/work-tree.ts';
import { fromByteString } from '../../core/files/byte-path.ts';
import { matchPathItself, parseIgnoreRules, type IgnoreRules } from './ignore-pattern.ts';

/**
 * Returns true if git's rules would ignore a link to a folder if it were that folder, as cargo assumes. git itself
 * never applies a rule that ends with a slash to a link. `path` is a byte string relative to the top folder.
 */
export async function isIgnoredAsFolder(
  place: RepositoryPlace,
  path: string,
  options: WorkTreeOptions,
): Promise<boolean> {
  const userFile = await readSetting(place, { key: 'core.excludesFile', type: 'path' }, options);
  const configFolder = options.env['XDG_CONFIG_HOME'] || join(options.env['HOME'] ?? '/', '.config');
  const names = path.split('/').slice(0, -1);
  const folders = names.map((_, i) => names.slice(0, i + 1).join('/'));
  // gitignore(5) has this order. The rules in a file apply to paths below `base`.
  const ruleFiles = [
    { file: userFile === null ? join(configFolder, 'git/ignore') : resolve(place.root, userFile), base: '' },
    { file: join(commonFolder(place.gitDir), 'info/exclude'), base: '' },
    { file: join(place.root, '.gitignore'), base: '' },
    ...folders.map((folder) => ({
      file: join(place.root, fromByteString(folder), '.gitignore'),
      base: `${folder}/`,
    })),
  ];
  // The nearest rules take precedence. Folders above are not ignored, or git would not have listed the link.
  for (const { file, base } of ruleFiles.reverse()) {
    const verdict = matchPathItself(rulesOf(file), path.slice(base.length), 'folder');
    if (verdict !== null) return verdict === 'ignored';
  }
  return false;
}

/** Returns the git folder of the repository that a linked working tree belongs to; `gitDir` itself for any other. */
function commonFolder(gitDir: string): string {
  const text = readText(join(gitDir, 'commondir'));
  return text === '' ? gitDir : resolve(gitDir, text.trim());
}

/** Reads the rules in a file. Skips invalid patterns, as git does. */
function rulesOf(file: string): IgnoreRules {
  return readText(file)
    .split(/\r?\n/)
    .flatMap((line) => {
      try {
        return parseIgnoreRules([line]);
      } catch {
        return [];
      }
    });
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
