/** Crates with the same name in this registry and in its upstream. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { deletePermanently } from '../../../src/server/admin/delete-permanently.ts';
import { publish } from '../../../src/server/publish/publish.ts';
import type { PublishResult } from '../../../src/server/publish/publish-result.ts';
import type { Actor } from '../../../src/server/store/values.ts';
import { type BuiltCrate, buildCrate, type DependencyDecl } from '../../helpers/crate.ts';
import { type Mirror, openMirror } from '../../helpers/mirror.ts';
import { publishBody } from '../../helpers/publish-body.ts';
import { type Fault, type RegistryServer, startRegistryServer } from '../../helpers/registry-server.ts';
import { openTestRegistry, TEST_CHECKS, type TestRegistry } from '../../helpers/test-registry.ts';

let server: RegistryServer;
let registry: TestRegistry;
let mirror: Mirror;
let alice: Actor;

beforeAll(async () => {
  server = await startRegistryServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  registry = await openTestRegistry();
  alice = await registry.tokenOf(await registry.user('alice'));
  mount(['Above-One']);
  mirror = openMirror(registry, `${server.url}/up/`);
});
afterEach(async () => {
  await mirror.upstream.close();
  await registry[Symbol.asyncDispose]();
});

function mount(names: readonly string[], faults: readonly Fault[] = []): void {
  const crates = names.map((name): BuiltCrate => buildCrate({ name, version: '1.0.0' }, (other) => other));
  server.mount('up', { crates, faults, config: { dl: `${server.url}/up/dl` } });
  server.requests.length = 0;
}

function send(
  name: string,
  {
    version = '1.0.0',
    isDryRun = false,
    of = mirror,
    deps = [] as readonly DependencyDecl[],
    more = {},
  } = {},
): Promise<PublishResult> {
  const body = (async function* parts() {
    yield publishBody({ name, version, deps }, more).bytes;
  })();
  return publish(of.context, { body, actor: alice, isDryRun, checks: TEST_CHECKS });
}

const indexOf = async (path: string): Promise<number> => (await mirror.ask(`/index/${path}`)).status;

describe('a new crate', () => {
  it.each(['Above-One', 'above-one', 'above_one', 'ABOVE_ONE'])(
    'called %s is refused if the upstream has that name in any spelling',
    async (name) => {
      for (const isDryRun of [true, false]) {
        const result = await send(name, { isDryRun });
        expect(result).toEqual({
          ...{ kind: 'refused', status: 409 },
          detail: `a crate named \`Above-One\` comes from the upstream \`${server.url}/up/\`, and this one would replace it for everybody; the operator of this registry can allow it: \`tsreg serve own-name add ${name}\``,
        });
      }
      expect(await registry.store.records.findCrate(name)).toBeNull();
      for await (const blob of registry.store.blobs.list()) expect.unreachable(blob.key);
    },
  );

  it('is checked against the upstream despite a cached 404', async () => {
    expect(await indexOf('be/lo/below')).toBe(404);
    mount(['below']);
    expect(await send('below')).toMatchObject({ kind: 'refused', status: 409 });
  });

  it('is refused if the upstream cannot be checked, unless the name is reserved', async () => {
    mount([], [{ kind: 'refuse' }]);
    await expect(send('below')).rejects.toThrow(
      /^cannot check whether the upstream has a crate named `below`; .* `tsreg serve own-name add below`\ncannot get /,
    );
    await mirror.upstream.close();
    mirror = openMirror(registry, `${server.url}/up/`, { isOffline: true });
    await expect(send('below')).rejects.toThrow('as this server is offline');
    await registry.store.records.addReservedName({ pattern: 'below', reason: null, atMs: 1 });
    expect(await send('below')).toMatchObject({ kind: 'published' });
  });

  it('is refused if its name has too many spellings to check', async () => {
    await expect(send('a-1-2-3-4-5-6-7')).rejects.toThrow('too many spellings');
  });

  it('may have a reserved name, which hides the upstream crate in all spellings', async () => {
    expect(await indexOf('ab/ov/above-one')).toBe(200);
    expect((await mirror.ask('/api/v1/crates/Above-One/1.0.0/download')).status).toBe(200);
    await registry.store.records.addReservedName({ pattern: 'above_*', reason: 'ours', atMs: 1 });
    // A reserved name hides the upstream crate even before anything is published.
    expect(await indexOf('ab/ov/above-one')).toBe(404);
    expect((await mirror.ask('/api/v1/crates/Above-One/1.0.0/download')).status).toBe(404);
    expect(await send('above_one', { version: '7.0.0' })).toMatchObject({ kind: 'published' });
    const own = await (await mirror.ask('/index/ab/ov/above_one')).text();
    expect(own.match(/"vers":"[^"]*"/g)).toEqual(['"vers":"7.0.0"']);
    expect(await indexOf('ab/ov/above-one')).toBe(404);
    // Every spelling leads to the crate of this registry.
    expect((await mirror.ask('/api/v1/crates/above-one/7.0.0/download')).status).toBe(200);
    expect((await mirror.ask('/api/v1/crates/Above-One/1.0.0/download')).status).toBe(404);
  });
});

describe('a crate of this registry', () => {
  it('hides a new upstream crate with the same name', async () => {
    expect(await send('own-one')).toMatchObject({ kind: 'published' });
    mount(['own-one', 'own_one', 'Above-One']);
    // A 404 of the upstream is cached for a minute.
    registry.nowMs += 61_000;
    const file = await (await mirror.ask('/index/ow/n-/own-one')).text();
    expect(file.split('\n')).toHaveLength(2);
    expect(await indexOf('ow/n_/own_one')).toBe(404);
    expect((await mirror.ask('/api/v1/crates/own_one/2.0.0/download')).status).toBe(404);
    expect(await send('own-one', { version: '1.1.0' })).toMatchObject({ kind: 'published' });
    expect(server.requests).toEqual([]);
  });

  it('still hides the upstream crate after it is deleted, until its name is released', async () => {
    await send('own-one');
    mount(['own-one']);
    await deletePermanently(mirror.context, {
      ...{ crate: 'own-one', version: null, actor: null, reason: '', mayReuseVersions: true },
    });
    registry.nowMs += 61_000;
    expect(await indexOf('ow/n-/own-one')).toBe(404);
    expect(server.requests).toEqual([]);
    await registry.store.records.removeReservedName({ pattern: 'own-one', reason: null, atMs: 1 });
    expect(await indexOf('ow/n-/own-one')).toBe(200);
  });
});

it('accepts dependencies on upstream crates in a strict registry', async () => {
  await mirror.upstream.close();
  mirror = openMirror(registry, `${server.url}/up/`, { settings: { strict: true } });
  const more = { description: 'd', license: 'MIT' };
  const result = await send('own-one', { deps: ['Above-One 1'], more });
  expect(result).toMatchObject({ kind: 'published' });
  expect(await send('own-two', { deps: ['above-one 1'], more })).toMatchObject({
    ...{ kind: 'refused', detail: 'no known crate named `above-one`' },
  });
});
