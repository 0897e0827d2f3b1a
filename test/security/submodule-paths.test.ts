import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeEach, describe, expect, it } from 'vitest';
import { checkOut } from '../../src/io/git/checkout.ts';
import { updateDatabase, type GitCacheContext } from '../../src/io/git/database.ts';
import { submoduleFolder } from '../../src/io/git/submodules.ts';
import { commitToRepo, headOf } from '../helpers/git-repo.ts';
import { recordingContext } from '../helpers/recording-report.ts';
import { onWindows } from '../helpers/system.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';

let root: string;
/** A folder that no repository may change. */
let outside: string;
beforeEach(() => {
  const temp = makeTempDir('submodule-paths');
  root = temp.path;
  outside = join(root, 'outside');
  mkdirSync(join(outside, 'b'), { recursive: true });
  writeFileSync(join(outside, 'b', 'precious'), 'kept');
  return () => temp.remove();
});

function git(dir: string, args: readonly string[], input: string | Buffer = ''): string {
  return execFileSync('git', ['-C', dir, ...args], { input, encoding: 'utf8' }).trim();
}

/** An entry of a tree object. */
type Entry = readonly [mode: string, name: string, oid: string];

/** Commits a tree that git itself would not create. The entries keep the given order. */
function commitTree(dir: string, entries: readonly Entry[]): void {
  const parts = entries.map(([mode, name, oid]) =>
    Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(oid, 'hex')]),
  );
  const tree = git(dir, ['hash-object', '-t', 'tree', '-w', '--literally', '--stdin'], Buffer.concat(parts));
  const who = ['-c', 'user.name=a', '-c', 'user.email=a@example.org'];
  git(dir, ['update-ref', 'refs/heads/main', git(dir, [...who, 'commit-tree', tree, '-m', 'made'])]);
}

async function checkOutMain(dir: string): Promise<string> {
  const { context: operation } = recordingContext();
  const context: GitCacheContext = {
    ...operation,
    env: process.env,
    fetchWithCli: false,
    verbosity: 'normal',
    offlineFlag: null,
    retry: (attempt) => attempt(),
    databasePath: (url) => join(root, 'db', createHash('md5').update(url).digest('hex')),
  };
  const source = { url: pathToFileURL(dir).href, revision: { reference: { kind: 'default' } } } as const;
  const path = join(root, 'checkout');
  await checkOut(await updateDatabase(source, context, { isSubmodule: false }), path, context);
  return path;
}

describe('a checkout', () => {
  it.skipIf(onWindows)(
    'does not write a submodule through a symlink in place of its parent folder (not on Windows: no symlinks)',
    async () => {
      const inner = join(root, 'inner');
      commitToRepo(inner, [{ files: { file: 'foreign' } }]);
      const outer = join(root, 'outer');
      commitToRepo(outer, [{ files: { file: 'x' } }]);
      const settings = `[submodule "s"]\n\tpath = a/b\n\turl = ${pathToFileURL(inner).href}\n`;
      const link = git(outer, ['hash-object', '-w', '--stdin'], outside);
      const modules = git(outer, ['hash-object', '-w', '--stdin'], settings);
      const folder = git(outer, ['mktree', '--missing'], `160000 commit ${headOf(inner)}\tb\n`);
      // git checks out the last of two entries with one name, as of `A` and `a` on case-insensitive disks.
      commitTree(outer, [
        ['100644', '.gitmodules', modules],
        ['40000', 'a', folder],
        ['120000', 'a', link],
      ]);
      await expect(checkOutMain(outer)).rejects.toThrow('failed to update submodule `s`');
      expect(readFileSync(join(outside, 'b', 'precious'), 'utf8')).toBe('kept');
      expect(existsSync(join(outside, 'b', 'file'))).toBe(false);
    },
  );

  it.skipIf(onWindows)(
    'does not write `.cargo-ok` through a symlink of the repository (not on Windows: no symlinks)',
    async () => {
      const outer = join(root, 'outer');
      commitToRepo(outer, [{ files: { file: 'x' } }]);
      const link = git(outer, ['hash-object', '-w', '--stdin'], join(outside, 'b', 'precious'));
      commitTree(outer, [['120000', '.cargo-ok', link]]);
      const path = await checkOutMain(outer);
      expect(readFileSync(join(outside, 'b', 'precious'), 'utf8')).toBe('kept');
      expect(lstatSync(join(path, '.cargo-ok')).isFile()).toBe(true);
    },
  );
});

describe('the folder of a submodule', () => {
  it('may exist or not', () => {
    mkdirSync(join(root, 'libs', 'one'), { recursive: true });
    expect(submoduleFolder(root, 'libs/one')).toBe(join(root, 'libs', 'one'));
    expect(submoduleFolder(root, 'new/two')).toBe(join(root, 'new', 'two'));
  });

  it.skipIf(onWindows)(
    'is refused if it or a folder above it is a symlink (not on Windows: no symlinks)',
    () => {
      symlinkSync(outside, join(root, 'link'));
      for (const path of ['link', 'link/b', 'link/new/deep'])
        expect(() => submoduleFolder(root, path), path).toThrow(`\`link\` is a link`);
    },
  );

  it.each([
    '../x',
    'a/../../x',
    '.git/hooks',
    'a/.GIT',
    'a/.git./x',
    'git~1/x',
    'a//b',
    './a',
    '/a',
    '',
    'a\0b',
  ])('is refused if its path is %j', (path) => {
    expect(() => submoduleFolder(root, path)).toThrow('is not a valid path for a submodule');
  });

  it.each(['a\\..\\..\\x', 'c:x', 'a:stream', '.git::$INDEX_ALLOCATION/x'])(
    'is refused on Windows if its path is %j',
    (path) => {
      expect(() => submoduleFolder(root, path, 'win32')).toThrow('is not a valid path for a submodule');
    },
  );
});
