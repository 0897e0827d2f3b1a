import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { registryDirName } from '../../src/core/package-id/folder-names.ts';
import { isSameSource } from '../../src/core/package-id/source-id.ts';
import { SourceTable } from '../../src/core/package-id/source-table.ts';
import { canonicalizeUrl } from '../../src/core/package-id/url.ts';
import { buildCrate } from '../helpers/crate.ts';
import { type HostileRegistry, startHostileRegistry } from '../helpers/hostile-registry.ts';
import { runProgram, tsregProgram } from '../helpers/program.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';
import { writeTree } from '../helpers/tree.ts';

const program = tsregProgram();

describe('similar index URLs', () => {
  test.each([
    ['sparse+https://host/team/', 'sparse+https://host/team.git/'],
    ['sparse+https://github.com/Team/', 'sparse+https://github.com/team/'],
    ['sparse+http://github.com/team/', 'sparse+https://github.com/team/'],
    ['sparse+https://host/a%20b.git/', 'sparse+https://host/a%20b/'],
  ])('are two registries if they are sparse: %s and %s', (one, other) => {
    const sources = new SourceTable();
    const [a, b] = [sources.forRegistryIndex(one), sources.forRegistryIndex(other)];
    expect(a).not.toBe(b);
    expect(isSameSource(a, b)).toBe(false);
    expect(canonicalizeUrl(one)).not.toBe(canonicalizeUrl(other));
    expect(registryDirName(a)).not.toBe(registryDirName(b));
  });

  test('are one repository if they are git URLs', () => {
    const sources = new SourceTable();
    expect(sources.forRegistryIndex('https://host/team.git')).toBe(
      sources.forRegistryIndex('https://host/team'),
    );
    expect(canonicalizeUrl('ssh://git@github.com/Team/x.git')).toBe('https://git@github.com/team/x');
  });

  test.each([
    ['sparse+https://index.crates.io/', 'index.crates.io-1949cf8c6b5b557f'],
    ['sparse+http://127.0.0.1:8931/index/', '127.0.0.1-e398182006943965'],
    ['https://github.com/rust-lang/crates.io-index', 'github.com-25cdd57fae9f0462'],
  ])('do not change the folder name that cargo uses for %s', (url, folder) => {
    expect(registryDirName(new SourceTable().forRegistryIndex(url))).toBe(folder);
  });
});

/** Serves two registries at one address that require a token: `/team/`, and `/team.git/` of another owner. */
async function serveTeams(): Promise<HostileRegistry> {
  const server = await startHostileRegistry();
  const crate = buildCrate({ name: 'x', version: '1.0.0' }, () => '');
  for (const team of ['team', 'team.git']) {
    const base = `${server.url}${team}`;
    const config = JSON.stringify({ dl: `${base}/dl`, api: base, 'auth-required': true });
    server.files.set(`/${team}/config.json`, config);
    server.files.set(`/${team}/1/x`, `${crate.indexLine}\n`);
    server.files.set(`/${team}/dl/x/1.0.0/download`, crate.archive ?? '');
  }
  return server;
}

describe('a token for `/team/`', () => {
  const run = async (
    server: HostileRegistry,
    dependency: string,
    config = '',
  ): Promise<{ readonly status: number; readonly stderr: string }> => {
    using dir = makeTempDir('tokens');
    writeTree(dir.path, {
      'home/config.toml':
        `registry.global-credential-providers = ["cargo:token"]\n` +
        `[registries.team]\nindex = "sparse+${server.url}team/"\n${config}`,
      'home/credentials.toml': '[registries.team]\ntoken = "of-the-team"\n',
      'ws/src/lib.rs': '',
      'ws/Cargo.toml': `[package]\nname = "p"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\n${dependency}\n`,
    });
    const env = {
      PATH: process.env['PATH'] ?? '',
      CARGO_HOME: path.join(dir.path, 'home'),
      HOME: path.join(dir.path, 'user'),
    };
    return await runProgram(program, ['fetch'], { cwd: path.join(dir.path, 'ws'), env });
  };

  test('is sent to `/team/`', async () => {
    await using server = await serveTeams();
    const { status } = await run(server, 'x = { version = "1", registry = "team" }');
    expect(status).toBe(0);
    expect(new Set(server.tokens.map(([, token]) => token))).toEqual(new Set(['of-the-team']));
  });

  test('is not sent to `/team.git/`', async () => {
    await using server = await serveTeams();
    const { status, stderr } = await run(
      server,
      `x = { version = "1", registry-index = "sparse+${server.url}team.git/" }`,
    );
    expect(server.tokens).toEqual([]);
    expect(status).toBe(101);
    expect(stderr).toContain('no token found for');
  });

  test('does not replace the token for `/team.git/`', async () => {
    await using server = await serveTeams();
    const other = `[registries.other]\nindex = "sparse+${server.url}team.git/"\ntoken = "of-others"\n`;
    const both =
      'x = { version = "1", registry = "team" }\ny = { package = "x", version = "1", registry = "other" }';
    const { status } = await run(server, both, other);
    expect(status).toBe(0);
    for (const [requested, token] of server.tokens) {
      expect(token).toBe(requested.startsWith('/team.git/') ? 'of-others' : 'of-the-team');
    }
  });
});
