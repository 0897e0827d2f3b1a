import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createApp } from '../../../src/server/app.ts';
import { makeSecret, TOKEN_SCOPES } from '../../../src/server/auth/tokens.ts';
import { verifyStore } from '../../../src/server/admin/verify-store.ts';
import type { ServerContext } from '../../../src/server/server-context.ts';
import { MAX_ARCHIVE_BYTES } from '../../../src/server/source/documentation-limits.ts';
import type { Blobs } from '../../../src/server/store/blobs.ts';
import type { Actor, Token, User } from '../../../src/server/store/values.ts';
import { docsArchive, rustdocFiles } from '../../helpers/documentation.ts';
import { publishBody } from '../../helpers/publish-body.ts';
import { openTestRegistry, type TestRegistry } from '../../helpers/test-registry.ts';
import { blobKeys } from '../../helpers/test-storage.ts';

const PATH = '/api/v1/crates/mug-core/1.0.0/docs';
const ARCHIVE = docsArchive(rustdocFiles('mug_core'));

let registry: TestRegistry;
let alice: User;
let actor: Actor;

beforeEach(async () => {
  registry = await openTestRegistry();
  alice = await registry.user('alice');
  actor = await registry.tokenOf(alice);
  for (const version of ['1.0.0', '2.0.0'])
    await registry.publish(actor, publishBody({ name: 'mug-core', version }).bytes);
});

afterEach(() => registry[Symbol.asyncDispose]());

async function tokenOf(
  user: User,
  more: Partial<Pick<Token, 'scopes' | 'cratePatterns'>> = {},
): Promise<string> {
  const { secret, hash, prefix } = makeSecret();
  await registry.store.records.createToken({
    ...{ userId: user.id, name: 'test', hash, prefix, scopes: TOKEN_SCOPES, cratePatterns: [] },
    ...{ createdAtMs: 1, expiresAtMs: null, ...more },
  });
  return secret;
}

interface Sent {
  readonly status: number;
  readonly body: unknown;
}

async function send(
  method: 'PUT' | 'DELETE',
  token: string,
  {
    path = PATH,
    body = method === 'PUT' ? ARCHIVE : null,
    context = registry.context,
  }: { path?: string; body?: RequestInit['body']; context?: ServerContext } = {},
): Promise<Sent> {
  const init = { method, body, headers: { authorization: token }, duplex: 'half' } as const;
  const answer = await createApp(context).fetch(new Request(`http://x${path}`, init), {});
  return { status: answer.status, body: await answer.json() };
}

const refused = (status: number, detail: string): Sent => ({
  status,
  body: { errors: [{ detail: expect.stringContaining(detail) }] },
});

async function docsKeys(): Promise<readonly string[]> {
  return (await blobKeys(registry.store.blobs)).filter((key) => key.endsWith('.docs'));
}

describe('an upload of documentation', () => {
  it('stores one blob, returns the address, and adds an audit entry with the token', async () => {
    const token = await tokenOf(alice, { scopes: ['publish-update'], cratePatterns: ['mug*'] });
    expect(await send('PUT', token)).toEqual({
      status: 200,
      body: { ok: true, url: 'http://127.0.0.1:7878/docs/mug-core/1.0.0/' },
    });
    const { records } = registry.store;
    const stored = await records.findDocumentation('Mug_Core', '1.0.0');
    expect([stored?.blobKey]).toEqual(await docsKeys());
    expect(stored).toMatchObject({ crate: 'mug-core', version: '1.0.0' });
    expect(await records.findDocumentation('mug-core', '2.0.0')).toBeNull();
    const { items } = await records.listAudit({ action: 'add-documentation' }, { limit: 9, offset: 0 });
    expect(items).toMatchObject([
      { actor: 'alice', crate: 'mug-core', version: '1.0.0', detail: `sha256:${stored?.checksum}` },
    ]);
    expect(items[0]?.tokenId).toEqual(expect.any(Number));
  });

  it('replaces an earlier one and deletes its blob', async () => {
    const token = await tokenOf(alice);
    await send('PUT', token);
    const [first] = await docsKeys();
    await send('PUT', token, { body: docsArchive({ 'mug_core/index.html': 'second' }) });
    const keys = await docsKeys();
    expect(keys).toHaveLength(1);
    expect(keys).not.toContain(first);
    expect((await registry.store.records.findDocumentation('mug-core', '1.0.0'))?.blobKey).toBe(keys[0]);
  });

  it('leaves one complete upload if several arrive at once', async () => {
    const token = await tokenOf(alice);
    const uploads = Array.from({ length: 4 }, () => send('PUT', token));
    expect((await Promise.all(uploads)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const stored = await registry.store.records.findDocumentation('mug-core', '1.0.0');
    expect(await docsKeys()).toEqual([stored?.blobKey]);
  });

  it('succeeds if the earlier blob cannot be deleted, which is logged', async () => {
    const token = await tokenOf(alice);
    await send('PUT', token);
    const [first] = await docsKeys();
    const logged: unknown[] = [];
    const { log, blobs } = registry.context;
    const context = {
      ...registry.context,
      blobs: { ...blobs, delete: () => Promise.reject(new Error('no answer')) },
      log: { ...log, warning: (...entry: readonly unknown[]) => void logged.push(entry) },
    };
    const second = docsArchive({ 'mug_core/index.html': 'second' });
    expect((await send('PUT', token, { body: second, context })).status).toBe(200);
    expect(logged).toEqual([['old-documentation-not-deleted', { key: first, reason: 'no answer' }]]);
    const stored = await registry.store.records.findDocumentation('mug-core', '1.0.0');
    expect(stored?.blobKey).not.toBe(first);
    expect(await docsKeys()).toEqual(expect.arrayContaining([first, stored?.blobKey]));
  });

  it('is refused if the registry shows no documentation, but earlier documentation can be removed', async () => {
    const token = await tokenOf(alice);
    await send('PUT', token);
    const { settings } = registry.context;
    const context: ServerContext = { ...registry.context, settings: { ...settings, documentation: 'off' } };
    expect(await send('PUT', token, { context })).toEqual(
      refused(403, 'this registry accepts no documentation'),
    );
    expect((await send('DELETE', token, { context })).status).toBe(200);
  });

  it('is allowed for a yanked version', async () => {
    await registry.store.records.setYanked({
      ...{ crate: 'mug-core', version: '1.0.0', isYanked: true, reason: null, atMs: 1, actor },
    });
    expect((await send('PUT', await tokenOf(alice))).status).toBe(200);
  });

  it('is refused without the scope, the crate, the rights or the version', async () => {
    const bob = await registry.user('bob');
    const good = await tokenOf(alice);
    const notOwner = 'only owners have permission to change the documentation of a crate';
    for (const method of ['PUT', 'DELETE'] as const) {
      expect(await send(method, 'bad')).toEqual(refused(403, 'the token is not valid'));
      expect(await send(method, await tokenOf(alice, { scopes: ['publish-new', 'owners'] }))).toEqual(
        refused(403, 'needs the scope `publish-update`'),
      );
      expect(await send(method, await tokenOf(alice, { cratePatterns: ['kettle'] }))).toEqual(
        refused(403, 'not for the crate `mug-core`'),
      );
      expect(await send(method, await tokenOf(bob))).toEqual(refused(403, notOwner));
      expect(await send(method, good, { path: PATH.replace('1.0.0', '3.0.0') })).toEqual(
        refused(404, 'crate `mug-core` does not have a version `3.0.0`'),
      );
      expect(await send(method, good, { path: PATH.replace('mug-core', 'nothing') })).toEqual(
        refused(404, 'crate `nothing` does not exist'),
      );
    }
    expect(await docsKeys()).toEqual([]);
  });

  it('needs a token of trusted publishing if new versions do', async () => {
    await registry.store.records.setTrustedOnly({ crate: 'mug-core', isTrustedOnly: true, atMs: 1, actor });
    expect(await send('PUT', await tokenOf(alice))).toEqual(refused(403, 'only by trusted publishing'));
    const { secret, hash, prefix } = makeSecret();
    await registry.store.records.createToken({
      ...{ userId: alice.id, name: 'job', hash, prefix, scopes: TOKEN_SCOPES, cratePatterns: ['mug-core'] },
      ...{ createdAtMs: 1, expiresAtMs: registry.nowMs + 3_600_000, issuer: 'https://ci' },
    });
    expect((await send('PUT', secret)).status).toBe(200);
  });

  it('counts as a change of the user', async () => {
    const { settings } = registry.context;
    const context = {
      ...registry.context,
      settings: { ...settings, limits: { ...settings.limits, changesPerMinute: 1 } },
      clock: { now: () => registry.nowMs },
    };
    const token = await tokenOf(alice);
    expect((await send('PUT', token, { context })).status).toBe(200);
    expect(await send('DELETE', token, { context })).toEqual(refused(429, 'too many changes'));
  });

  it('is refused with the reason if the archive is invalid, and leaves nothing behind', async () => {
    const token = await tokenOf(alice);
    const before = await blobKeys(registry.store.blobs);
    const twoCrates = docsArchive({ 'a/index.html': '', 'b/index.html': '' });
    expect(await send('PUT', token, { body: twoCrates })).toEqual(
      refused(400, 'has no `mug_core/index.html`'),
    );
    expect(await send('PUT', token, { body: docsArchive({ 'mug\u202e\\x.html': '' }) })).toEqual(
      refused(400, 'special character'),
    );
    for (const body of ['hello', null])
      expect(await send('PUT', token, { body })).toEqual(refused(400, 'send a `.tar.gz`'));
    expect(await blobKeys(registry.store.blobs)).toEqual(before);
  });

  it('is refused as soon as the body is larger than 64 MiB', async () => {
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1024 * 1024;
        controller.enqueue(new Uint8Array(1024 * 1024));
      },
    });
    expect(await send('PUT', await tokenOf(alice), { body })).toEqual(
      refused(413, `${MAX_ARCHIVE_BYTES} bytes`),
    );
    expect(sent).toBeLessThan(4 * MAX_ARCHIVE_BYTES);
    expect(await docsKeys()).toEqual([]);
  });

  it('reads no body that an actor may not send', async () => {
    const bob = await registry.user('bob');
    let begun = 0;
    const blobs: Blobs = {
      ...registry.store.blobs,
      begin: async (kind) => {
        begun += 1;
        return await registry.store.blobs.begin(kind);
      },
    };
    await send('PUT', await tokenOf(bob), { context: { ...registry.context, blobs } });
    expect(begun).toBe(0);
  });
});

describe('a failure during an upload', () => {
  const DAY_MS = 86_400_000;

  /** Lets the record of the next upload fail after its blob was stored. */
  function failingAt(fail: () => never): ServerContext {
    const { records } = registry.context;
    type Given = Parameters<(typeof records)['authorize']>;
    return {
      ...registry.context,
      records: {
        ...records,
        authorize: (...given: Given) => {
          const authorized = records.authorize(...given);
          return {
            ...authorized,
            setDocumentation: async (change) =>
              change.stored === null ? await authorized.setDocumentation(change) : fail(),
          };
        },
      },
    };
  }

  it('between blob and record shows the earlier documentation, and leaves a blob that `verify --clean` removes', async () => {
    const token = await tokenOf(alice);
    await send('PUT', token);
    const before = await registry.store.records.findDocumentation('mug-core', '1.0.0');
    const context = failingAt(() => {
      throw new Error('killed');
    });
    expect((await send('PUT', token, { context })).status).toBe(500);
    expect(await registry.store.records.findDocumentation('mug-core', '1.0.0')).toEqual(before);
    expect(await docsKeys()).toHaveLength(2);
    const verified = await verifyStore(registry.store, {
      ...{ nowMs: Date.now() + 2 * DAY_MS, removeUnreferenced: true, forgetDamaged: false },
    });
    expect(verified).toMatchObject({ problems: [], unreferenced: [expect.stringContaining('.docs')] });
    expect(await docsKeys()).toEqual([before?.blobKey]);
  });

  it('of the store leaves no blob that is being written', async () => {
    const token = await tokenOf(alice);
    const { blobs } = registry.store;
    let [open, begun] = [0, 0];
    const context = {
      ...registry.context,
      blobs: {
        ...blobs,
        begin: async () => {
          const writer = await blobs.begin('docs');
          begun += 1;
          open += 1;
          // The second writer is that of the packed files.
          const finish = (): never => {
            throw new Error('no answer');
          };
          const discard = async (): Promise<void> => {
            open -= 1;
            await writer.discard();
          };
          return {
            ...{ write: writer.write.bind(writer), read: writer.read.bind(writer), discard },
            finish: begun === 2 ? finish : writer.finish.bind(writer),
          };
        },
      },
    };
    expect((await send('PUT', token, { context })).status).toBe(500);
    expect([begun, open, await docsKeys()]).toEqual([2, 0, []]);
    expect(await registry.store.records.findDocumentation('mug-core', '1.0.0')).toBeNull();
  });

  it('because the token was revoked during the body leaves no blob', async () => {
    const { records } = registry.store;
    const token = await tokenOf(alice);
    const body = new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          for (const { id } of await records.listTokens(alice.id))
            await records.revokeToken({ userId: alice.id, tokenId: id, atMs: 1 });
          controller.enqueue(ARCHIVE);
          controller.close();
        },
      },
      { highWaterMark: 0 },
    );
    expect(await send('PUT', token, { body })).toEqual(refused(403, 'no longer allowed'));
    expect([await docsKeys(), await records.findDocumentation('mug-core', '1.0.0')]).toEqual([[], null]);
  });

  it('because the version was deleted meanwhile leaves no blob', async () => {
    const token = await tokenOf(alice);
    const { records, blobs } = registry.store;
    const context = {
      ...registry.context,
      blobs: {
        ...blobs,
        begin: async (kind?: 'crate' | 'docs') => {
          await records.deleteVersion({
            ...{ crate: 'mug-core', version: '1.0.0', actor: null, reason: null, atMs: 1 },
            ...{ mayReuseVersions: false, nameReservedUntilMs: 0 },
          });
          return await blobs.begin(kind);
        },
      },
    };
    expect(await send('PUT', token, { context })).toEqual(refused(404, 'does not have a version'));
    expect(await docsKeys()).toEqual([]);
  });
});

describe('a removal of documentation', () => {
  it('deletes the blob and adds an audit entry', async () => {
    const token = await tokenOf(alice);
    await send('PUT', token);
    expect(await send('DELETE', token)).toEqual({ status: 200, body: { ok: true } });
    expect([await docsKeys(), await registry.store.records.listDocumentation('mug-core')]).toEqual([[], []]);
    const { items } = await registry.store.records.listAudit(
      { action: 'remove-documentation' },
      { limit: 9, offset: 0 },
    );
    expect(items).toMatchObject([{ actor: 'alice', crate: 'mug-core', version: '1.0.0' }]);
    expect(await send('DELETE', token)).toEqual(
      refused(404, 'crate `mug-core` has no documentation of version `1.0.0`'),
    );
  });
});
