import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build, type Plugin } from 'esbuild';
import { expect, it } from 'vitest';
import { projectRoot } from '../helpers/project-root.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';

const { lazyPackages }: { lazyPackages: Plugin } = await import(
  path.join(projectRoot, 'scripts', 'lazy-packages.mjs')
);

it('a CommonJS package that is imported later has its names', async () => {
  using temp = makeTempDir('lazy');
  const folder = path.join(temp.path, 'node_modules', 'old');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'package.json'), '{"name":"old","version":"1.0.0","main":"main.js"}');
  writeFileSync(path.join(folder, 'main.js'), 'exports.one = 1;\nexports.Two = class {};\n');
  const entry = path.join(temp.path, 'main.ts');
  writeFileSync(
    entry,
    "const { one, Two, default: whole } = await import('old');\nconsole.log(one, typeof Two, whole.one);",
  );
  const outdir = path.join(temp.path, 'out');
  const options = { bundle: true, splitting: true, platform: 'node', format: 'esm' } as const;
  const outExtension = { '.js': '.mjs' };
  await build({ ...options, entryPoints: [entry], outdir, outExtension, plugins: [lazyPackages] });
  const { stdout } = spawnSync(process.execPath, [path.join(outdir, 'main.mjs')], { encoding: 'utf8' });
  expect(stdout).toBe('1 function 1\n');
});
