import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Answer } from '../helpers/answer.ts';
import { tsregProgram } from '../helpers/program.ts';
import { type RegistryServer, startRegistryServer } from '../helpers/registry-server.ts';
import { Sandbox } from '../helpers/sandbox.ts';
import type { RunDecl, Scenario } from '../helpers/scenario.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';

const PACKAGE = (name: string, rest: string): string =>
  `[package]\nname = "${name}"\nversion = "0.1.0"\nedition = "2024"\n${rest}`;

const scenario: Scenario = {
  about: 'A workspace with several paths to the same packages.',
  files: {
    'Cargo.toml':
      '[workspace]\nresolver = "3"\nmembers = ["app", "lib", "tool"]\ndefault-members = ["app", "lib"]\n',
    'app/Cargo.toml': PACKAGE(
      'app',
      '[dependencies]\nlib = { path = "../lib", features = ["hot"] }\nstove = "1"\n' +
        '[target."cfg(windows)".dependencies]\ntea = "2"\n',
    ),
    'app/src/lib.rs': '',
    'lib/Cargo.toml': PACKAGE(
      'lib',
      '[features]\nhot = ["dep:heat"]\n[dependencies]\nheat = { version = "1", optional = true }\n' +
        '[build-dependencies]\nboiler = { package = "kettle", version = "1.0" }\n',
    ),
    'lib/src/lib.rs': '',
    'tool/Cargo.toml': PACKAGE('tool', '[dependencies]\nspoon = "1"\n'),
    'tool/src/lib.rs': '',
  },
  registries: { 'crates-io': { kind: 'sparse' } },
  crates: [
    { name: 'stove', version: '1.0.0', deps: ['heat 1'] },
    { name: 'heat', version: '1.0.0', deps: ['kettle 2'] },
    { name: 'kettle', version: '1.0.0' },
    { name: 'kettle', version: '2.0.0' },
    { name: 'tea', version: '2.0.0', deps: ['leaf 1'] },
    { name: 'leaf', version: '1.0.0' },
    { name: 'spoon', version: '1.0.0' },
  ],
  runs: [],
};

describe('tsreg why', () => {
  const temp = makeTempDir('why');
  let server: RegistryServer;
  let box: Sandbox;
  beforeAll(async () => {
    server = await startRegistryServer();
    box = new Sandbox(scenario, path.join(temp.path, 'box'), server);
  });
  beforeEach(() => box.start());
  afterAll(async () => {
    await server.close();
    temp.remove();
  });
  const ask = (args: readonly string[], run: Partial<RunDecl> = {}): Promise<Answer> =>
    box.ask(tsregProgram(), { name: args.join(' '), ...run, args, bare: true });

  it('prints the shortest path from each member to each version, and downloads no package', async () => {
    const { status, stdout, stderr, lock } = await ask(['why', 'kettle']);
    expect(stdout).toBe(`kettle v1.0.0

  app v0.1.0
  → lib v0.1.0     path
  → kettle v1.0.0  ^1.0, build, as \`boiler\`

  lib v0.1.0
  → kettle v1.0.0  ^1.0, build, as \`boiler\`

kettle v2.0.0

  app v0.1.0
  → lib v0.1.0     path
  → heat v1.0.0    ^1, feature \`hot\`
  → kettle v2.0.0  ^2

  lib v0.1.0
  → heat v1.0.0    ^1, feature \`hot\`
  → kettle v2.0.0  ^2
`);
    expect(stderr).toMatch(/Locking 7 packages/);
    expect(status).toBe(0);
    expect(lock).not.toBeNull();
    expect(server.requests.some((request) => request.path.includes('/dl/'))).toBe(false);
    const again = await ask(['why', 'kettle', '--frozen']);
    expect(again).toMatchObject({ status: 0, stdout, stderr: '' });
    const cached = await ask(['why', 'kettle', '--frozen']);
    expect(cached).toMatchObject({ status: 0, stdout, stderr: '' });
  });

  it('prints all paths with --all, the shortest first', async () => {
    const { stdout } = await ask(['why', 'heat', '--all', '-q', '-p', 'app']);
    expect(stdout).toBe(`heat v1.0.0

  app v0.1.0
  → lib v0.1.0   path
  → heat v1.0.0  ^1, feature \`hot\`

  app v0.1.0
  → stove v1.0.0  ^1
  → heat v1.0.0   ^1
`);
  });

  it('starts from the selected packages and follows the selected target', async () => {
    expect((await ask(['why', 'spoon', '--workspace', '-q'])).stdout).toContain('  tool v0.1.0\n  → spoon');
    expect((await ask(['-C', 'tool', 'why', 'spoon', '-q'])).stdout).toContain('  tool v0.1.0\n  → spoon');
    expect((await ask(['why', 'leaf', '-q', '--target', 'x86_64-pc-windows-msvc'])).stdout).toBe(
      'leaf v1.0.0\n\n  app v0.1.0\n  → tea v2.0.0   ^2, on cfg(windows)\n  → leaf v1.0.0  ^1\n',
    );
    const member = await ask(['why', 'lib', '-q', '-p', 'lib']);
    expect(member.stdout).toMatch(/^lib v0\.1\.0 \(.*\)\n\n {2}lib v0\.1\.0 {2}workspace member\n$/);
    const without = await ask(['why', 'heat', '-p', 'app', '-q', '--color', 'always']);
    expect(without.stdout).toContain('\u001b[2mpath\u001b[0m');
  });

  it('prints one JSON document with --json', async () => {
    const { stdout } = await ask(['why', 'kettle@1', '--json', '-q', '-p', 'app']);
    const { version, packages } = JSON.parse(stdout);
    expect(version).toBe(1);
    expect(packages).toHaveLength(1);
    expect(packages[0]).toMatchObject({ name: 'kettle', version: '1.0.0', complete: true });
    expect(packages[0].workspace_member).toBe(false);
    const id = 'kettle 1.0.0 (registry+https://github.com/rust-lang/crates.io-index)';
    expect(packages[0].id).toBe(id);
    const [[start, lib, kettle]] = packages[0].paths;
    expect([start.name, start.dependencies, lib.name]).toEqual(['app', [], 'lib']);
    expect(kettle).toEqual({
      id,
      name: 'kettle',
      version: '1.0.0',
      dependencies: [
        {
          kind: 'build',
          requirement: '^1.0',
          from: 'registry',
          rename: 'boiler',
          optional: false,
          features: [],
          target: null,
        },
      ],
    });
    expect(stdout.indexOf('\n')).toBe(stdout.length - 1);
  });

  it('reports further versions in the lock file that are not needed', async () => {
    const { stdout, stderr } = await ask(['why', 'kettle', '-p', 'stove'], { env: {} });
    expect(stdout).toContain('  stove v1.0.0\n  → heat v1.0.0    ^1\n  → kettle v2.0.0  ^2\n');
    expect(stderr).toContain(
      'note: in `Cargo.lock`, but not needed here: `kettle v1.0.0`\n' +
        'help: to search more of it, add `--workspace --all-features --target all`\n',
    );
  });

  it('fails for packages that are not needed, with the flags that search more', async () => {
    const windows = await ask(['why', 'leaf', '--target', 'x86_64-unknown-linux-gnu']);
    expect(windows).toMatchObject({ status: 101, stdout: '' });
    expect(windows.stderr).toContain(
      'error: `leaf` is in `Cargo.lock`, but the selected packages do not need it on this target\n\n' +
        'help: to search more of `Cargo.lock`, add `--target all`\n',
    );
    const { stderr, status } = await ask(['why', 'spoon']);
    expect(stderr).toContain(
      'help: to search more of `Cargo.lock`, add `--workspace --all-features --target',
    );
    expect(status).toBe(101);
  });

  it('fails for unknown packages with a hint', async () => {
    const hintFor = async (spec: string): Promise<string> => {
      const { status, stdout, stderr } = await ask(['why', spec, '-q']);
      expect([status, stdout]).toEqual([101, '']);
      expect(stderr).toContain(`error: \`Cargo.lock\` contains no package \`${spec}\`\n\nhelp: `);
      return stderr.slice(stderr.indexOf('help: '));
    };
    expect(await hintFor('kettel')).toBe('help: a package with a similar name exists: `kettle`\n');
    expect(await hintFor('kettle@9')).toBe('help: it contains `kettle v1.0.0`, `kettle v2.0.0`\n');
    expect(await hintFor('elephant')).toBe(
      'help: `tsreg tree --workspace --target all` shows all dependencies\n',
    );
  });

  it('fails for wrong arguments', async () => {
    const none = await ask(['why']);
    expect(none.stderr).toContain('Usage: tsreg why <SPEC>');
    const invalid = await ask(['why', 'a b']);
    expect(invalid.stderr).toContain('error: invalid package ID specification: `a b`');
    const target = await ask(['why', 'heat', '--target', 'moon']);
    expect(target.stderr).toContain('error: unknown target `moon`');
    const locked = await ask(['why', 'heat', '--locked']);
    expect(locked.stderr).toContain('error: cannot create the lock file');
    const excluded = await ask(['why', 'heat', '--workspace', '--exclude', '*']);
    expect(excluded.stderr).toContain('\nhelp: `--exclude` excludes all members of the workspace\n');
    for (const { status, stdout } of [none, invalid, target, locked, excluded])
      expect([status, stdout]).toEqual([101, '']);
  });

  it('does not exist in compatibility mode, where `cargo-why` may be another program', async () => {
    const { stderr, status } = await ask(['why', 'heat'], { env: { TSREG_COMPAT: 'cargo' } });
    expect([stderr.includes('no such command: `why`'), status]).toEqual([true, 101]);
  });
});

describe('tsreg why --all', () => {
  it('stops after 100 paths', async () => {
    using temp = makeTempDir('why-many');
    const server = await startRegistryServer();
    const layers = 8;
    const crates = Array.from({ length: layers }, (_, layer) =>
      ['l', 'r'].map((side) => ({
        name: `${side}${layer}`,
        version: '1.0.0',
        deps: layer + 1 === layers ? ['end 1'] : [`l${layer + 1} 1`, `r${layer + 1} 1`],
      })),
    ).flat();
    const many: Scenario = {
      about: 'A package with very many paths to another.',
      files: {
        'Cargo.toml': PACKAGE('top', '[dependencies]\nl0 = "1"\nr0 = "1"\n'),
        'src/lib.rs': '',
      },
      registries: { 'crates-io': { kind: 'sparse' } },
      crates: [...crates, { name: 'end', version: '1.0.0' }],
      runs: [],
    };
    try {
      const box = new Sandbox(many, path.join(temp.path, 'box'), server);
      box.start();
      const args = ['why', 'end', '--all', '--json'];
      const { stdout, stderr } = await box.ask(tsregProgram(), { name: 'all', args, bare: true });
      const [entry] = JSON.parse(stdout).packages;
      expect([entry.paths.length, entry.complete]).toEqual([100, false]);
      expect(stderr).toContain('note: there are more than these 100 paths to `end v1.0.0`\n');
    } finally {
      await server.close();
    }
  });
});
