import { readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type HostileRegistry, startHostileRegistry } from '../helpers/hostile-registry.ts';
import { runProgram, type RunResult, tsregProgram } from '../helpers/program.ts';
import { onWindows } from '../helpers/system.ts';
import { makeTempDir, type TempDir } from '../helpers/temp-dir.ts';
import { writeTree } from '../helpers/tree.ts';

const program = tsregProgram();
const TOKEN = 'a-token-of-corp';

let temp: TempDir;
let corp: HostileRegistry;
let evil: HostileRegistry;
beforeEach(async () => {
  temp = makeTempDir('token-binding');
  [corp, evil] = [await startHostileRegistry(), await startHostileRegistry()];
  for (const each of [corp, evil]) {
    each.files.set('/config.json', JSON.stringify({ dl: each.url, api: each.url, 'auth-required': true }));
  }
  writeTree(temp.path, {
    'home/config.toml': `registry.global-credential-providers = ["cargo:token"]\nregistries.corp.index = "${corp.index}"\n`,
    'ws/Cargo.toml': '[package]\nname = "p"\nversion = "0.1.0"\nedition = "2021"\n',
    'ws/src/lib.rs': '',
  });
});
afterEach(async () => {
  await Promise.all([corp, evil].map((each) => each[Symbol.asyncDispose]()));
  temp.remove();
});

const bindings = (): string => path.join(temp.path, 'home', 'tsreg', 'token-bindings.json');
const credentials = (): string => path.join(temp.path, 'home', 'credentials.toml');

function run(
  args: readonly string[],
  more: Readonly<Record<string, string>> = {},
  input = '',
): Promise<RunResult> {
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: path.join(temp.path, 'user'),
    CARGO_HOME: path.join(temp.path, 'home'),
    ...more,
  };
  return runProgram(program, args, { cwd: path.join(temp.path, 'ws'), env, input });
}

const login = async (more: Readonly<Record<string, string>> = {}): Promise<void> => {
  expect(await run(['login', '--registry', 'corp'], more, `${TOKEN}\n`)).toMatchObject({ status: 0 });
  corp.tokens.length = 0;
};
const redirect = (): void =>
  writeTree(temp.path, { 'ws/.cargo/config.toml': `registries.corp.index = "${evil.index}"\n` });

const COMMANDS = [
  ['info', 'x', '--registry', 'corp'],
  ['search', 'x', '--registry', 'corp'],
  ['yank', 'x@1.0.0', '--registry', 'corp'],
  ['owner', '--list', 'x', '--registry', 'corp'],
  ['publish', '--registry', 'corp', '--no-verify', '--allow-dirty'],
];

describe('a token that `login` stored', () => {
  test('is sent to the index that it was stored for', async () => {
    await login();
    await run(['info', 'x', '--registry', 'corp']);
    expect(corp.tokens.map(([, token]) => token)).toContain(TOKEN);
  });

  test.each([{}, { TSREG_COMPAT: 'cargo' }])(
    'is not sent to another index with the same registry name, with %j',
    async (env) => {
      await login(env);
      redirect();
      for (const args of 'TSREG_COMPAT' in env ? COMMANDS.slice(0, 2) : COMMANDS) {
        const { status, stderr } = await run(args, env);
        expect(status, args[0]).toBe(101);
        expect(stderr).toContain(
          `the stored token is for \`${corp.index}\`, and tsreg does not send it to \`${evil.index}\``,
        );
        if (!('TSREG_COMPAT' in env))
          expect(stderr).toContain('`tsreg login --registry corp` to store a token for it');
        expect(stderr).not.toContain(TOKEN);
      }
      expect(evil.tokens).toEqual([]);
    },
  );

  test.each([{}, { CARGO_REGISTRIES_CORP_TOKEN: TOKEN }])(
    'is not sent to an index that an environment variable names, with %j',
    async (env) => {
      await login();
      const origin =
        'CARGO_REGISTRIES_CORP_TOKEN' in env
          ? 'environment variable `CARGO_REGISTRIES_CORP_TOKEN`'
          : credentials();
      const { status, stderr } = await run(['info', 'x', '--registry', 'corp'], {
        CARGO_REGISTRIES_CORP_INDEX: evil.index,
        ...env,
      });
      expect(stderr).toContain(
        '\nhelp: the index came from environment variable `CARGO_REGISTRIES_CORP_INDEX`, and the token from ' +
          `${origin}; if this index is right, run \`tsreg login --registry corp\` to store a token for it\n`,
      );
      expect(status).toBe(101);
      expect(evil.tokens).toEqual([]);
    },
  );

  test('can be stored for the other index as well', async () => {
    await login();
    redirect();
    await login();
    await run(['info', 'x', '--registry', 'corp']);
    expect(evil.tokens.map(([, token]) => token)).toContain(TOKEN);
    writeFileSync(path.join(temp.path, 'ws', '.cargo', 'config.toml'), '');
    await run(['info', 'x', '--registry', 'corp']);
    expect(corp.tokens.map(([, token]) => token)).toContain(TOKEN);
  });

  test('is stored only in the credentials file, in the format of cargo', async () => {
    await login();
    expect(readFileSync(credentials(), 'utf8')).toBe(`[registries.corp]\ntoken = "${TOKEN}"\n`);
    const text = readFileSync(bindings(), 'utf8');
    expect(text).not.toContain(TOKEN);
    expect(JSON.parse(text)).toMatchObject({ version: 1, tokens: [{ index: corp.index }] });
    if (!onWindows) expect(statSync(bindings()).mode & 0o777).toBe(0o600);
  });

  test('loses its binding when `logout` removes it', async () => {
    await login();
    expect((await run(['logout', '--registry', 'corp'])).status).toBe(0);
    expect(JSON.parse(readFileSync(bindings(), 'utf8'))).toEqual({ version: 1, tokens: [] });
  });

  test('is not used if the file of the bindings is invalid', async () => {
    await login();
    writeFileSync(bindings(), '{');
    const { status, stderr } = await run(['info', 'x', '--registry', 'corp']);
    expect(status).toBe(101);
    expect(stderr).toContain('does not say which index each token is for');
    expect(corp.tokens).toEqual([]);
  });
});

test('a token that cargo stored afterwards is sent to any index of that name', async () => {
  await login();
  writeFileSync(credentials(), '[registries.corp]\ntoken = "stored-by-cargo"\n');
  redirect();
  await run(['info', 'x', '--registry', 'corp']);
  expect(evil.tokens.map(([, token]) => token)).toContain('stored-by-cargo');
});
