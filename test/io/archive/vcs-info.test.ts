import { appendFileSync, chownSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { headOf, runGit } from '../../helpers/git-repo.ts';
import { onWindows } from '../../helpers/system.ts';
import { makeTempDir } from '../../helpers/temp-dir.ts';
import { manifestText, planTree, writeTree, type PlanOptions, type Tree } from './package-tree.ts';

let root: string;
beforeEach(() => {
  const temp = makeTempDir('vcs-info');
  root = temp.path;
  return () => temp.remove();
});

const git = (...args: string[]) => runGit(root, args);
const BASE: Tree = { 'Cargo.toml': manifestText(), 'src/lib.rs': '' };

function commitTree(tree: Tree): void {
  writeTree(root, tree);
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '--message', 'x');
}

/** Returns the paths in the error about uncommitted changes, or null if there is no error. */
async function dirtyPaths(folder = root, options: PlanOptions = {}): Promise<readonly string[] | null> {
  try {
    await planTree(folder, options);
    return null;
  } catch (error) {
    const { message } = error as Error;
    const [head = '', list = '', advice] = message.split('\n\n');
    const paths = list.split('\n');
    expect(head).toBe(
      `${paths.length} files in the working directory contain changes that were not yet committed into git:`,
    );
    expect(advice).toBe(
      'to proceed despite this and include the uncommitted changes, pass the `--allow-dirty` flag',
    );
    return paths;
  }
}

test('writes the commit and the folder of a clean package', async () => {
  commitTree({ 'sub/Cargo.toml': manifestText(), 'sub/src/lib.rs': '', outside: '' });
  writeTree(root, { outside: 'changed', 'other/new': '' });
  const { text, files } = await planTree(join(root, 'sub'));
  expect(text).toBe(`{\n  "git": {\n    "sha1": "${headOf(root)}"\n  },\n  "path_in_vcs": "sub"\n}`);
  expect(files[0]).toEqual({
    path: '.cargo_vcs_info.json',
    content: { kind: 'generate', what: 'vcs-info', path: null },
  });
});

test.skipIf(onWindows)(
  'uses the target of a linked manifest (not on Windows: links need rights there)',
  async () => {
    commitTree({
      'cfg/Cargo.toml': manifestText(),
      'sub/Cargo.toml': { to: '../cfg/Cargo.toml' },
      'sub/src/lib.rs': '',
    });
    const expected = { git: { sha1: headOf(root) }, path_in_vcs: 'cfg' };
    expect((await planTree(join(root, 'sub'))).vcsInfo).toEqual(expected);
    writeTree(root, { '.gitignore': 'sub/Cargo.toml' });
    expect((await planTree(join(root, 'sub'))).vcsInfo).toEqual(expected);
    writeTree(root, { '.gitignore': 'cfg' });
    expect((await planTree(join(root, 'sub'))).vcsInfo).toBeNull();
  },
);

test('ignores a repository with SHA-256 object ids', async () => {
  writeTree(root, BASE);
  git('init', '--quiet', '--object-format=sha256');
  git('add', '.');
  git('commit', '--quiet', '--message', 'x');
  expect((await planTree(root)).vcsInfo).toBeNull();
});

test('lists changes of every kind relative to the working directory, unless they are allowed', async () => {
  commitTree({ ...BASE, '.gitignore': '*.o\n', staged: '', 'docs/mode': '', removed: '', 'Cargo.lock': '' });
  writeTree(root, { staged: 'x', 'docs/new': '', 'a.o': '' });
  git('add', 'staged');
  git('rm', '--quiet', '--cached', 'removed');
  git('update-index', '--chmod=+x', 'docs/mode');
  const expected = ['../docs/mode', '../docs/new', '../removed', '../staged'];
  expect(await dirtyPaths(root, { cwd: join(root, 'src') })).toEqual(expected);
  const allowed = await planTree(root, { allowDirty: true });
  expect(allowed.vcsInfo).toEqual({ git: { sha1: headOf(root), dirty: true }, path_in_vcs: '' });
});

test('counts an ignored file that is included, but not an ignored lock file', async () => {
  commitTree({
    ...BASE,
    'Cargo.toml': manifestText('include = ["src", "gen", "sub", "alone"]'),
    '.gitignore': 'gen/\nCargo.lock\n*.o\n',
    'sub/a': '',
  });
  writeTree(root, { 'gen/a': '', 'sub/Cargo.lock': '', 'Cargo.lock': '' });
  expect(await dirtyPaths()).toEqual(['gen/a']);
  // In a folder that has only ignored files, the lock file counts too.
  writeTree(root, { 'alone/deep/Cargo.lock': '', 'alone/a.o': '' });
  expect(await dirtyPaths()).toEqual(['alone/a.o', 'alone/deep/Cargo.lock', 'gen/a']);
});

test.skipIf(onWindows)(
  'counts changes in the target of a link (not on Windows: links need rights there)',
  async () => {
    commitTree({ 'p/Cargo.toml': manifestText(), 'p/src/lib.rs': '', shared: '', 'docs/a': '' });
    writeTree(root, { 'p/link': { to: '../shared' }, 'p/docs': { to: '../docs' } });
    expect(await dirtyPaths(join(root, 'p'), { cwd: root })).toBeNull();
    writeTree(root, { shared: 'x', 'docs/new': '' });
    expect(await dirtyPaths(join(root, 'p'), { cwd: root })).toEqual(['docs/new', 'shared']);
  },
);

test('counts changes in the workspace manifest and in a readme outside of the package', async () => {
  commitTree({
    'Cargo.toml': '[workspace]\nmembers = ["p"]\n',
    'p/Cargo.toml': manifestText('readme = "../README.md"'),
    'p/src/lib.rs': '',
    'README.md': '',
  });
  appendFileSync(join(root, 'Cargo.toml'), '# 1\n');
  git('add', 'Cargo.toml');
  appendFileSync(join(root, 'Cargo.toml'), '# 2\n');
  writeTree(root, { 'README.md': 'x' });
  // A file that changed again after it was staged is listed twice.
  const paths = ['Cargo.toml', 'Cargo.toml', 'README.md'];
  expect(await dirtyPaths(join(root, 'p'), { cwd: root })).toEqual(paths);
  // In a subfolder of the repository, cargo looks for these paths below that folder and misses them.
  expect(await dirtyPaths(join(root, 'p'))).toBeNull();
});

test('lists each change in a submodule, but a new submodule commit only once it is staged', async () => {
  const origin = join(root, 'origin');
  writeTree(origin, { a: '', b: '' });
  runGit(origin, ['init', '--quiet']);
  runGit(origin, ['add', '.']);
  runGit(origin, ['commit', '--quiet', '--message', 'x']);
  writeTree(root, { ...BASE, 'Cargo.toml': manifestText('exclude = ["origin"]') });
  git('init', '--quiet');
  git('submodule', '--quiet', 'add', './origin', 'sub');
  git('add', 'Cargo.toml', 'src');
  git('commit', '--quiet', '--message', 'x');
  writeTree(root, { 'sub/a': 'x', 'sub/new': '' });
  expect(await dirtyPaths()).toEqual(['sub/a', 'sub/new']);
  runGit(join(root, 'sub'), ['add', '.']);
  runGit(join(root, 'sub'), ['commit', '--quiet', '--message', 'y']);
  expect(await dirtyPaths()).toBeNull();
  git('add', 'sub');
  expect(await dirtyPaths()).toEqual(['sub/a', 'sub/b', 'sub/new']);
  git('submodule', '--quiet', 'deinit', '--force', 'sub');
  writeTree(root, { 'sub/stray': '' });
  expect(await dirtyPaths()).toEqual(['sub/stray']);
});

test('refuses a submodule whose folder is missing, unless its repository is missing too', async () => {
  const origin = join(root, 'origin');
  writeTree(origin, { a: '' });
  runGit(origin, ['init', '--quiet']);
  runGit(origin, ['add', '.']);
  runGit(origin, ['commit', '--quiet', '--message', 'x']);
  const top = join(root, 'top');
  writeTree(top, BASE);
  runGit(top, ['init', '--quiet']);
  runGit(top, ['submodule', '--quiet', 'add', '../origin', 'libs/sub']);
  runGit(top, ['add', '.']);
  runGit(top, ['commit', '--quiet', '--message', 'x']);
  rmSync(join(top, 'libs'), { recursive: true });
  const refusal = (): Promise<unknown> =>
    planTree(top, { allowDirty: true }).catch((error: unknown) => error);
  expect(await refusal()).toMatchObject({
    message: `failed to retrieve git status from repo ${join(top, '.git/modules/libs/sub')}`,
    cause: { message: `Worktree root at '${join(top, 'libs/sub')}' is not a directory` },
    hint: '`git submodule update -- libs/sub` brings it back',
  });
  writeFileSync(join(top, 'libs'), '');
  expect(await refusal()).toMatchObject({ code: 'git' });
  rmSync(join(top, 'libs'));
  rmSync(join(top, '.git/modules'), { recursive: true });
  expect((await planTree(top)).vcsInfo).toEqual({ git: { sha1: headOf(top) }, path_in_vcs: '' });
});

test.each([
  ['', "The submodule 'sub' was missing its 'path' field or it was empty"],
  ['/sub', "The path '/sub' of submodule 'sub' needs to be relative"],
  ['a/../../sub', "The path 'a/../../sub' would lead outside of the repository worktree"],
])('refuses a submodule at %j', async (path, message) => {
  commitTree({ ...BASE, '.gitmodules': `[submodule "sub"]\npath = ${path}\n` });
  await expect(planTree(root)).rejects.toMatchObject({ message });
});

test('ignores a submodule that is the repository itself', async () => {
  commitTree({ ...BASE, '.gitmodules': '[submodule "sub"]\npath = .\n' });
  expect(await dirtyPaths()).toBeNull();
});

test('ignores untracked files if git is configured to hide them', async () => {
  commitTree(BASE);
  git('config', 'status.showUntrackedFiles', 'no');
  writeTree(root, { new: '' });
  expect(await dirtyPaths()).toBeNull();
  writeTree(root, { 'src/lib.rs': '// x' });
  expect(await dirtyPaths()).toEqual(['src/lib.rs']);
});

test('counts every file as changed before the first commit, and names no commit', async () => {
  writeTree(root, BASE);
  git('init', '--quiet');
  git('add', '.');
  expect(await dirtyPaths()).toEqual(['Cargo.toml', 'src/lib.rs']);
  expect((await planTree(root, { allowDirty: true })).text).toBeNull();
});

test('counts a file with a merge conflict as changed', async () => {
  commitTree({ ...BASE, f: '' });
  git('branch', 'other');
  writeTree(root, { f: 'ours' });
  git('commit', '--quiet', '--all', '--message', 'ours');
  git('checkout', '--quiet', 'other');
  writeTree(root, { f: 'theirs' });
  git('commit', '--quiet', '--all', '--message', 'theirs');
  git('merge', '--quiet', '-');
  expect(await dirtyPaths()).toEqual(['f']);
});

test('checks a linked working tree separately', async () => {
  commitTree(BASE);
  git('worktree', 'add', '--quiet', 'linked');
  writeTree(root, { 'linked/new': '' });
  expect(await dirtyPaths(join(root, 'linked'))).toEqual(['new']);
});

test('reports with -v why nothing is checked', async () => {
  writeTree(root, BASE);
  const outside = await planTree(root, { isVerbose: true });
  expect(outside).toMatchObject({
    vcsInfo: null,
    warnings: [`warning: no (git) VCS found for \`${root}\``],
  });
  git('init', '--quiet');
  writeTree(root, { '.gitignore': 'Cargo.toml\n' });
  const ignored = await planTree(root, { isVerbose: true });
  expect(ignored).toMatchObject({
    vcsInfo: null,
    warnings: [`warning: found (git) Cargo.toml ignored at \`Cargo.toml\` in workdir \`${root}\``],
  });
});

test('ignores a broken `.git` and uses the repository around it', async () => {
  commitTree({ 'p/Cargo.toml': manifestText(), 'p/src/lib.rs': '' });
  writeTree(root, { 'p/.git': 'gitdir: nowhere\n' });
  expect((await planTree(join(root, 'p'))).vcsInfo).toMatchObject({ path_in_vcs: 'p' });
});

test.skipIf(onWindows)(
  'warns about links that git may have checked out as files (not on Windows: links need rights there)',
  async () => {
    commitTree({ ...BASE, link: { to: 'src/lib.rs' } });
    git('config', 'core.symlinks', 'false');
    rmSync(join(root, 'link'));
    writeFileSync(join(root, 'link'), 'src/lib.rs');
    expect((await planTree(root)).warnings).toEqual([
      `warning: found symbolic links that may be checked out as regular files for git repo at \`${root}/\`\n` +
        '  |\n' +
        '  = note: this might cause the `.crate` file to include incorrect or incomplete files\n' +
        '  = help: to avoid this, set the Git config `core.symlinks` to `true`',
    ]);
  },
);

// Only root can change the owner of a repository.
test.runIf(process.getuid?.() === 0)(
  "refuses a repository of another user with git's message (only as root)",
  async () => {
    commitTree(BASE);
    chownSync(root, 12345, 12345);
    chownSync(join(root, '.git'), 12345, 12345);
    await expect(planTree(root)).rejects.toMatchObject({
      cause: { message: expect.stringContaining(`detected dubious ownership in repository at '${root}'`) },
    });
  },
);
