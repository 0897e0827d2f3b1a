import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { metadata, type MetadataOptions } from '../../../src/index.ts';
import { DemoWorkspace } from '../../helpers/demo-workspace.ts';
import { commitToRepo } from '../../helpers/git-repo.ts';
import { makeTempDir } from '../../helpers/temp-dir.ts';

const temp = makeTempDir('reread');
afterAll(() => temp.remove());

let count = 0;

class Demo extends DemoWorkspace {
  constructor() {
    count += 1;
    super(path.join(temp.path, `${count}`));
  }

  /** The document, or what is wrong, with everything that was said. */
  async ask({
    cache = 'on',
    ...options
  }: Partial<MetadataOptions> & { readonly cache?: string } = {}): Promise<string> {
    const env = { CARGO_HOME: this.home, TSREG_CACHE: cache };
    const said: unknown[] = [];
    // Warnings that were kept have every part, though it may be empty.
    const note = (text: unknown): void =>
      void said.push(typeof text === 'string' ? { title: text, isBold: false, remarks: [] } : text);
    const report = { warning: note, note, status: note };
    try {
      const { bytes } = await metadata({ cwd: this.cwd, env, report, ...options });
      return `${Buffer.from(bytes).toString()}\n${JSON.stringify(said)}`;
    } catch (error) {
      return `${String(error)}\n${JSON.stringify(said)}`;
    }
  }

  file(...names: readonly string[]): string {
    return path.join(this.cwd, ...names);
  }

  edit(name: string, from: string, to: string): void {
    const text = readFileSync(this.file(name), 'utf8');
    expect(text).toContain(from);
    writeFileSync(this.file(name), text.replace(from, to));
  }

  lock(): string {
    return readFileSync(this.file('Cargo.lock'), 'utf8');
  }

  /** Tells whether the dependencies were recorded anew. */
  recorded(): number {
    return this.derived((name) => name.endsWith('.dependencies')).reduce(
      (sum, file) => sum + statSync(file).ctimeMs,
      0,
    );
  }
}

function addPackage(demo: Demo, folder: string, more = ''): void {
  mkdirSync(demo.file(folder, 'src'), { recursive: true });
  writeFileSync(demo.file(folder, 'src', 'lib.rs'), '');
  writeFileSync(demo.file(folder, 'Cargo.toml'), `[package]\nname = "${folder}"\nversion = "1.0.0"\n${more}`);
}

/** What is edited, how, and whether what is kept of the dependencies is enough for the answer. */
const EDITS: readonly (readonly [string, (demo: Demo) => void, boolean])[] = [
  [
    'a description',
    (demo) => demo.edit('hello/Cargo.toml', '"Says hello"', '"Says hello, twice over"'),
    true,
  ],
  [
    'a requirement that the lock file meets',
    (demo) => demo.edit('greet/Cargo.toml', '"0.4"', '">=0.4, <0.5"'),
    true,
  ],
  [
    'a requirement that it does not meet',
    (demo) => demo.edit('hello/Cargo.toml', '"2.0"', '"=2.0.3"'),
    false,
  ],
  ['a requirement that nothing meets', (demo) => demo.edit('hello/Cargo.toml', '"2.0"', '"9"'), false],
  ['a feature', (demo) => demo.edit('greet/Cargo.toml', 'default = []', 'default = ["loud"]'), true],
  [
    'features of a dependency',
    (demo) => demo.edit('hello/Cargo.toml', 'features = ["json"] ', 'default-features = true '),
    false,
  ],
  ['a feature that there is not', (demo) => demo.edit('hello/Cargo.toml', '"loud"', '"silent"'), false],
  ['a new target', (demo) => writeFileSync(demo.file('greet', 'build.rs'), ''), true],
  [
    'a version',
    (demo) => demo.edit('greet/Cargo.toml', 'version.workspace = true', 'version = "0.2.0"'),
    false,
  ],
  [
    'what members inherit',
    (demo) => demo.edit('Cargo.toml', 'license = "MIT"', 'license = "MIT OR Apache-2.0"'),
    true,
  ],
  [
    'a requirement that members inherit',
    (demo) =>
      demo.edit('Cargo.toml', 'lantern = "1"', 'lantern = { version = "1.0", default-features = false }'),
    true,
  ],
  [
    'a new member',
    (demo) => {
      addPackage(demo, 'third');
      demo.edit('Cargo.toml', '"greet"]', '"greet", "third"]');
    },
    false,
  ],
  [
    'a member gone',
    (demo) => {
      demo.edit('Cargo.toml', 'members = ["hello", "greet"]', 'members = ["hello"]');
      demo.edit('hello/Cargo.toml', 'greet = {', '# greet = {');
    },
    false,
  ],
  [
    'a path dependency',
    (demo) => {
      addPackage(demo, 'beside', '[workspace]\n');
      demo.edit('Cargo.toml', 'resolver = "3"', 'resolver = "3"\nexclude = ["beside"]');
      demo.edit('hello/Cargo.toml', '[dependencies]', '[dependencies]\nbeside = { path = "../beside" }');
    },
    false,
  ],
  ['a dependency', (demo) => appendFileSync(demo.file('greet', 'Cargo.toml'), 'tide = "2"\n'), false],
  ['a dependency gone', (demo) => demo.edit('greet/Cargo.toml', 'lantern.workspace = true', ''), false],
  [
    'a patch that nothing uses',
    (demo) => {
      addPackage(demo, 'unused', '[workspace]\n');
      appendFileSync(demo.file('Cargo.toml'), '\n[patch.crates-io]\nunused = { path = "unused" }\n');
    },
    false,
  ],
  [
    'a replacement that nothing uses',
    (demo) => {
      addPackage(demo, 'unused', '[workspace]\n');
      appendFileSync(demo.file('Cargo.toml'), '\n[replace]\n"unused:1.0.0" = { path = "unused" }\n');
    },
    false,
  ],
  [
    'profiles of a member',
    (demo) => appendFileSync(demo.file('greet', 'Cargo.toml'), '\n[profile.dev]\nopt-level = 1\n'),
    false,
  ],
  [
    'a manifest that is none',
    (demo) => appendFileSync(demo.file('greet', 'Cargo.toml'), '\n[package\n'),
    false,
  ],
  ['a file of targets gone', (demo) => rmSync(demo.file('greet', 'src', 'lib.rs')), false],
  [
    'a name',
    (demo) => {
      demo.edit('greet/Cargo.toml', 'name = "greet"', 'name = "greets"');
      demo.edit('hello/Cargo.toml', 'greet = {', 'greets = {');
    },
    false,
  ],
];

const QUESTIONS: readonly Partial<MetadataOptions>[] = [
  {},
  { noDefaultFeatures: true },
  { noDeps: true },
  { filterPlatforms: ['x86_64-unknown-linux-gnu'] },
  { locked: true },
];

describe('a run after an edit', () => {
  it.each(EDITS)('answers as one without a cache: %s', async (_, edit, isEnough) => {
    const demo = new Demo();
    await demo.ask();
    await demo.ask();
    const before = demo.recorded();
    edit(demo);
    for (const question of [{ locked: true }, {}, ...QUESTIONS]) {
      const name = JSON.stringify(question);
      const found = demo.lock();
      const warm = await demo.ask(question);
      const left = demo.lock();
      expect(await demo.ask({ ...question, cache: 'off' }), `${name} on what was left`).toBe(
        left === found ? warm : await demo.ask(question),
      );
      writeFileSync(demo.file('Cargo.lock'), found);
      expect(warm, name).toBe(await demo.ask({ ...question, cache: 'off' }));
      expect(left, name).toBe(demo.lock());
    }
    if (isEnough) expect(demo.recorded()).toBe(before);
  });

  it('goes on with the answer as long as resolving learns the same of the workspace', async () => {
    const demo = new Demo();
    const answers = (): readonly Buffer[] =>
      demo.derived((name) => name.endsWith('.answer')).map((file) => readFileSync(file));
    await demo.ask();
    await demo.ask();
    const kept = answers();
    demo.edit('Cargo.toml', 'license = "MIT"', 'license = "ISC"');
    expect(await demo.ask()).toContain('"license":"ISC"');
    expect(answers()).toEqual(kept);
    demo.edit('Cargo.toml', 'lantern = "1"', 'lantern = ">=1, <2"');
    expect(await demo.ask()).toBe(await demo.ask({ cache: 'off' }));
    expect(answers()).not.toEqual(kept);
  });

  it('sees every edit of one moment that keeps the size', async () => {
    const demo = new Demo();
    await demo.ask();
    const { atime, mtime } = statSync(demo.file('hello', 'Cargo.toml'));
    let from = 'Says hello';
    for (const to of ['Says hullo', 'Says hallo', 'Says hillo']) {
      demo.edit('hello/Cargo.toml', from, to);
      utimesSync(demo.file('hello', 'Cargo.toml'), atime, mtime);
      expect(await demo.ask()).toContain(to);
      from = to;
    }
  });

  it('answers anew where the index has changed, a package is gone or its manifest is another', async () => {
    const changes: readonly ((demo: Demo) => void)[] = [
      (demo) => demo.edit('registry/index/la/nt/lantern', '"features":{', '"features":{"new":[],'),
      (demo) => rmSync(demo.packages()[0] ?? '', { recursive: true }),
      (demo) =>
        appendFileSync(path.join(demo.packages()[0] ?? '', 'Cargo.toml'), '\n[package.metadata]\nx = 1\n'),
      (demo) => rmSync(demo.file('Cargo.lock')),
      (demo) =>
        renameSync(
          demo.file('registry', 'index', 'ti', 'de', 'tide'),
          demo.file('registry', 'index', 'ti', 'de', 'edit'),
        ),
      (demo) => appendFileSync(demo.file('Cargo.lock'), '\n'),
    ];
    for (const change of changes) {
      const demo = new Demo();
      await demo.ask();
      demo.edit('hello/Cargo.toml', 'Says hello', 'Says more');
      change(demo);
      const warm = await demo.ask();
      expect(warm.split('\n')[0]).toBe((await demo.ask({ cache: 'off' })).split('\n')[0]);
    }
  });

  it('says nothing twice where the document cannot be printed', async () => {
    const demo = new Demo();
    appendFileSync(demo.file('greet', 'Cargo.toml'), '\n[profile.dev]\nopt-level = 1\n');
    expect(await demo.ask()).toContain('profiles for the non root package');
    const env = { CARGO_HOME: demo.home, CARGO_TARGET_DIR: '' };
    const kinds: readonly Partial<MetadataOptions>[] = [{}, { noDeps: true }, { noDefaultFeatures: true }];
    for (const from of ['Says hello', 'Says more']) {
      for (const kind of kinds) {
        const without = await demo.ask({ ...kind, env: { ...env, TSREG_CACHE: 'off' } });
        expect(await demo.ask({ ...kind, env })).toBe(without);
      }
      demo.edit('hello/Cargo.toml', from, 'Says more');
    }
  });

  it('spells the URL of a repository as its manifests do now', async () => {
    const demo = new Demo();
    const repository = demo.file('..', 'repo.git');
    commitToRepo(repository, [
      { files: { 'Cargo.toml': '[package]\nname = "far"\nversion = "1.0.0"\n', 'src/lib.rs': '' } },
    ]);
    appendFileSync(demo.file('greet', 'Cargo.toml'), `far = { git = "${pathToFileURL(repository).href}" }\n`);
    await demo.ask();
    await demo.ask();
    const found = demo.lock();
    demo.edit('greet/Cargo.toml', 'repo.git"', 'repo"');
    const warm = await demo.ask();
    const left = demo.lock();
    writeFileSync(demo.file('Cargo.lock'), found);
    expect(warm).toBe(await demo.ask({ cache: 'off' }));
    expect(left).toBe(demo.lock());
  });
});
