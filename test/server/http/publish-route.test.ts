import { afterAll, beforeAll, expect, it } from 'vitest';
import { createApp } from '../../../src/server/app.ts';
import { hashToken, TOKEN_SCOPES } from '../../../src/server/auth/tokens.ts';
import { frameBody, publishBody } from '../../helpers/publish-body.ts';
import { openTestRegistry, TEST_LIMITS, type TestRegistry } from '../../helpers/test-registry.ts';

let registry: TestRegistry;

beforeAll(async () => {
  registry = await openTestRegistry();
  const user = await registry.user('alice');
  await registry.store.records.createToken({
    ...{ userId: user.id, name: 'test', hash: hashToken('good'), prefix: 'test', scopes: TOKEN_SCOPES },
    ...{ cratePatterns: [], createdAtMs: 1, expiresAtMs: null },
  });
  const bob = await registry.tokenOf(await registry.user('bob'));
  await registry.publish(bob, publishBody({ name: 'bobs', version: '1.0.0' }).bytes);
});

afterAll(() => registry[Symbol.asyncDispose]());

const NOISE = Buffer.alloc(900_000, 'x');
const json = (more: object): string => JSON.stringify({ name: 'fine', vers: '1.0.0', ...more });

it.each<[string, number, Buffer, string]>([
  ['a token that is not valid', 403, frameBody(json({}), NOISE), 'bad'],
  ['metadata that is refused', 400, frameBody(json({ vers: 'one' }), NOISE), 'good'],
  ['metadata that is no JSON', 400, frameBody('{', NOISE), 'good'],
  ['a crate of somebody else', 403, frameBody(json({ name: 'bobs', vers: '2.0.0' }), NOISE), 'good'],
  ['an archive that is none', 400, frameBody(json({}), NOISE), 'good'],
  ['an archive that is too large', 413, frameBody(json({}), Buffer.alloc(1_100_000)), 'good'],
])('reads the whole body before it refuses %s', async (_, status, bytes, token) => {
  let sent = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const part = bytes.subarray(sent, sent + 50_000);
        sent += part.length;
        if (part.length === 0) controller.close();
        else controller.enqueue(new Uint8Array(part));
      },
    },
    { highWaterMark: 0 },
  );
  const init = { method: 'PUT', body, duplex: 'half', headers: { authorization: token } } as const;
  const answer = await createApp(registry.context).fetch(new Request('http://x/api/v1/crates/new', init), {});
  expect([answer.status, sent]).toEqual([status, bytes.length]);
});

it('stops reading an endless body', async () => {
  let sent = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += 100_000;
      controller.enqueue(new Uint8Array(100_000));
    },
  });
  const init = { method: 'PUT', body, duplex: 'half', headers: { authorization: 'bad' } } as const;
  const answer = await createApp(registry.context).fetch(new Request('http://x/api/v1/crates/new', init), {});
  expect(answer.status).toBe(403);
  expect(sent).toBeLessThan(3 * (TEST_LIMITS.maxCrateBytes + TEST_LIMITS.maxMetadataBytes));
});
