import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { documentLine } from '../../../src/commands/shared/document-line.ts';
import {
  formatWarning,
  type TreeDocument,
  type TreeOptions,
  TsregError,
  tree,
  type Warning,
} from '../../../src/index.ts';
import { DemoWorkspace } from '../../helpers/demo-workspace.ts';
import { runProgram, tsregProgram } from '../../helpers/program.ts';
import { makeTempDir } from '../../helpers/temp-dir.ts';

const temp = makeTempDir('tree');
afterAll(() => temp.remove());

let count = 0;

class Demo extends DemoWorkspace {
  constructor() {
    count += 1;
    super(path.join(temp.path, `${count}`));
  }

  async ask(more: Partial<TreeOptions> & { readonly cache?: string } = {}): Promise<TreeDocument> {
    const { cache = 'on', ...options } = more;
    const env = { CARGO_HOME: this.home, TSREG_CACHE: cache };
    const report = { warning: (warning: Warning): void => void this.said.push(formatWarning(warning)) };
    return tree({ cwd: this.cwd, env, report, ...options });
  }
}

function names({ nodes }: TreeDocument): readonly string[] {
  return nodes.map((node) => (node.kind === 'package' ? `${node.name} ${node.version}` : node.name));
}

describe('the document of tree', () => {
  it('equals the JSON output of the program, but for the case of keys', async () => {
    const demo = new Demo();
    const document = await demo.ask({ workspace: true, targets: ['all'] });
    expect(names(document)).toContain('kettle 0.4.0');
    expect(document.duplicates.map(({ name }) => name)).toContain('kettle');
    const program = await runProgram(tsregProgram(), ['tree', '--workspace', '--target', 'all', '--json'], {
      cwd: demo.cwd,
      env: { CARGO_HOME: demo.home, PATH: process.env['PATH'] ?? '' },
    });
    expect(program.stdout).toBe(documentLine(document));
  });

  it('has features as nodes, and the requested format of package IDs', async () => {
    const demo = new Demo();
    const document = await demo.ask({ showFeatures: true, packageIdFormat: 'spec' });
    const kinds = new Set(document.nodes.map(({ kind }) => kind));
    expect([...kinds].toSorted()).toEqual(['feature', 'package']);
    expect(document.nodes.every(({ id }) => /^(path|registry)\+/.test(id))).toBe(true);
  });

  it('has no nodes if there is nothing to show', async () => {
    const demo = new Demo();
    const document = await demo.ask({ duplicates: true, packages: ['tide'] });
    expect(document.nodes).toEqual([]);
    expect(demo.said.join()).toContain('nothing to print');
  });

  it('is refused for an unknown package and for `exclude` without `workspace`', async () => {
    const demo = new Demo();
    const failed = await demo.ask({ invert: ['nothing'] }).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(TsregError);
    expect(failed).toMatchObject({ code: 'not-found' });
    await expect(demo.ask({ exclude: ['hello'] })).rejects.toThrow('--exclude can only be used');
  });
});

describe('a second run', () => {
  const questions: readonly Partial<TreeOptions>[] = [
    {},
    { workspace: true, showFeatures: true },
    { invert: ['kettle@0.4'], workspace: true },
    { targets: ['x86_64-pc-windows-msvc', 'aarch64-apple-darwin'], workspace: true },
    { duplicates: true, workspace: true },
    { kinds: ['normal'], depth: 1, prune: ['kettle@0.4'], workspace: true },
    { noDefaultFeatures: true },
  ];

  it('returns the result of the first run from the cache', async () => {
    const demo = new Demo();
    await demo.ask({ workspace: true, targets: ['all'] });
    for (const question of questions) {
      const expected = await demo.ask({ ...question, cache: 'off' });
      expect(await demo.ask(question)).toEqual(expected);
      expect(await demo.ask(question)).toEqual(expected);
    }
    // One of the runs warns, and a result with a warning is not cached.
    expect(demo.results()).toHaveLength(questions.length - 1);
  });

  it('returns the same result with TSREG_CACHE=verify and TSREG_CACHE=off', async () => {
    const demo = new Demo();
    const expected = await demo.ask();
    expect(await demo.ask({ cache: 'verify' })).toEqual(expected);
    expect(await demo.ask({ cache: 'off' })).toEqual(expected);
  });

  it('repeats the warnings of the first', async () => {
    const demo = new Demo();
    const question = { workspace: true, exclude: ['nobody'] };
    await demo.ask({ workspace: true });
    for (let run = 0; run < 3; run += 1) await demo.ask(question);
    const warnings = demo.said.filter((text) => text.includes('nobody'));
    expect(warnings).toHaveLength(3);
    expect(new Set(warnings).size).toBe(1);
  });

  it('reports warnings before it fails, also with TSREG_CACHE=verify', async () => {
    for (const cache of ['on', 'verify']) {
      const demo = new Demo();
      await demo.ask({ workspace: true });
      const question = { workspace: true, exclude: ['nobody'], invert: ['nothing'], cache };
      await expect(demo.ask(question)).rejects.toThrow('did not match any packages');
      expect(
        demo.said.filter((text) => text.includes('nobody')),
        cache,
      ).toHaveLength(1);
    }
  });

  it('notices changed manifests, compiler flags and packages', async () => {
    const demo = new Demo();
    const first = await demo.ask({ workspace: true });
    expect(await demo.ask({ workspace: true })).toEqual(first);
    const [lost = ''] = demo.packages();
    rmSync(lost, { recursive: true });
    expect(await demo.ask({ workspace: true })).toEqual(first);
    expect(readFileSync(path.join(lost, 'Cargo.toml'), 'utf8')).toContain('[package]');
    const manifest = path.join(demo.cwd, 'greet', 'Cargo.toml');
    const text = readFileSync(manifest, 'utf8');
    appendFileSync(manifest, "\n[target.'cfg(special)'.dependencies]\ntide = '2'\n");
    const special = { config: ["build.rustflags = ['--cfg', 'special']"] };
    const without = await demo.ask({ workspace: true, cache: 'off' });
    const withFlag = await demo.ask({ workspace: true, cache: 'off', ...special });
    // The new dependency and its own dependency.
    expect(withFlag.edges.length).toBe(without.edges.length + 2);
    expect(await demo.ask({ workspace: true })).toEqual(without);
    expect(await demo.ask({ workspace: true, ...special })).toEqual(withFlag);
    writeFileSync(manifest, text);
    expect(await demo.ask({ workspace: true })).toEqual(first);
  });
});
