import { serve } from '@hono/node-server';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../../src/server/app.ts';
import { browse, CHROMIUM, NEEDS_CHROMIUM } from '../helpers/chromium.ts';
import { fillSite, PAGE_KINDS } from '../helpers/page-kinds.ts';
import { makePagesSite, type PagesSite } from '../helpers/pages-site.ts';

const CRATES = 10_000;
/** Crates that are published at the same time. */
const TOGETHER = 50;
const MAX_RESPONSE_MS = 100;
/** On a machine without other work it takes less than 100 ms. */
const MAX_PAINT_MS = 300;
/** The fastest of these counts, so that other programs on the machine do not. */
const RUNS = 15;
const WORDS = ['parse', 'async', 'json', 'log', 'pool', 'graph', 'hash', 'stream', 'macro', 'test'];

let site: PagesSite;

function crateNumber(number: number): Parameters<PagesSite['publish']>[1] {
  const [first, second] = [WORDS[number % 10], WORDS[Math.floor(number / 10) % 10]];
  return {
    ...{ name: `${first}-${second}-${number}`, version: '1.0.0', license: 'MIT' },
    ...{
      description: `Number ${number}: a ${second} for every ${first}`,
      keywords: [`${first}`, `${second}`],
    },
  };
}

beforeAll(async () => {
  site = await makePagesSite();
  const owner = await fillSite(site);
  for (let start = 0; start < CRATES; start += TOGETHER) {
    await Promise.all(
      Array.from({ length: TOGETHER }, (_, i) => site.publish(owner, crateNumber(start + i))),
    );
    site.nowMs += 1000;
  }
}, 600_000);

afterAll(async () => site[Symbol.asyncDispose]());

describe(`with ${CRATES} crates`, () => {
  it('the server sends each page in less than 100 ms', async () => {
    const { fetch: respond } = createApp(site.context);
    const server = serve({ fetch: respond, hostname: '127.0.0.1', port: 0 });
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const times: Record<string, number> = {};
    for (const address of [
      ...PAGE_KINDS.nobody,
      '/?q=parse',
      '/?q=parse+json',
      '/crates?page=150',
      '/feed.atom',
    ])
      times[address] = await fastest(async () => {
        const startedMs = performance.now();
        await (await fetch(url + address, { headers: { accept: 'text/html' } })).text();
        return performance.now() - startedMs;
      });
    server.close();
    expectFast(times, MAX_RESPONSE_MS);
  });

  it.skipIf(CHROMIUM === undefined)(
    `Chromium shows each page in a fraction of a second${NEEDS_CHROMIUM}`,
    async () => {
      await using browsed = await browse(site);
      const page = await browsed.open('/');
      const times: Record<string, number> = {};
      for (const address of [
        '/',
        '/?q=parse',
        '/crates',
        '/crates/tidepool',
        '/crates/reef/1.1.0/source/src/lib.rs',
      ])
        times[address] = await fastest(async () => {
          await page.goto(address);
          return page.evaluate(FIRST_PAINT);
        });
      expectFast(times, MAX_PAINT_MS);
    },
  );
});

/** Runs in the page: returns the time from the start of the navigation until the page shows something. */
const FIRST_PAINT = `new Promise((resolve) => new PerformanceObserver((list) => {
  for (const entry of list.getEntriesByName('first-contentful-paint')) resolve(entry.startTime);
}).observe({ type: 'paint', buffered: true }))`;

async function fastest(measure: () => Promise<number>): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < RUNS; run += 1) times.push(await measure());
  return Math.round(Math.min(...times));
}

function expectFast(times: Readonly<Record<string, number>>, maxMs: number): void {
  console.log(times);
  for (const [address, ms] of Object.entries(times)) expect(ms, address).toBeLessThan(maxMs);
}
