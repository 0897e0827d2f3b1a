import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { projectRoot } from '../helpers/project-root.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';

const script: {
  toCommonJs: (text: string, name: string) => string;
  joinChunks: (
    files: ReadonlyMap<string, string>,
    groups: readonly (readonly [string, readonly string[]])[],
  ) => ReadonlyMap<string, string>;
} = await import(path.join(projectRoot, 'scripts', 'commonjs-chunks.mjs'));

/** Bundles `sources` from `main.ts` on, as the build does, into `folder`; returns main's exports. */
async function bundle(folder: string, sources: Readonly<Record<string, string>>): Promise<unknown> {
  mkdirSync(path.join(folder, 'src'));
  for (const [name, text] of Object.entries(sources)) writeFileSync(path.join(folder, 'src', name), text);
  const { outputFiles } = await build({
    entryPoints: { main: path.join(folder, 'src', 'main.ts') },
    outdir: path.join(folder, 'out'),
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    write: false,
    packages: 'external',
  });
  mkdirSync(path.join(folder, 'out'));
  for (const file of outputFiles) {
    const name = file.path.replace(/\.mjs$/, '.cjs');
    writeFileSync(name, script.toCommonJs(file.text, name));
  }
  return createRequire(path.join(folder, 'out', 'x.cjs'))('./main.cjs');
}

describe('ESM chunks as CommonJS', () => {
  it('have shared modules once, whether loaded at once or later', async () => {
    using temp = makeTempDir('chunks');
    const main = await bundle(temp.path, {
      'shared.ts':
        'export class Problem extends Error {}\nexport const counter = { value: 0 };\ncounter.value += 1;',
      'lazy.ts':
        "import { Problem, counter } from './shared.ts';\nexport function fail(): never { throw new Problem(String(counter.value)); }",
      'main.ts': `import { Problem } from './shared.ts';
        export async function run(): Promise<unknown> {
          const { fail } = await import('./lazy.ts');
          try { return fail(); } catch (error) { return [error instanceof Problem, (error as Error).message]; }
        }`,
    });
    expect(await (main as { run: () => Promise<unknown> }).run()).toEqual([true, '1']);
  });

  it('take every form of import and export', async () => {
    using temp = makeTempDir('chunks');
    const main = await bundle(temp.path, {
      'other.ts': 'export const a = 1;\nconst b = 2;\nexport { b as renamed };\nexport default 3;',
      'main.ts': `import path, { join as joined } from 'node:path';
        import * as os from 'node:os';
        import 'node:zlib';
        export { a as exported } from './other.ts';
        export const seen = [path.join === joined, typeof os.EOL];
        export async function load(): Promise<unknown> { return { ...(await import('./other.ts')) }; }`,
    });
    const { exported, seen, load } = main as {
      exported: number;
      seen: unknown;
      load: () => Promise<unknown>;
    };
    expect([exported, seen, await load()]).toEqual([1, [true, 'string'], { a: 1, renamed: 2, default: 3 }]);
  });

  it('are refused where they would need a package when they run', async () => {
    using temp = makeTempDir('chunks');
    const bundled = bundle(temp.path, {
      'main.ts': "import { Agent } from 'undici';\nexport const a = Agent;",
    });
    await expect(bundled).rejects.toThrow('the bundle would need the package undici when it runs');
  });

  it('are refused where something is awaited at the top', () => {
    expect(() => script.toCommonJs('await 1;\n', 'x.cjs')).toThrow(SyntaxError);
  });
});

describe('files that are loaded together', () => {
  it('are one file, each of them run once, when it is first wanted', () => {
    using temp = makeTempDir('chunks');
    const note = (name: string): string => `globalThis.order.push("${name}");`;
    const files = script.joinChunks(
      new Map([
        ['main', `${note('main')} exports.run = () => require("./lazy.cjs").all;`],
        ['base', `${note('base')} exports.base = {};`],
        [
          'step',
          `${note('step')} exports.base = require("./base.cjs").base; exports.fs = require("node:fs");`,
        ],
        ['lazy', 'const { base } = require("./base.cjs"); exports.all = [base, require("./step.cjs").base];'],
      ]),
      [
        ['main', ['main', 'base']],
        ['later', ['step']],
      ],
    );
    expect([...files.keys()].sort()).toEqual(['later', 'lazy', 'main']);
    for (const [name, text] of files) writeFileSync(path.join(temp.path, `${name}.cjs`), text);
    const order: string[] = [];
    Object.assign(globalThis, { order });
    const main = createRequire(path.join(temp.path, 'x.cjs'))('./main.cjs') as {
      run: () => readonly unknown[];
    };
    expect(order).toEqual(['main']);
    const [first, second] = main.run();
    expect(first).toBe(second);
    expect(order).toEqual(['main', 'base', 'step']);
  });
});
