import { afterEach, beforeEach, expect, it } from 'vitest';
import { createApp } from '../../../src/server/app.ts';
import type { Actor } from '../../../src/server/store/values.ts';
import { publishBody } from '../../helpers/publish-body.ts';
import { openTestRegistry, type TestRegistry } from '../../helpers/test-registry.ts';

let registry: TestRegistry;
let alice: Actor;
/** The time of the server. */
let nowMs: number;

beforeEach(async () => {
  registry = await openTestRegistry();
  alice = await registry.tokenOf(await registry.user('alice'));
  await registry.publish(alice, publishBody({ name: 'mug', version: '1.0.0' }).bytes);
  const published = await registry.store.records.findIndexState('mug');
  nowMs = (published?.changedAtMs ?? 0) + 5000;
});
afterEach(() => registry[Symbol.asyncDispose]());

/** Requests the index file with a time alone. Returns the status, and the state that the client gets. */
async function ask(
  since: string | null,
): Promise<readonly [status: number, isYanked: boolean, modified: string]> {
  const { fetch } = createApp({ ...registry.context, clock: { now: () => nowMs } });
  const headers = since === null ? {} : { 'if-modified-since': since };
  const response = await fetch(new Request('http://x/index/3/m/mug', { headers }), {});
  const isYanked = (await response.text()).includes('"yanked":true');
  return [response.status, isYanked, response.headers.get('last-modified') ?? ''];
}

const yank = (isYanked: boolean, atMs: number): Promise<unknown> =>
  registry.store.records.setYanked({
    ...{ crate: 'mug', version: '1.0.0', isYanked, reason: null, atMs, actor: alice },
  });

it('sends a yank to clients that know only the time of their file, whenever they got it', async () => {
  const [, , modified] = await ask(null);
  expect(await ask(modified)).toEqual([304, false, modified]);
  const time = (ms: number): string => new Date(ms).toUTCString();
  // In the second of the change, after a response in the same second.
  const yankedAtMs = Math.ceil(nowMs / 1000) * 1000 + 700;
  await yank(true, yankedAtMs);
  nowMs = yankedAtMs;
  for (const since of [modified, time(yankedAtMs - 700), time(yankedAtMs)])
    expect(await ask(since)).toEqual([200, true, '']);
  nowMs = yankedAtMs + 5000;
  const [, , later] = await ask(null);
  expect([later, (await ask(later))[0]]).toEqual([time(yankedAtMs + 300), 304]);
});

it('sends a change that began before another one, and ends after it', async () => {
  await yank(true, nowMs);
  nowMs += 5000;
  const [, , modified] = await ask(null);
  for (const [isYanked, atMs] of [
    [false, nowMs - 5000],
    [true, nowMs - 9000],
  ] as const) {
    await yank(isYanked, atMs);
    expect((await ask(modified)).slice(0, 2)).toEqual([200, isYanked]);
  }
});
