import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Answer } from '../helpers/answer.ts';
import { tsregProgram } from '../helpers/program.ts';
import { type RegistryServer, startRegistryServer } from '../helpers/registry-server.ts';
import { Sandbox } from '../helpers/sandbox.ts';
import type { RunDecl, Scenario } from '../helpers/scenario.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';

const PACKAGE = (name: string, rest: string): string =>
  `[package]\nname = "${name}"\nversion = "0.1.0"\nedition = "2024"\n${rest}`;

const scenario: Scenario = {
  about: 'A workspace whose dependencies get newer versions.',
  files: {
    'Cargo.toml': '[workspace]\nresolver = "3"\nmembers = ["app", "lib"]\n',
    'app/Cargo.toml': PACKAGE(
      'app',
      'rust-version = "1.85"\n[dependencies]\nlib = { path = "../lib" }\nkettle = "1"\nrepo = { git = "file://$G/repo" }\n' +
        '[dev-dependencies]\nmug = "0.3"\n',
    ),
    'app/src/lib.rs': '',
    'lib/Cargo.toml': PACKAGE('lib', '[dependencies]\nkettle = "1"\n[build-dependencies]\nspoon = "1"\n'),
    'lib/src/lib.rs': '',
  },
  registries: { 'crates-io': { kind: 'sparse' } },
  git: {
    repo: [{ files: { 'Cargo.toml': '[package]\nname = "repo"\nversion = "0.1.0"\n', 'src/lib.rs': '' } }],
  },
  crates: [
    { name: 'kettle', version: '1.0.0', deps: ['water 1'] },
    { name: 'water', version: '1.0.0' },
    { name: 'mug', version: '0.3.0' },
    { name: 'spoon', version: '1.0.0' },
  ],
  runs: [],
};

const NEWER: RunDecl = {
  name: 'newer',
  publish: [
    { name: 'kettle', version: '1.1.0', deps: ['water 1'] },
    { name: 'kettle', version: '2.0.0-rc.1' },
    { name: 'kettle', version: '1.2.0', rust_version: '1.99' },
    { name: 'water', version: '1.0.1' },
    { name: 'mug', version: '0.4.0' },
    { name: 'mug', version: '0.5.0', yanked: true },
  ],
};

const TABLE = `Package  Current  Compatible  Latest  Kind    Member
kettle   1.0.0    1.1.0       1.2.0   normal  app, lib
mug      0.3.0    0.3.0       0.4.0   dev     app
`;

describe('tsreg outdated', () => {
  const temp = makeTempDir('outdated');
  let server: RegistryServer;
  let box: Sandbox;
  let count = 0;
  beforeAll(async () => {
    server = await startRegistryServer();
  });
  afterAll(async () => {
    await server.close();
    temp.remove();
  });
  afterEach(() => box.remove());

  const ask = (args: readonly string[], run: Partial<RunDecl> = {}): Promise<Answer> =>
    box.ask(tsregProgram(), { name: args.join(' '), ...run, args, bare: true });

  /** Starts a sandbox with a lock file; then the registry gets newer versions. */
  async function start(): Promise<void> {
    count += 1;
    box = new Sandbox(scenario, path.join(temp.path, `box-${count}`), server);
    box.start();
    expect(await ask(['generate-lockfile', '-q'])).toMatchObject({ status: 0, stderr: '' });
    box.apply(NEWER);
  }

  it('prints the direct dependencies of the members that have newer versions', async () => {
    await start();
    const before = box.lockFile()?.toString();
    const { status, stdout, stderr, lock } = await ask(['outdated']);
    expect(stdout).toBe(TABLE);
    expect(stderr).toBe(
      '    Updating `mirror` index\nnote: to get the compatible versions, run `tsreg update`\n',
    );
    expect(status).toBe(0);
    expect(lock).toBe(before);
    const update = await ask(['update']);
    expect(update.stderr).toContain('Updating kettle v1.0.0 -> v1.1.0');
    const after = await ask(['outdated', '-q', '--offline']);
    expect(after.stdout).toBe(TABLE.replace('kettle   1.0.0 ', 'kettle   1.1.0 '));
    expect(after.stderr).toBe('');
  });

  it('prints all packages of the lock file, and what depends on them, with --all', async () => {
    await start();
    const { stdout } = await ask(['outdated', '--all', '-q']);
    expect(stdout).toBe(
      `${TABLE.replace('Member', 'Dependent')}water    1.0.0    1.0.1       1.0.1   normal  kettle\n`,
    );
  });

  it('checks only the selected members', async () => {
    await start();
    const only = await ask(['outdated', '-p', 'lib', '-q']);
    expect(only.stdout).toContain('normal  lib\n');
    expect(only.stdout).not.toContain('mug');
    const inFolder = await ask(['outdated', '-q'], { cwd: 'lib' });
    expect(inFolder.stdout).toBe(only.stdout);
    const others = await ask(['-C', 'lib', 'outdated', '-q', '--workspace', '--exclude', 'app']);
    expect(others.stdout).toBe(only.stdout);
    const manifest = await ask(['outdated', '-q', '--manifest-path', 'lib/Cargo.toml']);
    expect(manifest.stdout).toBe(only.stdout);
  });

  it('honors the Rust version unless --ignore-rust-version is given, and colors on request', async () => {
    await start();
    const { stdout } = await ask(['outdated', '-q', '--ignore-rust-version']);
    expect(stdout).toContain('kettle   1.0.0    1.2.0       1.2.0   normal  app, lib\n');
    const colored = await ask(['outdated', '-q', '--color=always']);
    expect(colored.stdout).toContain('\u001b[1m\u001b[92m1.1.0\u001b[0m');
  });

  it('honors the minimum publish age', async () => {
    await start();
    box.apply({
      name: 'old and young',
      publish: [
        { name: 'spoon', version: '1.1.0', index: { pubtime: '2020-01-01T00:00:00Z' } },
        { name: 'spoon', version: '1.2.0', index: { pubtime: '2026-01-01T00:00:00Z' } },
      ],
    });
    const { stdout } = await ask(['outdated', '-q', '-p', 'lib'], {
      env: {
        CARGO_REGISTRY_GLOBAL_MIN_PUBLISH_AGE: '7 days',
        __CARGO_TEST_INVOCATION_TIME: '2026-01-02T00:00:00Z',
      },
    });
    expect(stdout).toContain('spoon    1.0.0    1.1.0       1.2.0   build   lib\n');
  });

  it('prints one JSON document with --json', async () => {
    await start();
    const { stdout } = await ask(['outdated', '--json', '-q', '-p', 'app']);
    const source = 'registry+https://github.com/rust-lang/crates.io-index';
    const dependent = { name: 'app', version: '0.1.0', workspace_member: true, target: null };
    expect(JSON.parse(stdout)).toEqual({
      version: 1,
      update_error: null,
      packages: [
        {
          name: 'kettle',
          source,
          current: '1.0.0',
          compatible: '1.1.0',
          latest: '1.2.0',
          dependents: [{ ...dependent, kind: 'normal', requirement: '^1' }],
        },
        {
          name: 'mug',
          source,
          current: '0.3.0',
          compatible: '0.3.0',
          latest: '0.4.0',
          dependents: [{ ...dependent, kind: 'dev', requirement: '^0.3' }],
        },
      ],
    });
    expect(stdout.indexOf('\n')).toBe(stdout.length - 1);
  });

  it('exits with status 1 for --exit-code only if a dependency is outdated', async () => {
    await start();
    expect(await ask(['outdated', '--exit-code', '-q'])).toMatchObject({ status: 1, stdout: TABLE });
    const json = await ask(['outdated', '--exit-code', '--json', '-q']);
    expect([json.status, json.stdout.length > 100]).toEqual([1, true]);
    expect((await ask(['update', 'kettle', '--precise', '1.2.0', '-q'])).status).toBe(0);
    const current = await ask(['outdated', '--exit-code', '-p', 'lib']);
    expect(current).toMatchObject({ status: 0, stdout: '' });
    expect(current.stderr).toMatch(/^ {5}Checked 2 dependencies, none is outdated$/m);
    const document = await ask(['outdated', '--json', '-p', 'lib', '-q']);
    const stdout = '{"version":1,"update_error":null,"packages":[]}\n';
    expect(document).toMatchObject({ status: 0, stdout, stderr: '' });
  });

  it('prints the latest versions, and why an update is impossible', async () => {
    await start();
    box.apply({ name: 'yanked', publish: [{ name: 'mug', version: '0.3.0', yanked: true }] });
    expect((await ask(['update'])).status).toBe(101);
    const { status, stdout, stderr } = await ask(['outdated']);
    expect([status, stdout]).toEqual([
      0,
      TABLE.replace('1.1.0', '?    ').replace('0.3.0    0.3.0', '0.3.0    ?    '),
    ]);
    expect(stderr).toContain(
      'warning: the compatible versions are unknown, because `tsreg update` would fail: failed to select a version for the requirement `mug = "^0.3"`\n',
    );
    expect(stderr).not.toContain('to get the compatible versions');
    const json = JSON.parse((await ask(['outdated', '--json', '-q'])).stdout);
    expect(json).toMatchObject({
      update_error: expect.stringContaining('failed to select a version'),
      packages: [
        { name: 'kettle', compatible: null, latest: '1.2.0' },
        { name: 'mug', compatible: null, latest: '0.4.0' },
      ],
    });
    expect(await ask(['outdated', '--exit-code', '-q'])).toMatchObject({ status: 1, stdout, stderr: '' });
  });

  it('compares with the versions that a missing lock file would get, and creates none', async () => {
    await start();
    box.apply({ name: 'without lock', remove: ['Cargo.lock'] });
    const { stdout, lock } = await ask(['outdated', '-q']);
    expect(stdout).toBe(TABLE.replace('kettle   1.0.0 ', 'kettle   1.1.0 '));
    expect(lock).toBeNull();
  });

  it('fails for a lock file that --locked forbids to change, and for wrong selections', async () => {
    await start();
    box.apply({ name: 'without lock', remove: ['Cargo.lock'] });
    const locked = await ask(['outdated', '--locked']);
    expect(locked).toMatchObject({ status: 101, stdout: '' });
    expect(locked.stderr).toContain('error: cannot create the lock file');
    const unknown = await ask(['outdated', '-p', 'ap']);
    expect(unknown).toMatchObject({ status: 101, stdout: '' });
    expect(unknown.stderr).toContain('package ID specification `ap` did not match any packages');
    const missing = await ask(['outdated', '-p']);
    expect(missing.stderr).toContain('Possible packages/workspace members:\n    app\n    lib\n');
    const excluded = await ask(['outdated', '--exclude', 'app']);
    expect(excluded.stderr).toContain('--exclude can only be used together with --workspace');
    const elsewhere = await ask(['outdated'], { cwd: '..' });
    expect(elsewhere.stderr).toContain('could not find `Cargo.toml`');
    const argument = await ask(['outdated', 'kettle']);
    expect(argument.stderr).toContain("unexpected argument 'kettle' found");
    for (const { status } of [missing, excluded, elsewhere, argument]) expect(status).toBe(101);
  });

  it('does not exist in compatibility mode, where `cargo-outdated` may be another program', async () => {
    await start();
    const { stderr, status } = await ask(['outdated'], { env: { TSREG_COMPAT: 'cargo' } });
    expect([stderr.includes('no such command: `outdated`'), status]).toEqual([true, 101]);
  });
});
