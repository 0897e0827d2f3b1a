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

it('what cannot be had so is refused', async () => {
  using temp = makeTempDir('lazy');
  const bundled = bundle(temp.path, "import { Gunzip } from 'node:zlib';\nconsole.log(new Gunzip());");
  await expect(bundled).rejects.toThrow('No matching export in "lazy-builtin:zlib" for import "Gunzip"');
});
