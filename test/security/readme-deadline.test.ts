import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveRegistry, type ServedRegistry } from '../helpers/served-registry.ts';
import { makeTempDir, type TempDir } from '../helpers/temp-dir.ts';

/** Readmes that take the parser time or memory quadratic in their length. */
const SLOW: readonly (readonly [string, string])[] = [
  ['addresses with open brackets', 'http://a.b/('.repeat(21_845)],
  ['addresses with open braces', 'http://a.b/{'.repeat(21_845)],
  ['addresses with open square brackets', 'https://a.b/['.repeat(20_164)],
  ['a long link often', `[a]: http://a.b/${'c'.repeat(4000)}\n\n${'[a] '.repeat(150_000)}`],
];

let temp: TempDir;
let registry: ServedRegistry;
let token: string;
beforeAll(async () => {
  temp = makeTempDir('readme-deadline');
  registry = await serveRegistry(temp.path);
  token = await registry.token('alice');
  await registry.publish({ name: 'plain', version: '1.0.0' }, token, { readme: '# Plain\n\n*words*' });
});
afterAll(async () => {
  await registry[Symbol.asyncDispose]();
  temp.remove();
});

/** Returns the sorted durations of requests that were sent while `work` was running. */
async function timesDuring(work: Promise<unknown>): Promise<readonly number[]> {
  let isOver = false;
  const over = work.finally(() => {
    isOver = true;
  });
  const times: number[] = [];
  do {
    const startedMs = performance.now();
    const response = await fetch(`${registry.url}/crates/plain/versions`);
    await response.text();
    expect(response.status).toBe(200);
    times.push(performance.now() - startedMs);
    await sleep(10);
  } while (!isOver);
  await over;
  return times.sort((a, b) => a - b);
}

async function page(name: string): Promise<string> {
  const response = await fetch(`${registry.url}/crates/${name}`);
  expect(response.status).toBe(200);
  return response.text();
}

describe('a readme that takes long to render', () => {
  it.each(SLOW)('is shown as plain text and does not delay other requests: %s', async (kind, readme) => {
    const name = kind.replaceAll(' ', '-');
    await registry.publish({ name, version: '1.0.0' }, token, { readme });
    const startedMs = performance.now();
    const view = page(name);
    const times = await timesDuring(view);
    expect(performance.now() - startedMs).toBeLessThan(6000);
    expect((await view).includes(`<pre>${readme.slice(0, 10)}`)).toBe(true);
    expect(times[times.length >> 1]).toBeLessThan(200);
    expect(times.at(-1)).toBeLessThan(1000);
    // The second request does not render it again.
    const againMs = performance.now();
    await page(name);
    expect(performance.now() - againMs).toBeLessThan(800);
  });

  it('does not stop other readmes from being rendered', async () => {
    expect((await page('plain')).includes('<em>words</em>')).toBe(true);
    await Promise.all(SLOW.map(([kind]) => page(kind.replaceAll(' ', '-'))));
    await registry.publish({ name: 'later', version: '1.0.0' }, token, { readme: '# Later\n\n*again*' });
    expect((await page('later')).includes('<em>again</em>')).toBe(true);
  });
});
