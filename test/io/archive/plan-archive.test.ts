import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { hasNamesByCase, onWindows } from '../../helpers/system.ts';
import { makeTempDir } from '../../helpers/temp-dir.ts';
import { manifestText, planTree, writeTree, type Tree } from './package-tree.ts';

let root: string;
let outer: string;
beforeEach(() => {
  const temp = makeTempDir('plan-archive');
  outer = temp.path;
  root = join(outer, 'p');
  return () => temp.remove();
});

const BASE: Tree = { 'Cargo.toml': manifestText(), 'src/lib.rs': '' };

function writePackage(more: string, tree: Tree = {}): void {
  writeTree(root, { ...BASE, 'Cargo.toml': manifestText(more), ...tree });
}

test('generates the manifest and the lock file, and sorts files by path component', async () => {
  writePackage('', { 'src!': '', 'src-x/a': '', 'src.d/a': '', src_z: '', 'Cargo.lock': '' });
  const lock = join(outer, 'Cargo.lock');
  const { files } = await planTree(root, { lockfile: { path: lock } });
  expect(files.map(({ path }) => path)).toEqual([
    'Cargo.lock',
    'Cargo.toml',
    'Cargo.toml.orig',
    'src/lib.rs',
    'src!',
    'src-x/a',
    'src.d/a',
    'src_z',
  ]);
  const manifest = join(root, 'Cargo.toml');
  expect(files.slice(0, 4).map(({ content }) => content)).toEqual([
    { kind: 'generate', what: 'lockfile', path: lock },
    { kind: 'generate', what: 'manifest', path: manifest },
    { kind: 'copy', path: manifest },
    { kind: 'copy', path: join(root, 'src/lib.rs') },
  ]);
  const without = await planTree(root, { lockfile: null });
  expect(without.files.map(({ path }) => path)).not.toContain('Cargo.lock');
});

test('includes an excluded readme, and a license file from outside of the package', async () => {
  writePackage('readme = "docs/R.md"\nlicense-file = "../LICENSE"\nexclude = ["docs"]', { 'docs/R.md': '' });
  writeTree(outer, { LICENSE: '' });
  const { files, paths } = await planTree(root);
  expect(paths).toEqual(['LICENSE', 'docs/R.md', 'src/lib.rs']);
  expect(files.find(({ path }) => path === 'LICENSE')?.content).toEqual({
    kind: 'copy',
    path: join(outer, 'LICENSE'),
  });
});

test('warns about a file outside of the package whose name is taken', async () => {
  writePackage('license-file = "../LICENSE"\nreadme = "../Cargo.toml"', { LICENSE: '' });
  writeTree(outer, { LICENSE: '', 'Cargo.toml': '[workspace]\nmembers = ["p"]\n' });
  const warning = (key: string, name: string) =>
    `warning: ${key} \`../${name}\` appears to be a path outside of the package, but there is already a file named \`${name}\` in the root of the package. The archived crate will contain the copy in the root of the package. Update the ${key} to point to the path relative to the root of the package to remove this warning.`;
  expect((await planTree(root)).warnings).toEqual([
    warning('license-file', 'LICENSE'),
    warning('readme', 'Cargo.toml'),
  ]);
});

test('reports all missing files in one error', async () => {
  writePackage('readme = "src"\nlicense-file = "/nowhere/LICENSE"');
  const manifest = join(root, 'Cargo.toml');
  await expect(planTree(root)).rejects.toThrow(
    'license-file `/nowhere/LICENSE` does not appear to exist.\n' +
      `Please update the license-file setting in the manifest at \`${manifest}\`.\n` +
      `readme \`src\` does not appear to exist (relative to \`${root}\`).\n` +
      `Please update the readme setting in the manifest at \`${manifest}\`.`,
  );
});

const BUILD_ADVICE =
  'This may cause issue during packaging, as modules resolution and resources included via macros are often relative to the path of source files.\n';

test.each(['nowhere.rs', '../build.rs'])('refuses a missing or outside build script: %s', async (build) => {
  writePackage(`build = "${build}"`);
  writeTree(outer, { 'build.rs': '' });
  const problem =
    build === 'nowhere.rs'
      ? "the source file of build script doesn't appear to exist.\n"
      : "the source file of build script doesn't appear to be a path inside of the package.\n" +
        `It is at \`${join(outer, 'build.rs')}\`, whereas the root the package is \`${root}\`.\n`;
  await expect(planTree(root)).rejects.toThrow(
    `${problem}${BUILD_ADVICE}Please update the \`build\` setting in the manifest at \`${join(root, 'Cargo.toml')}\` and point to a path inside the root of the package.`,
  );
});

test('refuses reserved file names unless they are excluded', async () => {
  writePackage('', { 'Cargo.toml.orig': '' });
  await expect(planTree(root)).rejects.toThrow(
    'invalid inclusion of reserved file name Cargo.toml.orig in package source',
  );
  writePackage('include = ["src", ".cargo*"]', { '.cargo_vcs_info.json': '' });
  await expect(planTree(root)).rejects.toThrow(
    'invalid inclusion of reserved file name .cargo_vcs_info.json in package source',
  );
  writePackage('exclude = ["Cargo.toml.orig"]');
  expect((await planTree(root)).paths).toEqual(['src/lib.rs']);
});

test.skipIf(onWindows)(
  'warns about reserved Windows names and refuses special characters (not on Windows: such names cannot exist there)',
  async () => {
    writePackage('', { 'a/con.txt': '', 'Aux/b': '', 'console/c': '', 'd:d/e': '' });
    const { warnings } = await planTree(root);
    // Their order depends on the file system.
    expect(warnings.toSorted()).toEqual(
      ['Aux/b', 'a/con.txt'].map(
        (path) =>
          `warning: file ${path} is a reserved Windows filename, it will not work on Windows platforms`,
      ),
    );
    writeTree(root, { 'a/b?c:': '' });
    await expect(planTree(root)).rejects.toThrow(
      'cannot package a filename with a special character `:`: a/b?c:',
    );
  },
);

test.skipIf(!hasNamesByCase)(
  'drops a manifest named in another case, but keeps other such files (needs case-sensitive names)',
  async () => {
    writePackage('', { 'CARGO.TOML': '', 'cargo.lock': '', 'A.txt': '', 'a.txt': '' });
    expect((await planTree(root)).paths).toEqual(['A.txt', 'a.txt', 'cargo.lock', 'src/lib.rs']);
  },
);
