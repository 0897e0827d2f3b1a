import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { listen } from '../helpers/listen.ts';
import { tsregProgram } from '../helpers/program.ts';
import { Publisher } from '../helpers/publishing.ts';
import { onWindows } from '../helpers/system.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';

// Tests with a registry that exchanges identities like crates.io, and a CI system that issues them.

const temp = makeTempDir('trusted-publishing');
const IDENTITY = 'header.claims.signature';
const TOKEN = 'short-lived-token';
/** Method, path and authorization of every request outside the index, and the body of an exchange. */
let requests: string[] = [];
let refusal: { readonly status: number; readonly body: string; readonly once?: boolean } | null = null;
let revocation = 204;
let given = TOKEN;
let exchanged: string | null = null;
let upload: (response: ServerResponse) => void;
let made = 0;
let base = '';

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { url = '', method = '', headers } = request;
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  if (url === '/index/config.json') {
    response.end(JSON.stringify({ dl: `${base}/dl`, api: base }));
    return;
  }
  if (url.startsWith('/index/')) {
    response.statusCode = 404;
    response.end();
    return;
  }
  const isExchange = method === 'POST';
  requests.push(
    [method, url, headers.authorization ?? '', isExchange ? Buffer.concat(chunks).toString() : '']
      .join(' ')
      .trim(),
  );
  if (url.startsWith('/identity')) response.end(JSON.stringify({ value: IDENTITY, count: 1 }));
  else if (method === 'PUT') upload(response);
  else if (method === 'DELETE') {
    response.statusCode = revocation;
    response.end();
  } else if (refusal === null) response.end(exchanged ?? JSON.stringify({ token: given }));
  else {
    response.statusCode = refusal.status;
    response.end(refusal.body);
    if (refusal.once === true) refusal = null;
  }
}

const server = createServer((request, response) => {
  answer(request, response).catch(() => response.destroy());
});

beforeAll(async () => {
  base = `http://127.0.0.1:${await listen(server)}`;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
  temp.remove();
});

beforeEach(() => {
  requests = [];
  refusal = null;
  revocation = 204;
  given = TOKEN;
  exchanged = null;
  upload = (response) => response.end('{}');
});

function publisher(): Publisher {
  made += 1;
  const user = new Publisher(path.join(temp.path, String(made)), `sparse+${base}/index/`);
  user.write([{ name: 'job' }]);
  return user;
}

const FLAGS = ['--trusted-publishing', '--wait', '0', '-p', 'job'];
const TOKENS = '/api/v1/trusted_publishing/tokens';
const EXCHANGE = `POST ${TOKENS}  {"jwt":"${IDENTITY}"}`;
const UPLOAD = `PUT /api/v1/crates/new ${TOKEN}`;
const REVOKE = `DELETE ${TOKENS} Bearer ${TOKEN}`;

describe('publish --trusted-publishing', () => {
  it('gets an identity from GitHub Actions, exchanges it and revokes the token', async () => {
    const { status, stderr } = await publisher().publish(FLAGS, {
      ACTIONS_ID_TOKEN_REQUEST_URL: `${base}/identity?api-version=2.0`,
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'of-the-runner',
      GITHUB_ACTIONS: 'true',
    });
    expect(status, stderr).toBe(0);
    const audience = encodeURIComponent(new URL(base).host);
    const identity = `GET /identity?api-version=2.0&audience=${audience} bearer of-the-runner`;
    expect(requests).toEqual([identity, EXCHANGE, UPLOAD, REVOKE]);
    expect(stderr).not.toMatch(new RegExp(`${IDENTITY}|${TOKEN}|of-the-runner`));
  });

  it.each(['CARGO_REGISTRY_ID_TOKEN', 'CRATES_IO_ID_TOKEN'])('reads the identity from %s', async (name) => {
    const { status, stderr } = await publisher().publish(FLAGS, { [name]: IDENTITY, GITLAB_CI: 'true' });
    expect(status, stderr).toBe(0);
    expect(requests).toEqual([EXCHANGE, UPLOAD, REVOKE]);
  });

  it('waits for a busy registry with --max-wait and gets a new identity', async () => {
    refusal = { status: 429, body: '{"errors":[{"detail":"slow down"}]}', once: true };
    const env = {
      ACTIONS_ID_TOKEN_REQUEST_URL: `${base}/identity`,
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'of-the-runner',
      GITHUB_ACTIONS: 'true',
    };
    const { status, stderr } = await publisher().publish([...FLAGS, '--max-wait', '10s'], env);
    expect([status, stderr]).toEqual([0, expect.stringContaining('Waiting 1 second for the registry')]);
    const identity = expect.stringMatching(/^GET \/identity\?audience=/);
    expect(requests).toEqual([identity, EXCHANGE, identity, EXCHANGE, UPLOAD, REVOKE]);
  });

  it('cannot be combined with --token', async () => {
    const args = [...FLAGS, '--token', 'of-somebody'];
    const { status, stderr } = await publisher().publish(args, { CARGO_REGISTRY_ID_TOKEN: IDENTITY });
    expect([status, stderr]).toEqual([101, expect.stringContaining("cannot be used with '--token <TOKEN>'")]);
    expect(requests).toEqual([]);
  });

  it('revokes the token after a failure', async () => {
    upload = (response) => {
      response.statusCode = 403;
      response.end(JSON.stringify({ errors: [{ detail: `not with ${TOKEN}` }] }));
    };
    const { status, stderr } = await publisher().publish(FLAGS, { CARGO_REGISTRY_ID_TOKEN: IDENTITY });
    expect([status, stderr]).toEqual([101, expect.stringContaining('not with REDACTED')]);
    expect(stderr).toContain('\nhelp: the refused token came from trusted publishing\n');
    expect(requests).toEqual([EXCHANGE, UPLOAD, REVOKE]);
  });

  it.skipIf(onWindows)(
    'revokes the token when it is interrupted (not on Windows, which has no SIGINT to send)',
    async () => {
      upload = () => {};
      const user = publisher();
      const [file, ...first] = tsregProgram().command;
      const args = ['publish', '--registry', 'own', '--no-verify', ...FLAGS];
      const env = { ...user.env, CARGO_REGISTRY_ID_TOKEN: IDENTITY };
      const child = spawn(file, [...first, ...args], { cwd: user.workspace, env, stdio: 'ignore' });
      const exited = once(child, 'exit');
      await expect.poll(() => requests, { timeout: 10_000 }).toContain(UPLOAD);
      child.kill('SIGINT');
      expect(await exited).toEqual([null, 'SIGINT']);
      expect(requests).toEqual([EXCHANGE, UPLOAD, REVOKE]);
    },
  );

  it('sends no token that contains a line break', async () => {
    given = 'a\r\nX-More: b';
    const { status, stderr } = await publisher().publish(FLAGS, { CARGO_REGISTRY_ID_TOKEN: IDENTITY });
    expect([status, stderr]).toEqual([101, expect.stringContaining('token contains invalid characters')]);
    expect(stderr).not.toContain('Exchanged');
    expect(requests).toEqual([EXCHANGE]);
  });

  it('shows nothing of an unreadable response', async () => {
    exchanged = `{"token":${TOKEN}}`;
    const { status, stderr } = await publisher().publish(FLAGS, { CARGO_REGISTRY_ID_TOKEN: IDENTITY });
    expect([status, stderr]).toEqual([
      101,
      expect.stringContaining('the response of the registry has no token'),
    ]);
    expect(stderr).not.toContain(TOKEN.slice(0, 8));
  });

  it('warns if the token cannot be revoked', async () => {
    revocation = 500;
    const { status, stderr } = await publisher().publish(FLAGS, { CARGO_REGISTRY_ID_TOKEN: IDENTITY });
    expect([status, stderr]).toEqual([
      0,
      expect.stringContaining('warning: the token of this job could not be revoked, but it expires soon'),
    ]);
  });

  it.each([
    [
      400,
      '{"errors":[{"detail":"No Trusted Publishing config found for repository `o/r`."}]}',
      /did not accept the identity of this job\n\nCaused by:\n.*No Trusted Publishing config found/,
    ],
    [404, 'not found', /this registry does not support trusted publishing/],
    [200, '{"tokens":1}', /the response of the registry has no token/],
    [200, 'thanks', /trusted publishing failed at http/],
  ])('explains a missing token after %d with %s', async (status, body, words) => {
    refusal = { status, body };
    const run = await publisher().publish(FLAGS, { CARGO_REGISTRY_ID_TOKEN: IDENTITY });
    expect([run.status, run.stderr]).toEqual([101, expect.stringMatching(words)]);
    expect(requests).toEqual([EXCHANGE]);
    expect(run.stderr).not.toContain(IDENTITY);
  });

  it('requests no token in a dry run', async () => {
    const { status, stderr } = await publisher().publish([...FLAGS, '--dry-run']);
    expect(status, stderr).toBe(0);
    expect(requests).toEqual([]);
  });
});
