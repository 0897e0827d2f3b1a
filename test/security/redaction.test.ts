import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hideSecret } from '../../src/core/protocol/hide-secret.ts';
import { runProgram, type RunResult, tsregProgram } from '../helpers/program.ts';
import { headerOf, type RecordingServer, startRecordingServer } from '../helpers/recording-server.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';

describe('hideSecret', () => {
  it.each([
    ['hides a token of eight characters', 'you sent 12345678 now', '12345678', 'you sent REDACTED now'],
    ['shows a token of seven characters', 'you sent 1234567 now', '1234567', 'you sent 1234567 now'],
    ['leaves text alone for a token of one character', 'a bad answer', 'a', 'a bad answer'],
    ['leaves text alone for an empty token', 'a bad answer', '', 'a bad answer'],
    ['leaves text alone without a token', 'a bad answer', null, 'a bad answer'],
    ['hides every occurrence', 'secret-1,secret-1', 'secret-1', 'REDACTED,REDACTED'],
    ['hides what follows the scheme', 'unknown token secret-1', 'Bearer secret-1', 'unknown token REDACTED'],
    ['hides a token that ends with white space', 'you sent secret-1', 'secret-1 \t', 'you sent REDACTED'],
    ['hides what follows a tab', 'unknown token secret-1', 'Bearer\tsecret-1', 'unknown token REDACTED'],
    ['hides a token that looks like a pattern', 'x $&$&$&$& x', '$&$&$&$&', 'x REDACTED x'],
    [
      'hides a token that escape sequences divide',
      'you sent sec\u001b[0mret\u200b-1 now',
      'secret-1',
      'you sent REDACTED now',
    ],
    ['keeps other text that is not printed', 'a\u001b[0mb', 'secret-1', 'a\u001b[0mb'],
  ])('%s', (_, text, secret, shown) => {
    expect(hideSecret(text, secret)).toBe(shown);
  });
});

describe('a registry that repeats the token in its refusal', () => {
  const temp = makeTempDir('redaction');
  let server: RecordingServer;
  beforeAll(async () => {
    server = await startRecordingServer();
    server.restart((request) => {
      const sent = headerOf(request, 'authorization');
      const words = sent === null ? 'nothing was sent' : `a token was sent: ${sent}`;
      return { status: 401, body: Buffer.from(words, 'latin1') };
    });
    writeFileSync(
      path.join(temp.path, 'config.toml'),
      'registry.global-credential-providers = ["cargo:token"]\nnet.retry = 0\n' +
        `registries.peer.index = "sparse+${server.url}/index/"\n`,
    );
  });
  afterAll(async () => {
    await server.close();
    temp.remove();
  });

  async function search(token: string, env: Readonly<Record<string, string>> = {}): Promise<RunResult> {
    server.requests.length = 0;
    return await runProgram(tsregProgram(), ['search', 'x', '--registry', 'peer'], {
      cwd: temp.path,
      env: {
        PATH: process.env['PATH'] ?? '',
        CARGO_HOME: temp.path,
        CARGO_REGISTRIES_PEER_TOKEN: token,
        ...env,
      },
    });
  }
  const sent = (): readonly (string | null)[] =>
    server.requests.map((request) => headerOf(request, 'authorization'));

  it('has its message shown unchanged for a token of one character', async () => {
    expect((await search('a')).stderr).toContain('  a token was sent: a\n');
  });

  it('has a longer token hidden in its message', async () => {
    const { stderr } = await search('Bearer marked-token-01');
    expect(stderr).toContain('  a token was sent: REDACTED\n');
    expect(stderr).not.toContain('marked');
  });

  it.each(['', 'tök en'])('is not sent the invalid token `%s`', async (token) => {
    const { stderr } = await search(token);
    expect(stderr).toMatch(/non-empty token|invalid characters/);
    expect(stderr).toContain(
      '\nhelp: the token came from environment variable `CARGO_REGISTRIES_PEER_TOKEN`\n',
    );
    expect(sent()).toEqual([null]);
  });

  it('gets a second request without the empty token in compatibility mode', async () => {
    const { status, stderr } = await search('', { TSREG_COMPAT: 'cargo' });
    expect(status).toBe(101);
    expect(stderr).toContain('  token rejected for `peer`, please run `cargo login --registry peer`\n');
    expect(stderr).toContain('\n  nothing was sent\n');
    expect(sent()).toEqual([null, null]);
  });

  it('is not sent a token that is not ASCII in compatibility mode', async () => {
    const { status, stderr } = await search('tök en', { TSREG_COMPAT: 'cargo' });
    expect(status).toBe(101);
    expect(stderr).toContain('  failed to convert header value of `authorization` to string\n');
    expect(sent()).toEqual([null]);
  });

  it.each(['a\r\nx: y', 'a\nx: y', 'a\u0001b'])(
    'is not sent a token with line breaks or control characters: %j',
    async (token) => {
      const { stderr } = await search(token, { TSREG_COMPAT: 'cargo' });
      expect(stderr).toContain('\n  failed to parse header value\n');
      expect(sent()).toEqual([null]);
    },
  );
});
