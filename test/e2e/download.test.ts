import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type RunResult, tsregProgram } from '../helpers/program.ts';
import { type RegistryServer, startRegistryServer } from '../helpers/registry-server.ts';
import { Sandbox } from '../helpers/sandbox.ts';
import type { Scenario } from '../helpers/scenario.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';

const scenario: Scenario = {
  about: 'An empty folder, and crates to download.',
  files: { 'taken/kettle-1.1.0.crate': 'something else', 'taken/kettle-1.1.0/notes': 'mine' },
  registries: { alt: { kind: 'sparse' } },
  config: '[registry]\ndefault = "alt"\n',
  crates: [
    { name: 'kettle', version: '1.0.0', registry: 'alt' },
    { name: 'kettle', version: '1.1.0', registry: 'alt', files: { 'src/lib.rs': 'pub fn boil() {}\n' } },
    { name: 'kettle', version: '1.2.0', registry: 'alt', yanked: true },
    { name: 'kettle', version: '2.0.0-beta.1', registry: 'alt' },
    { name: 'early', version: '0.1.0-alpha.1', registry: 'alt' },
    { name: 'early', version: '0.1.0-alpha.2', registry: 'alt' },
    { name: 'gone', version: '1.0.0', registry: 'alt', yanked: true },
    { name: 'forged', version: '1.0.0', registry: 'alt', index: { cksum: '0'.repeat(64) } },
    {
      name: 'hostile',
      version: '1.0.0',
      registry: 'alt',
      entries: [{ path: 'hostile-1.0.0/link', link: '/etc/passwd' }],
    },
    { name: 'local', version: '1.0.0' },
  ],
  runs: [],
};

describe('tsreg download', () => {
  const temp = makeTempDir('download-program');
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
  const run = (...args: readonly string[]): Promise<RunResult> =>
    box.ask(tsregProgram(), { name: args.join(' '), bare: true, args: ['download', ...args] });
  const place = (name: string): string => path.join(box.places.workspace, name);
  const written = (): readonly string[] =>
    readdirSync(box.places.workspace).filter((name) => name !== 'taken');

  it('writes the highest release that is not yanked, and prints its path', async () => {
    const { status, stdout, stderr } = await run('kettle');
    expect([status, stdout]).toEqual([0, 'kettle-1.1.0.crate\n']);
    expect(stderr).toContain('Updating `alt` index\n');
    expect(stderr).toContain('Downloaded kettle v1.1.0 (registry `alt`)\n');
    expect(written()).toEqual(['kettle-1.1.0.crate']);
  });

  it('writes several crates to a new folder, each version once', async () => {
    const { status, stdout } = await run(
      'kettle@1.0',
      'early',
      'kettle@1.0.0',
      '--output',
      'new/crates',
      '-q',
    );
    const paths = ['kettle-1.0.0.crate', 'early-0.1.0-alpha.2.crate'].map((name) =>
      path.join('new', 'crates', name),
    );
    expect([status, stdout]).toEqual([0, `${paths.join('\n')}\n`]);
    expect(readdirSync(place('new/crates')).toSorted()).toEqual([
      'early-0.1.0-alpha.2.crate',
      'kettle-1.0.0.crate',
    ]);
  });

  it('prints the result as JSON', async () => {
    const { stdout } = await run('kettle', '--json');
    const bytes = readFileSync(place('kettle-1.1.0.crate'));
    expect(JSON.parse(stdout)).toEqual({
      version: 1,
      registry: { name: 'alt', index: `sparse+${box.places.address}/alt/` },
      crates: [
        {
          name: 'kettle',
          version: '1.1.0',
          yanked: false,
          checksum: createHash('sha256').update(bytes).digest('hex'),
          size: bytes.length,
          path: place('kettle-1.1.0.crate'),
        },
      ],
    });
  });

  it('writes a yanked version only if its exact number is given, and warns', async () => {
    const exact = await run('kettle@1.2.0');
    expect([exact.status, exact.stdout]).toEqual([0, 'kettle-1.2.0.crate\n']);
    expect(exact.stderr).toContain('warning: `kettle v1.2.0 (registry `alt`)` is yanked\n');
    const none = await run('gone');
    expect(none).toMatchObject({ status: 101, stdout: '' });
    expect(none.stderr).toContain(
      'error: all versions that match `gone` are yanked\n\nhelp: a yanked version needs its exact number: `gone@1.0.0`\n',
    );
  });

  it('unpacks into a folder with --extract, which must not exist', async () => {
    const { status, stdout } = await run('kettle', '--extract');
    expect([status, stdout]).toEqual([0, 'kettle-1.1.0\n']);
    expect(readFileSync(place('kettle-1.1.0/src/lib.rs'), 'utf8')).toBe('pub fn boil() {}\n');
    // cargo's mark of an unpacked package is only for its own folders.
    expect(readdirSync(place('kettle-1.1.0')).toSorted()).toEqual(['Cargo.toml', 'src']);
    const again = await run('kettle', '--extract');
    expect(again).toMatchObject({ status: 101, stdout: '' });
    expect(again.stderr).toContain(
      'error: `kettle-1.1.0` already exists\n\nhelp: remove it, or write to another folder with `--output`\n',
    );
    expect(written()).toEqual(['kettle-1.1.0']);
  });

  it('replaces no dangling link', async () => {
    symlinkSync('nowhere', place('kettle-1.1.0.crate'));
    const { status, stdout, stderr } = await run('kettle');
    expect([status, stdout]).toEqual([101, '']);
    expect(stderr).toContain('error: `kettle-1.1.0.crate` already exists, with other content\n');
    expect(readlinkSync(place('kettle-1.1.0.crate'))).toBe('nowhere');
  });

  it('accepts a file that it has already written, and replaces no other', async () => {
    await run('kettle');
    expect(await run('kettle')).toMatchObject({ status: 0, stdout: 'kettle-1.1.0.crate\n' });
    const file = await run('kettle', '--output', 'taken');
    expect(file.status).toBe(101);
    expect(file.stderr).toContain(
      `error: \`${path.join('taken', 'kettle-1.1.0.crate')}\` already exists, with other content\n`,
    );
    const folder = await run('kettle', '--output', 'taken', '--extract');
    expect(folder.status).toBe(101);
    expect(readFileSync(place('taken/kettle-1.1.0.crate'), 'utf8')).toBe('something else');
    expect(readdirSync(place('taken/kettle-1.1.0'))).toEqual(['notes']);
  });

  it('uses the package cache without network', async () => {
    const none = await run('kettle', '--offline');
    expect(none.status).toBe(101);
    expect(none.stderr).toContain('error: the index entry of `kettle` is not on disk\n');
    await run('kettle@1.0.0', '--output', 'first');
    // The highest version was not downloaded.
    for (const flag of ['--offline', '--frozen'])
      expect(await run('kettle', flag)).toMatchObject({
        status: 0,
        stdout: 'kettle-1.0.0.crate\n',
        stderr: '',
      });
    const other = await run('kettle@1.1.0', '--offline');
    expect(other.status).toBe(101);
    expect(other.stderr).toContain('but --offline was specified');
  });

  it('takes the file of a local registry that replaces crates.io', async () => {
    expect(await run('local', '--registry', 'crates-io')).toMatchObject({
      status: 0,
      stdout: 'local-1.0.0.crate\n',
    });
  });

  it('finds a crate whose name differs in case or dashes', async () => {
    const { status, stderr } = await run('Kettle');
    expect(status).toBe(0);
    expect(stderr).toContain('warning: translating `Kettle` to `kettle`\n');
  });

  it('writes nothing if a checksum is wrong, or an archive must not be unpacked', async () => {
    const forged = await run('kettle', 'forged');
    expect(forged).toMatchObject({ status: 101, stdout: '' });
    expect(forged.stderr).toContain('failed to verify the checksum of `forged v1.0.0 (registry `alt`)`');
    const hostile = await run('hostile', '--extract');
    expect(hostile.status).toBe(101);
    expect(hostile.stderr).toContain('invalid type Symlink');
    expect(written()).toEqual([]);
  });

  it('refuses a damaged file of the package cache', async () => {
    await run('kettle', '--output', 'first');
    const cache = path.join(box.places.home, 'registry', 'cache');
    const [folder = ''] = readdirSync(cache);
    writeFileSync(path.join(cache, folder, 'kettle-1.1.0.crate'), 'damaged');
    const { status, stderr } = await run('kettle');
    expect(status).toBe(101);
    expect(stderr).toContain('error: failed to verify the checksum of `kettle v1.1.0 (registry `alt`)`\n');
    expect(stderr).toContain('help: the file in the package cache is damaged: delete `');
    expect(written()).toEqual(['first']);
  });

  it.each([
    [[], 'the following required arguments were not provided'],
    [['kettle@^1'], 'error: invalid package: `kettle@^1`'],
    [['../kettle'], 'error: invalid package: `../kettle`'],
    [['kettle', '1.0.0'], 'help: write a version after the name of its package: `NAME@1.0.0`\n'],
    [['https://example.com/#kettle'], 'error: `https://example.com/#kettle` is a URL\n\nhelp: pass the name'],
    [['kettle@3'], '\nhelp: versions that are not yanked: 2.0.0-beta.1, 1.1.0, 1.0.0\n'],
    [['nothing'], 'error: could not find `nothing` in registry `sparse+http'],
    [['kettle', '--registry', 'other'], 'registry index was not found in any configuration: `other`'],
    [['kettle', '--output', 'file'], `file\` is not a folder\n\nhelp: \`--output\` takes the folder`],
    [['kettle', '-o', '-'], '`download` cannot write to stdout\n\nhelp: `--output` takes the folder'],
    [['kettle', '--output', 'dangling'], `dangling\` is not a folder\n`],
  ])('fails with one clear error for %j', async (args, message) => {
    mkdirSync(place('.cargo'));
    writeFileSync(place('file'), '');
    symlinkSync('nowhere', place('dangling'));
    const { status, stdout, stderr } = await run(...args);
    expect([status, stdout]).toEqual([101, '']);
    expect(stderr).toContain(message);
    expect(stderr.match(/^error:/gm)).toHaveLength(1);
    expect(existsSync(place('kettle-1.1.0.crate'))).toBe(false);
  });

  it('does not exist in compatibility mode, where `cargo-download` may', async () => {
    const { status, stderr } = await box.ask(tsregProgram({ TSREG_COMPAT: 'cargo' }), {
      name: 'compat',
      bare: true,
      args: ['download', 'kettle'],
    });
    expect(status).toBe(101);
    expect(stderr).toContain('no such command: `download`');
  });
});
