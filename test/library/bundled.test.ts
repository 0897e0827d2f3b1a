import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build, type Format } from 'esbuild';
import { afterAll, expect, it } from 'vitest';
import { projectRoot } from '../helpers/project-root.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';

const temp = makeTempDir('bundled');
afterAll(() => temp.remove());

/** Calls `search` too, because the code for the network is loaded lazily. */
const PROGRAM = `
  import { metadata, search } from 'tsreg';
  const here = { cwd: process.argv[2], env: {}, config: ['net.retry=0'] };
  (async () => {
    const { parse } = await metadata({ ...here, noDeps: true });
    const index = 'sparse+http://127.0.0.1:1/';
    const failure = await search({ ...here, query: 'a', index }).catch(({ code }) => code);
    console.log(parse().packages[0].name, failure);
  })();
`;

it.each<[Format, string]>([
  ['cjs', 'program.cjs'],
  ['esm', 'program.mjs'],
])('works in a program that is bundled into one %s file', async (format, name) => {
  const workspace = path.join(temp.path, 'demo');
  mkdirSync(path.join(workspace, 'src'), { recursive: true });
  writeFileSync(path.join(workspace, 'src/lib.rs'), '');
  writeFileSync(path.join(workspace, 'Cargo.toml'), "[package]\nname = 'demo'\nedition = '2021'\n");
  const outfile = path.join(temp.path, name);
  await build({
    // Inside its own folder, the package can be imported by name.
    stdin: { contents: PROGRAM, resolveDir: projectRoot },
    ...{ outfile, format, bundle: true, platform: 'node', logLevel: 'silent' },
  });
  const { stdout, stderr } = spawnSync(process.execPath, [outfile, workspace], { encoding: 'utf8' });
  expect({ stdout, stderr }).toEqual({ stdout: 'demo network\n', stderr: '' });
});
