import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { publishBody } from '../test/helpers/publish-body.ts';
import { type ServedRegistry, serveRegistry } from '../test/helpers/served-registry.ts';
import { fillRegistry } from './fill-registry.ts';
import type { Row, Subject } from './subject.ts';
import type { Workbench } from './workbench.ts';

const CONNECTIONS = 50;
const SMALL = 100;
const LARGE = 100_000;
const LARGE_IN_QUICK_RUNS = 5_000;
/** Requests of the same kind a second, beside a server that only reads files. */
const READ_LIMIT = 5;
/** How much slower many crates may be than few. */
const LARGE_LIMIT = 1.2;
const MAX_START_MS = 1_000;

/** What one run of requests gave. */
interface Load {
  readonly perSecond: number;
  readonly p99Ms: number;
}

/** `serve` under 50 connections: reads beside a server of files, publishes, and what 100,000 crates change. */
export const serveSubject: Subject = {
  name: 'serve',
  title: 'serve, 50 connections',
  beside: 'files',
  standsAlone: true,
  async measure(bench) {
    const seconds = bench.pairs(4);
    const rows: Row[] = [];
    const reads = new Map<string, Load>();
    const large = bench.pairs(4) < 4 ? LARGE_IN_QUICK_RUNS : LARGE;
    for (const count of [SMALL, large]) {
      const folder = path.join(bench.folder, `registry-${count}`);
      console.error(`Preparing a registry of ${count} crates …`);
      const { token, names } = await fillRegistry(folder, count);
      const startedMs = performance.now();
      await using registry = await serveRegistry(folder, ['--rate-limit', '0', '--quiet']);
      const startMs = performance.now() - startedMs;
      const name = names[names.length >> 1] ?? '';
      const files = {
        index: `/index/${name.slice(0, 2)}/${name.slice(2, 4)}/${name}`,
        download: `/api/v1/crates/${name}/1.0.0/download`,
      };
      await using beside = await serveFiles(bench, registry, Object.values(files));
      for (const [kind, file] of Object.entries(files)) {
        const ours = await load(registry.url + file, seconds);
        const few = reads.get(kind);
        if (few === undefined) {
          reads.set(kind, ours);
          const theirs = await load(beside.url + file, seconds);
          rows.push(...compareLoads(kind, { ours, theirs, limit: READ_LIMIT }));
        } else {
          rows.push(...compareLoads(`${kind}/${count}`, { ours, theirs: few, limit: LARGE_LIMIT }));
        }
      }
      const published = await loadPublishes(registry, { token, seconds });
      const few = reads.get('publish');
      if (few === undefined) reads.set('publish', published);
      rows.push(
        ...(few === undefined
          ? loadAlone('publish', published)
          : compareLoads(`publish/${count}`, { ours: published, theirs: few, limit: LARGE_LIMIT })),
        alone({ workspace: `start/${count}`, measure: 'time', ours: startMs, most: MAX_START_MS }),
        alone({ workspace: `serve/${count}`, measure: 'memory', ours: peakMegabytes(registry.child.pid) }),
      );
    }
    return rows;
  },
};

function compareLoads(
  workspace: string,
  { ours, theirs, limit }: { readonly ours: Load; readonly theirs: Load; readonly limit: number },
): readonly Row[] {
  return [
    {
      ...{ workspace, measure: 'rate', limit },
      ...{ ours: ours.perSecond, theirs: theirs.perSecond, ratio: theirs.perSecond / ours.perSecond },
    },
    // The slowest hundredth is told, and not judged: on a busy machine it is the machine's.
    {
      ...{ workspace: `${workspace} p99`, measure: 'time', limit: null },
      ...{ ours: ours.p99Ms, theirs: theirs.p99Ms, ratio: ours.p99Ms / theirs.p99Ms },
    },
  ];
}

function loadAlone(workspace: string, { perSecond, p99Ms }: Load): readonly Row[] {
  return [
    alone({ workspace, measure: 'rate', ours: perSecond }),
    alone({ workspace: `${workspace} p99`, measure: 'time', ours: p99Ms }),
  ];
}

function alone(row: Pick<Row, 'workspace' | 'measure' | 'ours'> & { readonly most?: number }): Row {
  const { most, ...rest } = row;
  if (most === undefined) return { ...rest, theirs: null, ratio: null, limit: null };
  return { ...rest, theirs: most, ratio: row.ours / most, limit: 1 };
}

/** Asks for one address over and over, from a process of its own. */
async function load(url: string, seconds: number): Promise<Load> {
  const program = fileURLToPath(import.meta.resolve('autocannon'));
  const args = [program, '--json', '--no-progress', '-c', String(CONNECTIONS), '-d', String(seconds), url];
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

/** Publishes crates that are new, one after the other on each connection. */
async function loadPublishes(
  { url }: ServedRegistry,
  { token, seconds }: { readonly token: string; readonly seconds: number },
): Promise<Load> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const latenciesMs: number[] = [];
  const endMs = performance.now() + seconds * 1000;
  let next = 0;
  const publish = async (): Promise<void> => {
    while (performance.now() < endMs) {
      next += 1;
      const { bytes } = publishBody({ name: `published-${next}`, version: '1.0.0' });
      const sentMs = performance.now();
      const status = await put(`${url}/api/v1/crates/new`, { agent, token, bytes });
      if (status !== 200) throw new Error(`a publish was answered with ${status}`);
      latenciesMs.push(performance.now() - sentMs);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, publish));
  agent.destroy();
  const sorted = latenciesMs.toSorted((a, b) => a - b);
  return { perSecond: sorted.length / seconds, p99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? 0 };
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

/** A server of files that has what the registry serves at `addresses`. */
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
