import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import https from 'node:https';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore } from '../../src/server/admin/open-store.ts';
import { type RunResult, runProgram, tsregProgram, withoutRootRights } from '../helpers/program.ts';
import { publishBody } from '../helpers/publish-body.ts';
import { serveEnv, type ServedRegistry, serveRegistry } from '../helpers/served-registry.ts';
import { onWindows } from '../helpers/system.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';
import { RECORDS_ARE_ELSEWHERE, testLocation } from '../helpers/test-location.ts';
import { blobKeys, changeBlob, FOLDER_IS_ELSEWHERE } from '../helpers/test-storage.ts';
import { AUTHORITY, SERVER_CERTIFICATE, SERVER_KEY } from '../io/http/certificates.ts';

const temp = makeTempDir('serve-commands');
const data = path.join(temp.path, 'data');
let registry: ServedRegistry;
let token = '';

/** The entries of a data folder, except those that a database or an object store replaces. */
const HALVES = [
  ...(RECORDS_ARE_ELSEWHERE === null ? ['registry.db'] : []),
  ...(FOLDER_IS_ELSEWHERE === null ? ['crates'] : []),
];
const IN_FOLDER = HALVES.length === 0 ? [] : ['.', ...HALVES];

const serve = async (args: readonly string[], input?: string): Promise<RunResult> =>
  runProgram(tsregProgram(), ['serve', ...args], {
    cwd: temp.path,
    env: { PATH: process.env['PATH'] ?? '', HOME: temp.path, ...(await serveEnv(args)) },
    ...(input === undefined ? {} : { input }),
  });

async function publish(name: string, version: string): Promise<Response> {
  const { bytes } = publishBody({ name, version });
  const headers = { authorization: token };
  return fetch(`${registry.url}/api/v1/crates/new`, { method: 'PUT', headers, body: new Uint8Array(bytes) });
}

const get = (file: string): Promise<Response> => fetch(`${registry.url}${file}`);

beforeAll(async () => {
  registry = await serveRegistry(data);
  token = await registry.token('alice');
  for (const name of ['first', 'second']) expect((await publish(name, '1.0.0')).status).toBe(200);
});

afterAll(async () => {
  await registry[Symbol.asyncDispose]();
  temp.remove();
});

describe('tsreg serve', () => {
  it('prints the URL, the index and the data folder of the registry', () => {
    expect(registry.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(registry.index).toBe(`sparse+${registry.url}/index/`);
    expect(registry.data).toBe(data);
  });

  it.each([
    [['--listen', '0.0.0.0:0'], '`--listen 0.0.0.0:0` needs `--base-url`'],
    [['--listen', 'nowhere'], 'cannot listen on `nowhere`: expected `HOST:PORT`, as in `127.0.0.1:7878`'],
    [['--listen', '7979'], 'cannot listen on `7979`: expected `HOST:PORT`, as in `127.0.0.1:7979`'],
    [
      ['--base-url', 'https://example.com/path'],
      '`--base-url https://example.com/path` is not the address of a server',
    ],
    [
      ['--trusted-proxy', 'all'],
      'invalid value `all` for `--trusted-proxy`: expected an address or a network',
    ],
    [['--tls-cert', 'cert.pem'], '--tls-key <FILE>'],
    [['--tls-cert', 'no.pem', '--tls-key', 'no.pem'], 'failed to read `no.pem`'],
    [['--port', '80'], "tip: a similar argument exists: '--listen'"],
    [['--max-upload', 'much'], 'invalid value `much` for `--max-upload`'],
    [['frobnicate'], "unrecognized subcommand 'frobnicate'"],
  ])('refuses %j', async (flags, message) => {
    const { status, stdout, stderr } = await serve(['--data', path.join(temp.path, 'never'), ...flags]);
    expect([status, stdout]).toEqual([101, '']);
    expect(stderr).toContain(message);
    expect(existsSync(path.join(temp.path, 'never'))).toBe(false);
  });

  it('names an address that is already in use', async () => {
    const { host } = new URL(registry.url);
    const never = path.join(temp.path, 'never');
    const { status, stderr } = await serve(['--data', never, '--listen', host]);
    expect(status).toBe(101);
    expect(stderr).toContain(`failed to listen on \`${host}\``);
    expect(existsSync(never)).toBe(false);
  });

  const unusable: readonly (readonly [string, readonly string[], string])[] = [
    ['a file', [], 'is not a folder'],
    ['a registry whose records are a text', ['registry.db'], 'cannot be used'],
  ];
  it.each(unusable.filter(([, [file = '.']]) => IN_FOLDER.includes(file)))(
    'names a folder that it cannot use: %s',
    async (_, below, message) => {
      const folder = path.join(temp.path, `unusable-${below.length}`);
      if (below.length > 0) mkdirSync(folder);
      writeFileSync(path.join(folder, ...below), 'This is a text. '.repeat(100));
      const { status, stdout, stderr } = await serve(['--data', folder, '--listen', '127.0.0.1:0']);
      expect([status, stdout]).toEqual([101, '']);
      expect(stderr).toContain(`failed to open the registry in \`${folder}\``);
      expect(stderr).toContain(message);
      expect(stderr).not.toContain('internal error');
    },
  );

  it.runIf(!onWindows && existsSync('/proc/self') && IN_FOLDER.length > 0)(
    'fails if it cannot create the folder',
    async () => {
      const { status, stderr } = await serve(['--data', '/proc/tsreg/data', '--listen', '127.0.0.1:0']);
      expect([status, stderr]).toEqual([101, expect.stringContaining('the registry in `/proc/tsreg/data`')]);
    },
  );

  it.runIf(process.platform === 'linux').each(IN_FOLDER)('names what is not writable: %s', async (part) => {
    const folder = path.join(temp.path, `read-only-${part}`);
    const place = await testLocation(folder);
    await (await openStore(place.location, place.env)).close();
    const file = path.join(folder, part);
    chmodSync(file, 0o500);
    const args = ['serve', '--data', folder, '--listen', '127.0.0.1:0'];
    const env = { PATH: process.env['PATH'] ?? '', HOME: temp.path, ...(await serveEnv(args)) };
    const options = { cwd: temp.path, env };
    const { status, stderr } = await runProgram(withoutRootRights(tsregProgram()), args, options);
    chmodSync(file, 0o700);
    expect([status, stderr]).toEqual([101, expect.stringContaining(`\`${file}\` is not writable`)]);
    expect(stderr).toContain('Permission denied');
  });

  it('serves TLS with a given certificate and refuses an invalid one', async () => {
    for (const [name, text] of [
      ['cert.pem', SERVER_CERTIFICATE],
      ['key.pem', SERVER_KEY],
    ] as const) {
      writeFileSync(path.join(temp.path, name), text);
    }
    const files = [
      '--tls-cert',
      path.join(temp.path, 'cert.pem'),
      '--tls-key',
      path.join(temp.path, 'key.pem'),
    ];
    await using secure = await serveRegistry(path.join(temp.path, 'secure'), files);
    expect(secure.url).toMatch(/^https:/);
    const { port } = new URL(secure.url);
    const answer = await new Promise<{ status: number; headers: NodeJS.Dict<string | string[]> }>(
      (resolve, reject) => {
        https
          .get({ host: 'localhost', port, path: '/index/config.json', ca: AUTHORITY }, (response) => {
            response.resume();
            resolve({ status: response.statusCode ?? 0, headers: response.headers });
          })
          .on('error', reject);
      },
    );
    expect(answer.status).toBe(200);
    expect(answer.headers['strict-transport-security']).toBe('max-age=31536000');
    const wrong = [
      '--tls-cert',
      path.join(temp.path, 'key.pem'),
      '--tls-key',
      path.join(temp.path, 'key.pem'),
    ];
    const { status, stderr } = await serve(['--listen', '127.0.0.1:0', '--data', data, ...wrong]);
    expect([status, stderr]).toEqual([101, expect.stringContaining('cannot be used for TLS')]);
  });

  it('sends the address of --base-url to clients and trusts the headers of a trusted proxy', async () => {
    const flags = ['--base-url', 'https://crates.example.com', '--trusted-proxy', '127.0.0.1'];
    await using proxied = await serveRegistry(path.join(temp.path, 'proxied'), flags);
    expect([proxied.url, proxied.index]).toEqual([
      'https://crates.example.com',
      'sparse+https://crates.example.com/index/',
    ]);
    await expect.poll(() => proxied.log()).toContain('"event":"started"');
    const port = /"address":"(127\.0\.0\.1:\d+)"/.exec(proxied.log())?.[1] ?? '';
    const headers = { 'x-forwarded-for': '198.51.100.1, 203.0.113.7', 'x-request-id': 'from-the-proxy' };
    const answer = await fetch(`http://${port}/index/config.json`, { headers });
    expect(await answer.json()).toMatchObject({ api: 'https://crates.example.com' });
    expect(answer.headers.get('x-request-id')).toBe('from-the-proxy');
    await expect.poll(() => proxied.log()).toContain('"address":"203.0.113.7"');
  });

  it('accepts a valid token after many invalid ones', async () => {
    await using served = await serveRegistry(path.join(temp.path, 'guessed'));
    const ask = async (authorization: string): Promise<number> =>
      (await fetch(`${served.url}/api/v1/me`, { headers: { authorization } })).status;
    const good = await served.token('alice');
    // The guesses are sequential, because concurrent ones may not be counted yet.
    let last = 0;
    for (let guess = 0; guess < 300 && last !== 429; guess += 1) last = await ask(`guess-${guess}`);
    expect(last).toBe(429);
    expect(await ask(good)).toBe(200);
  });

  it.skipIf(onWindows)(
    'keeps running after stdout is closed and stops on SIGTERM (not on Windows: no SIGTERM)',
    async () => {
      const [file, ...first] = tsregProgram().command;
      const args = [...first, 'serve', '--listen', '127.0.0.1:0', '--data', path.join(temp.path, 'unread')];
      const env = { PATH: process.env['PATH'] ?? '', HOME: temp.path };
      const child = spawn(file, args, { cwd: '/', env, stdio: ['ignore', 'pipe', 'pipe'] });
      // stdout closes before the server writes anything.
      child.stdout.destroy();
      let log = '';
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        log += text;
      });
      await expect.poll(() => log, { timeout: 20_000 }).toContain('"event":"started"');
      await sleep(300);
      child.kill('SIGTERM');
      const [status] = await once(child, 'exit');
      expect(status).toBe(0);
    },
  );

  it.skipIf(onWindows)(
    'stops at once on a second signal of another kind (not on Windows: no SIGTERM)',
    async () => {
      const [file, ...first] = tsregProgram().command;
      const data = path.join(temp.path, 'drained');
      const args = [...first, 'serve', '--listen', '127.0.0.1:0', '--data', data, '--drain', '30'];
      const env = { PATH: process.env['PATH'] ?? '', HOME: temp.path };
      const child = spawn(file, args, { cwd: '/', env, stdio: ['ignore', 'ignore', 'pipe'] });
      let log = '';
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        log += text;
      });
      await expect.poll(() => log, { timeout: 20_000 }).toContain('"event":"started"');
      child.kill('SIGTERM');
      await expect.poll(() => log, { timeout: 20_000 }).toContain('"event":"stopping"');
      child.kill('SIGINT');
      expect(await once(child, 'exit')).toEqual([null, 'SIGINT']);
    },
  );

  it('accepts no more changes than --rate-limit allows', async () => {
    await using limited = await serveRegistry(path.join(temp.path, 'limited'), ['--rate-limit', '2']);
    const headers = { authorization: await limited.token('alice') };
    const yank = (): Promise<Response> =>
      fetch(`${limited.url}/api/v1/crates/none/1.0.0/yank`, { method: 'DELETE', headers });
    expect([(await yank()).status, (await yank()).status]).toEqual([404, 404]);
    const third = await yank();
    expect(third.status).toBe(429);
    expect(Number(third.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await third.json()).toMatchObject({
      errors: [{ detail: expect.stringContaining('too many changes') }],
    });
  });
});

describe('serve token', () => {
  it('prints only the token', async () => {
    const { status, stdout, stderr } = await serve([
      'token',
      '--data',
      data,
      '--user',
      'carol',
      '--expires',
      '90d',
    ]);
    expect([status, stdout, stderr]).toEqual([0, expect.stringMatching(/^\S+\n$/), '']);
  });

  it.each([
    [[], '--user <LOGIN>'],
    [['--user', 'bad login'], 'letters, digits'],
    [['--user', 'dave', '--expires', 'soon'], 'invalid value `soon` for `--expires`: expected days, hours'],
    [
      ['--user', 'dave', '--expires', '0d'],
      'invalid value `0d` for `--expires`: the token would expire at once',
    ],
    [['--user', 'dave', '--scope', 'everything'], "invalid value 'everything'"],
    [['--user', 'dave', '--crate', 'a*b'], '`a*b` is neither'],
  ])('refuses %j', async (flags, message) => {
    const { status, stdout, stderr } = await serve(['token', '--data', data, ...flags]);
    expect([status, stdout]).toEqual([101, '']);
    expect(stderr).toContain(message);
  });
});

describe('serve publisher', () => {
  const add = ['publisher', 'add', '--data', data, '--issuer', 'https://ci.example', '--crate', 'job-*'];

  it('adds, lists and removes trusted publishers', async () => {
    await serve(['user', 'jobs', '--data', data]);
    const added = await serve([...add, '--claim', 'sub=a', '--claim', 'ref=v*', '--user', 'jobs']);
    expect([added.status, added.stdout]).toEqual([0, expect.stringMatching(/^\d+\n$/)]);
    const number = added.stdout.trim();
    const line = `${number}\thttps://ci.example\tsub=a ref=v*\tjob-*\tjobs\n`;
    for (const words of [['publisher'], ['publisher', 'list']]) {
      expect((await serve([...words, '--data', data])).stdout).toBe(line);
    }
    const removed = await serve(['publisher', 'remove', number, '--data', data]);
    expect([removed.status, removed.stderr]).toEqual([0, expect.stringContaining(`publisher ${number}`)]);
    expect((await serve(['publisher', 'list', '--data', data])).stdout).toBe('');
    const again = await serve(['publisher', 'remove', number, '--data', data]);
    expect([again.status, again.stderr]).toEqual([101, expect.stringContaining('there is no publisher')]);
  });

  it.each([
    [['--claim', 'sub'], 'invalid value `sub` for `--claim`'],
    [['--claim', 'sub=a'], 'there is no crate `job-*` yet'],
    [[], '--claim <KEY=VALUE>'],
  ])('refuses %j', async (flags, message) => {
    const { status, stdout, stderr } = await serve([...add, ...flags]);
    expect([status, stdout]).toEqual([101, '']);
    expect(stderr).toContain(message);
  });
});

describe('serve user', () => {
  it('creates, changes and disables users', async () => {
    const made = await serve(['user', 'erin', '--data', data, '--admin', '--name', 'Erin E.']);
    expect([made.status, made.stderr.trim()]).toEqual([0, 'Created user erin']);
    const changed = await serve(['user', 'erin', '--data', data, '--password'], 'a long password\n');
    expect([changed.status, changed.stderr.trim()]).toEqual([0, 'Changed user erin']);
    const short = await serve(['user', 'erin', '--data', data, '--password'], 'short\n');
    expect([short.status, short.stderr]).toEqual([101, expect.stringContaining('too short')]);

    const erin = await registry.token('erin');
    const yank = (): Promise<Response> =>
      fetch(`${registry.url}/api/v1/crates/first/1.0.0/unyank`, {
        method: 'PUT',
        headers: { authorization: erin },
      });
    expect((await yank()).status).toBe(200);
    await serve(['user', 'erin', '--data', data, '--no-admin']);
    const body: unknown = await (await yank()).json();
    expect(body).toMatchObject({ errors: [{ detail: 'must already be an owner to yank or unyank' }] });
    await serve(['user', 'erin', '--data', data, '--disable']);
    expect(await (await yank()).json()).toMatchObject({ errors: [{ detail: /not valid/ }] });
    expect((await serve(['token', '--data', data, '--user', 'erin'])).status).toBe(101);
    const both = await serve(['user', 'erin', '--data', data, '--disable', '--enable']);
    expect([both.status, both.stderr]).toEqual([101, expect.stringContaining('cannot be used with')]);
  });
});

describe('subcommands of serve', () => {
  it('verify an intact registry', async () => {
    const { status, stdout, stderr } = await serve(['verify', '--data', data]);
    expect([status, stdout]).toEqual([0, '']);
    expect(stderr).toMatch(/Verified 2 versions, \d+ bytes/);
  });

  it('report damaged and missing archives', async () => {
    const broken = path.join(temp.path, 'broken');
    await serve(['backup', path.join(temp.path, 'to-break'), '--data', data]);
    await serve(['restore', path.join(temp.path, 'to-break'), '--data', broken]);
    const { location, env } = await testLocation(broken);
    const { blobs, close } = await openStore(location, env);
    const [damaged = '', missing = ''] = await blobKeys(blobs);
    await changeBlob(location, damaged, (bytes) => {
      bytes[30] = (bytes[30] ?? 0) ^ 1;
      return bytes;
    });
    await blobs.delete(missing);
    await close();
    const { status, stdout, stderr } = await serve(['verify', '--data', broken]);
    expect([status, stdout.split('\n').toSorted()]).toEqual([
      101,
      [
        '',
        expect.stringMatching(/^first 1\.0\.0: its \.crate is (damaged|missing)/),
        expect.stringMatching(/^second 1\.0\.0: its \.crate is (damaged|missing)/),
      ],
    ]);
    expect(stderr).toContain('the registry is damaged: 2 problems');
  });

  it.each([['verify'], ['token', '--user', 'alice'], ['user', 'alice'], ['own-name', 'add', 'house-*']])(
    'do not create a missing registry: %s',
    async (...words) => {
      const nothing = path.join(temp.path, 'nothing');
      const { status, stdout, stderr } = await serve([...words, '--data', nothing]);
      expect([status, stdout]).toEqual([101, '']);
      if (RECORDS_ARE_ELSEWHERE === null)
        expect(stderr).toContain(`there is no registry in \`${nothing}\`: it has no`);
      expect(stderr).toMatch(
        /\n\nhelp: check the \w+, or create and run a registry with `tsreg serve --\w+ [A-Z]+`\n/,
      );
      expect(existsSync(nothing)).toBe(false);
    },
  );

  it('wait for the registry of a server that is still starting', async () => {
    const soon = path.join(temp.path, 'soon');
    const token = serve(['token', '--user', 'alice', '--data', soon]);
    await using _server = await serveRegistry(soon);
    expect(await token).toMatchObject({ status: 0, stderr: '', stdout: expect.stringMatching(/^\S+\n$/) });
  });
});

describe('serve backup, restore and delete', () => {
  it('work while the registry is served', async () => {
    const copy = path.join(temp.path, 'copy');
    expect((await publish('third', '1.0.0')).status).toBe(200);
    expect((await serve(['backup', copy, '--data', data])).status).toBe(0);

    const unsure = await serve(['delete', 'third@1.0.0', '--data', data]);
    expect([unsure.status, unsure.stderr]).toEqual([101, expect.stringContaining('--yes')]);
    expect((await get('/index/th/ir/third')).status).toBe(200);
    const mistyped = await serve(['delete', 'third@1.0.0@2.0.0', '--data', data, '--yes']);
    expect([mistyped.status, mistyped.stderr]).toEqual([101, expect.stringContaining('1.0.0@2.0.0')]);
    expect((await get('/index/th/ir/third')).status).toBe(200);
    const deleted = await serve(['delete', 'third', '--data', data, '--yes', '--reason', 'a mistake']);
    expect([deleted.status, deleted.stderr.trim()]).toEqual([0, 'Deleted crate `third`']);
    expect((await get('/index/th/ir/third')).status).toBe(404);
    expect((await publish('third', '1.0.0')).status).toBe(409);
    const none = await serve(['delete', 'third', '--data', data, '--yes']);
    expect([none.status, none.stderr]).toEqual([101, expect.stringContaining('there is no crate `third`')]);

    const refused = await serve(['restore', copy, '--data', data]);
    expect([refused.status, refused.stderr]).toEqual([101, expect.stringContaining('--yes')]);
    expect((await serve(['restore', copy, '--data', data, '--yes'])).status).toBe(0);
    expect((await get('/index/th/ir/third')).status).toBe(200);
    expect((await get('/api/v1/crates/third/1.0.0/download')).status).toBe(200);
    expect((await serve(['verify', '--data', data])).status).toBe(0);
  });
});

describe('a database', () => {
  it.each([
    ['migrate', '--database'],
    ['move', '--to', 's3://bucket', '--to', temp.path, '--from', temp.path, '--from'],
  ])('gets a TLS request from %s with PGSSLMODE=require', async (...args) => {
    const asked: string[] = [];
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', (bytes) => {
        asked.push(bytes.toString('hex'));
        socket.destroy();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const { status } = await runProgram(
      tsregProgram(),
      ['serve', ...args, `postgres://alice:secret@127.0.0.1:${port}/registry`],
      { cwd: temp.path, env: { PATH: process.env['PATH'] ?? '', HOME: temp.path, PGSSLMODE: 'require' } },
    );
    server.close();
    expect(status).toBe(101);
    // The SSLRequest message of the protocol, which comes before any other message.
    expect(new Set(asked)).toEqual(new Set(['0000000804d2162f']));
  });
});
