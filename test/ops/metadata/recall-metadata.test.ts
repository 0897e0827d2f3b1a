import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { metadata, type MetadataOptions } from '../../../src/index.ts';
import { DemoWorkspace } from '../../helpers/demo-workspace.ts';
import { makeTempDir } from '../../helpers/temp-dir.ts';

const temp = makeTempDir('recall');
afterAll(() => temp.remove());

let count = 0;

class Demo extends DemoWorkspace {
  constructor() {
    count += 1;
    super(path.join(temp.path, `${count}`));
  }

  async ask(more: Partial<MetadataOptions> & { readonly cache?: string } = {}): Promise<string> {
    const { cache = 'on', ...options } = more;
    const env = { CARGO_HOME: this.home, TSREG_CACHE: cache };
    const report = { warning: (warning: unknown): void => void this.said.push(JSON.stringify(warning)) };
    return Buffer.from((await metadata({ cwd: this.cwd, env, report, ...options })).bytes).toString();
  }

  /** Empties the marks of complete packages: who reads one unpacks its package again, with its mark. */
  unmarkPackages(): void {
    for (const folder of this.packages()) writeFileSync(`${folder}/.cargo-ok`, '');
  }

  markedPackages(): readonly string[] {
    return this.packages().filter((folder) => readFileSync(`${folder}/.cargo-ok`).length > 0);
  }

  kept(): readonly string[] {
    return this.derived((name) => name !== 'trimmed');
  }
}

describe('a second run', () => {
  it('reads no manifest of a dependency, whatever it is asked', async () => {
    const demo = new Demo();
    const questions: readonly Partial<MetadataOptions>[] = [
      {},
      { noDefaultFeatures: true },
      { filterPlatforms: ['x86_64-unknown-linux-gnu'] },
      { packageIdFormat: 'spec' },
      { noDeps: true },
      { manifestPath: 'greet/Cargo.toml', features: ['loud'] },
    ];
    await demo.ask();
    const wanted = [];
    for (const question of questions) wanted.push(await demo.ask({ ...question, cache: 'off' }));
    // Of the other manifest of the workspace nothing is known yet.
    await demo.ask({ manifestPath: 'greet/Cargo.toml' });
    demo.unmarkPackages();
    await demo.ask({ cache: 'off' });
    expect(demo.markedPackages()).toHaveLength(demo.packages().length);
    // Now their manifests are others, though they say the same.
    await demo.ask();
    await demo.ask({ manifestPath: 'greet/Cargo.toml' });
    demo.unmarkPackages();
    for (const round of ['the first time', 'again']) {
      for (const [index, question] of questions.entries())
        expect(await demo.ask(question), `${JSON.stringify(question)} ${round}`).toBe(wanted[index]);
    }
    expect(demo.markedPackages()).toEqual([]);
    // The first two are equal: no default feature leads to anything.
    expect(new Set(wanted).size).toBe(wanted.length - 1);
  });

  it('gives a new answer where anything has changed', async () => {
    const demo = new Demo();
    const changes: readonly [string, () => void][] = [
      ['a target', () => writeFileSync(path.join(demo.cwd, 'greet', 'build.rs'), '')],
      [
        'a folder of targets',
        () => mkdirSync(path.join(demo.cwd, 'hello', 'examples', 'one'), { recursive: true }),
      ],
      ['a file in it', () => writeFileSync(path.join(demo.cwd, 'hello', 'examples', 'one', 'main.rs'), '')],
      ['a target gone', () => rmSync(path.join(demo.cwd, 'greet', 'build.rs'))],
      [
        'a feature',
        () => appendFileSync(path.join(demo.cwd, 'greet', 'Cargo.toml'), '\n[target.x.dependencies]\n'),
      ],
      [
        'a requirement',
        () => {
          const file = path.join(demo.cwd, 'hello', 'Cargo.toml');
          writeFileSync(file, readFileSync(file, 'utf8').replace('"2.0"', '"=2.0.3"'));
        },
      ],
      ['a lock file gone', () => rmSync(path.join(demo.cwd, 'Cargo.lock'))],
      [
        'a line of the index',
        () => {
          const file = path.join(demo.cwd, 'registry', 'index', 'la', 'nt', 'lantern');
          writeFileSync(file, readFileSync(file, 'utf8').replace('"features":{', '"features":{"new":[],'));
        },
      ],
      [
        'a manifest of a dependency, by hand',
        () =>
          appendFileSync(
            path.join(demo.packages()[0] ?? '', 'Cargo.toml'),
            '\n[package.metadata]\nhand = true\n',
          ),
      ],
      ['a package gone', () => rmSync(demo.packages()[0] ?? '', { recursive: true })],
      [
        'a file of configuration',
        () => appendFileSync(path.join(demo.cwd, '.cargo', 'config.toml'), "\n[build]\ntarget-dir = 'out'\n"),
      ],
    ];
    await demo.ask();
    await demo.ask();
    for (const [what, change] of changes) {
      change();
      const warm = await demo.ask();
      expect(warm, what).toBe(await demo.ask({ cache: 'off' }));
      expect(await demo.ask(), `${what}, again`).toBe(warm);
    }
  });

  it('unpacks packages again that lost their mark', async () => {
    const demo = new Demo();
    await demo.ask();
    const wanted = await demo.ask();
    for (const folder of demo.packages()) rmSync(`${folder}/.cargo-ok`);
    expect(await demo.ask()).toBe(wanted);
    expect(demo.markedPackages()).toHaveLength(demo.packages().length);
  });

  it('answers from whatever of the files that are kept is whole', async () => {
    const demo = new Demo();
    const wanted = await demo.ask();
    for (const damage of ['gone', 'cut', 'flipped'] as const) {
      for (const kind of ['workspace', 'dependencies', 'answer']) {
        const file = demo.kept().find((name) => name.endsWith(`.${kind}`)) ?? '';
        const bytes = readFileSync(file);
        if (damage === 'gone') rmSync(file);
        else if (damage === 'cut') writeFileSync(file, bytes.subarray(0, bytes.length >> 1));
        else for (const at of [40, bytes.length >> 1, bytes.length - 5]) bytes[at]! ^= 1;
        if (damage === 'flipped') writeFileSync(file, bytes);
        expect(await demo.ask(), `${kind} ${damage}`).toBe(wanted);
        expect(await demo.ask(), `${kind} ${damage}, again`).toBe(wanted);
      }
    }
  });

  it('is compared with one that keeps nothing, where that is asked for', async () => {
    const demo = new Demo();
    const wanted = await demo.ask();
    expect(await demo.ask({ cache: 'verify' })).toBe(wanted);
    // As if an earlier run had left something wrong, in both copies.
    const file = demo.kept().find((name) => name.endsWith('.workspace')) ?? '';
    const wrong = (text: string): string => text.replaceAll(':"Says hello"', ':"Says hallo"');
    writeFileSync(file, wrong(readFileSync(file, 'latin1')), 'latin1');
    expect(await demo.ask()).toBe(wrong(wanted));
    await expect(demo.ask({ cache: 'verify' })).rejects.toThrow('differs from the one without them');
    expect(await demo.ask({ cache: 'off' })).toBe(wanted);
  });

  it('repeats the warnings of the first', async () => {
    const demo = new Demo();
    rmSync(path.join(demo.cwd, 'greet', 'src', 'lib.rs'));
    writeFileSync(path.join(demo.cwd, 'greet', 'src', 'main.rs'), 'fn main() {}');
    const runs: string[][] = [];
    for (let run = 0; run < 3; run += 1) {
      await demo.ask();
      runs.push(demo.said.splice(0));
    }
    expect(runs[0]).toHaveLength(1);
    expect(runs[1]).toEqual(runs[0]);
    expect(runs[2]).toEqual(runs[0]);
  });

  it('knows patches of the manifest, as long as all of them are used', async () => {
    const demo = new Demo();
    const patch = path.join(demo.cwd, 'patched');
    mkdirSync(path.join(patch, 'src'), { recursive: true });
    writeFileSync(path.join(patch, 'src', 'lib.rs'), '');
    writeFileSync(
      path.join(patch, 'Cargo.toml'),
      '[package]\nname = "tide"\nversion = "2.0.9"\n[workspace]\n',
    );
    appendFileSync(path.join(demo.cwd, 'Cargo.toml'), '\n[patch.crates-io]\ntide = { path = "patched" }\n');
    await demo.ask();
    const wanted = await demo.ask();
    expect(wanted).toContain(JSON.stringify(path.join('patched', 'src', 'lib.rs')).slice(1, -1));
    demo.unmarkPackages();
    expect(await demo.ask()).toBe(wanted);
    expect(demo.markedPackages()).toEqual([]);
    // A question that was not asked before is resolved from scratch.
    expect(await demo.ask({ noDefaultFeatures: true })).toBe(
      await demo.ask({ noDefaultFeatures: true, cache: 'off' }),
    );
    writeFileSync(path.join(patch, 'src', 'main.rs'), '');
    expect(await demo.ask()).toContain('patched/src/main.rs');
  });
});
