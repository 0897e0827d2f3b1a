import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Answer } from '../helpers/answer.ts';
import { tsregProgram } from '../helpers/program.ts';
import { type RegistryServer, startRegistryServer } from '../helpers/registry-server.ts';
import { Sandbox } from '../helpers/sandbox.ts';
import { schemaErrors } from '../helpers/sbom-schemas.ts';
import { SBOM_WORKSPACE } from '../helpers/sbom-workspace.ts';
import type { RunDecl } from '../helpers/scenario.ts';
import { onWindows } from '../helpers/system.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';

const LINUX = ['--target', 'x86_64-unknown-linux-gnu'];

interface CycloneDx {
  readonly metadata: { readonly component: Component; readonly timestamp?: string };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn?: readonly string[] }[];
}

interface Component {
  readonly name: string;
  readonly version?: string;
  readonly purl: string;
  readonly scope: string;
  readonly hashes?: readonly { readonly content: string }[];
}

describe('tsreg sbom', () => {
  const temp = makeTempDir('sbom');
  let server: RegistryServer;
  let box: Sandbox;
  beforeAll(async () => {
    server = await startRegistryServer();
    box = new Sandbox(SBOM_WORKSPACE, path.join(temp.path, 'box'), server);
  });
  beforeEach(() => box.start());
  afterAll(async () => {
    await server.close();
    temp.remove();
  });

  const ask = (args: readonly string[], run: Partial<RunDecl> = {}): Promise<Answer> =>
    box.ask(tsregProgram(), { name: args.join(' '), ...run, args: ['sbom', ...args], bare: true });

  /** Returns the CycloneDX document, which must be valid. */
  async function cycloneDx(args: readonly string[], run: Partial<RunDecl> = {}): Promise<CycloneDx> {
    const { status, stdout, stderr } = await ask([...args, '-q'], run);
    expect([status, stderr]).toEqual([0, '']);
    const document: CycloneDx = JSON.parse(stdout);
    expect(schemaErrors('cyclonedx', document)).toEqual([]);
    return document;
  }

  const names = ({ components }: CycloneDx): readonly string[] => components.map(({ name }) => name);

  it('describes what the default member needs on the target, with sources, hashes and scopes', async () => {
    const document = await cycloneDx(LINUX);
    expect(document.metadata.component).toMatchObject({
      type: 'application',
      name: 'app',
      version: '0.1.0',
      purl: 'pkg:cargo/app@0.1.0?download_url=file://app',
      author: 'Alice <alice@example.com>',
      licenses: [{ expression: 'MIT OR Apache-2.0' }],
      externalReferences: [{ type: 'website', url: 'https://app.example/' }],
    });
    expect(names(document)).toEqual(['boiler', 'kettle', 'lib', 'mug', 'pipe', 'repo', 'stove']);
    const [boiler, kettle, lib, mug, pipe, repo, stove] = document.components;
    for (const component of [boiler, pipe]) expect(component).toMatchObject({ scope: 'excluded' });
    for (const component of [kettle, lib, mug, repo, stove])
      expect(component).toMatchObject({ scope: 'required' });
    expect(kettle).toMatchObject({
      version: '1.0.0+steel',
      purl: 'pkg:cargo/kettle@1.0.0%2Bsteel',
      licenses: [{ license: { name: 'Our License' } }],
    });
    expect(stove).toMatchObject({
      description: 'Heats water',
      licenses: [{ expression: 'MIT OR Apache-2.0' }],
    });
    expect(lib).toMatchObject({
      purl: 'pkg:cargo/lib@0.1.0?download_url=file://lib',
      licenses: [{ license: { name: 'SEE LICENSE IN LICENSE.txt' } }],
    });
    expect(mug?.purl).toBe(`pkg:cargo/mug@1.0.0?repository_url=${box.places.address}/private/`);
    expect(repo?.purl).toMatch(/^pkg:cargo\/repo@0\.3\.0\?vcs_url=git%2Bfile:\/\/\/.*%40[0-9a-f]{40}$/);
    const checksums = box.checksums();
    for (const { hashes } of [boiler, kettle, mug, pipe, stove].flatMap((each) => each ?? []))
      expect(hashes?.map(({ content }) => checksums.has(content))).toEqual([true]);
    const dependsOn = new Map(document.dependencies.map((each) => [each.ref, each.dependsOn]));
    expect(dependsOn.get(stove?.purl ?? '')).toEqual([kettle?.purl]);
    expect(dependsOn.get('pkg:cargo/app@0.1.0?download_url=file://app')).toEqual(
      [boiler, lib, mug, repo, stove].map((component) => component?.purl),
    );
  });

  it('includes the kinds, features, targets and members that flags select', async () => {
    expect(names(await cycloneDx([...LINUX, '-e', 'normal']))).toEqual([
      'kettle',
      'lib',
      'mug',
      'repo',
      'stove',
    ]);
    const all = await cycloneDx([...LINUX, '--edges', 'all']);
    expect(all.components.find(({ name }) => name === 'spoon')).toMatchObject({ scope: 'excluded' });
    expect(names(await cycloneDx([...LINUX, '--features', 'hot']))).toContain('heat');
    expect(names(await cycloneDx(['--target', 'x86_64-pc-windows-msvc']))).toContain('tea');
    expect(names(await cycloneDx(['--target', 'all']))).toContain('tea');
    expect(names(await cycloneDx(['-p', 'stove', ...LINUX]))).toEqual(['kettle']);
    const workspace = await cycloneDx(['--workspace', '--exclude', 'lib', ...LINUX]);
    expect(workspace.metadata.component).toEqual({ type: 'application', name: 'ws', 'bom-ref': 'workspace' });
    expect(names(workspace)).toEqual(expect.arrayContaining(['app', 'tool']));
  });

  it('describes a package without dependencies', async () => {
    const document = await cycloneDx(['-p', 'tool']);
    expect(document.metadata.component).toMatchObject({ type: 'library', name: 'tool' });
    expect([document.components, document.dependencies]).toEqual([
      [],
      [{ ref: 'pkg:cargo/tool@0.1.0?download_url=file://tool' }],
    ]);
  });

  it('prints SPDX with --format spdx', async () => {
    const { status, stdout, stderr } = await ask([...LINUX, '--format', 'spdx'], {
      env: { SOURCE_DATE_EPOCH: '1700000000' },
    });
    expect([status, stderr.includes('1970')]).toEqual([0, false]);
    const document = JSON.parse(stdout);
    expect(schemaErrors('spdx', document)).toEqual([]);
    expect(document.creationInfo.created).toBe('2023-11-14T22:13:20Z');
    expect(document.documentDescribes).toEqual(['SPDXRef-Package-app-0.1.0']);
    const [kettle, repo] = ['kettle', 'repo'].map((wanted) =>
      document.packages.find(({ name }: { name: string }) => name === wanted),
    );
    expect(kettle).toMatchObject({
      SPDXID: 'SPDXRef-Package-kettle-1.0.0-steel',
      versionInfo: '1.0.0+steel',
      downloadLocation: 'https://static.crates.io/crates/kettle/1.0.0+steel/download',
      licenseDeclared: 'LicenseRef-Our-License',
    });
    expect(repo.downloadLocation).toMatch(/^git\+file:\/\/\/.*@[0-9a-f]{40}$/);
    expect(document.relationships).toContainEqual({
      spdxElementId: 'SPDXRef-Package-boiler-1.0.0',
      relationshipType: 'BUILD_DEPENDENCY_OF',
      relatedSpdxElement: 'SPDXRef-Package-app-0.1.0',
    });
  });

  it('notes that SPDX has a creation time, which only SOURCE_DATE_EPOCH sets', async () => {
    const { stderr } = await ask(['--format', 'spdx']);
    expect(stderr).toContain(
      'note: the document has 1970 as its creation time\nhelp: to set it, use `SOURCE_DATE_EPOCH`\n',
    );
    const env = { SOURCE_DATE_EPOCH: '0' };
    expect((await cycloneDx([], { env })).metadata.timestamp).toBe('1970-01-01T00:00:00.000Z');
    expect((await cycloneDx([])).metadata).not.toHaveProperty('timestamp');
  });

  it.each(['cyclonedx', 'spdx'])(
    'prints the same %s without network, from caches and elsewhere',
    async (format) => {
      const args = ['--format', format, ...LINUX];
      const { status, stdout } = await ask(args);
      expect(status).toBe(0);
      for (const more of [['--frozen'], ['--offline', '--locked'], ['--frozen']])
        expect(await ask([...args, ...more, '-q'])).toMatchObject({ status: 0, stdout, stderr: '' });
      expect((await ask([...args, '-q'], { env: { TSREG_CACHE: 'off' } })).stdout).toBe(stdout);
      const manifest = ['--manifest-path', 'app/Cargo.toml', '-q', '--color', 'always'];
      expect((await ask([...args, ...manifest])).stdout).toBe(stdout);
      expect((await ask([...args, '-q'], { cwd: 'app' })).stdout).toBe(stdout);
    },
  );

  it('writes a file with --output, each time', async () => {
    const file = path.join(box.places.workspace, 'out', 'bom.json');
    const { stdout: printed } = await ask(LINUX);
    for (let run = 0; run < 2; run += 1) {
      const { status, stdout, stderr } = await ask([...LINUX, '-o', 'out/bom.json']);
      expect([status, stdout]).toEqual([0, '']);
      expect(stderr).toBe('     Created out/bom.json (CycloneDX 1.6, 8 packages)\n');
      expect(readFileSync(file, 'utf8')).toBe(printed);
      writeFileSync(file, 'changed');
    }
    expect(await ask([...LINUX, '-o', '-', '-q'])).toMatchObject({ status: 0, stdout: printed, stderr: '' });
    const one = await ask(['-p', 'tool', '--output', file, '--format', 'spdx']);
    expect(one.stderr).toContain(`     Created ${file} (SPDX 2.3, 1 package)\n`);
  });

  it('fails for wrong arguments', async () => {
    mkdirSync(path.join(box.places.workspace, 'out'));
    for (const [args, message] of [
      [['--locked'], 'error: cannot create the lock file'],
      [['--format', 'xml'], "error: invalid value 'xml' for '--format <FORMAT>'"],
      [['--edges', 'features'], "error: invalid value 'features' for '--edges <KINDS>'"],
      [['-p', 'kettel'], 'error: package ID specification `kettel` did not match any packages'],
      [
        ['-p', 'tea', ...LINUX],
        'error: `tea v1.0.0` is in `Cargo.lock`, but this build does not need it\n\n' +
          'help: to describe more of `Cargo.lock`, add `--all-features --target all --edges all`\n',
      ],
      [['--exclude', 'lib'], 'error: --exclude can only be used together with --workspace'],
      [['--target', 'moon'], 'error: unknown target `moon`'],
      [
        ['--output', 'out'],
        'error: `out` is not a file\n\nhelp: `--output` takes the file to write, such as `bom.json`',
      ],
      [['--manifest-path', 'none/Cargo.toml'], 'error: manifest path `none/Cargo.toml` does not exist'],
    ] as const) {
      const { status, stdout, stderr } = await ask(args);
      expect(stderr).toContain(message);
      expect([status, stdout]).toEqual([101, '']);
    }
    const time = await ask([], { env: { SOURCE_DATE_EPOCH: 'now' } });
    expect(time.stderr).toContain(
      'error: `SOURCE_DATE_EPOCH` must be a number of seconds since 1970, not `now`\n\nhelp: set it to',
    );
    expect(time.status).toBe(101);
  });

  it.skipIf(onWindows)('replaces no device (Windows has none in its file system)', async () => {
    const { status, stderr } = await ask(['-o', '/dev/null']);
    expect(stderr).toContain('error: `/dev/null` is not a file\n\nhelp: without `--output`, tsreg prints');
    expect(status).toBe(101);
  });

  it('does not exist in compatibility mode, where `cargo-sbom` may be another program', async () => {
    const { stderr, status } = await ask([], { env: { TSREG_COMPAT: 'cargo' } });
    expect([stderr.includes('no such command: `sbom`'), status]).toEqual([true, 101]);
  });
});
