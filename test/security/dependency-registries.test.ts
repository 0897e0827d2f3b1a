import { existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { SourceTable } from '../../src/core/package-id/source-table.ts';
import { decodeIndexLine } from '../../src/core/protocol/index-line.ts';
import { parseDependencyRegistry } from '../../src/server/publish/dependency-registries.ts';
import { commitToRepo } from '../helpers/git-repo.ts';
import { startHostileRegistry } from '../helpers/hostile-registry.ts';
import { runProgram, tsregProgram } from '../helpers/program.ts';
import { publishBody } from '../helpers/publish-body.ts';
import { openTestRegistry, TEST_URL, type TestRegistry } from '../helpers/test-registry.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';
import { writeTree } from '../helpers/tree.ts';

const program = tsregProgram();
let registry: TestRegistry | null = null;
afterEach(async () => {
  await registry?.[Symbol.asyncDispose]();
  registry = null;
});

/** Publishes a crate with a dependency from `url` to a registry that allows `allowed`. Returns the result as text. */
async function outcome(url: string | null, allowed: readonly string[] = []): Promise<string> {
  registry = await openTestRegistry({ dependencyRegistries: allowed });
  const actor = await registry.tokenOf(await registry.user('alice'));
  const dep = { name: 'bar', req: '^1', ...(url === null ? {} : { registry: url }) };
  const { bytes } = publishBody({ name: 'foo', version: '1.0.0', deps: [dep] });
  const result = await registry.publish(actor, bytes);
  return result.kind === 'published' ? 'published' : `${result.status} ${result.detail}`;
}

describe('a dependency from an allowed registry', () => {
  test.each([
    ['the registry itself, without a name', null],
    ['the registry itself', `sparse+${TEST_URL}/index/`],
    ['crates.io', 'https://github.com/rust-lang/crates.io-index'],
    ["crates.io's sparse index", 'sparse+https://index.crates.io/'],
  ])('is accepted: %s', async (_, url) => {
    expect(await outcome(url)).toBe('published');
  });

  test.each([
    ['sparse+https://example.com/index/', 'sparse+https://example.com/index/'],
    ['sparse+https://example.com/index/', 'sparse+https://EXAMPLE.com:443/index'],
    ['https://example.com/index.git', 'https://example.com/index.git'],
  ])('is accepted: %s, allowed as %s', async (url, allowed) => {
    expect(await outcome(url, ['sparse+https://other.example/', allowed])).toBe('published');
  });
});

describe('a dependency from another registry', () => {
  test.each([
    'sparse+https://example.com/index/',
    'sparse+http://evil.example/',
    'https://example.com/index',
    'ssh://-oProxyCommand=touch$IFS/tmp/x/y',
    'ssh://git@example.com/index',
    'file:///home/user/secret',
    'file://evil.example/share',
    'git://example.com/index',
    'ext::sh',
    'https://github.com/rust-lang/crates.io-index.evil',
    'sparse+https://index.crates.io.evil.example/',
    `${TEST_URL}/index/`,
  ])('is refused: %s', async (url) => {
    const detail = await outcome(url, ['sparse+https://allowed.example/index/']);
    expect(detail).toMatch(/^400 /);
    expect(detail).toContain(url);
  });

  test('is refused with the option that would allow it', async () => {
    expect(await outcome('sparse+https://example.com/')).toBe(
      '400 the dependency `bar` is from the registry `sparse+https://example.com/`, which is not allowed here; ' +
        'the operator of this registry can allow it: `tsreg serve --allow-dependency-registry URL`',
    );
  });
});

describe('`--allow-dependency-registry`', () => {
  test.each(['sparse+https://a.example/', 'sparse+http://127.0.0.1:1/index/', 'https://a.example/index.git'])(
    'accepts %s',
    (url) => expect(parseDependencyRegistry(url)).toBe(url),
  );

  test.each([
    ...['ssh://git@a.example/x', 'ssh://-oX/y', 'file:///x', 'http://a.example/x', 'git://a/x', 'a.example'],
    ...['-x', 'sparse+https://-x.example/', 'sparse+file:///x', 'https://a.example/?x', 'sparse+ssh://x/'],
  ])('refuses %s', (url) => expect(() => parseDependencyRegistry(url)).toThrow('expected `sparse+https://'));

  test('refuses a password without showing it', () => {
    expect(() => parseDependencyRegistry('https://me:secret@a.example/')).toThrow(
      /^(?!.*secret).*has a user or a password/s,
    );
  });

  test('stops the server from starting if the URL is invalid', async () => {
    using dir = makeTempDir('serve');
    const args = ['serve', '--listen', '127.0.0.1:0', '--allow-dependency-registry', 'ssh://-oX/y'];
    const run = await runProgram(program, args, { cwd: dir.path, env: { PATH: process.env['PATH'] ?? '' } });
    expect(run.status).toBe(101);
    expect(run.stderr).toContain('is not the URL of an index');
    expect(existsSync(path.join(dir.path, 'tsreg-data'))).toBe(false);
  });
});

describe('an index line', () => {
  const sources = new SourceTable();
  const from = { original: sources.cratesIoSparse(), actual: sources.cratesIoSparse() };
  const decode = (registry: string) => {
    const deps = [{ name: 'd', req: '*', registry }];
    const line = { name: 'a', vers: '1.0.0', deps, cksum: '', features: {} };
    return decodeIndexLine(JSON.stringify(line), from, sources)?.kind;
  };

  test.each([
    ...['ssh://-oProxyCommand=x/y', 'ssh://%2DoProxyCommand=x/y', 'ssh://-x@host/y', 'ssh://user@-x/y'],
    ...['git://-x/', 'file://evil.example/share/x', 'ext::sh -c x'],
  ])('cannot name the registry %s', (url) => expect(decode(url)).toBe('rejected'));

  test.each(['sparse+https://a.example/', 'https://a.example/x', 'ssh://git@a-b.example/x', 'file:///srv/x'])(
    'can name the registry %s',
    (url) => expect(decode(url)).toBe('usable'),
  );
});

test('a fetch from a `file:` index runs no command from the git configuration of that repository', async () => {
  using dir = makeTempDir('file-index');
  await using evil = await startHostileRegistry();
  const mark = path.join(dir.path, 'mark');
  const repo = path.join(dir.path, 'repo');
  commitToRepo(repo, [{ files: { 'config.json': '{"dl":"http://127.0.0.1:1/"}' } }]);
  // Commands that git would run in a repository that it trusts.
  const settings = `[uploadpack]\n\tpackObjectsHook = touch ${mark} #\n[core]\n\tfsmonitor = touch ${mark} #\n`;
  writeFileSync(path.join(repo, 'config'), settings, { flag: 'a' });
  const deps = [{ name: 'y', req: '*', registry: pathToFileURL(repo).href }];
  const line = { name: 'x', vers: '1.0.0', deps, cksum: '', features: {} };
  evil.files.set('/1/x', `${JSON.stringify(line)}\n`);
  const manifest = '[package]\nname = "p"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\n';
  writeTree(dir.path, {
    'ws/src/lib.rs': '',
    'ws/Cargo.toml': `${manifest}x = { version = "1", registry-index = "${evil.index}" }\n`,
  });
  const env = { PATH: process.env['PATH'] ?? '', CARGO_HOME: path.join(dir.path, 'home'), HOME: dir.path };
  const { stderr } = await runProgram(program, ['fetch'], { cwd: path.join(dir.path, 'ws'), env });
  expect(stderr).toContain(`Updating \`${repo}\` index`);
  expect(existsSync(mark)).toBe(false);
});

test('a git URL whose host is an ssh option fails and runs no command', async () => {
  using dir = makeTempDir('ssh-option');
  await using evil = await startHostileRegistry();
  const mark = path.join(dir.path, 'mark');
  const host = `-oProxyCommand=touch$IFS'${mark}'`.replaceAll('/', '%2F');
  const manifest = (dep: string): string =>
    `[package]\nname = "p"\nversion = "0.1.0"\nedition = "2021"\n[dependencies]\nx = { ${dep} }\n`;
  const lines = {
    name: 'x',
    vers: '1.0.0',
    deps: [{ name: 'y', req: '*', registry: `ssh://${host}/y` }],
    cksum: '',
    features: {},
  };
  evil.files.set('/1/x', `${JSON.stringify(lines)}\n`);
  writeTree(dir.path, { 'ws/src/lib.rs': '' });
  for (const dep of [
    `git = ${JSON.stringify(`ssh://${host}/y`)}`,
    `version = "1", registry-index = ${JSON.stringify(`ssh://${host}/y`)}`,
    `version = "1", registry-index = ${JSON.stringify(evil.index)}`,
  ]) {
    for (const cli of ['false', 'true']) {
      writeTree(dir.path, { 'ws/Cargo.toml': manifest(dep) });
      const env = {
        PATH: process.env['PATH'] ?? '',
        CARGO_HOME: path.join(dir.path, 'home'),
        HOME: dir.path,
        CARGO_NET_GIT_FETCH_WITH_CLI: cli,
        CARGO_NET_RETRY: '0',
      };
      const { status } = await runProgram(program, ['fetch'], { cwd: path.join(dir.path, 'ws'), env });
      expect(status).toBe(101);
      expect(existsSync(mark)).toBe(false);
    }
  }
});
