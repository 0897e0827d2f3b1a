import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildCrate, type CrateDecl } from '../helpers/crate.ts';
import { type RunResult, tsregProgram } from '../helpers/program.ts';
import { type RegistryServer, startRegistryServer } from '../helpers/registry-server.ts';
import { Sandbox } from '../helpers/sandbox.ts';
import type { Scenario } from '../helpers/scenario.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';

const OLD: CrateDecl = {
  name: 'kettle',
  version: '1.0.0',
  registry: 'alt',
  edition: '2018',
  extra: 'license = "MIT"\n',
  features: { default: [], old: [] },
  deps: ['water ^1', 'rust ^0.1'],
  files: { 'src/lib.rs': 'pub fn boil() {\n    water::heat(90);\n}\n', 'old.txt': 'old\n' },
};
const NEW: CrateDecl = {
  ...OLD,
  version: '1.1.0',
  edition: '2021',
  rust_version: '1.70',
  extra: 'license = "MIT OR Apache-2.0"\n',
  features: { default: ['whistle'], whistle: [] },
  deps: [
    'water ^1.2',
    { name: 'steam', req: '0.3', kind: 'build', target: 'cfg(unix)', optional: true, features: ['hot'] },
    { name: 'serde', req: '1', registry: 'crates-io' },
  ],
  files: {
    'src/lib.rs': 'pub fn boil() {\n    water::heat(100);\u202e\u001b[31m\n}\n',
    'logo.png': '\u0089PNG\0',
  },
};
const INVALID_MANIFEST = '[package]\nname = "kettle"\nversion = "3.0.0"\nedition = "1999"\n';
const scenario: Scenario = {
  about: 'Versions of a crate to compare.',
  files: { 'broken.crate': 'this is not an archive' },
  registries: { alt: { kind: 'sparse' } },
  config: '[registry]\ndefault = "alt"\n',
  crates: [
    OLD,
    NEW,
    { ...NEW, version: '2.0.0', yanked: true },
    { ...NEW, version: '3.0.0', yanked: true, manifest: INVALID_MANIFEST },
  ],
  runs: [],
};

const SUMMARY = `kettle 1.0.0 -> 1.1.0
dependencies:
  - rust ^0.1
  + serde ^1, from crates.io
  ~ water ^1 -> ^1.2
  + steam (build, cfg(unix)) ^0.3, optional, features [hot]
features:
  ~ default = [] -> [whistle]
  - old = []
  + whistle = []
rust-version: unknown -> 1.70
edition: 2018 -> 2021
license: MIT -> MIT OR Apache-2.0
`;
const LIB = `diff --git a/src/lib.rs b/src/lib.rs
--- a/src/lib.rs
+++ b/src/lib.rs
@@ -1,3 +1,3 @@
 pub fn boil() {
-    water::heat(90);
+    water::heat(100);\\u{202e}\\u{1b}[31m
 }
`;

describe('tsreg diff', () => {
  const temp = makeTempDir('diff-program');
  let server: RegistryServer;
  let box: Sandbox;
  beforeAll(async () => {
    server = await startRegistryServer();
    box = new Sandbox(scenario, path.join(temp.path, 'box'), server);
    box.start();
    const { archive } = buildCrate(NEW, (registry) => `sparse+${box.places.address}/${registry}/`);
    writeFileSync(path.join(box.places.workspace, 'mine.crate'), archive ?? '');
  });
  afterAll(async () => {
    await server.close();
    temp.remove();
  });
  const run = (...args: readonly string[]): Promise<RunResult> =>
    box.ask(tsregProgram(), { name: args.join(' '), bare: true, args: ['diff', ...args] });

  it('prints a summary, then a unified diff of the files', async () => {
    const { status, stdout, stderr } = await run('kettle@1.0.0', 'kettle@1.1.0');
    expect(status).toBe(0);
    expect(stdout.startsWith(SUMMARY)).toBe(true);
    expect(stdout).toMatch(
      /\nfiles: 3 \(1 added, 1 deleted, 2 changed\)\n\ndiff --git a\/Cargo\.toml b\/Cargo\.toml\n/,
    );
    expect(stdout).toContain(
      '\ndiff --git a/logo.png b/logo.png\nnew file mode 100644\nBinary files /dev/null and b/logo.png differ\n' +
        'diff --git a/old.txt b/old.txt\ndeleted file mode 100644\n--- a/old.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-old\n',
    );
    expect(stdout.endsWith(LIB)).toBe(true);
    expect(stderr).toContain('Downloaded kettle v1.0.0 (registry `alt`)\n');
  });

  it('takes a name and two versions, and lists files with --stat', async () => {
    const { status, stdout } = await run('kettle', '1.0', '1.1.0', '--stat', '-q');
    expect(status).toBe(0);
    expect(stdout.startsWith(SUMMARY)).toBe(true);
    const [, list = ''] = stdout.split('changed files:\n');
    expect(list).toMatch(
      /^ {2}\+\d+ {2}-\d+ {2}Cargo\.toml\n {11,}logo\.png \(added, binary, 6B\)\n +-1 {2}old\.txt \(deleted\)\n {2} \+1 {2,}-1 {2}src\/lib\.rs\n$/,
    );
  });

  it('compares with the highest version that is not yanked, and with files', async () => {
    const { status, stdout } = await run('kettle', 'mine.crate', '--offline');
    expect(status).toBe(0);
    expect(stdout).toMatch(/^kettle 1\.1\.0 -> 1\.1\.0\ndependencies: unchanged\nfeatures: unchanged\n/);
    expect(stdout).toMatch(/\nedition: 2021\n.*\nfiles: 3 \(unchanged\)\n$/s);
  });

  it('colors additions and removals', async () => {
    const { stdout } = await run('kettle', '1.0.0', '1.1.0', '--color=always', '--offline');
    expect(stdout).toContain('\u001b[91m-    water::heat(90);\u001b[0m\n');
    expect(stdout).toContain('\u001b[92m+    water::heat(100);\\u{202e}\\u{1b}[31m\u001b[0m\n');
    expect(stdout).toContain('\u001b[36m@@ -1,3 +1,3 @@\u001b[0m\n');
  });

  it('prints JSON with the exact lines, which --stat leaves out', async () => {
    const { stdout } = await run('kettle@1.0.0', './mine.crate', '--json', '--offline');
    const document = JSON.parse(stdout);
    expect(Object.keys(document)).toEqual(['version', 'old', 'new', 'dependencies', 'features', 'files']);
    expect(document.version).toBe(1);
    expect(document.old).toMatchObject({
      name: 'kettle',
      version: '1.0.0',
      registry: { name: 'alt', index: `sparse+${box.places.address}/alt/` },
      path: null,
      file_count: 3,
      edition: '2018',
      rust_version: null,
      license: 'MIT',
      license_file: null,
    });
    expect(document.new).toMatchObject({ version: '1.1.0', registry: null, rust_version: '1.70' });
    expect(path.normalize(document.new.path)).toBe(path.join(box.places.workspace, 'mine.crate'));
    expect(document.dependencies[0]).toEqual({
      name: 'rust',
      kind: 'normal',
      target: null,
      old: {
        req: '^0.1',
        optional: false,
        default_features: true,
        features: [],
        package: null,
        registry: `sparse+${box.places.address}/alt/`,
      },
      new: null,
    });
    expect(document.files.map((file: { path: string }) => file.path)).toEqual([
      'Cargo.toml',
      'logo.png',
      'old.txt',
      'src/lib.rs',
    ]);
    expect(document.files[1]).toEqual({
      path: 'logo.png',
      status: 'added',
      old: null,
      new: { size: 6, executable: false },
      added: null,
      removed: null,
      omitted: 'binary',
      diff: null,
    });
    expect(document.files[3]).toMatchObject({ status: 'changed', added: 1, removed: 1, omitted: null });
    expect(document.files[3].diff).toContain('+    water::heat(100);\u202e\u001b[31m\n');
    const short = JSON.parse((await run('kettle', '1.0.0', '1.1.0', '--json', '--stat', '--offline')).stdout);
    expect(short.files[3]).toMatchObject({ added: 1, removed: 1, diff: null });
  });

  it('compares the files of a package whose manifest is invalid, and says why the rest is unknown', async () => {
    const { status, stdout, stderr } = await run('kettle', '1.1.0', '3.0.0', '--stat');
    expect(status).toBe(0);
    expect(stdout).toMatch(
      /^kettle 1\.1\.0 -> 3\.0\.0\ndependencies: unknown\nfeatures: unknown\nrust-version: 1\.70 -> unknown\n/,
    );
    expect(stdout).toMatch(/\nfiles: 3 \(1 changed\)\nchanged files:\n.*Cargo\.toml\n$/s);
    expect(stderr).toMatch(
      /^warning: the manifest of `kettle-3\.0\.0` is invalid, so only files are compared: .*edition/m,
    );
    const document = JSON.parse((await run('kettle', '1.1.0', '3.0.0', '--json', '-q')).stdout);
    expect(document).toMatchObject({
      old: { version: '1.1.0', edition: '2021' },
      new: { name: 'kettle', version: '3.0.0', edition: null, license: null, file_count: 3 },
      dependencies: null,
      features: null,
      files: [{ path: 'Cargo.toml' }],
    });
  });

  it.each([
    [[], 'the following required arguments were not provided'],
    [
      ['kettle@1.0.0'],
      'error: `diff` compares two packages, and only `kettle@1.0.0` is named\n\nhelp: name two',
    ],
    [['kettle', '1.0.0', '1.1.0', '2.0.0'], 'error: `diff` compares two packages, and got 4 values\n'],
    [['kettle@1.0.0', '1.0.0', '1.1.0'], 'a name and two versions, and `kettle@1.0.0` is neither\n'],
    [['kettle', '1.0.0', 'mine.crate'], 'a name and two versions, and `mine.crate` is neither\n'],
    [['kettle', '1.0.0', '1.x'], 'error: invalid package: `kettle@1.x`'],
    [['kettle@1.0.0', 'kettle@9'], '\nhelp: versions that are not yanked: 1.1.0, 1.0.0\n'],
    [['kettle@1.0.0', 'absent.crate'], 'absent.crate`\n\nhelp: `diff` compares `.crate` files'],
    [['mine.crate', 'broken.crate'], 'broken.crate`\n\nCaused by:\n  invalid gzip header\n'],
  ])('fails with one clear error for %j', async (args, message) => {
    const { status, stdout, stderr } = await run(...args);
    expect([status, stdout]).toEqual([101, '']);
    expect(stderr).toContain(message);
    expect(stderr.match(/^error:/gm)).toHaveLength(1);
  });
});
