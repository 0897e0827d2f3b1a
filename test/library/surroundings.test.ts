import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { projectRoot } from '../helpers/project-root.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';
import { writeTree } from '../helpers/tree.ts';

const library = pathToFileURL(path.join(projectRoot, 'dist', 'lib', 'index.js')).href;

/** Runs the body of a program that has imported the library, and returns the JSON that it prints. */
function run(body: string, { cwd, env }: { readonly cwd: string; readonly env: NodeJS.ProcessEnv }): unknown {
  const program = `
    import { chdir } from 'node:process';
    import { mkdirSync, rmSync } from 'node:fs';
    import { metadata, tree, update } from '${library}';
    console.log(JSON.stringify(await (async () => { ${body} })()));
  `;
  const args = ['--input-type=module', '--eval', program];
  const { stdout, stderr } = spawnSync(process.execPath, args, { cwd, env, encoding: 'utf8' });
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

/** Creates a package `here` with the subfolder `below`. */
function makePackage(): ReturnType<typeof makeTempDir> {
  const temp = makeTempDir('surroundings');
  writeTree(temp.path, {
    'Cargo.toml': '[package]\nname = "here"\nversion = "0.1.0"\nedition = "2021"\n',
    'src/lib.rs': '',
    'below/file': '',
  });
  return temp;
}

it('uses the working folder and the environment of the process at the time of the call', () => {
  using temp = makePackage();
  const env = { CARGO_HOME: path.join(temp.path, 'home'), CARGO_BUILD_TARGET_DIR: '/there' };
  const body = `
    chdir('below');
    process.env.CARGO_BUILD_TARGET_DIR = '/elsewhere';
    const { nodes } = await tree();
    const { lockfile } = await update();
    const { target_directory } = (await metadata({ cwd: undefined, env: undefined })).parse();
    return { name: nodes[0].name, lockfile, target_directory };
  `;
  expect(run(body, { cwd: temp.path, env })).toEqual({
    name: 'here',
    lockfile: path.join(temp.path, 'Cargo.lock'),
    target_directory: '/elsewhere',
  });
});

it('uses only the given environment', () => {
  using temp = makePackage();
  const env = { CARGO_HOME: path.join(temp.path, 'home'), CARGO_BUILD_TARGET_DIR: '/there' };
  const body = `
    const { CARGO_HOME } = process.env;
    return (await metadata({ env: { CARGO_HOME } })).parse().target_directory;
  `;
  expect(run(body, { cwd: temp.path, env })).toBe(path.join(temp.path, 'target'));
});

it.skipIf(process.platform === 'win32')(
  'rejects if the working folder of the process does not exist (Windows does not delete it)',
  () => {
    using temp = makePackage();
    const env = { CARGO_HOME: path.join(temp.path, 'home') };
    const body = `
      mkdirSync('gone');
      chdir('gone');
      rmSync('../gone', { recursive: true });
      return await metadata().catch(({ code, message }) => ({ code, message }));
    `;
    expect(run(body, { cwd: temp.path, env })).toEqual({
      code: 'not-found',
      message: 'the working folder of the process does not exist: pass `cwd`',
    });
  },
);
