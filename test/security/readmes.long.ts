import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { samples } from '../helpers/samples.ts';
import { serveRegistry, type ServedRegistry } from '../helpers/served-registry.ts';
import { makeTempDir, type TempDir } from '../helpers/temp-dir.ts';

const SEED = 29_007;
const BUDGET_MS = 25_000;
/** Time limit for rendering, waiting for another rendering, and a busy machine. */
const MAX_PAGE_MS = 6000;
const MAX_DELAY_MS = 1000;

const PIECES = [
  ...[
    'http://a.b/(',
    '//a.b/{',
    'www.a.b/[',
    'mailto:a@b.c(',
    'a@b.cc,',
    '<',
    '>',
    '<i>',
    '<b ',
    '<!--',
    '-->',
  ],
  ...[
    '[',
    ']',
    '](',
    '![',
    '[a]: b\n',
    '[a]',
    '*',
    '**',
    '_',
    '~~',
    '`',
    '``',
    '\n',
    '\n\n',
    '> ',
    '- ',
    '1. ',
  ],
  ...[
    '|',
    '|-',
    '# a\n',
    '    ',
    '\t',
    '\\',
    '&amp;',
    '&#x0;',
    '<a href="',
    '<script>',
    '</p>',
    '\u0301',
    '\u{1f600}',
  ],
];

const readmes = fc
  .tuple(
    fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 4 }),
    fc.array(fc.constantFrom(...PIECES), { maxLength: 4 }),
    fc.constantFrom(16, 64, 256, 400),
  )
  .map(([repeated, once, kib]) => {
    const unit = repeated.join('');
    return unit.repeat(Math.floor((kib * 1024) / Buffer.byteLength(unit))) + once.join('');
  });

let temp: TempDir;
let registry: ServedRegistry;
beforeAll(async () => {
  temp = makeTempDir('readmes');
  registry = await serveRegistry(temp.path, ['--rate-limit', '0']);
});
afterAll(async () => {
  await registry[Symbol.asyncDispose]();
  temp.remove();
});

it('shows any readme in bounded time, and serves other requests meanwhile', async () => {
  const token = await registry.token('alice');
  let isOver = false;
  let maxDelayMs = 0;
  const probing = (async () => {
    while (!isOver) {
      const startedMs = performance.now();
      await (await fetch(`${registry.url}/index/config.json`)).text();
      maxDelayMs = Math.max(maxDelayMs, performance.now() - startedMs);
      await sleep(20);
    }
  })();
  let [count, asText, maxPageMs] = [0, 0, 0];
  for (const readme of samples(readmes, { seed: SEED, budgetMs: BUDGET_MS })) {
    const name = `r${count}`;
    await registry.publish({ name, version: '1.0.0' }, token, { readme });
    const startedMs = performance.now();
    const response = await fetch(`${registry.url}/crates/${name}`);
    const page = await response.text();
    const pageMs = performance.now() - startedMs;
    maxPageMs = Math.max(maxPageMs, pageMs);
    expect(response.status).toBe(200);
    expect(pageMs, JSON.stringify(readme.slice(0, 80))).toBeLessThan(MAX_PAGE_MS);
    if (page.includes('<article class="readme"><pre>')) asText += 1;
    count += 1;
  }
  isOver = true;
  await probing;
  console.log(
    `seed ${SEED}: ${count} readmes, ${asText} as text, slowest page ${Math.round(maxPageMs)} ms, slowest other request ${Math.round(maxDelayMs)} ms`,
  );
  expect(count).toBeGreaterThan(10);
  expect(maxDelayMs).toBeLessThan(MAX_DELAY_MS);
});
