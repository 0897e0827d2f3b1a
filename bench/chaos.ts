/**
 * Checks that several copies of `serve` over one database and one object store stay correct while parts fail: `node
 * scripts/run-ts.mjs bench/chaos.ts [SECONDS]`, with PostgreSQL and versitygw installed and `dist` built. Three copies
 * are behind a proxy that forwards connections in turn; ten clients publish and fifty read. One copy is killed every
 * ten seconds, the database is restarted once, and the store is cut off once. Prints figures; the exit status is 1 if
 * anything was lost, duplicated or wrong.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { indexPath } from '../src/core/protocol/index-path.ts';
import { publishBody } from '../test/helpers/publish-body.ts';

const SECONDS = Number(process.argv[2] ?? 120);
const COPIES = 3;
const PUBLISHERS = 10;
const READERS = 50;
const KILL_EVERY_MS = 10_000;
const RESTART_AFTER_MS = 1_000;
const CUT_MS = 5_000;
/** The pause of one client between two requests: about two hundred requests a second in all. */
const PUBLISH_PAUSE_MS = 600;
const READ_PAUSE_MS = 600;
const REQUEST_TIMEOUT_MS = 60_000;
const ROOT = path.dirname(import.meta.dirname);
const PROGRAM = path.join(ROOT, 'bin', 'tsreg.js');

interface Store {
  readonly env: Readonly<Record<string, string>>;
  stop(): Promise<void>;
  restart(): Promise<void>;
}

/** Starts a store in `folder`. Returns null if its program is not installed. */
type Start<T> = (folder: string) => Promise<T | null>;

interface Answer {
  readonly status: number;
  readonly body: Buffer;
}

const { startPostgres }: { startPostgres: Start<Store> } = await import(
  path.join(ROOT, 'scripts', 'postgres-server.mjs')
);
const { startS3 }: { startS3: Start<Pick<Store, 'env' | 'stop'>> } = await import(
  path.join(ROOT, 'scripts', 's3-server.mjs')
);

/** Event counts, and descriptions of errors. */
const counts = new Map<string, number>();
const wrong: string[] = [];
/** The checksum of every acknowledged publish, by `name version`. */
const acknowledged = new Map<string, string>();
const names: string[] = [];

function count(what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1);
}

/** Sends one request on a new connection. Returns an error code or message if there is no complete response. */
async function ask(
  port: number,
  where: string,
  { method = 'GET', headers = {}, body = null as Uint8Array | null } = {},
): Promise<Answer | string> {
  const request = http.request({
    ...{ host: '127.0.0.1', port, path: where, method, headers, agent: false },
    signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS),
  });
  try {
    request.end(body ?? undefined);
    const [answer]: http.IncomingMessage[] = await once(request, 'response');
    if (answer === undefined) return 'no answer';
    const parts: Buffer[] = [];
    for await (const part of answer) parts.push(part);
    return { status: answer.statusCode ?? 0, body: Buffer.concat(parts) };
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : 'no answer';
  }
}

const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** Forwards each connection to the next address in turn that accepts it, unless it is cut. */
class Relay {
  readonly #targets: readonly number[];
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #next = 0;
  isCut = false;

  constructor(targets: readonly number[]) {
    this.#targets = targets;
    this.#server = createServer((socket) => this.#pass(socket));
  }

  async listen(): Promise<number> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return portOf(this.#server);
  }

  cut(): void {
    this.isCut = true;
    for (const socket of this.#sockets) socket.destroy();
  }

  close(): void {
    this.cut();
    this.#server.close();
  }

  #pass(client: Socket, tries = this.#targets.length): void {
    client.on('error', () => undefined);
    if (this.isCut || tries === 0) {
      client.destroy();
      return;
    }
    this.#next += 1;
    const target = connect(this.#targets[this.#next % this.#targets.length] ?? 0, '127.0.0.1');
    let isOpen = false;
    target.once('connect', () => {
      isOpen = true;
      for (const socket of [client, target]) {
        this.#sockets.add(socket);
        socket.once('close', () => this.#sockets.delete(socket));
      }
      client.pipe(target).pipe(client);
      client.once('close', () => target.destroy());
      target.once('close', () => client.destroy());
    });
    target.on('error', () => {
      if (!isOpen) this.#pass(client, tries - 1);
    });
  }
}

function portOf(server: Server): number {
  const address: AddressInfo | string | null = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = portOf(server);
  server.close();
  await once(server, 'close');
  return port;
}

/** A copy that can be killed and started again at the same address. */
class Copy {
  readonly port: number;
  readonly #start: () => ChildProcess;
  #child: ChildProcess | null = null;

  constructor(port: number, start: () => ChildProcess) {
    this.port = port;
    this.#start = start;
  }

  start(): void {
    this.#child = this.#start();
    this.#child.once('exit', (status) => {
      if (status !== null && status !== 0) wrong.push(`a copy ended with status ${status}`);
    });
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, 'exit');
  }

  async isReady(): Promise<boolean> {
    const answer = await ask(this.port, '/readyz');
    return typeof answer !== 'string' && answer.status === 200;
  }
}

async function until(condition: () => Promise<boolean>, what: string): Promise<void> {
  const deadline = performance.now() + 60_000;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`${what} not in time`);
    await sleep(100);
  }
}

let isOver = false;

/**
 * Publishes versions of one crate, and every fifth time a version that all publishers publish. Retries failed requests.
 */
async function publishOn(port: number, publisher: number, token: string): Promise<void> {
  for (let round = 0; !isOver; round += 1) {
    const isContested = round % 5 === 4;
    const [name, version] = [isContested ? 'contested' : `own-${publisher}`, `1.0.${round}`];
    const files = { 'src/lib.rs': `// ${publisher} ${round} ${'x'.repeat((round * 997) % 20_000)}` };
    const { bytes, archive } = publishBody({ name, version, files });
    for (let isUnknown = false; !isOver; ) {
      const headers = { authorization: token };
      const answer = await ask(port, '/api/v1/crates/new', { method: 'PUT', headers, body: bytes });
      await sleep(PUBLISH_PAUSE_MS);
      if (typeof answer === 'string' || answer.status >= 500) {
        count(`publishes: ${typeof answer === 'string' ? answer : answer.status}`);
        isUnknown = true;
        continue;
      }
      count(`publishes: ${answer.status}`);
      if (answer.status === 200) {
        const key = `${name} ${version}`;
        if (acknowledged.has(key)) wrong.push(`${key} was published twice`);
        acknowledged.set(key, digest(archive));
        names.push(key);
      } else if (answer.status !== 409 || !(isContested || isUnknown)) {
        wrong.push(`${name} ${version} was refused: ${answer.status} ${answer.body.toString()}`);
      }
      break;
    }
  }
}

/**
 * Reads the index entry and the `.crate` of an acknowledged version. Returns a description of the error, or null if
 * there is none or the server does not respond.
 */
async function read(port: number, key: string, note: (what: string) => void): Promise<string | null> {
  const [name = '', version = ''] = key.split(' ');
  const checksum = acknowledged.get(key) ?? '';
  const index = await ask(port, `/index/${indexPath(name)}`);
  const crate = await ask(port, `/api/v1/crates/${name}/${version}/download`);
  for (const each of [index, crate]) note(`${typeof each === 'string' ? each : each.status}`);
  if (typeof index !== 'string' && index.status < 500) {
    const lines = index.body
      .toString()
      .split('\n')
      .filter((line) => line.includes(`"vers":"${version}"`));
    if (lines.length !== 1) return `${key} is in the index ${lines.length} times`;
    if (lines[0]?.includes(checksum) !== true) return `${key} is in the index with another checksum`;
  }
  if (typeof crate !== 'string' && crate.status < 500) {
    if (crate.status !== 200) return `${key} is not to be had: ${crate.status}`;
    if (digest(crate.body) !== checksum) return `${key} was answered with other bytes`;
  }
  return null;
}

async function readOn(port: number): Promise<void> {
  while (!isOver) {
    await sleep(READ_PAUSE_MS * (0.5 + Math.random()));
    const key = names[Math.floor(Math.random() * names.length)];
    if (key === undefined) continue;
    const problem = await read(port, key, (what) => count(`reads: ${what}`));
    if (problem !== null) wrong.push(problem);
  }
}

/** Kills a copy every ten seconds. Restarts the database after 40 % of the time, and cuts off the store after 70 %. */
async function breakThings(copies: readonly Copy[], postgres: Store, storage: Relay): Promise<void> {
  const startedMs = performance.now();
  const others = [
    { atMs: SECONDS * 400, run: () => postgres.restart(), what: 'restarts of the database' },
    {
      ...{ atMs: SECONDS * 700, what: 'cuts of the store' },
      run: async () => {
        storage.cut();
        await sleep(CUT_MS);
        storage.isCut = false;
      },
    },
  ];
  const breaking = others.map(async ({ atMs, run, what }) => {
    await sleep(atMs);
    await run();
    count(what);
  });
  for (let round = 0; performance.now() - startedMs < SECONDS * 1000; round += 1) {
    await sleep(KILL_EVERY_MS - RESTART_AFTER_MS);
    const copy = copies[round % copies.length];
    await copy?.end('SIGKILL');
    count('kills of a copy');
    await sleep(RESTART_AFTER_MS);
    copy?.start();
  }
  await Promise.all(breaking);
  isOver = true;
}

/** Runs a subcommand of `serve` to its end. Does not block, so that the relays continue. */
async function runServe(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<{ readonly status: unknown; readonly stdout: string; readonly stderr: string }> {
  const child = spawn(process.execPath, [PROGRAM, 'serve', ...args], {
    ...{ env, stdio: ['ignore', 'pipe', 'pipe'] },
  });
  const closed = once(child, 'close');
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [status]: unknown[] = await closed;
  return { status, stdout, stderr };
}

async function main(folder: string): Promise<void> {
  const postgres = await startPostgres(path.join(folder, 'postgresql'));
  const s3 = await startS3(path.join(folder, 's3'));
  if (postgres === null || s3 === null) throw new Error('PostgreSQL and versitygw must be installed');
  const storageUrl = new URL(s3.env['TSREG_TEST_STORAGE'] ?? '');
  const endpoint = new URL(storageUrl.searchParams.get('endpoint') ?? '');
  const storage = new Relay([Number(endpoint.port)]);
  storageUrl.pathname = '/chaos';
  storageUrl.searchParams.set('endpoint', `http://127.0.0.1:${await storage.listen()}`);
  const env = {
    ...{ PATH: process.env['PATH'] ?? '', HOME: folder, ...s3.env },
    TSREG_DATABASE: postgres.env['TSREG_TEST_DATABASE'] ?? '',
    TSREG_STORAGE: storageUrl.href,
  };
  const ports = [await freePort(), await freePort(), await freePort()].slice(0, COPIES);
  const balancer = new Relay(ports);
  const port = await balancer.listen();
  const copies = ports.map((each) => {
    const flags = [
      '--listen',
      `127.0.0.1:${each}`,
      '--base-url',
      `http://127.0.0.1:${port}`,
      '--rate-limit',
      '0',
    ];
    return new Copy(each, () =>
      spawn(process.execPath, [PROGRAM, 'serve', '-q', ...flags], { env, stdio: 'ignore' }),
    );
  });
  const allReady = async (): Promise<boolean> =>
    (await Promise.all(copies.map((copy) => copy.isReady()))).every(Boolean);
  try {
    const serve = (...args: readonly string[]): ReturnType<typeof runServe> => runServe(args, env);
    for (const copy of copies) copy.start();
    await until(allReady, 'the copies are ready');
    // The command does not create a registry, so it runs after the copies have created one.
    const token = (await serve('token', '--user', 'chaos')).stdout.trim();
    await Promise.all([
      breakThings(copies, postgres, storage),
      ...Array.from({ length: PUBLISHERS }, (_, publisher) => publishOn(port, publisher, token)),
      ...Array.from({ length: READERS }, () => readOn(port)),
    ]);
    await until(allReady, 'the copies are ready again');
    for (const copy of copies) {
      const rest = names.values();
      const check = async (): Promise<void> => {
        for (const key of rest) {
          const problem = await read(copy.port, key, (what) => count(`reads at the end: ${what}`));
          if (problem !== null) wrong.push(`at the end ${problem}`);
        }
      };
      await Promise.all(Array.from({ length: PUBLISHERS }, check));
    }
    const { status, stdout, stderr } = await serve('verify');
    if (status !== 0) wrong.push(`verify: ${stdout}${stderr}`);
    console.log(stderr.trim());
  } finally {
    isOver = true;
    await Promise.all(copies.map((copy) => copy.end('SIGTERM')));
    balancer.close();
    storage.close();
    await s3.stop();
    await postgres.stop();
  }
}

const folder = mkdtempSync(path.join(os.tmpdir(), 'tsreg-chaos-'));
try {
  await main(folder);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
for (const [what, number] of [...counts].toSorted(([a], [b]) => (a < b ? -1 : 1)))
  console.log(`${what.padEnd(36)} ${number}`);
console.log(`${'versions that were acknowledged'.padEnd(36)} ${names.length}`);
for (const each of wrong.slice(0, 20)) console.log(`WRONG: ${each}`);
console.log(wrong.length === 0 ? 'nothing was lost, doubled or wrong' : `${wrong.length} things are wrong`);
process.exitCode = wrong.length === 0 ? 0 : 1;
