import { expect, it } from 'vitest';
import { createApp } from '../../../src/server/app.ts';
import { hashToken, TOKEN_SCOPES } from '../../../src/server/auth/tokens.ts';
import { MAX_YANK_REASON_CHARS } from '../../../src/server/store/publish-records.ts';
import { publishBody } from '../../helpers/publish-body.ts';
import { openTestRegistry } from '../../helpers/test-registry.ts';

it('accepts reasons for yanks up to the same length as the form', async () => {
  await using registry = await openTestRegistry();
  const alice = await registry.user('alice');
  await registry.publish(await registry.tokenOf(alice), publishBody({ name: 'mug', version: '1.0.0' }).bytes);
  await registry.store.records.createToken({
    ...{ userId: alice.id, name: 'test', hash: hashToken('good'), prefix: 'test', scopes: TOKEN_SCOPES },
    ...{ cratePatterns: [], createdAtMs: 1, expiresAtMs: null },
  });
  const { fetch } = createApp(registry.context);
  const yank = async (reason: string): Promise<readonly [number, string]> => {
    const url = `http://x/api/v1/crates/mug/1.0.0/yank?reason=${reason}`;
    const response = await fetch(
      new Request(url, { method: 'DELETE', headers: { authorization: 'good' } }),
      {},
    );
    return [response.status, await response.text()];
  };
  const longest = 'x'.repeat(MAX_YANK_REASON_CHARS);
  expect(await yank(`${longest}x`)).toEqual([400, expect.stringContaining('max 500 characters')]);
  expect(await yank(longest)).toEqual([200, '{"ok":true}']);
  expect((await registry.store.records.findVersion('mug', '1.0.0'))?.yankReason).toBe(longest);
});
