import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createApp } from '../../src/server/app.ts';
import { makeToken } from '../../src/server/admin/make-token.ts';
import type { ServerSettings } from '../../src/server/server-context.ts';
import { runProgram, tsregProgram } from '../helpers/program.ts';
import { serveRegistry } from '../helpers/served-registry.ts';
import { makeTempDir, type TempDir } from '../helpers/temp-dir.ts';
import { openTestRegistry, type TestRegistry } from '../helpers/test-registry.ts';

const TOKEN = 'a-token-for-prometheus';

let temp: TempDir;
let registry: TestRegistry;
beforeEach(async () => {
  temp = makeTempDir('metrics');
  registry = await openTestRegistry();
});
afterEach(async () => {
  await registry[Symbol.asyncDispose]();
  temp.remove();
});

/** Returns the status of `/metrics` on the registry and on the separate listener. */
async function statuses(
  settings: Partial<ServerSettings>,
  authorization?: string,
): Promise<readonly number[]> {
  const app = createApp({ ...registry.context, settings: { ...registry.context.settings, ...settings } });
  const request = (): Request =>
    new Request('http://x/metrics', authorization === undefined ? {} : { headers: { authorization } });
  const responses = [await app.fetch(request(), {}), await app.metrics(request(), {})];
  for (const response of responses) {
    if (response.status === 200) expect(await response.text()).toContain('tsreg_crates 0');
  }
  return responses.map(({ status }) => status);
}

it('metrics with their own token are shown only to clients that send it', async () => {
  const metrics = { token: TOKEN, hasOwnListener: false };
  const context = { ...registry.context, clock: { now: () => registry.nowMs } };
  const reader = await makeToken(context, {
    ...{ login: 'alice', name: 'read', scopes: ['read'], cratePatterns: [], expiresAfterMs: null },
  });
  for (const authRequired of [false, true]) {
    const settings = { metrics, authRequired };
    expect(await statuses(settings)).toEqual([401, 401]);
    expect(await statuses(settings, `Bearer ${TOKEN}x`)).toEqual([401, 401]);
    expect(await statuses(settings, TOKEN)).toEqual([401, 401]);
    expect(await statuses(settings, `Bearer ${reader}`)).toEqual([401, 401]);
    expect(await statuses(settings, `Bearer ${TOKEN}`)).toEqual([200, 200]);
  }
});

it('metrics with their own listener are not part of the registry', async () => {
  const settings = { metrics: { token: null, hasOwnListener: true } };
  expect(await statuses(settings)).toEqual([404, 200]);
  expect(await statuses({ ...settings, authRequired: true })).toEqual([404, 200]);
  const both = { metrics: { token: TOKEN, hasOwnListener: true } };
  expect(await statuses(both)).toEqual([404, 401]);
  expect(await statuses(both, `Bearer ${TOKEN}`)).toEqual([404, 200]);
});

it('metrics without token and listener require read access to the registry', async () => {
  expect(await statuses({})).toEqual([200, 200]);
  expect(await statuses({ authRequired: true })).toEqual([401, 401]);
});

it('`serve --metrics-listen` serves metrics for the token in `--metrics-token-file`', async () => {
  const file = path.join(temp.path, 'token');
  writeFileSync(file, `${TOKEN}\n`);
  const flags = ['--metrics-listen', '127.0.0.1:0', '--metrics-token-file', file];
  await using server = await serveRegistry(path.join(temp.path, 'data'), flags);
  expect((await fetch(`${server.url}/metrics`)).status).toBe(404);
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  const url = /"event":"started".*"metrics":"([^"]+)"/.exec(server.log())?.[1] ?? '';
  expect((await fetch(url)).status).toBe(401);
  const headers = { authorization: `Bearer ${TOKEN}` };
  expect(await (await fetch(url, { headers })).text()).toContain('tsreg_crates 0');
  expect((await fetch(new URL('/index/config.json', url), { headers })).status).toBe(404);
});

it.each([
  ['short\n', 'is not a token'],
  ['two lines\nof text that is long', 'is not a token'],
  [null, 'failed to read'],
])('`serve` refuses a `--metrics-token-file` without a valid token: %j', async (text, words) => {
  const file = path.join(temp.path, 'token');
  if (text !== null) writeFileSync(file, text);
  const args = ['serve', '--listen', '127.0.0.1:0', '--data', path.join(temp.path, 'data')];
  const { status, stderr } = await runProgram(tsregProgram(), [...args, '--metrics-token-file', file], {
    cwd: temp.path,
    env: { PATH: process.env['PATH'] ?? '', HOME: temp.path },
  });
  expect([status, stderr]).toEqual([101, expect.stringContaining(words)]);
});
