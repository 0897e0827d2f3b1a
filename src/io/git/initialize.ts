/** Creates empty repositories like cargo's git library: no template, no hooks, branch `master`. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openRepository, type Repository } from './repository.ts';
import { TsregError } from '../../core/errors/error.ts';

// The texts of libgit2's `repo_template.h`.
const DESCRIPTION = "Unnamed repository; edit this file 'description' to name the repository.\n";
const EXCLUDE =
  "# File patterns to ignore; see `git help ignore` for more information.\n# Lines that start with '#' are comments.\n";
const HOOKS_README = `#!/bin/sh
#
# Place appropriately named executable hook scripts into this directory
# to intercept various actions that git takes.  See \`git help hooks\` for
# more information.
`;

/**
 * Creates a repository in `path`, which may exist: bare, or with a `.git` folder. Overwrites the files of an existing
 * repository. Its `config` has only the section `[core]`. Throws Node's errors.
 */
export function initializeRepository(path: string, options: { readonly bare: boolean }): Repository {
  const gitDir = options.bare ? path : join(path, '.git');
  for (const folder of ['objects/info', 'objects/pack', 'refs/heads', 'refs/tags', 'hooks', 'info'])
    mkdirSync(join(gitDir, folder), { recursive: true });
  const settings = [`bare = ${String(options.bare)}`, 'repositoryformatversion = 0', 'filemode = true'];
  if (!options.bare) settings.push('logallrefupdates = true');
  writeFileSync(join(gitDir, 'config'), `[core]\n${settings.map((line) => `\t${line}\n`).join('')}`);
  writeFileSync(join(gitDir, 'description'), DESCRIPTION);
  writeFileSync(join(gitDir, 'info/exclude'), EXCLUDE);
  writeFileSync(join(gitDir, 'hooks/README.sample'), HOOKS_README, { mode: 0o777 });
  writeFileSync(join(gitDir, 'HEAD'), 'ref: refs/heads/master\n');
  const repository = openRepository(path);
  if (repository === null)
    throw new TsregError(`failed to initialize git repository in \`${path}\``, { code: 'git' });
  return repository;
}
