import { chmodSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadConfig } from '../../../src/io/config/config.ts';
import { Secret } from '../../../src/io/config/secret.ts';
import type { CredentialOperation } from '../../../src/io/credentials/credential-request.ts';
import { RegistryCredentials } from '../../../src/io/credentials/registry-credentials.ts';
import { TsregError } from '../../../src/core/errors/error.ts';
import { SourceTable } from '../../../src/core/package-id/source-table.ts';
import { reportTo } from '../../../src/core/report/report.ts';
import { scriptedDialog } from '../../helpers/provider-request.ts';
import { expectMode, onWindows } from '../../helpers/system.ts';
import { makeTempDir, type TempDir } from '../../helpers/temp-dir.ts';

const INDEX = 'sparse+https://registry.example/index/';
const READ: CredentialOperation = { kind: 'read' };
const YANK: CredentialOperation = { kind: 'yank', name: 'a', vers: '1.0.0' };

let temp: TempDir;
beforeEach(() => {
  temp = makeTempDir('credentials');
});
afterEach(() => temp.remove());

/**
 * Writes a provider that sends `answers` in turn, repeats the last one and records its requests. Returns its path as a
 * TOML string. It is a script, which Windows cannot start.
 */
function provider(...answers: readonly object[]): string {
  const file = path.join(temp.path, 'provider');
  const log = path.join(temp.path, 'asked');
  writeFileSync(
    file,
    `#!${process.execPath}
const fs = require('node:fs');
console.log('{"v":[1]}');
require('node:readline').createInterface({ input: process.stdin }).once('line', (line) => {
  fs.appendFileSync(${JSON.stringify(log)}, line + '\\n');
  const answers = ${JSON.stringify(answers)};
  const count = fs.readFileSync(${JSON.stringify(log)}, 'utf8').split('\\n').length - 2;
  console.log(JSON.stringify(answers[Math.min(count, answers.length - 1)]));
});
`,
  );
  chmodSync(file, 0o755);
  return JSON.stringify(file);
}

const asked = (): readonly object[] => {
  const log = path.join(temp.path, 'asked');
  if (!existsSync(log)) return [];
  const lines = readFileSync(log, 'utf8').trim().split('\n');
  return lines.map((line): object => Object(JSON.parse(line)));
};

function open(toml: string, env: Readonly<Record<string, string>> = {}) {
  writeFileSync(path.join(temp.path, 'config.toml'), `[registries.mock]\nindex = "${INDEX}"\n${toml}`);
  const said: string[] = [];
  const report = reportTo({
    verbose: (verb, text) => void said.push(`${verb} ${text}`),
    status: (verb, text) => void said.push(`${verb} ${text}`),
    warning: (warning) => void said.push(`warning: ${typeof warning === 'string' ? warning : warning.title}`),
  });
  const config = loadConfig({
    cwd: temp.path,
    env: { CARGO_HOME: temp.path, PATH: process.env['PATH'] ?? '', ...env },
    report,
  });
  const credentials = new RegistryCredentials({ config, report, signal: new AbortController().signal });
  return { credentials, said, source: new SourceTable().forRegistryIndex(INDEX, 'mock') };
}

const token = (fields: object = {}): object => ({
  Ok: { kind: 'get', token: 'T', cache: 'session', operation_independent: true, ...fields },
});

describe('a token of a provider', () => {
  it.skipIf(onWindows).each([
    ['for all that follows', token(), 1],
    ['not at all', token({ cache: 'never' }), 4],
    ['not at all, if it is not known how long', token({ cache: 'some day' }), 4],
    ['until it runs out', token({ cache: 'expires', expiration: 4_000_000_000 }), 1],
    [
      'not in its last minute',
      token({ cache: 'expires', expiration: Math.floor(Date.now() / 1000) + 30 }),
      4,
    ],
    // One request for the first read and two for the yanks. The second read uses the token of a yank.
    ['for reading only', token({ operation_independent: false }), 3],
  ])('is cached %s (not on Windows: the provider is a script)', async (_, answer, times) => {
    const { credentials, source } = open(`credential-provider = [${provider(answer)}]`);
    for (const operation of [READ, YANK, YANK, READ]) {
      expect((await credentials.token(source, operation)).expose()).toBe('T');
    }
    expect(asked()).toHaveLength(times);
  });

  it.skipIf(onWindows)(
    'is requested once for concurrent calls (not on Windows: the test uses sh scripts)',
    async () => {
      const { credentials, source } = open(`credential-provider = [${provider(token({ cache: 'never' }))}]`);
      await Promise.all([1, 2, 3].map(() => credentials.indexToken(source, [])));
      expect(asked()).toHaveLength(1);
    },
  );

  it('is not requested if the command line has a token', async () => {
    const { credentials, source } = open(`credential-provider = [${provider(token())}]`);
    credentials.setToken(source, new Secret('given'));
    expect((await credentials.token(source, YANK)).expose()).toBe('given');
    expect((await credentials.indexToken(source, [])).expose()).toBe('given');
    expect(asked()).toEqual([]);
  });
});

describe('a request for a token', () => {
  it.skipIf(onWindows)(
    'passes operation, headers and arguments in the order of cargo (not on Windows: the test uses sh scripts)',
    async () => {
      const { credentials, source } = open(
        `credential-provider = [${provider(token({ cache: 'never' }))}, "a1"]`,
      );
      const challenge = [['WWW-Authenticate', 'Cargo login_url="https://x/me"']] as const;
      await credentials.indexToken(source, challenge);
      await credentials.token(source, { kind: 'publish', name: 'a', vers: '1.0.0', cksum: 'ff' });
      await credentials.token(source, { kind: 'unyank', name: 'a', vers: '1.0.0' });
      await credentials.token(source, { kind: 'owners', name: 'a' });
      const registry = { 'index-url': INDEX, name: 'mock' };
      const headers = ['WWW-Authenticate: Cargo login_url="https://x/me"'];
      expect(asked().map((line) => JSON.stringify(line))).toEqual(
        [
          { v: 1, registry: { ...registry, headers }, kind: 'get', operation: 'read', args: ['a1'] },
          {
            v: 1,
            registry,
            kind: 'get',
            operation: 'publish',
            name: 'a',
            vers: '1.0.0',
            cksum: 'ff',
            args: ['a1'],
          },
          { v: 1, registry, kind: 'get', operation: 'unyank', name: 'a', vers: '1.0.0', args: ['a1'] },
          { v: 1, registry, kind: 'get', operation: 'owners', name: 'a', args: ['a1'] },
        ].map((line) => JSON.stringify(line)),
      );
      expect(credentials.loginUrl(source)).toBe('https://x/me');
    },
  );

  it.skipIf(onWindows)(
    'goes to the last provider first, and on to the next if that has no token (not on Windows: the test uses sh scripts)',
    async () => {
      const { credentials, source, said } = open(
        `token = "stored"\n[registry]\nglobal-credential-providers = ["cargo:token", "cargo:wincred", "${JSON.parse(provider({ Err: { kind: 'not-found' } }))} x"]`,
      );
      expect((await credentials.token(source, YANK)).expose()).toBe('stored');
      expect(said).toEqual([
        `Credential ${temp.path}/provider x get mock`,
        'Credential cargo:wincred get mock',
        'Credential cargo:token get mock',
      ]);
    },
  );

  it('requires configured providers only for reading an index', async () => {
    const { credentials, source } = open('token = "stored"');
    expect((await credentials.token(source, READ)).expose()).toBe('stored');
    const fresh = open('token = "stored"');
    await expect(fresh.credentials.indexToken(source, [])).rejects.toMatchObject({
      message: expect.stringMatching(
        /^authenticated registries require a credential-provider to be configured\n/,
      ),
      hint: expect.stringContaining('`registry.global-credential-providers = ["cargo:token"]`'),
    });
  });

  it('uses secret keys without a flag, except in compatibility mode', async () => {
    const key = 'k3.secret.5tNLG8tDz-xY6vjzfklQBhvzgl4Nb9o386Mty9ms0bjEvhPXPhO9Z8DomMGY4Ki6';
    const { credentials, source } = open(`secret-key = "${key}"`);
    const [one, two] = [await credentials.token(source, YANK), await credentials.token(source, YANK)];
    expect(one.expose()).toMatch(/^v3\.public\./);
    expect(one.expose()).not.toBe(two.expose());
    const asCargo = open('credential-provider = "cargo:paseto"', { TSREG_COMPAT: 'cargo' });
    await expect(asCargo.credentials.token(source, YANK)).rejects.toThrow(
      'cargo:paseto requires -Zasymmetric-token',
    );
  });
});

describe.skipIf(onWindows)('a program that does not stop writing (not on Windows: a shell script)', () => {
  it('causes an error even if it ignores SIGTERM', async () => {
    const script = `trap '' TERM; yes`;
    const { credentials, source } = open(
      `credential-provider = ["cargo:token-from-stdout", "sh", "-c", "${script}"]`,
    );
    const error: unknown = await credentials.token(source, READ).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      cause: {
        code: 'auth',
        message: 'process `sh` returned more than one line of output; expected a single token',
      },
    });
  });
});

describe('RegistryCredentials', () => {
  it('recognizes its refusals', async () => {
    const { credentials, source } = open('');
    const error = await credentials.token(source, YANK).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'auth' });
    expect(credentials.isRefusal(error)).toBe(true);
    expect(credentials.isRefusal(new TsregError('outer', { cause: error }))).toBe(true);
    expect(credentials.isRefusal(new TsregError('other', { code: 'auth' }))).toBe(false);
  });

  it('refuses a token that would break a header', async () => {
    const { credentials, source } = open(
      'token = "a\\nb"\n[registry]\nglobal-credential-providers = ["cargo:token"]',
    );
    await expect(credentials.indexToken(source, [])).rejects.toThrow('token contains invalid characters.');
  });

  it.each([
    ['tok\\\\r\\\\n', 'tok'],
    ['tok\\\\n', 'tok'],
    ['tok', 'tok'],
    ['tok\\\\r', 'tok\r'],
    ['tok\\\\r\\\\r\\\\n', 'tok\r'],
  ])('removes the line end from the output %s of a program', async (printed, token) => {
    const { credentials, source } = open(
      `credential-provider = ["cargo:token-from-stdout", "printf", "${printed}"]`,
    );
    expect((await credentials.token(source, YANK)).expose()).toBe(token);
  });
});

describe('the credentials file', () => {
  const file = (): string => path.join(temp.path, 'credentials.toml');
  const loginOptions = (given: string | null) => ({
    token: given === null ? null : new Secret(given),
    loginUrl: null,
    args: [],
    dialog: scriptedDialog(['cargo login typed ']),
  });

  it('is readable only by its owner after a login', async () => {
    const { credentials, source, said } = open('');
    await credentials.login(source, loginOptions('one'));
    expect(readFileSync(file(), 'utf8')).toBe('[registries.mock]\ntoken = "one"\n');
    expectMode(file(), 0o600);
    expect(said.at(-1)).toBe('Login token for `mock` saved');
  });

  it.skipIf(onWindows)(
    'becomes readable only by its owner, and keeps its symlink and other keys (not on Windows: no modes of files)',
    async () => {
      const target = path.join(temp.path, 'elsewhere.toml');
      writeFileSync(target, '[registries.other]\ntoken = "o"\n[more]\na = [1, 2]\n', { mode: 0o644 });
      symlinkSync(target, file());
      const { credentials, source } = open('');
      await credentials.login(source, loginOptions(null));
      expect(readFileSync(target, 'utf8')).toBe(
        '[more]\na = [1, 2]\n\n[registries.other]\ntoken = "o"\n\n[registries.mock]\ntoken = "typed"\n',
      );
      expectMode(target, 0o600);
      expect(readFileSync(file(), 'utf8')).toBe(readFileSync(target, 'utf8'));
    },
  );

  it('keeps its old name if it has that', async () => {
    writeFileSync(path.join(temp.path, 'credentials'), 'token = "old"\n');
    const { credentials, source } = open('');
    await credentials.login(source, loginOptions('new'));
    expect(existsSync(file())).toBe(false);
    expect(readFileSync(path.join(temp.path, 'credentials'), 'utf8')).toBe(
      '[registry]\ntoken = "old"\n\n[registries.mock]\ntoken = "new"\n',
    );
  });

  it('loses a token at the first logout only', async () => {
    writeFileSync(file(), '[registries.mock]\ntoken = "x"\n');
    const dialog = scriptedDialog();
    const first = open('');
    expect(await first.credentials.logout(first.source, dialog)).toBe(true);
    expect(dialog.said).toEqual([
      'note: This does not revoke the token on the registry server.',
      '    If you need to revoke the token, visit the `mock` website and follow the instructions there.',
    ]);
    const second = open('');
    expect(await second.credentials.logout(second.source, dialog)).toBe(false);
    expect(readFileSync(file(), 'utf8')).toBe('[registries.mock]\n');
  });

  it('provides the new token after a login, and none after a logout', async () => {
    writeFileSync(file(), '[registries.mock]\ntoken = "old"\n');
    const { credentials, source } = open('');
    const found = async (): Promise<string> => (await credentials.token(source, READ)).expose();
    expect(await found()).toBe('old');
    await credentials.login(source, loginOptions('new'));
    expect(await found()).toBe('new');
    await credentials.logout(source, scriptedDialog());
    await expect(found()).rejects.toThrow('no token found for `mock`');
  });

  it('is not created if the token is invalid', async () => {
    const { credentials, source } = open('');
    await expect(credentials.login(source, loginOptions('tök'))).rejects.toThrow(
      'credential provider `cargo:token` failed action `login`',
    );
    expect(existsSync(file())).toBe(false);
  });
});

it.each([
  ['file:///srv/index', 'registry+file:///srv/index'],
  ['sparse+https://far.example/', 'sparse+https://far.example/'],
])('names the source if two registries have the index %s', async (index, named) => {
  const { credentials } = open(`[registries.a]\nindex = "${index}"\n[registries.b]\nindex = "${index}"\n`);
  const source = new SourceTable().forRegistryIndex(index, 'a');
  await expect(credentials.token(source, READ)).rejects.toMatchObject({
    message: `multiple registries are configured with the same index url '${named}': a, b`,
    hint: expect.stringMatching(/^keep one of them: .* is in .*, .* is in .*/),
  });
});

it('ignores indexes in the credentials file', async () => {
  writeFileSync(
    path.join(temp.path, 'credentials.toml'),
    `[registries.mock]\nindex = "sparse+https://far.example/"\ntoken = "mine"\n[registries.other]\nindex = "${INDEX}"\n`,
  );
  const { credentials, source } = open('');
  expect((await credentials.token(source, READ)).expose()).toBe('mine');
});

it.skipIf(onWindows)('reports output of a program that is not UTF-8 (not on Windows: printf)', async () => {
  const { credentials, source } = open(
    'credential-provider = ["cargo:token-from-stdout", "printf", "\\\\377"]',
  );
  const error: unknown = await credentials.token(source, READ).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    cause: {
      message: 'failed to read from credential provider',
      cause: { message: 'stream did not contain valid UTF-8' },
    },
  });
});
