import { createHash } from 'node:crypto';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { runProgram, tsregProgram } from '../helpers/program.ts';
import { type PublishBody, publishBody } from '../helpers/publish-body.ts';
import { serveEnv, type ServedRegistry, serveRegistry } from '../helpers/served-registry.ts';
import { onWindows } from '../helpers/system.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';

/** The environment variables raise these numbers for manual runs. Each kill comes at a random moment. */
const PUBLISHES = Number(process.env['TSREG_KILLED_PUBLISHES'] ?? 200);
const KILLS = Number(process.env['TSREG_KILLS'] ?? 4);
const CLIENTS = 8;
const CRATES = 5;

const temp = makeTempDir('killed-server');
const started: ServedRegistry[] = [];
afterAll(async () => {
  for (const each of started) await each[Symbol.asyncDispose]();
  temp.remove();
});

interface Order {
  readonly name: string;
  readonly version: string;
  readonly body: PublishBody;
}

/** Versions of a few crates, so that index files grow and publishes compete for them. */
const orders: readonly Order[] = Array.from({ length: PUBLISHES }, (_, at) => {
  const name = `crate-${at % CRATES}`;
  const version = `1.0.${at}`;
  return {
    name,
    version,
    body: publishBody({ name, version, files: { 'src/lib.rs': 'x'.repeat(at * 50) } }),
  };
});

interface Work {
  readonly token: string;
  readonly open: Order[];
  readonly acknowledged: Order[];
  /** Orders that were sent to a server that was killed before it responded. */
  readonly unknown: Set<Order>;
  readonly unexpected: string[];
}

/** Publishes until no order is left or the server does not respond. */
async function publishAll(url: string, work: Work): Promise<void> {
  for (let order = work.open.shift(); order !== undefined; order = work.open.shift()) {
    const request = { method: 'PUT', headers: { authorization: work.token } };
    let answer: { readonly status: number; readonly text: string };
    try {
      const response = await fetch(`${url}/api/v1/crates/new`, {
        ...request,
        body: new Uint8Array(order.body.bytes),
      });
      answer = { status: response.status, text: await response.text() };
    } catch {
      work.unknown.add(order);
      work.open.unshift(order);
      return;
    }
    // A publish may be stored although the killed server did not respond. The next attempt then gets 409.
    const isThere = answer.status === 409 && work.unknown.has(order);
    if (answer.status === 200 || isThere) work.acknowledged.push(order);
    else work.unexpected.push(`${order.name} ${order.version}: ${answer.status} ${answer.text}`);
  }
}

async function readMeanwhile(url: string, signal: AbortSignal): Promise<void> {
  for (let at = 0; !signal.aborted; at += 1) {
    const response = await fetch(`${url}/index/cr/at/crate-${at % CRATES}`).catch(() => null);
    await response?.text().catch(() => '');
    await sleep(2);
  }
}

async function expectAllThere({ url }: ServedRegistry, acknowledged: readonly Order[]): Promise<void> {
  const checksums = new Map<string, unknown>();
  for (let at = 0; at < CRATES; at += 1) {
    const text = await (await fetch(`${url}/index/cr/at/crate-${at}`)).text();
    for (const line of text.split('\n').filter((each) => each.startsWith('{'))) {
      const { name, vers, cksum }: Readonly<Record<string, unknown>> = JSON.parse(line);
      checksums.set(`${String(name)} ${String(vers)}`, cksum);
    }
  }
  const wrong: string[] = [];
  for (const { name, version, body } of acknowledged) {
    const right = createHash('sha256').update(body.archive).digest('hex');
    if (checksums.get(`${name} ${version}`) !== right) wrong.push(`index: ${name} ${version}`);
    const response = await fetch(`${url}/api/v1/crates/${name}/${version}/download`);
    const bytes = new Uint8Array(await response.arrayBuffer());
    if (createHash('sha256').update(bytes).digest('hex') !== right) wrong.push(`archive: ${name} ${version}`);
  }
  expect(wrong).toEqual([]);
}

it(`loses no acknowledged version in ${KILLS} kills during ${PUBLISHES} publishes`, {
  timeout: 600_000,
}, async () => {
  const data = path.join(temp.path, 'data');
  let server = await serveRegistry(data, ['--rate-limit', '0', '-q']);
  started.push(server);
  const token = await server.token('alice');
  const work: Work = { token, open: [...orders], acknowledged: [], unknown: new Set(), unexpected: [] };
  for (let kill = 0; kill < KILLS; kill += 1) {
    const reading = new AbortController();
    const readers = [1, 2].map(() => readMeanwhile(server.url, reading.signal));
    const publishers = Array.from({ length: CLIENTS }, () => publishAll(server.url, work));
    // Before the kill, at least one of the remaining orders is published, and never all of them.
    const until = work.acknowledged.length + 1 + Math.random() * (work.open.length / (KILLS - kill + 1));
    while (work.acknowledged.length < until && work.open.length > 0 && work.unexpected.length === 0) {
      await sleep(1);
    }
    await sleep(Math.random() * 10);
    expect(await server.stop('SIGKILL')).toBe('SIGKILL');
    reading.abort();
    await Promise.all([...publishers, ...readers]);
    server = await serveRegistry(data, ['--rate-limit', '0', '-q']);
    started.push(server);
    const verify = ['serve', 'verify', '--data', data];
    const verified = await runProgram(tsregProgram(), verify, {
      cwd: temp.path,
      env: { PATH: process.env['PATH'] ?? '', HOME: temp.path, ...(await serveEnv(verify)) },
    });
    expect([verified.status, verified.stdout]).toEqual([0, '']);
    await expectAllThere(server, work.acknowledged);
  }
  // At least one kill hit a server during a request.
  expect(work.unknown.size).toBeGreaterThan(0);
  await Promise.all(Array.from({ length: CLIENTS }, () => publishAll(server.url, work)));
  expect(work.unexpected).toEqual([]);
  expect(work.acknowledged.length).toBe(PUBLISHES);
  await expectAllThere(server, work.acknowledged);
  // On Windows, a program gets no signal to stop.
  expect(await server.stop()).toBe(onWindows ? 'SIGTERM' : 0);
});
