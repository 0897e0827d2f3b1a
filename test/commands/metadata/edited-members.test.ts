import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { metadata, type MetadataOptions, tree, type TreeDocument } from '../../../src/index.ts';
import { makeTempDir } from '../../helpers/temp-dir.ts';

const temp = makeTempDir('edited-members');
afterAll(() => temp.remove());

type Question = Partial<MetadataOptions> & { readonly cache?: string };

let count = 0;

/** A workspace with four members, of which the first depends on the second, and a path dependency outside of it. */
class Members {
  readonly #base: string;

  constructor() {
    count += 1;
    this.#base = path.join(temp.path, `${count}`);
    this.write('Cargo.toml', ROOT);
    this.write('README.md', '');
    this.package('aa', '[features]\ndefault = ["bb/loud"]\n[dependencies]\nbb = { path = "../bb" }\n');
    this.package(
      'bb',
      '[features]\nloud = []\nquiet = []\n[dependencies]\nbeside = { path = "../../beside" }\n',
    );
    this.package('cc', '');
    this.package('dd', '');
    this.write('crates/cc/build.rs', '');
    this.write('beside/Cargo.toml', '[package]\nname = "beside"\nversion = "0.1.0"\n');
    this.write('beside/src/lib.rs', '');
  }

  package(name: string, more: string): void {
    const fields = 'version = "0.1.0"\nlicense.workspace = true\nreadme.workspace = true\nedition = "2021"';
    this.write(
      `crates/${name}/Cargo.toml`,
      `[package]\nname = "${name}"\n${fields}\ndescription = "of ${name}"\n${more}`,
    );
    this.write(`crates/${name}/src/lib.rs`, '');
  }

  file(name: string): string {
    return path.join(this.#base, 'ws', name);
  }

  write(name: string, text: string): void {
    mkdirSync(path.dirname(this.file(name)), { recursive: true });
    writeFileSync(this.file(name), text);
  }

  append(name: string, text: string): void {
    appendFileSync(this.file(name), text);
  }

  edit(name: string, from: string, to: string): void {
    const text = readFileSync(this.file(name), 'utf8');
    expect(text).toContain(from);
    writeFileSync(this.file(name), text.replace(from, to));
  }

  remove(name: string): void {
    rmSync(this.file(name), { recursive: true });
  }

  /** Runs `metadata`. Returns the document or the error, and everything that was reported. */
  async ask({ cache = 'on', ...options }: Question = {}): Promise<string> {
    const env = { CARGO_HOME: this.#home, TSREG_CACHE: cache };
    const said: unknown[] = [];
    const note = (text: unknown): void =>
      void said.push(typeof text === 'string' ? { title: text, isBold: false, remarks: [] } : text);
    try {
      const { bytes } = await metadata({
        ...{ cwd: this.file(''), env, report: { warning: note, note, status: note } },
        ...options,
      });
      return `${Buffer.from(bytes).toString()}\n${JSON.stringify(said)}`;
    } catch (error) {
      return `${String(error)}\n${JSON.stringify(said)}`;
    }
  }

  async tree(cache = 'on'): Promise<TreeDocument> {
    const env = { CARGO_HOME: this.#home, TSREG_CACHE: cache };
    return tree({ cwd: this.file(''), env, report: {}, workspace: true });
  }

  /** Runs `tree`. Returns the tree or the error, all reports and the new lock file. Then restores the lock file. */
  async treeOnce(cache: string): Promise<string> {
    const lock = readFileSync(this.file('Cargo.lock'));
    const env = { CARGO_HOME: this.#home, TSREG_CACHE: cache };
    const said: unknown[] = [];
    const note = (text: unknown): void => void said.push(text);
    const report = { warning: note, note, status: note };
    const options = { cwd: this.file(''), env, report, workspace: true, showFeatures: true };
    const shown = await tree(options).then(JSON.stringify, String);
    const left = readFileSync(this.file('Cargo.lock'), 'utf8');
    writeFileSync(this.file('Cargo.lock'), lock);
    return [shown, JSON.stringify(said), left].join('\n');
  }

  get #home(): string {
    return path.join(this.#base, 'home');
  }
}

const ROOT = `[workspace]
members = ["crates/*"]
resolver = "2"
exclude = ["beside"]
[workspace.package]
license = "MIT"
readme = "README.md"
`;

/** The edits and their names. */
const EDITS: readonly (readonly [string, (members: Members) => void])[] = [
  ['a description', (ws) => ws.edit('crates/cc/Cargo.toml', 'of cc', 'of all')],
  ['features that others ask for', (ws) => ws.edit('crates/bb/Cargo.toml', 'loud = []', 'loud = ["quiet"]')],
  ['a feature that others ask for gone', (ws) => ws.edit('crates/bb/Cargo.toml', 'loud = []', 'low = []')],
  [
    'two members',
    (ws) => {
      ws.edit('crates/aa/Cargo.toml', 'bb/loud', 'bb/quiet');
      ws.edit('crates/cc/Cargo.toml', 'of cc', 'of all');
    },
  ],
  [
    'a field that is inherited no more',
    (ws) => ws.edit('crates/cc/Cargo.toml', '.workspace = true', ' = "ISC"'),
  ],
  ['a new file of targets', (ws) => ws.write('crates/cc/src/bin/x.rs', '')],
  ['a build script gone', (ws) => ws.remove('crates/cc/build.rs')],
  ['the library gone', (ws) => ws.remove('crates/cc/src/lib.rs')],
  ['the library of a dependency gone', (ws) => ws.remove('crates/bb/src/lib.rs')],
  [
    'a dependency that is optional now',
    (ws) => ws.edit('crates/aa/Cargo.toml', '/bb"', '/bb", optional = true'),
  ],
  ['a dependency of another kind', (ws) => ws.edit('crates/aa/Cargo.toml', '[dep', '[dev-dep')],
  ['a text that is no manifest', (ws) => ws.append('crates/cc/Cargo.toml', '[package\n')],
  [
    'a field that there is not to inherit',
    (ws) => ws.edit('crates/cc/Cargo.toml', 'edition = "2021"', 'edition.workspace = true'),
  ],
  ['a manifest gone', (ws) => ws.remove('crates/cc/Cargo.toml')],
  ['a version', (ws) => ws.edit('crates/bb/Cargo.toml', '0.1.0', '0.1.1')],
  ['a name', (ws) => ws.edit('crates/cc/Cargo.toml', 'name = "cc"', 'name = "ee"')],
  ['a name that another member has', (ws) => ws.edit('crates/cc/Cargo.toml', 'name = "cc"', 'name = "aa"')],
  ['a new path', (ws) => ws.append('crates/cc/Cargo.toml', '[dependencies]\nbb = { path = "../bb" }\n')],
  ['a path gone', (ws) => ws.edit('crates/aa/Cargo.toml', 'bb = {', '# bb = {')],
  [
    'a registry that is not configured',
    (ws) => ws.append('crates/cc/Cargo.toml', '[dependencies]\nff = { version = "1", registry = "ff" }\n'),
  ],
  ['profiles of a member', (ws) => ws.append('crates/cc/Cargo.toml', '[profile.dev]\nopt-level = 1\n')],
  ['patches of a member', (ws) => ws.append('crates/cc/Cargo.toml', '[patch.crates-io]\n')],
  ['a resolver of a member', (ws) => ws.edit('crates/cc/Cargo.toml', 'edition', 'resolver = "1"\nedition')],
  ['a member that is a root', (ws) => ws.append('crates/cc/Cargo.toml', '[workspace]\n')],
  [
    'a member that names its root',
    (ws) => ws.edit('crates/cc/Cargo.toml', 'edition', 'workspace = "../.."\nedition'),
  ],
  [
    'a member that names another root',
    (ws) => ws.edit('crates/cc/Cargo.toml', 'edition', 'workspace = "../bb"\nedition'),
  ],
  ['what is inherited', (ws) => ws.edit('Cargo.toml', 'MIT', 'ISC')],
  ['a root in between', (ws) => ws.write('crates/Cargo.toml', '[workspace]\nmembers = ["cc"]\n')],
  ['a new member', (ws) => ws.package('ee', '')],
  ['a member gone', (ws) => ws.remove('crates/cc')],
  ['a package beside them', (ws) => ws.edit('beside/Cargo.toml', '0.1.0', '0.2.0')],
];

const QUESTIONS: readonly Question[] = [{ noDeps: true }, {}, { noDefaultFeatures: true }, { locked: true }];

describe('a run after an edit of members', () => {
  it.each(EDITS)('gives the same result as without a cache: %s', async (_, edit) => {
    for (const first of QUESTIONS.slice(0, 2)) {
      const other = new Members();
      await other.ask();
      await other.ask();
      edit(other);
      for (const question of [first, ...QUESTIONS, first]) {
        const lock = readFileSync(other.file('Cargo.lock'), 'utf8');
        const warm = await other.ask(question);
        const left = readFileSync(other.file('Cargo.lock'), 'utf8');
        other.write('Cargo.lock', lock);
        expect(warm, JSON.stringify(question)).toBe(await other.ask({ ...question, cache: 'off' }));
        expect(left).toBe(readFileSync(other.file('Cargo.lock'), 'utf8'));
      }
    }
  });

  it.each(EDITS)('gives the same tree as without a cache: %s', async (_, edit) => {
    const ws = new Members();
    await ws.ask();
    const before = await ws.treeOnce('on');
    expect(await ws.treeOnce('on')).toBe(before);
    edit(ws);
    const now = await ws.treeOnce('off');
    for (let run = 0; run < 3; run += 1) expect(await ws.treeOnce('on')).toBe(now);
    expect(await ws.treeOnce('verify')).toBe(now);
  });

  it('notices every edit that keeps size and mtime, and the one that reverts the others', async () => {
    const ws = new Members();
    await ws.ask();
    const before = await ws.ask();
    const { atime, mtime } = statSync(ws.file('crates/cc/Cargo.toml'));
    let from = 'of cc';
    for (const to of ['of cd', 'of ce', 'of cf', 'of cc']) {
      ws.edit('crates/cc/Cargo.toml', from, to);
      utimesSync(ws.file('crates/cc/Cargo.toml'), atime, mtime);
      expect(await ws.ask()).toBe(await ws.ask({ cache: 'off' }));
      from = to;
    }
    expect(await ws.ask()).toBe(before);
  });

  it('gives the result for the requested manifest', async () => {
    const manifestPath = 'crates/cc/Cargo.toml';
    const ws = new Members();
    await ws.ask({ manifestPath });
    ws.edit(manifestPath, 'of cc', 'of all');
    const answer = await ws.ask({ manifestPath });
    expect(answer).toBe(await ws.ask({ manifestPath, cache: 'off' }));
    // The workspace was found from this manifest, and must be looked for again.
    ws.write(
      'crates/Cargo.toml',
      '[workspace]\nmembers = ["cc"]\n[workspace.package]\nlicense = "ISC"\nreadme = false\n',
    );
    const moved = await ws.ask({ manifestPath });
    expect(moved).toBe(await ws.ask({ manifestPath, cache: 'off' }));
    expect(moved).not.toBe(answer);
  });

  it('spells the URL of a repository as in the first manifest that names it', async () => {
    const spellings = ['file:///nowhere/repo.git', 'file:///nowhere/repo'];
    const ws = new Members();
    ws.package('aa', `[dependencies]\nff = { git = "${spellings[0]}" }\n`);
    ws.package('cc', `[dependencies]\nff = { git = "${spellings[1]}" }\n`);
    const question = { noDeps: true };
    await ws.ask(question);
    for (const [name, from, to] of [
      ['cc', 'of cc', 'of all'],
      ['cc', spellings[1], spellings[0]],
      ['aa', spellings[0], spellings[1]],
      ['cc', spellings[0], `${spellings[1]}/`],
      ['aa', `ff = { git = "${spellings[1]}" }`, ''],
    ] as const) {
      ws.edit(`crates/${name}/Cargo.toml`, from ?? '', to ?? '');
      expect(await ws.ask(question)).toBe(await ws.ask({ ...question, cache: 'off' }));
    }
  });

  it('passes with TSREG_CACHE=verify', async () => {
    const ws = new Members();
    await ws.ask();
    for (const text of ['of all', 'of some', 'of none']) {
      ws.edit(
        'crates/cc/Cargo.toml',
        /of \w+/.exec(readFileSync(ws.file('crates/cc/Cargo.toml'), 'utf8'))?.[0] ?? '',
        text,
      );
      expect(await ws.ask({ cache: 'verify' })).toBe(await ws.ask({ cache: 'off' }));
    }
  });
});
