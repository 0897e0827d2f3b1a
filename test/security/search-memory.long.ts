import { readFileSync } from 'node:fs';
import { Agent, get } from 'node:http';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { randomSearches } from '../helpers/random-searches.ts';
import { serveRegistry, type ServedRegistry } from '../helpers/served-registry.ts';
import { makeTempDir, type TempDir } from '../helpers/temp-dir.ts';

const SEARCHES = 12_000;
/** Number of searches after which the memory of the server has settled. */
const WARM_UP = 500;
const AT_ONCE = 8;
const MAX_SECONDS = 100;
const MAX_GROWTH_MB = 80;
const SEED = 20_260_101;

let temp: TempDir;
let registry: ServedRegistry;
beforeEach(async () => {
  temp = makeTempDir('search-memory');
  registry = await serveRegistry(temp.path, ['--rate-limit', '0', '--quiet']);
});
afterEach(async () => {
  await registry.stop();
  temp.remove();
});

function search(path: string, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    get(registry.url + path, { agent }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    }).on('error', reject);
  });
}

function residentMegabytes(): number {
  const status = readFileSync(`/proc/${registry.child.pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
}

it.skipIf(process.platform !== 'linux')(
  'anonymous searches leave the memory of a server bounded',
  async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
    const searches = randomSearches(SEED);
    const endMs = performance.now() + MAX_SECONDS * 1000;
    let done = 0;
    const work = async (until: number): Promise<void> => {
      while (done < until && performance.now() < endMs) {
        done += 1;
        const { query, request } = searches.next().value;
        const page = `per_page=${request.limit}&page=${1 + Math.floor(request.offset / request.limit)}`;
        const status = await search(`/api/v1/crates?q=${encodeURIComponent(query)}&${page}`, agent);
        if (status !== 200) throw new Error(`${JSON.stringify(query)} was answered with ${status}`);
      }
    };
    const all = (until: number): Promise<unknown> =>
      Promise.all(Array.from({ length: AT_ONCE }, () => work(until)));
    await all(WARM_UP);
    const beforeMb = residentMegabytes();
    await all(SEARCHES);
    const afterMb = residentMegabytes();
    agent.destroy();
    console.log(`seed ${SEED}: ${beforeMb} MB after ${WARM_UP} searches, ${afterMb} MB after ${done}`);
    expect(done).toBeGreaterThanOrEqual(10_000);
    expect(afterMb - beforeMb).toBeLessThan(MAX_GROWTH_MB);
  },
);
