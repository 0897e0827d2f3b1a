import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { spawnSync } from 'node:child_process';
import { build, type Plugin } from 'esbuild';
import { expect, it } from 'vitest';
import { projectRoot } from '../helpers/project-root.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';

const { lazyBuiltins }: { lazyBuiltins: Plugin } = await import(
  path.join(projectRoot, 'scripts', 'lazy-builtins.mjs')
);

async function bundle(folder: string, text: string): Promise<string> {
  mkdirSync(path.join(folder, 'src'));
  const entry = path.join(folder, 'src', 'main.ts');
  writeFileSync(entry, text);
  const outfile = path.join(folder, 'main.cjs');
  const options = { bundle: true, platform: 'node', format: 'cjs', logLevel: 'silent' } as const;
  await build({ ...options, entryPoints: [entry], outfile, plugins: [lazyBuiltins] });
  return outfile;
}

it('functions of costly modules load them when they are called', async () => {
  using temp = makeTempDir('lazy');
  const file = await bundle(
    temp.path,
    `import { createHash } from 'node:crypto';
     import { constants, deflateRawSync, inflateRawSync } from 'node:zlib';
     const loaded = () => ['crypto', 'zlib'].filter((name) => process.moduleLoadList.includes('NativeModule ' + name));
     const before = loaded();
     const hash = createHash('sha256').update('').digest('hex').slice(0, 8);
     const text = inflateRawSync(deflateRawSync('text', { level: constants.Z_BEST_SPEED })).toString();
     console.log(JSON.stringify([before, hash, text, loaded()]));`,
  );
  const { stdout } = spawnSync(process.execPath, [file], { encoding: 'utf8' });
  expect(JSON.parse(stdout)).toEqual([[], 'e3b0c442', 'text', ['crypto', 'zlib']]);
});

it('what is no function is there at once, and only that module', async () => {
  using temp = makeTempDir('lazy');
  const file = await bundle(
    temp.path,
    `import os, { devNull } from 'node:os';
     import { Gunzip } from 'node:zlib';
     import { randomBytes } from 'node:crypto';
     const loaded = ['os', 'crypto', 'zlib'].filter((name) => process.moduleLoadList.includes('NativeModule ' + name));
     console.log(JSON.stringify([devNull === os.devNull, new Gunzip() instanceof Gunzip, loaded]), typeof randomBytes);`,
  );
  const { stdout } = spawnSync(process.execPath, [file], { encoding: 'utf8' });
  expect(stdout).toBe('[true,true,["os","zlib"]] function\n');
});
