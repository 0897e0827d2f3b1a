import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { DOCUMENT_FIELDS } from '../../src/core/document/document-fields.ts';
import { CARGO_RELEASE } from '../../src/core/version/cargo-release.ts';
import type { Answer } from '../helpers/answer.ts';
import { isStandalone, tsregProgram } from '../helpers/program.ts';
import { type RegistryServer, startRegistryServer } from '../helpers/registry-server.ts';
import { Sandbox } from '../helpers/sandbox.ts';
import type { RunDecl, Scenario } from '../helpers/scenario.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';

const PACKAGE = (name: string, rest: string): string =>
  `[package]\nname = "${name}"\nversion = "0.1.0"\nedition = "2021"\ndescription = "d"\nlicense = "MIT"\nrepository = "https://example.com/r"\n${rest}`;

const scenario: Scenario = {
  about: 'A workspace of two packages, one of which depends on a crate for Windows.',
  files: {
    'Cargo.toml': '[workspace]\nresolver = "2"\nmembers = ["app", "mug"]\n',
    'app/Cargo.toml': PACKAGE(
      'app',
      '[features]\nextra = []\n[dependencies]\nkettle = "1"\n[target.\'cfg(windows)\'.dependencies]\nwater = "1"\n',
    ),
    'app/src/lib.rs': '',
    'mug/Cargo.toml': PACKAGE('mug', ''),
    'mug/src/lib.rs': '',
  },
  registries: { 'crates-io': { kind: 'sparse' } },
  crates: [
    { name: 'kettle', version: '1.0.0' },
    { name: 'water', version: '1.0.0' },
  ],
  runs: [],
};

const temp = makeTempDir('json-documents');
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
  box.run(tsregProgram(run.env ?? {}), { name: args.join(' '), args, bare: true, ...run });

/** Starts a sandbox. */
function start(): void {
  box = new Sandbox(scenario, path.join(temp.path, `box${count++}`), server);
  box.start();
}

/** Runs a command, which must succeed and print one line, and returns its document. */
async function documentOf(args: readonly string[], run: Partial<RunDecl> = {}): Promise<unknown> {
  const { status, stdout, stderr } = await ask(args, run);
  expect([status, stdout.split('\n').length], stderr).toEqual([0, 2]);
  return JSON.parse(stdout);
}

const inWorkspace = (...parts: readonly string[]): string => path.join(box.places.workspace, ...parts);

/** Returns a package with its folder. */
const at = (name: string, version: string, root: string): object => ({ name, version, root });

describe('fetch --json', () => {
  it('prints all packages and their folders', async () => {
    start();
    const root = expect.stringContaining('registry');
    expect(await documentOf(['fetch', '--json'])).toEqual({
      version: 1,
      packages: [
        at('app', '0.1.0', inWorkspace('app')),
        { name: 'kettle', version: '1.0.0', root },
        at('mug', '0.1.0', inWorkspace('mug')),
        { name: 'water', version: '1.0.0', root },
      ],
    });
    const forLinux = ['fetch', '--json', '-q', '--offline', '--target', 'x86_64-unknown-linux-gnu'];
    expect(await documentOf(forLinux)).toMatchObject({
      packages: [{ name: 'app' }, { name: 'kettle' }, { name: 'mug' }],
    });
  });

  it.each([
    [['--locked'], 'Cargo.lock'],
    [['--frozen'], 'no matching package named `kettle` found'],
    [['--manifest-path', 'no/Cargo.toml'], 'manifest path `no/Cargo.toml` does not exist'],
    [['--json'], "'--json' cannot be used multiple times"],
  ])('prints nothing to stdout if it fails: %j', async (flags, message) => {
    start();
    const { status, stdout, stderr } = await ask(['fetch', '--json', ...flags]);
    expect([status, stdout, stderr]).toEqual([101, '', expect.stringContaining(message)]);
  });
});

describe('vendor --json', () => {
  it('prints the configuration and the folders of the packages, and no hint', async () => {
    start();
    const args = ['vendor', 'third', '--respect-source-config'];
    const plain = await ask(args);
    const { status, stdout, stderr } = await ask([...args, '--json']);
    expect([status, stderr]).toEqual([0, expect.not.stringContaining('To use vendored sources')]);
    expect(JSON.parse(stdout)).toEqual({
      version: 1,
      config: plain.stdout,
      packages: [
        at('kettle', '1.0.0', inWorkspace('third', 'kettle')),
        at('water', '1.0.0', inWorkspace('third', 'water')),
      ],
    });
    expect(await documentOf([...args, '--json', '-q'])).toEqual(JSON.parse(stdout));
  });

  it('has no configuration and no packages if there is nothing to vendor', async () => {
    start();
    const write = { 'app/Cargo.toml': PACKAGE('app', '') };
    const { status, stdout, stderr } = await ask(['vendor', '--json'], { write });
    expect([status, JSON.parse(stdout)]).toEqual([0, { version: 1, config: null, packages: [] }]);
    expect(stderr).not.toContain('There is no dependency');
  });
});

describe('package --json', () => {
  const PACK = ['package', '--json', '--no-verify', '--allow-dirty'];

  it('prints the archives', async () => {
    start();
    const { packages } = (await documentOf([...PACK, '-p', 'mug'])) as { packages: { path: string }[] };
    expect(packages).toEqual([
      {
        name: 'mug',
        version: '0.1.0',
        path: inWorkspace('target', 'package', 'mug-0.1.0.crate'),
        file_count: 4,
        bytes: expect.any(Number),
        compressed_bytes: readFileSync(packages[0]?.path ?? '').length,
        checksum: expect.stringMatching(/^[0-9a-f]{64}$/),
        verified: false,
      },
    ]);
  });

  it('prints the files with `--list`, and makes no archive', async () => {
    start();
    const document = await documentOf(['package', '--list', '--json', '--allow-dirty', '-p', 'mug']);
    const manifest = inWorkspace('mug', 'Cargo.toml');
    const files = [
      { path: 'Cargo.lock', kind: 'generate', source: null },
      { path: 'Cargo.toml', kind: 'generate', source: manifest },
      { path: 'Cargo.toml.orig', kind: 'copy', source: manifest },
      { path: 'src/lib.rs', kind: 'copy', source: inWorkspace('mug', 'src', 'lib.rs') },
    ];
    expect(document).toEqual({ version: 1, packages: [{ name: 'mug', version: '0.1.0', files }] });
    expect(existsSync(inWorkspace('target', 'package', 'mug-0.1.0.crate'))).toBe(false);
  });

  it.each([
    [['--message-format', 'json', '--list'], "cannot be used with '--message-format <FMT>'"],
    [['-p', 'nosuch'], 'package ID specification `nosuch` did not match any packages'],
    [['--exclude', 'mug'], '--exclude can only be used together with --workspace'],
  ])('prints nothing to stdout if it fails: %j', async (flags, message) => {
    start();
    const { status, stdout, stderr } = await ask([...PACK, ...flags]);
    expect([status, stdout, stderr]).toEqual([101, '', expect.stringContaining(message)]);
  });
});

it('`version --json` prints the versions and the machine', async () => {
  start();
  expect(await documentOf(['version', '--json'])).toEqual({
    version: 1,
    tsreg: expect.stringMatching(/^\d+\.\d+\.\d+/),
    cargo: CARGO_RELEASE,
    node: isStandalone ? expect.any(String) : process.versions.node,
    host: expect.any(String),
    os: expect.any(String),
  });
});

it.each(['fetch', 'vendor', 'package', 'version'])(
  '`%s --json` does not exist in compatibility mode',
  async (name) => {
    start();
    const { status, stderr } = await ask([name, '--json'], { env: { TSREG_COMPAT: 'cargo' } });
    expect([status, stderr]).toEqual([1, expect.stringContaining("unexpected argument '--json' found")]);
  },
);

describe('metadata --fields', () => {
  const METADATA = ['metadata', '--format-version', '1'];

  it('prints these fields as the whole document has them, in its order', async () => {
    start();
    const whole = (await documentOf(METADATA)) as Record<string, unknown>;
    expect(Object.keys(whole)).toEqual(DOCUMENT_FIELDS);
    for (const field of DOCUMENT_FIELDS) {
      expect(await documentOf([...METADATA, '--fields', field])).toEqual({ [field]: whole[field] });
    }
    const { stdout } = await ask([...METADATA, '--fields', 'workspace_root,version', '--fields', 'resolve']);
    expect(stdout).toBe(
      `{"resolve":${JSON.stringify(whole['resolve'])},"version":1,"workspace_root":${JSON.stringify(whole['workspace_root'])}}\n`,
    );
  });

  it('does not resolve if no field needs it', async () => {
    start();
    const fields = DOCUMENT_FIELDS.filter((name) => name !== 'packages' && name !== 'resolve').join(',');
    const { status, stdout, stderr, lock } = await ask([...METADATA, '--frozen', '--fields', fields]);
    expect([status, stderr, lock]).toEqual([0, '', null]);
    expect(JSON.parse(stdout)).toMatchObject({ metadata: null, version: 1 });
    expect((await ask([...METADATA, '--frozen', '--fields', 'resolve'])).status).toBe(101);
    expect(await documentOf([...METADATA, '--no-deps', '--frozen', '--fields', 'resolve'])).toEqual({
      resolve: null,
    });
  });

  it('has cached results of its own', async () => {
    start();
    for (const _ of [1, 2]) {
      expect(await documentOf([...METADATA, '--fields', 'version'])).toEqual({ version: 1 });
      expect(Object.keys(Object(await documentOf(METADATA)))).toEqual(DOCUMENT_FIELDS);
    }
  });

  it.each([
    ['workspace_rot', /possible values: packages, [^]*a similar value exists: 'workspace_root'/],
    ['', /a value is required for '--fields <FIELDS>'/],
    ['version,', /a value is required for '--fields <FIELDS>'/],
    ['version resolve', /invalid value 'version resolve' for '--fields <FIELDS>'/],
  ])('refuses %j', async (fields, message) => {
    start();
    const { status, stdout, stderr } = await ask([...METADATA, `--fields=${fields}`]);
    expect([status, stdout, stderr]).toEqual([101, '', expect.stringMatching(message)]);
  });

  it('does not exist in compatibility mode', async () => {
    start();
    const { status, stderr } = await ask([...METADATA, '--fields', 'version'], {
      env: { TSREG_COMPAT: 'cargo' },
    });
    expect([status, stderr]).toEqual([1, expect.stringContaining("unexpected argument '--fields' found")]);
  });
});
