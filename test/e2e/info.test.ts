import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { InfoDocument } from '../../src/index.ts';
import { type RunResult, tsregProgram } from '../helpers/program.ts';
import { type RegistryServer, startRegistryServer } from '../helpers/registry-server.ts';
import { Sandbox } from '../helpers/sandbox.ts';
import type { Scenario } from '../helpers/scenario.ts';
import { onWindows } from '../helpers/system.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';

// The output of cargo is recorded in fixtures/info.

const scenario: Scenario = {
  about: 'A workspace with a dependency, and a package that means no good.',
  command: 'info',
  files: {
    'Cargo.toml':
      "[package]\nname = 'p'\nversion = '0.1.0'\nedition = '2021'\n[dependencies]\na = { version = '1', registry = 'alt' }\n",
    'src/lib.rs': '',
  },
  registries: { alt: { kind: 'sparse' } },
  crates: [
    { name: 'a', version: '1.0.0', registry: 'alt' },
    {
      name: 'evil',
      version: '1.0.0',
      registry: 'alt',
      extra:
        'description = "red \\u001b[31m\\u001b]0;title\\u0007 alert\\u0008"\nlicense = "\\u001b[2J"\nkeywords = ["\\u001b[5mk"]\n',
    },
  ],
  runs: [],
};

describe('tsreg info', () => {
  const temp = makeTempDir('info-program');
  let server: RegistryServer;
  let box: Sandbox;
  beforeAll(async () => {
    server = await startRegistryServer();
    box = new Sandbox(scenario, path.join(temp.path, 'box'), server);
    box.start();
  });
  afterAll(async () => {
    await server.close();
    temp.remove();
  });
  const ask = (args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<RunResult> =>
    box.ask(tsregProgram(env), { name: args.join(' '), args });

  it('prints the package to stdout and everything else to stderr', async () => {
    const { status, stdout, stderr } = await ask(['a']);
    expect(stdout).toBe('a\nversion: 1.0.0 (from registry `alt`)\nlicense: unknown\nrust-version: unknown\n');
    expect(stderr).toMatch(
      /Locking 1 package .*\n.*Downloaded a v1\.0\.0 \(registry `alt`\)\nnote: to see how/s,
    );
    expect(status).toBe(0);
  });

  it('prints one JSON document with --json, and notes to stderr as usual', async () => {
    await ask(['a']);
    const { status, stdout, stderr } = await ask(['a', '--json']);
    const document: InfoDocument = JSON.parse(stdout);
    expect(Object.keys(document)).toEqual([
      'version',
      'package',
      'registry',
      'relation',
      'features',
      'versions',
    ]);
    expect(document.package.id).toMatch(/^a 1\.0\.0 \(sparse\+http/);
    expect(stdout.indexOf('\n')).toBe(stdout.length - 1);
    expect(stderr).toBe('note: to see how you depend on a, run `tsreg tree --invert a@1.0.0`\n');
    expect(status).toBe(0);
    const today = await ask(['a', '--json'], { TSREG_COMPAT: 'cargo' });
    expect(today.stdout).toContain(`"id":"sparse+${box.places.address}/alt/#a@1.0.0"`);
  });

  it('removes the control characters of a package', async () => {
    const BLUE = onWindows ? '\u001b[96m' : '\u001b[94m';
    const { stdout } = await ask(['evil', '--registry', 'alt', '--color=always']);
    expect(stdout.split('\n').slice(0, 4)).toEqual([
      `\u001b[1m\u001b[92mevil\u001b[0m \u001b[1m${BLUE}#k\u001b[0m`,
      'red  alert',
      `\u001b[1m\u001b[92mversion:\u001b[0m 1.0.0 \u001b[1m${BLUE}(from registry \`alt\`)\u001b[0m`,
      '\u001b[1m\u001b[92mlicense:\u001b[0m ',
    ]);
  });

  it('fails without a package and for an unknown package or version', async () => {
    const none = await ask([]);
    expect(none.stderr).toContain('Usage: tsreg info <SPEC>');
    expect(none.status).toBe(101);
    expect((await ask([], { TSREG_COMPAT: 'cargo' })).status).toBe(1);
    const absent = await ask(['absent', '--registry', 'alt']);
    expect(absent).toMatchObject({ status: 101, stdout: '' });
    expect(absent.stderr).toContain('error: could not find `absent` in registry `sparse+http://');
    expect(absent.stderr).toContain(
      '\nhelp: no crate has this name: `tsreg search absent` searches for it\n',
    );
    const later = await ask(['a@2.0.0', '--registry', 'alt']);
    expect(later.stderr).toContain('\nhelp: versions that are not yanked: 1.0.0\n');
  });
});
