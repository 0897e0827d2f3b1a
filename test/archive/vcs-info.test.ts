import { appendFileSync, chownSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { headOf, runGit } from '../helpers/git-repo.ts';
import { onWindows } from '../helpers/system.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';
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

/** The paths in the error about changes; null where there is none. */
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

test('a clean package names its commit and its folder', async () => {
  commitTree({ 'sub/Cargo.toml': manifestText(), 'sub/src/lib.rs': '', outside: '' });
  writeTree(root, { outside: 'changed', 'other/new': '' });
  const { text, files } = await planTree(join(root, 'sub'));
  expect(text).toBe(`{\n  "git": {\n    "sha1": "${headOf(root)}"\n  },\n  "path_in_vcs": "sub"\n}`);
  expect(files[0]).toEqual({
    path: '.cargo_vcs_info.json',
    content: { kind: 'generate', what: 'vcs-info', path: null },
  });
});

test.skipIf(onWindows)('a manifest is where its link leads to (not on Windows)', async () => {
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
});

test('a repository with ids of SHA-256 is none', async () => {
  writeTree(root, BASE);
  git('init', '--quiet', '--object-format=sha256');
  git('add', '.');
  git('commit', '--quiet', '--message', 'x');
  expect((await planTree(root)).vcsInfo).toBeNull();
});

test('changes of every kind are told, as seen from where the program was started', async () => {
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

test('an ignored file that is included counts, an ignored lock file does not', async () => {
  commitTree({
    ...BASE,
    'Cargo.toml': manifestText('include = ["src", "gen", "sub", "alone"]'),
    '.gitignore': 'gen/\nCargo.lock\n*.o\n',
    'sub/a': '',
  });
  writeTree(root, { 'gen/a': '', 'sub/Cargo.lock': '', 'Cargo.lock': '' });
  expect(await dirtyPaths()).toEqual(['gen/a']);
  // Beside nothing but ignored files it goes with its folder.
  writeTree(root, { 'alone/deep/Cargo.lock': '', 'alone/a.o': '' });
  expect(await dirtyPaths()).toEqual(['alone/a.o', 'alone/deep/Cargo.lock', 'gen/a']);
});

test.skipIf(onWindows)('of a link the file behind it counts (not on Windows)', async () => {
  commitTree({ 'p/Cargo.toml': manifestText(), 'p/src/lib.rs': '', shared: '', 'docs/a': '' });
  writeTree(root, { 'p/link': { to: '../shared' }, 'p/docs': { to: '../docs' } });
  expect(await dirtyPaths(join(root, 'p'), { cwd: root })).toBeNull();
  writeTree(root, { shared: 'x', 'docs/new': '' });
  expect(await dirtyPaths(join(root, 'p'), { cwd: root })).toEqual(['docs/new', 'shared']);
});

test("a change of the workspace's manifest or of a readme outside counts for the package", async () => {
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
  // What is staged and has changed again differs in two ways.
  const paths = ['Cargo.toml', 'Cargo.toml', 'README.md'];
  expect(await dirtyPaths(join(root, 'p'), { cwd: root })).toEqual(paths);
  // Started in a folder of the repository, cargo looks for these paths below that folder.
  expect(await dirtyPaths(join(root, 'p'))).toBeNull();
});

test('changes in submodules are told one by one, another commit only once it is staged', async () => {
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

test('a submodule whose folder is gone is no package without its files', async () => {
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
])('a submodule at %j is refused', async (path, message) => {
  commitTree({ ...BASE, '.gitmodules': `[submodule "sub"]\npath = ${path}\n` });
  await expect(planTree(root)).rejects.toMatchObject({ message });
});

test('a submodule that is the repository itself is none', async () => {
  commitTree({ ...BASE, '.gitmodules': '[submodule "sub"]\npath = .\n' });
  expect(await dirtyPaths()).toBeNull();
});

test('untracked files do not count where git is set to be silent about them', async () => {
  commitTree(BASE);
  git('config', 'status.showUntrackedFiles', 'no');
  writeTree(root, { new: '' });
  expect(await dirtyPaths()).toBeNull();
  writeTree(root, { 'src/lib.rs': '// x' });
  expect(await dirtyPaths()).toEqual(['src/lib.rs']);
});

test('without a commit everything is new, and no commit can be named', async () => {
  writeTree(root, BASE);
  git('init', '--quiet');
  git('add', '.');
  expect(await dirtyPaths()).toEqual(['Cargo.toml', 'src/lib.rs']);
  expect((await planTree(root, { allowDirty: true })).text).toBeNull();
});

test('a file in conflict is a change', async () => {
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

test('a linked working tree is checked by itself', async () => {
  commitTree(BASE);
  git('worktree', 'add', '--quiet', 'linked');
  writeTree(root, { 'linked/new': '' });
  expect(await dirtyPaths(join(root, 'linked'))).toEqual(['new']);
});

test('with -v it is said why nothing is checked', async () => {
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

test('a repository with a broken `.git` is none, and does not hide the one around', async () => {
  commitTree({ 'p/Cargo.toml': manifestText(), 'p/src/lib.rs': '' });
  writeTree(root, { 'p/.git': 'gitdir: nowhere\n' });
  expect((await planTree(join(root, 'p'))).vcsInfo).toMatchObject({ path_in_vcs: 'p' });
});

test.skipIf(onWindows)(
  'links that git may have written as files are warned of (not on Windows)',
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

// Only root can give a repository to somebody else.
test.runIf(process.getuid?.() === 0)(
  "a repository of somebody else is refused in git's words (as root)",
  async () => {
    commitTree(BASE);
    chownSync(root, 12345, 12345);
    chownSync(join(root, '.git'), 12345, 12345);
    await expect(planTree(root)).rejects.toMatchObject({
      cause: { message: expect.stringContaining(`detected dubious ownership in repository at '${root}'`) },
    });
  },
);
