import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { PublishDocument } from '../../src/commands/publish/result.ts';
import { listen } from '../helpers/listen.ts';
import { tsregProgram } from '../helpers/program.ts';
import { Publisher } from '../helpers/publishing.ts';
import { onWindows } from '../helpers/system.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';

// Tests with a registry whose responses are odd, late or missing. tsreg must report only what is certain.

/** How the registry handles an upload. */
interface Behaviour {
  /** Whether to add the version to the index. A number is a delay in milliseconds. */
  readonly stores: boolean | number;
  /** Replaces the right checksum in the index. */
  readonly checksum?: string;
  readonly answer: (response: ServerResponse, attempt: number) => void;
}

const temp = makeTempDir('publish-faults');
const index = new Map<string, string>();
let behaviours = new Map<string, Behaviour>();
let uploads: string[] = [];
let cutRequestAt: number | null = null;
let api: string | null = null;
/** The number of responses with 429 to requests for packages in the index. */
let busyIndexResponses = 0;
let made = 0;
let base = '';

const accepted = (response: ServerResponse): void => void response.end('{}');
const stored: Behaviour = { stores: true, answer: accepted };

function pathOf(name: string): string {
  return `${name.slice(0, 2)}/${name.slice(2, 4)}/${name}`;
}

function receive(body: Buffer, response: ServerResponse): void {
  const jsonLength = body.readUInt32LE(0);
  const { name, vers }: { name: string; vers: string } = JSON.parse(
    body.subarray(4, 4 + jsonLength).toString(),
  );
  const archive = body.subarray(8 + jsonLength);
  const behaviour = behaviours.get(name) ?? stored;
  uploads.push(name);
  const cksum = behaviour.checksum ?? createHash('sha256').update(archive).digest('hex');
  const line = JSON.stringify({ name, vers, deps: [], features: {}, cksum, yanked: false });
  const store = (): void => void index.set(pathOf(name), `${line}\n`);
  if (behaviour.stores === true) store();
  if (typeof behaviour.stores === 'number') setTimeout(store, behaviour.stores);
  behaviour.answer(response, uploads.filter((each) => each === name).length);
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = request.url ?? '';
  if (request.method === 'PUT') {
    const chunks: Buffer[] = [];
    let received = 0;
    for await (const chunk of request) {
      chunks.push(chunk);
      received += chunk.length;
      if (cutRequestAt !== null && received >= cutRequestAt) {
        request.socket.destroy();
        return;
      }
    }
    receive(Buffer.concat(chunks), response);
  } else if (url === '/index/config.json') {
    response.end(JSON.stringify({ dl: `${base}/dl`, api: api ?? base }));
  } else {
    const line = index.get(url.slice('/index/'.length));
    if (line !== undefined && busyIndexResponses > 0) {
      busyIndexResponses -= 1;
      response.writeHead(429, { 'retry-after': '1' });
      response.end();
      return;
    }
    response.statusCode = line === undefined ? 404 : 200;
    response.end(line);
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
  index.clear();
  behaviours = new Map();
  uploads = [];
  cutRequestAt = null;
  api = null;
  busyIndexResponses = 0;
});

function publisher(): Publisher {
  made += 1;
  const user = new Publisher(path.join(temp.path, String(made)), `sparse+${base}/index/`, {
    CARGO_REGISTRIES_OWN_TOKEN: 'token-of-a-test',
  });
  user.write([{ name: 'first' }, { name: 'second', needs: ['first'] }]);
  return user;
}

function states(stdout: string): Record<string, string> {
  const document: PublishDocument = JSON.parse(stdout);
  return Object.fromEntries(document.packages.map(({ name, state }) => [name, state]));
}

const ANSWER = 'HTTP/1.1 200 OK\r\nContent-Length: 15\r\n\r\n{"warnings":{}}';

const RESUME = 'run the command again with `--skip-published`';

/** Returns a handler that sends the first bytes of a response and closes the connection. */
const cut =
  (bytes: number) =>
  (response: ServerResponse): void => {
    response.socket?.end(ANSWER.slice(0, bytes));
  };

describe('a lost response', () => {
  it.each([0, 12, 40, 41, ANSWER.length - 1])(
    'cut after %d bytes counts as published if the package was stored',
    async (bytes) => {
      behaviours.set('first', { stores: true, answer: cut(bytes) });
      const { status, stdout, stderr } = await publisher().publish(['--workspace', '--json', '--wait', '1s']);
      expect(status, stderr).toBe(0);
      expect(states(stdout)).toEqual({ first: 'published', second: 'published' });
      expect(stderr).toContain('checking the index for first v0.1.0');
      expect(uploads).toEqual(['first', 'second']);
    },
  );

  it('counts as published once a lagging index has the package', async () => {
    behaviours.set('first', { stores: 1500, answer: cut(0) });
    const { status, stdout, stderr } = await publisher().publish(['--workspace', '--json', '--wait', '8s']);
    expect(status, stderr).toBe(0);
    expect(states(stdout)).toEqual({ first: 'published', second: 'published' });
    expect(uploads).toEqual(['first', 'second']);
  });

  it.each([0, 41])(
    'cut after %d bytes is reported as unknown if the package was not stored',
    async (bytes) => {
      behaviours.set('first', { stores: false, answer: cut(bytes) });
      const user = publisher();
      const { status, stdout, stderr } = await user.publish(['--workspace', '--json', '--wait', '0']);
      expect(status).toBe(101);
      expect(states(stdout)).toEqual({ first: 'unknown', second: 'not-published' });
      expect(stderr).toContain('the outcome is unknown: first v0.1.0');
      expect(stderr.split(RESUME)).toHaveLength(2);
      expect(stderr).toContain('failed to publish first v0.1.0');
      expect(stderr).toContain('note: the following crates have not been published yet:\n  second v0.1.0');
      behaviours.clear();
      const again = await user.publish(['--workspace', '--json', '--skip-published']);
      expect(states(again.stdout)).toEqual({ first: 'published', second: 'published' });
    },
  );

  it('leads to another upload with --max-wait if the index has no entry', async () => {
    behaviours.set('first', {
      stores: false,
      answer: (response, attempt) => {
        if (attempt === 1) cut(0)(response);
        else {
          behaviours.set('first', stored);
          index.set(pathOf('first'), '');
          response.statusCode = 500;
          response.end('busy');
        }
      },
    });
    const { status, stderr } = await publisher().publish(['-p', 'first', '--wait', '0', '--max-wait', '3s']);
    expect(uploads).toEqual(['first', 'first']);
    expect([status, stderr]).toEqual([101, expect.stringContaining('sending first v0.1.0 again')]);
  });

  it('stays unknown if the next attempt cannot connect', async () => {
    const once = createServer((request) => {
      request.resume().once('end', () => {
        uploads.push('first');
        once.close();
        once.closeAllConnections();
      });
    });
    api = `http://127.0.0.1:${await listen(once)}`;
    const flags = ['-p', 'first', '--json', '--wait', '0', '--max-wait', '3s'];
    const { status, stdout, stderr } = await publisher().publish(flags);
    expect([status, states(stdout)]).toEqual([101, { first: 'unknown' }]);
    expect(stderr).toContain('the outcome is unknown: first v0.1.0');
    expect(uploads).toEqual(['first']);
  });

  it('does not hide that the index has the version with another checksum', async () => {
    behaviours.set('first', { stores: true, checksum: 'f'.repeat(64), answer: cut(0) });
    const { status, stdout, stderr } = await publisher().publish(['-p', 'first', '--json', '--wait', '1s']);
    expect(status).toBe(101);
    expect(states(stdout)).toEqual({ first: 'refused' });
    expect(stderr).toMatch(/with the checksum f{64}, but tsreg sent [0-9a-f]{64}/);
  });
});

describe('a yanked version in the index', () => {
  it('is not uploaded again', async () => {
    const user = publisher();
    await user.publish(['-p', 'first', '--wait', '0']);
    const line = index.get(pathOf('first'))?.replace('"yanked":false', '"yanked":true') ?? '';
    index.set(pathOf('first'), line);
    uploads = [];
    const { status, stdout, stderr } = await user.publish(['-p', 'first', '--json']);
    expect([status, stdout]).toEqual([101, '']);
    expect(stderr).toContain('error: crate first@0.1.0 already exists on ');
    expect(uploads).toEqual([]);
  });
});

describe('the refusal of an existing version', () => {
  const duplicate = (response: ServerResponse): void => {
    response.statusCode = 400;
    response.end(JSON.stringify({ errors: [{ detail: 'crate version `0.1.0` is already uploaded' }] }));
  };

  it('is no failure with --skip-published once a lagging index shows the same package', async () => {
    behaviours.set('first', { stores: 1200, answer: duplicate });
    const { status, stdout, stderr } = await publisher().publish([
      '--workspace',
      '--json',
      '--skip-published',
    ]);
    expect(status, stderr).toBe(0);
    expect(states(stdout)).toEqual({ first: 'published', second: 'published' });
  });

  it('is a failure without --skip-published', async () => {
    behaviours.set('first', { stores: true, answer: duplicate });
    const { status, stdout, stderr } = await publisher().publish(['--workspace', '--json']);
    expect([status, states(stdout)]).toEqual([101, { first: 'refused', second: 'not-published' }]);
    expect(stderr).toContain('is already uploaded');
  });

  it('leaves the outcome unknown after a lost response', async () => {
    behaviours.set('first', {
      stores: false,
      answer: (response, attempt) => (attempt === 1 ? cut(0) : duplicate)(response),
    });
    const flags = ['--workspace', '--json', '--wait', '0', '--max-wait', '1s'];
    const { status, stdout } = await publisher().publish(flags);
    expect([status, states(stdout)]).toEqual([101, { first: 'unknown', second: 'not-published' }]);
    expect(uploads).toEqual(['first', 'first']);
  });
});

describe('an unreachable web API', () => {
  it('leaves packages unpublished without a query of the index', async () => {
    const user = publisher();
    api = 'http://127.0.0.1:1';
    const { status, stdout, stderr } = await user.publish(['--workspace', '--json']);
    expect([status, states(stdout)]).toEqual([101, { first: 'not-published', second: 'not-published' }]);
    expect(stderr).not.toContain('checking the index');
    expect(stderr).not.toContain(RESUME);
  });
});

it('sends nothing to a web API whose address is not a URL', async () => {
  api = 'nope';
  const { status, stdout, stderr } = await publisher().publish(['-p', 'first', '--json']);
  expect([status, stderr]).toEqual([101, expect.stringContaining('invalid format')]);
  expect(states(stdout)).toEqual({ first: 'not-published' });
});

it('writes no file if the registry names a folder as its web API', async () => {
  const folder = path.join(temp.path, 'api');
  mkdirSync(path.join(folder, 'api', 'v1', 'crates'), { recursive: true });
  api = pathToFileURL(folder).href;
  const { status, stdout, stderr } = await publisher().publish(['-p', 'first', '--json']);
  expect([status, stderr]).toEqual([101, expect.stringContaining('Protocol "file" is disabled')]);
  expect(states(stdout)).toEqual({ first: 'not-published' });
  expect(readdirSync(path.join(folder, 'api', 'v1', 'crates'))).toEqual([]);
});

describe('an incomplete upload', () => {
  it.each([1, 100])(
    'cut after %d bytes is reported as unknown, and a second run publishes it',
    async (bytes) => {
      cutRequestAt = bytes;
      const user = publisher();
      const { status, stdout } = await user.publish(['--workspace', '--json', '--wait', '0']);
      expect([status, states(stdout)]).toEqual([101, { first: 'unknown', second: 'not-published' }]);
      cutRequestAt = null;
      const again = await user.publish(['--workspace', '--json', '--skip-published']);
      expect(states(again.stdout)).toEqual({ first: 'published', second: 'published' });
    },
  );
});

describe('an unexpected response', () => {
  it.each([
    ['no JSON', 200, 'thank you'],
    ['a failure of the server', 500, 'oops'],
    ['a failure on the way', 502, '<html>'],
  ])('(%s) counts as published if the package was stored', async (_, status, body) => {
    behaviours.set('first', {
      stores: true,
      answer: (response) => {
        response.statusCode = status;
        response.end(body);
      },
    });
    const run = await publisher().publish(['--workspace', '--json', '--wait', '1s']);
    expect([run.status, states(run.stdout)]).toEqual([0, { first: 'published', second: 'published' }]);
  });

  it('that refuses a package is final', async () => {
    const detail = 'no \u001b[31mthanks';
    behaviours.set('second', {
      stores: false,
      answer: (response) => {
        response.statusCode = 400;
        response.end(JSON.stringify({ errors: [{ detail }] }));
      },
    });
    const { status, stdout, stderr } = await publisher().publish(['--workspace', '--json']);
    expect([status, states(stdout)]).toEqual([101, { first: 'published', second: 'refused' }]);
    expect(stderr).toContain('note: published: first v0.1.0\n      refused by the registry: second v0.1.0\n');
    expect(stderr).toContain('no thanks');
    expect(stderr).toContain(RESUME);
    const document: PublishDocument = JSON.parse(stdout);
    expect(document.error).toBe(
      `failed to publish second v0.1.0 to registry at ${base}\n` +
        'the remote server responded with an error (status 400 Bad Request): no thanks',
    );
    index.delete(pathOf('first'));
    const quiet = await publisher().publish(['--workspace', '-q']);
    expect(quiet.stderr).toContain(RESUME);
    expect(stderr).not.toContain('\u001b');
  });

  it('with status 200 and nothing stored stops the dependent packages', async () => {
    behaviours.set('first', { stores: false, answer: accepted });
    const user = publisher();
    const { status, stdout, stderr } = await user.publish(['--workspace', '--json', '--wait', '1s']);
    expect([status, states(stdout)]).toEqual([101, { first: 'uploaded', second: 'not-published' }]);
    expect(stderr).toContain('warning: timed out waiting for first v0.1.0 to be available in registry `own`');
    expect(stderr).toContain('unable to publish second v0.1.0 due to a timeout');
    expect(stderr).toContain(
      `help: pass a longer \`--wait\`; wait until the index has first v0.1.0, then ${RESUME}`,
    );
    behaviours.clear();
    const again = await user.publish(['--workspace', '--json', '--skip-published']);
    expect(states(again.stdout)).toEqual({ first: 'published', second: 'published' });
  });

  it('with status 429 leads to a retry with --max-wait', async () => {
    behaviours.set('first', {
      stores: false,
      answer: (response) => {
        behaviours.set('first', stored);
        response.writeHead(429, { 'retry-after': '1' });
        response.end(JSON.stringify({ errors: [{ detail: 'slow down' }] }));
      },
    });
    const { status, stdout, stderr } = await publisher().publish([
      '--workspace',
      '--json',
      '--max-wait',
      '10s',
    ]);
    expect(status, stderr).toBe(0);
    expect(states(stdout)).toEqual({ first: 'published', second: 'published' });
    expect(stderr).toContain('slow down');
  });

  it('with status 429 for a dependency in the index leads to a retry with --max-wait', async () => {
    const user = publisher();
    const first = await user.publish(['-p', 'first']);
    expect(first.status, first.stderr).toBe(0);
    busyIndexResponses = 1;
    const second = await user.publish(['-p', 'second', '--max-wait', '10s']);
    expect([second.status, busyIndexResponses], second.stderr).toEqual([0, 0]);
    expect(second.stderr).not.toContain('spurious network error');
  });

  it.each([
    ['was stored all the same, is not sent again', true, ['first']],
    ['was not stored, is sent again', false, ['first', 'first']],
  ])('with status 503 and no message, for a package that %s', async (_, stores, sent) => {
    behaviours.set('first', {
      stores,
      answer: (response) => {
        behaviours.set('first', stored);
        response.writeHead(503, { 'retry-after': '1' });
        response.end('<html>');
      },
    });
    const run = await publisher().publish(['-p', 'first', '--json', '--max-wait', '10s']);
    expect([run.status, states(run.stdout)], run.stderr).toEqual([0, { first: 'published' }]);
    expect(uploads).toEqual(sent);
  });

  it('with a longer wait than --max-wait leads to no retry', async () => {
    behaviours.set('first', {
      stores: false,
      answer: (response) => {
        response.writeHead(503, { 'retry-after': '100' });
        response.end('<html>');
      },
    });
    const flags = ['-p', 'first', '--json', '--wait', '0', '--max-wait', '5s'];
    const { status, stdout, stderr } = await publisher().publish(flags);
    expect([status, states(stdout)]).toEqual([101, { first: 'unknown' }]);
    expect(stderr).toContain(
      'the registry asks for a wait of 1 minute 40 seconds, but `--max-wait` leaves only 5 seconds',
    );
    expect(uploads).toEqual(['first']);
  });

  it('with status 503 counts as published if the index confirms the duplicate of the retry', async () => {
    behaviours.set('first', {
      stores: 1200,
      answer: (response) => {
        behaviours.set('first', {
          stores: false,
          answer: (again) => {
            again.writeHead(409);
            again.end('{"errors":[{"detail":"it is already uploaded"}]}');
          },
        });
        response.writeHead(503, { 'retry-after': '0' });
        response.end('busy');
      },
    });
    const run = await publisher().publish(['-p', 'first', '--json', '--max-wait', '10s']);
    expect([run.status, states(run.stdout)], run.stderr).toEqual([0, { first: 'published' }]);
    expect(uploads).toEqual(['first', 'first']);
  });

  it('of the index during the wait leads to another query', async () => {
    behaviours.set('first', {
      stores: true,
      answer: (response) => {
        const line = index.get(pathOf('first')) ?? '';
        index.set(pathOf('first'), 'no line of an index\n');
        setTimeout(() => index.set(pathOf('first'), line), 1200);
        response.end('{}');
      },
    });
    const { status, stdout, stderr } = await publisher().publish(['--workspace', '--json']);
    expect(status, stderr).toBe(0);
    expect(states(stdout)).toEqual({ first: 'published', second: 'published' });
  });
});

describe('--wait 0', () => {
  it('waits for nothing and uploads dependent packages at once', async () => {
    for (const name of ['first', 'second']) behaviours.set(name, { stores: false, answer: accepted });
    const { status, stdout, stderr } = await publisher().publish(['--workspace', '--json', '--wait', '0']);
    expect(status, stderr).toBe(0);
    expect(states(stdout)).toEqual({ first: 'uploaded', second: 'uploaded' });
    expect(stderr).not.toContain('waiting');
  });
});

describe('an interruption', () => {
  it.skipIf(onWindows).each([
    [
      'while it waits',
      accepted,
      'waiting for first',
      'uploaded, but not in the index yet: first v0.1.0',
      'uploaded',
    ],
    [
      'while it sends',
      () => {},
      'Uploading first',
      'sent, but the outcome is unknown: first v0.1.0',
      'unknown',
    ],
    [
      'while it looks for what was sent',
      cut(0),
      'checking the index',
      'sent, but the outcome is unknown: first v0.1.0',
      'unknown',
    ],
    [
      'while a busy registry lets it wait',
      (response: ServerResponse) => void response.writeHead(429, { 'retry-after': '30' }).end(),
      'Waiting 30 seconds',
      'refused by the registry: first v0.1.0',
      'refused',
    ],
  ])(
    '%s reports the state of each package (not on Windows, which has no SIGINT to send)',
    async (_, reply, moment, words, state) => {
      behaviours.set('first', { stores: false, answer: reply });
      const user = publisher();
      const [file, ...first] = tsregProgram().command;
      const args = [
        'publish',
        '--registry',
        'own',
        '--no-verify',
        '--workspace',
        '--json',
        '--max-wait',
        '1m',
      ];
      const child = spawn(file, [...first, ...args], { cwd: user.workspace, env: { ...user.env } });
      let stderr = '';
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        stderr += text;
      });
      let stdout = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        stdout += text;
      });
      const exited = once(child, 'close');
      await expect.poll(() => stderr, { timeout: 10_000 }).toContain(moment);
      await sleep(300);
      child.kill('SIGINT');
      expect(await exited).toEqual([null, 'SIGINT']);
      expect(stderr).toContain(words);
      expect(stderr).toContain('not published: second v0.1.0');
      expect(stderr.includes(RESUME)).toBe(state !== 'refused');
      expect(states(stdout)).toEqual({ first: state, second: 'not-published' });
    },
  );
});
