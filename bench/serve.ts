import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { publishBody } from '../test/helpers/publish-body.ts';
import { type ServedRegistry, serveRegistry } from '../test/helpers/served-registry.ts';
import { fillRegistry } from './fill-registry.ts';
import { median } from './measure.ts';
import type { Row } from './row.ts';
import type { Subject } from './subject.ts';
import type { Workbench } from './workbench.ts';

const CONNECTIONS = 50;
/**
 * Fewer connections for publishes: one user may fill half of the queue for archive checks, and further publishes get
 * 503.
 */
const PUBLISHERS = 10;
const ROUNDS = 5;
/** The duration of each load. */
const SECONDS = 2;
const SMALL = 100;
const LARGE = 100_000;
const LARGE_IN_QUICK_RUNS = 5_000;
/** The maximum ratio of a static file server's requests per second to those of `serve`. */
const READ_LIMIT = 5;
/** The maximum ratio of requests per second with few crates to those with many. */
const LARGE_LIMIT = 1.2;
const MAX_START_MS = 1_000;

/** The result of a load. */
interface Load {
  readonly perSecond: number;
  readonly p99Ms: number;
}

/** A running registry to measure. */
interface Measured extends AsyncDisposable {
  readonly registry: ServedRegistry;
  readonly token: string;
  readonly startMs: number;
  /** Paths of the files to read. */
  readonly files: Readonly<Record<Read, string>>;
}

type Read = (typeof READS)[number];
const READS = ['index', 'download'] as const;

/**
 * `serve` under load: reads on 50 connections, compared with a static file server, publishes on 10, and the effect of
 * 100,000 crates. All servers run at once and are measured in turn, so that other load on the machine affects all of
 * them.
 */
export const serveSubject: Subject = {
  name: 'serve',
  title: 'serve, 50 connections (10 that publish)',
  standsAlone: true,
  async measure(bench) {
    const rounds = bench.isQuick ? 3 : ROUNDS;
    const largeCount = bench.isQuick ? LARGE_IN_QUICK_RUNS : LARGE;
    await using small = await start(bench, SMALL);
    await using large = await start(bench, largeCount);
    await using beside = await serveFiles(bench, small.registry, Object.values(small.files));
    const rows: Row[] = [];
    for (const kind of READS) {
      const few: Load[] = [];
      const many: Load[] = [];
      const files: Load[] = [];
      for (let round = 0; round < rounds; round += 1) {
        files.push(await load(beside.url + small.files[kind]));
        few.push(await load(small.registry.url + small.files[kind]));
        many.push(await load(large.registry.url + large.files[kind]));
      }
      rows.push(...compareLoads(kind, { ours: few, theirs: files, besideName: 'files', limit: READ_LIMIT }));
      rows.push(
        ...compareLoads(`${kind}/${largeCount}`, {
          ours: many,
          theirs: few,
          besideName: `${SMALL} crates`,
          limit: LARGE_LIMIT,
        }),
      );
    }
    const few: Load[] = [];
    const many: Load[] = [];
    for (let round = 0; round < rounds; round += 1) {
      few.push(await loadPublishes(small, round));
      many.push(await loadPublishes(large, round));
    }
    rows.push(...loadAlone('publish', few));
    rows.push(
      ...compareLoads(`publish/${largeCount}`, {
        ours: many,
        theirs: few,
        besideName: `${SMALL} crates`,
        limit: LARGE_LIMIT,
      }),
    );
    for (const [count, { startMs, registry }] of [
      [SMALL, small],
      [largeCount, large],
    ] as const) {
      rows.push(
        {
          ...{ workspace: `start/${count}`, unit: 'ms', ours: startMs },
          figures: [{ beside: `${MAX_START_MS} ms`, ratio: startMs / MAX_START_MS, limit: 1 }],
        },
        {
          ...{ workspace: `serve/${count}`, unit: 'MB', figures: [] },
          ours: peakMegabytes(registry.child.pid),
        },
      );
    }
    return rows;
  },
};

async function start(bench: Workbench, count: number): Promise<Measured> {
  const folder = path.join(bench.folder, `registry-${count}`);
  console.error(`Preparing a registry of ${count} crates …`);
  const { token, names } = await fillRegistry(folder, count);
  const startedMs = performance.now();
  const registry = await serveRegistry(folder, ['--rate-limit', '0', '--quiet']);
  const startMs = performance.now() - startedMs;
  const name = names[names.length >> 1] ?? '';
  const files = {
    index: `/index/${name.slice(0, 2)}/${name.slice(2, 4)}/${name}`,
    download: `/api/v1/crates/${name}/1.0.0/download`,
  };
  return {
    ...{ registry, token, startMs, files },
    [Symbol.asyncDispose]: () => registry[Symbol.asyncDispose]().then(() => undefined),
  };
}

function compareLoads(
  workspace: string,
  {
    ours,
    theirs,
    besideName,
    limit,
  }: {
    readonly ours: readonly Load[];
    readonly theirs: readonly Load[];
    readonly besideName: string;
    readonly limit: number;
  },
): readonly Row[] {
  const ratios = ours.map(({ perSecond }, at) => (theirs[at]?.perSecond ?? Number.NaN) / perSecond);
  const waits = ours.map(({ p99Ms }, at) => p99Ms / (theirs[at]?.p99Ms ?? Number.NaN));
  const rate = (loads: readonly Load[]): number => median(loads.map(({ perSecond }) => perSecond));
  const wait = (loads: readonly Load[]): number => median(loads.map(({ p99Ms }) => p99Ms));
  return [
    {
      ...{ workspace, unit: '/s', ours: rate(ours) },
      figures: [{ beside: besideName, ratio: median(ratios), limit }],
    },
    // The 99th percentile has no limit: on a busy machine it mostly depends on the machine.
    {
      ...{ workspace: `${workspace} p99`, unit: 'ms', ours: wait(ours) },
      figures: [{ beside: besideName, ratio: median(waits), limit: null }],
    },
  ];
}

function loadAlone(workspace: string, loads: readonly Load[]): readonly Row[] {
  const perSecond = median(loads.map((each) => each.perSecond));
  const p99Ms = median(loads.map((each) => each.p99Ms));
  return [
    { workspace, unit: '/s', ours: perSecond, figures: [] },
    { workspace: `${workspace} p99`, unit: 'ms', ours: p99Ms, figures: [] },
  ];
}

/** Requests one URL repeatedly, from a separate process. */
async function load(url: string): Promise<Load> {
  const program = fileURLToPath(import.meta.resolve('autocannon'));
  const args = [program, '--json', '--no-progress', '-c', String(CONNECTIONS), '-d', String(SECONDS), url];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
  let text = '';
  for await (const chunk of child.stdout.setEncoding('utf8')) text += String(chunk);
  const result: {
    requests: { average: number };
    latency: { p99: number };
    non2xx: number;
    errors: number;
  } = JSON.parse(text);
  if (result.non2xx + result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} refused, ${result.errors} failed`);
  return { perSecond: result.requests.average, p99Ms: result.latency.p99 };
}

/** Publishes new crates, one after the other on each connection. */
async function loadPublishes({ registry: { url }, token }: Measured, round: number): Promise<Load> {
  const agent = new Agent({ keepAlive: true, maxSockets: PUBLISHERS });
  const latenciesMs: number[] = [];
  const endMs = performance.now() + SECONDS * 1000;
  let next = 0;
  const publish = async (): Promise<void> => {
    while (performance.now() < endMs) {
      next += 1;
      const { bytes } = publishBody({ name: `published-${round}-${next}`, version: '1.0.0' });
      const sentMs = performance.now();
      const status = await put(`${url}/api/v1/crates/new`, { agent, token, bytes });
      if (status !== 200) throw new Error(`a publish was answered with ${status}`);
      latenciesMs.push(performance.now() - sentMs);
    }
  };
  await Promise.all(Array.from({ length: PUBLISHERS }, publish));
  agent.destroy();
  const sorted = latenciesMs.toSorted((a, b) => a - b);
  return { perSecond: sorted.length / SECONDS, p99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? 0 };
}

function put(
  url: string,
  { agent, token, bytes }: { readonly agent: Agent; readonly token: string; readonly bytes: Buffer },
): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: token, 'content-length': bytes.length };
    request(url, { method: 'PUT', agent, headers }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    })
      .on('error', reject)
      .end(bytes);
  });
}

/** Starts a static file server with copies of the registry's responses at `addresses`. */
async function serveFiles(
  bench: Workbench,
  registry: ServedRegistry,
  addresses: readonly string[],
): Promise<AsyncDisposable & { readonly url: string }> {
  const folder = path.join(bench.folder, 'files');
  for (const address of addresses) {
    const answer = await fetch(registry.url + address);
    if (!answer.ok) throw new Error(`${address} was answered with ${answer.status}`);
    mkdirSync(path.dirname(folder + address), { recursive: true });
    writeFileSync(folder + address, new Uint8Array(await answer.arrayBuffer()));
  }
  const server = spawn(process.execPath, ['scripts/run-ts.mjs', 'bench/static-server.ts', folder], {
    cwd: path.dirname(import.meta.dirname),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const { value: line } = await createInterface(server.stdout)[Symbol.asyncIterator]().next();
  return {
    url: String(line),
    [Symbol.asyncDispose]: async () => {
      server.stdin.end();
    },
  };
}

function peakMegabytes(pid: number | undefined): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
}
