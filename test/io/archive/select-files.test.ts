import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { runGit } from '../../helpers/git-repo.ts';
import { onWindows } from '../../helpers/system.ts';
import { makeTempDir } from '../../helpers/temp-dir.ts';
import { manifestText, planTree, writeTree, type Tree } from './package-tree.ts';

let root: string;
beforeEach(() => {
  const temp = makeTempDir('select-files');
  root = temp.path;
  return () => temp.remove();
});

const git = (...args: string[]) => runGit(root, args);
const BASE: Tree = { 'Cargo.toml': manifestText(), 'src/lib.rs': '' };

/** Returns the selected files other than the manifest and `src/lib.rs`. */
async function selected(folder = root): Promise<readonly string[]> {
  const { paths } = await planTree(folder, { allowDirty: true });
  return paths.filter((path) => path !== 'src/lib.rs');
}

describe('selectFiles outside of git', () => {
  test('omits hidden files, target, nested packages and special files', async () => {
    writeTree(root, {
      ...BASE,
      '.hidden': '',
      'docs/.hidden/a': '',
      'target/x': '',
      'sub/target/x': '',
      'other/Cargo.toml': '',
      'other/deep/x': '',
      '.gitignore': 'a\n',
      a: '',
    });
    if (!onWindows) execFileSync('mkfifo', [join(root, 'fifo')]);
    mkdirSync(join(root, 'empty'));
    expect(await selected()).toEqual(['a', 'sub/target/x']);
  });

  test.skipIf(onWindows)(
    'follows links, warns about loops and lists dangling links (not on Windows: links need rights there)',
    async () => {
      writeTree(root, {
        ...BASE,
        'docs/a': '',
        link: { to: 'docs' },
        file: { to: 'docs/a' },
        nowhere: { to: 'no' },
        self: { to: 'self' },
        'docs/up': { to: '..' },
      });
      const { paths, warnings } = await planTree(root);
      expect(paths).toEqual(['docs/a', 'file', 'link/a', 'nowhere', 'self', 'src/lib.rs']);
      expect(warnings.toSorted()).toEqual(
        ['docs', 'link'].map(
          (name) => `warning: File system loop found: ${root}/${name}/up points to an ancestor ${root}`,
        ),
      );
    },
  );

  test('selects hidden files that `include` names, and warns that `exclude` is ignored', async () => {
    writeTree(root, {
      ...BASE,
      'Cargo.toml': manifestText('include = ["/.hidden", "docs/**"]\nexclude = ["docs"]'),
      '.hidden': '',
      'docs/a': '',
      'docs/Cargo.toml': '',
      b: '',
    });
    const { paths, warnings } = await planTree(root);
    expect(paths).toEqual(['.hidden']);
    expect(warnings).toEqual([
      'warning: both package.include and package.exclude are specified; the exclude list will be ignored',
    ]);
  });

  test('reports an invalid pattern together with the folder', async () => {
    writeTree(root, { ...BASE, 'Cargo.toml': manifestText('exclude = ["a{b"]') });
    await expect(planTree(root)).rejects.toMatchObject({
      message: `failed to determine list of files in ${root}`,
      cause: {
        message:
          "error parsing glob 'a{b': unclosed alternate group; missing '}' (maybe escape '{' with '[{]'?)",
      },
    });
  });
});

describe('selectFiles in a repository', () => {
  beforeEach(() => git('init', '--quiet'));

  test('lists the disk if the manifest is not tracked', async () => {
    writeTree(root, { ...BASE, '.gitignore': 'a\n', a: '', '.hidden': '' });
    expect(await selected()).toEqual(['a']);
  });

  test('selects tracked and untracked files, but no ignored or missing ones', async () => {
    writeTree(root, {
      ...BASE,
      '.gitignore': '*.o\n/gen/\n',
      '.hidden': '',
      'kept.o': '',
      'gone.txt': '',
      'docs/.gitignore': 'skip\n!*.o\n',
    });
    git('add', '--force', '.');
    writeTree(root, {
      'gen/x': '',
      'y.o': '',
      'docs/z.o': '',
      'docs/skip': '',
      'é new': '',
      'Cargo.lock': '',
    });
    rmSync(join(root, 'gone.txt'));
    expect(await selected()).toEqual([
      '.gitignore',
      '.hidden',
      'docs/.gitignore',
      'docs/z.o',
      'kept.o',
      'é new',
    ]);
  });

  test('applies exclude files of repository and user, but not fsmonitor and showUntrackedFiles', async () => {
    writeTree(root, { ...BASE, '.git/info/exclude': '*.i\n', 'a.i': '', 'b.u': '', c: '', rules: '*.u\n' });
    git('add', 'Cargo.toml');
    git('config', 'core.excludesFile', join(root, 'rules'));
    git('config', 'status.showUntrackedFiles', 'no');
    git('config', 'core.fsmonitor', `touch ${root}/started`);
    expect(await selected()).toEqual(['c', 'rules']);
  });

  test('reads ignore rules with CRLF line ends', async () => {
    writeTree(root, {
      ...BASE,
      '.gitignore': '*.bak\r\n/out/\r\n!kept.bak\r\n',
      'a.bak': '',
      'kept.bak': '',
      'out/x': '',
      b: '',
    });
    git('add', '.');
    expect(await selected()).toEqual(['.gitignore', 'b', 'kept.bak']);
  });

  test('selects only tracked files of target, even missing ones', async () => {
    writeTree(root, { ...BASE, 'target/kept': '', 'target/gone': '', 'sub/target/x': '' });
    git('add', '.');
    rmSync(join(root, 'target/gone'));
    writeTree(root, { 'target/new': '' });
    expect(await selected()).toEqual(['sub/target/x', 'target/gone', 'target/kept']);
  });

  test('omits nested packages unless their manifest is ignored', async () => {
    writeTree(root, {
      ...BASE,
      '.gitignore': '/free/Cargo.toml\n',
      'other/Cargo.toml': '',
      'other/deep/x': '',
      'free/Cargo.toml': '',
      'free/x': '',
    });
    git('add', '.');
    expect(await selected()).toEqual(['.gitignore', 'free/x']);
  });

  test.skipIf(onWindows)(
    'skips ignore rules behind a link to a folder, but applies folder rules to the link (not on Windows: links need rights there)',
    async () => {
      writeTree(root, { ...BASE, '.gitignore': '*.o\nout/\n', 'docs/a': '', 'docs/b.o': '' });
      writeTree(root, { link: { to: 'docs' }, 'src/out': { to: '../docs' }, file: { to: 'docs/a' } });
      git('add', 'Cargo.toml', 'docs');
      expect(await selected()).toEqual(['.gitignore', 'docs/a', 'file', 'link/a', 'link/b.o']);
    },
  );

  test('lists a nested repository by its own ignore rules, unless it is a package', async () => {
    writeTree(root, BASE);
    git('add', '.');
    const inner = join(root, 'inner');
    writeTree(inner, { '.gitignore': 'a\n', a: '', b: '', 'Cargo.lock': '', 'target/x': '' });
    runGit(inner, ['init', '--quiet']);
    expect(await selected()).toEqual(['inner/.gitignore', 'inner/b']);
    writeTree(inner, { 'Cargo.toml': '' });
    expect(await selected()).toEqual([]);
  });

  test('lists submodules that are checked out', async () => {
    const origin = join(root, 'origin');
    writeTree(origin, { '.gitignore': 'a\n', b: '' });
    runGit(origin, ['init', '--quiet']);
    runGit(origin, ['add', '.']);
    runGit(origin, ['commit', '--quiet', '--message', 'x']);
    writeTree(root, { ...BASE, 'Cargo.toml': manifestText('exclude = ["origin"]') });
    git('submodule', '--quiet', 'add', './origin', 'sub');
    git('add', '.gitmodules', 'sub', 'Cargo.toml');
    writeTree(root, { 'sub/a': '', 'sub/c': '' });
    expect(await selected()).toEqual(['.gitmodules', 'sub/.gitignore', 'sub/b', 'sub/c']);
    git('submodule', '--quiet', 'deinit', '--force', 'sub');
    expect(await selected()).toEqual(['.gitmodules']);
  });

  test('omits folders outside of a sparse checkout', async () => {
    writeTree(root, { ...BASE, 'big/a': '', 'big/b': '' });
    git('add', '.');
    git('commit', '--quiet', '--message', 'x');
    git('sparse-checkout', 'set', 'src');
    writeTree(root, { 'big/new': '' });
    expect(await selected()).toEqual([]);
  });

  test('takes brackets in the name of the package folder literally', async () => {
    writeTree(root, { '[ab]/Cargo.toml': manifestText(), '[ab]/src/lib.rs': '', 'a/src/x': '' });
    git('add', '.');
    expect(await selected(join(root, '[ab]'))).toEqual([]);
  });

  test.skipIf(process.platform !== 'linux')(
    'refuses names that are not UTF-8 unless they are excluded (on Linux: other systems have none)',
    async () => {
      writeTree(root, BASE);
      writeFileSync(Buffer.concat([Buffer.from(`${root}/a`), Buffer.from([0xff])]), '');
      git('add', '.');
      await expect(planTree(root, { allowDirty: true })).rejects.toThrow(
        'path does not have a unicode filename which may not unpack on all platforms: a\uFFFD',
      );
      writeTree(root, { 'Cargo.toml': manifestText('exclude = ["a?"]') });
      expect(await selected()).toEqual([]);
    },
  );

  test.skipIf(onWindows)(
    'warns about names in the same order as outside of git (not on Windows: such names cannot exist there)',
    async () => {
      writeTree(root, BASE);
      for (const name of ['con', 'aux', 'nul', 'prn', 'lpt1', 'com1'])
        writeTree(root, { [`d/${name}`]: '', [name]: '' });
      const walked = await planTree(root, { allowDirty: true });
      git('add', '.');
      const listed = await planTree(root, { allowDirty: true });
      expect(walked.warnings).toHaveLength(12);
      expect(listed.warnings).toEqual(walked.warnings);
    },
  );

  test.skipIf(onWindows)(
    'refuses the same one of two names as outside of git (not on Windows: such names cannot exist there)',
    async () => {
      writeTree(root, { ...BASE, 'Cargo.toml.orig': '' });
      const refusal = () => planTree(root, { allowDirty: true }).then(() => null, String);
      for (const name of ['a?', 'b?', 'c?', 'd?', 'e?', 'f?', 'g?', 'h?']) {
        writeTree(root, { [name]: '' });
        const walked = await refusal();
        git('add', '.');
        expect(await refusal()).toBe(walked);
        git('rm', '-r', '-q', '--cached', '.');
        rmSync(join(root, name));
      }
    },
  );

  test('refuses a bare repository unless `include` selects the files', async () => {
    writeTree(root, BASE);
    git('config', 'core.bare', 'true');
    await expect(planTree(root)).rejects.toMatchObject({
      cause: { message: `did not expect repo at ${join(root, '.git')} to be bare` },
    });
    writeTree(root, { 'Cargo.toml': manifestText('include = ["src"]') });
    expect(await planTree(root)).toMatchObject({ paths: ['src/lib.rs'], vcsInfo: null });
  });

  test('reports a missing git program only if there is a repository', async () => {
    writeTree(root, BASE);
    await expect(planTree(root, { env: { PATH: '/nowhere' } })).rejects.toMatchObject({
      cause: { message: `the git program is needed for the repository at \`${root}\`` },
    });
    rmSync(join(root, '.git'), { recursive: true });
    expect((await planTree(root, { env: { PATH: '/nowhere' } })).paths).toEqual(['src/lib.rs']);
  });
});
