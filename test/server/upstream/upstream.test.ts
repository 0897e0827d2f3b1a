import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { getRequestListener } from '@hono/node-server';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createApp } from '../../../src/server/app.ts';
import { backupStore, restoreStore } from '../../../src/server/admin/backup-store.ts';
import { verifyStore } from '../../../src/server/admin/verify-store.ts';
import type { MirroredArchive } from '../../../src/server/store/upstream-records.ts';
import { type BuiltCrate, buildCrate, type CrateDecl } from '../../helpers/crate.ts';
import { HTTP, type Mirror, openMirror } from '../../helpers/mirror.ts';
import {
  type Fault,
  type Mount,
  type RegistryServer,
  startRegistryServer,
} from '../../helpers/registry-server.ts';
import { makeTempDir } from '../../helpers/temp-dir.ts';
import { openTestRegistry, type TestRegistry } from '../../helpers/test-registry.ts';

const ELSEWHERE = 'sparse+https://elsewhere.invalid/index/';

let server: RegistryServer;
let registry: TestRegistry;
let mirror: Mirror;
let foo: BuiltCrate;

const built = (decl: CrateDecl): BuiltCrate => buildCrate(decl, () => ELSEWHERE);

beforeAll(async () => {
  server = await startRegistryServer();
  const deps = ['bar 1', { name: 'far', req: '2', registry: 'elsewhere' }];
  foo = built({ name: 'Foo-x', version: '1.0.0', deps });
});
afterAll(() => server.close());
beforeEach(async () => {
  registry = await openTestRegistry();
  mirror = reopen();
  mount();
});
afterEach(async () => {
  await mirror.upstream.close();
  await registry[Symbol.asyncDispose]();
});

function mount(more: Partial<Mount> = {}, faults: readonly Fault[] = []): void {
  const dl = { dl: `${server.url}/up/dl` };
  server.mount('up', { crates: [foo], faults, ...more, config: { ...dl, ...more.config } });
  server.requests.length = 0;
}

function reopen(more: Parameters<typeof openMirror>[2] = {}): Mirror {
  return openMirror(registry, `sparse+${server.url}/up/`, more);
}

const FILE = '/index/fo/o-/foo-x';
const CRATE = '/api/v1/crates/Foo-x/1.0.0/download';
const asked = (): readonly string[] => server.requests.map(({ path }) => path.replace('/up/', ''));

const health = async (): Promise<unknown> => await (await mirror.ask('/healthz')).json();
const sqlite = (): { readonly sqlite?: string } => {
  const { sqlite: description } = registry.store.records;
  return description === undefined ? {} : { sqlite: description };
};

async function bytesOf(response: Response): Promise<Buffer> {
  return Buffer.from(await response.arrayBuffer());
}

async function detailOf(response: Response): Promise<readonly [number, string]> {
  const { errors } = (await response.json()) as { errors: readonly { detail: string }[] };
  return [response.status, errors[0]?.detail ?? ''];
}

async function mirrored(): Promise<readonly MirroredArchive[]> {
  const all: MirroredArchive[] = [];
  for await (const each of registry.store.records.eachMirroredArchive()) all.push(each);
  return all;
}

describe('an index file', () => {
  it('is identical to that of the upstream, and is cached', async () => {
    const first = await mirror.ask(FILE);
    expect([first.status, await first.text()]).toEqual([200, `${foo.indexLine}\n`]);
    expect(foo.indexLine).toContain(ELSEWHERE);
    expect(server.requests[0]?.headers).toMatchObject({ 'user-agent': 'tsreg-test', accept: 'text/plain' });
    registry.nowMs += 299_000;
    const again = await mirror.ask(FILE, { headers: { 'if-none-match': first.headers.get('etag') ?? '' } });
    expect([again.status, asked()]).toEqual([304, ['fo/o-/foo-x']]);
  });

  it('is revalidated after five minutes, and updated if it has changed', async () => {
    const etag = (await mirror.ask(FILE)).headers.get('etag');
    registry.nowMs += 300_000;
    expect((await mirror.ask(FILE)).headers.get('etag')).toBe(etag);
    expect(server.requests.map(({ status }) => status)).toEqual([200, 304]);
    await mirror.ask(FILE);
    expect(server.requests).toHaveLength(2);
    const more = built({ name: 'Foo-x', version: '1.1.0' });
    mount({ crates: [foo, more] });
    registry.nowMs += 300_000;
    const changed = await mirror.ask(FILE);
    expect([await changed.text(), changed.headers.get('etag') === etag]).toEqual([
      `${foo.indexLine}\n${more.indexLine}\n`,
      false,
    ]);
  });

  it('is requested once for concurrent clients', async () => {
    mount({}, [{ kind: 'slow', path: 'foo-x', delayMs: 50 }]);
    const answers = await Promise.all(Array.from({ length: 50 }, () => mirror.ask(FILE)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(asked()).toEqual(['fo/o-/foo-x']);
  });

  it.each([404, 410, 451])(
    'that the upstream lacks (%i) is a 404, which is cached for a minute',
    async (status) => {
      mount({}, [{ kind: 'status', status, path: 'foo-x' }]);
      expect((await mirror.ask(FILE)).status).toBe(404);
      expect((await mirror.ask(FILE)).status).toBe(404);
      expect(server.requests).toHaveLength(1);
      mount();
      registry.nowMs += 61_000;
      expect((await mirror.ask(FILE)).status).toBe(200);
    },
  );

  it('that the upstream removes is a 404, like its archives, but its name stays taken', async () => {
    await mirror.ask(CRATE);
    mount({ crates: [] });
    registry.nowMs += 300_000;
    expect((await mirror.ask(FILE)).status).toBe(404);
    expect((await mirror.ask(CRATE)).status).toBe(404);
    expect(mirror.log.map(({ event }) => event)).toEqual(['pulled', 'upstream-crate-gone']);
    expect(await mirror.upstream.findSameName('FOO_x')).toBe('foo-x');
    mount();
    registry.nowMs += 300_000;
    expect((await mirror.ask(FILE)).status).toBe(200);
  });

  it.each([
    ['garbage', '<html>welcome to our hotel</html>', 'line 1 does not describe a version'],
    [
      'a line of another name',
      '{"name":"bar","vers":"1.0.0","cksum":"00"}',
      'line 1 does not describe a version',
    ],
    ['nothing', '', 'it has no lines'],
  ])('with %s is not used', async (_, body, problem) => {
    mount({}, [{ kind: 'replace', path: 'foo-x', body }]);
    const [status, detail] = await detailOf(await mirror.ask(FILE));
    expect(status).toBe(502);
    expect(detail).toContain(
      `\`foo-x\` that the upstream \`${server.url}/up/\` sent is not used: ${problem}`,
    );
    expect(
      await registry.store.records.findMirroredIndex({
        upstream: mirror.upstream.index,
        lowerCaseName: 'foo-x',
      }),
    ).toBeNull();
    expect(mirror.log).toMatchObject([{ event: 'upstream-refused', reason: problem }]);
  });

  it('stays in use if the next one is invalid', async () => {
    await mirror.ask(FILE);
    mount({}, [{ kind: 'replace', path: 'foo-x', body: 'no' }]);
    registry.nowMs += 300_000;
    expect(await (await mirror.ask(FILE)).text()).toBe(`${foo.indexLine}\n`);
  });

  it('is not requested for invalid paths', async () => {
    const paths = ['fo/o/foo-x', 'FO/O-/FOO-X', '..%2Fconfig.json', `aa/aa/${'a'.repeat(65)}`];
    for (const path of paths) expect((await mirror.ask(`/index/${path}`)).status).toBe(404);
    expect(asked()).toEqual([]);
  });
});

describe('an archive', () => {
  it('matches the index, is cached, and is served from the cache', async () => {
    const first = await mirror.ask(CRATE);
    expect([first.status, first.headers.get('etag')]).toEqual([200, `"${foo.checksum}"`]);
    expect((await bytesOf(first)).equals(foo.archive ?? Buffer.alloc(0))).toBe(true);
    const part = await mirror.ask(CRATE, { headers: { range: 'bytes=0-9' } });
    expect([part.status, (await bytesOf(part)).length]).toEqual([206, 10]);
    expect(asked()).toEqual(['fo/o-/foo-x', 'config.json', 'dl/Foo-x/1.0.0/download']);
    expect(await mirrored()).toMatchObject([{ checksum: foo.checksum, size: foo.archive?.length }]);
  });

  it('is requested once for concurrent clients', async () => {
    mount({}, [{ kind: 'slow', path: 'download', delayMs: 50 }]);
    const answers = await Promise.all(Array.from({ length: 50 }, () => mirror.ask(CRATE)));
    const sums = await Promise.all(
      answers.map(async (answer) =>
        createHash('sha256')
          .update(await bytesOf(answer))
          .digest('hex'),
      ),
    );
    expect(new Set(sums)).toEqual(new Set([foo.checksum]));
    expect(server.requests).toHaveLength(3);
  });

  it('with a wrong checksum is neither cached nor sent', async () => {
    mount({}, [{ kind: 'flip', path: 'download', times: 1 }]);
    const [status, detail] = await detailOf(await mirror.ask(CRATE));
    expect([status, detail]).toEqual([
      502,
      `the file of crate \`Foo-x\` version \`1.0.0\` that the upstream \`${server.url}/up/\` sent is not used: its checksum does not match the index`,
    ]);
    expect(await mirrored()).toEqual([]);
    for await (const blob of registry.store.blobs.list()) expect.unreachable(blob.key);
    expect((await mirror.ask(CRATE)).status).toBe(200);
  });

  it.each([403, 404, 410, 451])('that the upstream refuses (%i) is a 404', async (status) => {
    mount({}, [{ kind: 'status', status, path: 'download' }]);
    expect(await detailOf(await mirror.ask(CRATE))).toEqual([
      404,
      'crate `Foo-x` does not have a version `1.0.0`',
    ]);
  });

  it('of a version that the cached index file lacks causes a later refresh of that file', async () => {
    await mirror.ask(FILE);
    const more = built({ name: 'Foo-x', version: '1.1.0' });
    mount({ crates: [foo, more] });
    const path = CRATE.replace('1.0.0', '1.1.0');
    expect((await mirror.ask(path)).status).toBe(404);
    expect(asked()).toEqual([]);
    registry.nowMs += 11_000;
    expect((await mirror.ask(path)).status).toBe(200);
  });

  it('too large for this server is refused', async () => {
    const files = { 'src/lib.rs': Array.from({ length: 40_000 }, () => Math.random()).join('') };
    const huge = built({ name: 'Foo-x', version: '1.0.0', files });
    mount({ crates: [huge] });
    await mirror.upstream.close();
    const limits = { ...registry.context.settings.limits, maxCrateBytes: 100_000 };
    mirror = reopen({ settings: { limits } });
    const [status, detail] = await detailOf(await mirror.ask(CRATE));
    expect([status, detail]).toEqual([502, expect.stringContaining('maximum allowed file size (100000)')]);
    expect(await mirrored()).toEqual([]);
  });

  it('that is lost or damaged is downloaded again', async () => {
    await mirror.ask(CRATE);
    const [before] = await mirrored();
    await registry.store.blobs.delete(before?.blobKey ?? '');
    const options = { nowMs: Date.now() + 1e9, removeUnreferenced: true, forgetDamaged: true };
    const found = await verifyStore(registry.store, options);
    expect(found).toMatchObject({ problems: [], unreferenced: [], mirrored: { archives: 1, missing: 1 } });
    expect((await mirror.ask(CRATE)).status).toBe(200);
    const [again] = await mirrored();
    expect([again?.checksum, again?.blobKey === before?.blobKey]).toEqual([before?.checksum, false]);
    expect(await verifyStore(registry.store, options)).toMatchObject({
      ...{ problems: [], unreferenced: [], mirrored: { archives: 1, missing: 0, damaged: [] } },
    });
    if (again !== undefined) {
      await registry.store.records.removeMirroredArchive(again);
      await registry.store.records.saveMirroredArchive({ ...again, size: again.size + 1 });
    }
    const report = await verifyStore(registry.store, { ...options, forgetDamaged: false });
    expect(report.mirrored.damaged).toEqual([foo.checksum]);
    expect(await mirrored()).toHaveLength(1);
    await verifyStore(registry.store, options);
    expect(await mirrored()).toEqual([]);
    expect((await mirror.ask(CRATE)).status).toBe(200);
  });
});

it('backs up reserved names, but not the cache of the upstream', async () => {
  await mirror.ask(CRATE);
  await registry.store.records.addReservedName({ pattern: 'acme-*', reason: null, atMs: 1 });
  using temp = makeTempDir('copy');
  await backupStore(registry.store, temp.path);
  await using other = await openTestRegistry();
  await restoreStore(other.store, temp.path);
  expect(await other.store.records.isLocalName('acme_x')).toBe(true);
  expect(await other.store.records.findMirroredArchive(foo.checksum)).toBeNull();
  // A restore does not empty the cache of the upstream.
  await restoreStore(registry.store, temp.path);
  expect(await mirrored()).toHaveLength(1);
  mount({}, [{ kind: 'refuse' }]);
  expect((await mirror.ask(CRATE)).status).toBe(200);
});

describe('an unreachable upstream', () => {
  it.each<[string, Fault]>([
    ['refuses connections', { kind: 'refuse' }],
    ['answers with 500', { kind: 'status', status: 500 }],
    ['answers with 429', { kind: 'status', status: 429, headers: { 'retry-after': '0' } }],
    ['breaks off', { kind: 'cut' }],
    ['sends too little', { kind: 'long' }],
    ['says nothing', { kind: 'slow', delayMs: 5_000 }],
  ])(
    '(%s) leaves cached files available and causes clear errors for other files',
    { timeout: 20_000 },
    async (_, fault) => {
      await mirror.ask(CRATE);
      mount({}, [fault]);
      registry.nowMs += 300_000;
      expect(await (await mirror.ask(FILE)).text()).toBe(`${foo.indexLine}\n`);
      expect((await mirror.ask(CRATE)).status).toBe(200);
      // With these faults, one path alone does not make the upstream count as unreachable.
      if (fault.kind === 'slow' || (fault.kind === 'status' && fault.status === 500))
        expect((await mirror.ask('/index/ba/r-/bar-y')).status).toBe(502);
      const requests = server.requests.length;
      const [status, detail] = await detailOf(await mirror.ask('/index/ba/r-/bar-x'));
      expect([status, detail]).toEqual([
        502,
        expect.stringContaining(
          `cannot get \`ba/r-/bar-x\` of its index from the upstream \`${server.url}/up/\`: `,
        ),
      ]);
      // During the pause after a failure, requests fail at once.
      expect(server.requests).toHaveLength(requests);
      expect(mirror.log.filter(({ event }) => event === 'upstream-away')).toHaveLength(1);
      expect(await health()).toEqual({ status: 'ok', upstream: 'away', ...sqlite() });
      const metrics = await (await mirror.ask('/metrics')).text();
      expect(metrics).toMatch(/^tsreg_upstream_reached 0$/m);
      expect(metrics).toMatch(/^tsreg_upstream_stale_answers_total 1$/m);
      expect(metrics).toMatch(/^tsreg_upstream_downloads_total 2$/m);
      mount();
      registry.nowMs += 31_000;
      expect((await mirror.ask('/index/ba/r-/bar-x')).status).toBe(404);
      expect(await health()).toEqual({ status: 'ok', upstream: 'ok', ...sqlite() });
    },
  );

  it('gets an immediate retry if it fails once', async () => {
    mount({}, [
      { kind: 'status', status: 503, times: 1 },
      { kind: 'cut', path: 'download', times: 1 },
    ]);
    expect((await mirror.ask(CRATE)).status).toBe(200);
    expect(mirror.log.map(({ event }) => event)).toEqual(['pulled']);
  });

  it('is not assumed if only a single file times out', async () => {
    mount({}, [{ kind: 'slow', path: 'bar-x', delayMs: 5_000 }]);
    const [status, detail] = await detailOf(await mirror.ask('/index/ba/r-/bar-x'));
    expect([status, detail]).toEqual([502, expect.stringContaining('transfer too slow')]);
    expect((await mirror.ask(FILE)).status).toBe(200);
    expect((await mirror.ask(CRATE)).status).toBe(200);
    expect(mirror.log.map(({ event }) => event)).toEqual(['pulled']);
    expect(await health()).toEqual({ status: 'ok', upstream: 'ok', ...sqlite() });
  });

  it('does not delay cached files if it is only slow', async () => {
    await mirror.ask(FILE);
    const more = built({ name: 'Foo-x', version: '1.1.0' });
    mount({ crates: [foo, more] }, [{ kind: 'slow', path: 'foo-x', delayMs: 3_400 }]);
    await mirror.upstream.close();
    mirror = reopen({ http: { ...HTTP, timeoutMs: 20_000 } });
    registry.nowMs += 300_000;
    expect(await (await mirror.ask(FILE)).text()).toBe(`${foo.indexLine}\n`);
    await sleep(1_000);
    expect((await (await mirror.ask(FILE)).text()).split('\n')).toHaveLength(3);
    expect(asked()).toEqual(['fo/o-/foo-x']);
  });

  it('gets no requests in offline mode', async () => {
    await mirror.ask(CRATE);
    await mirror.upstream.close();
    mirror = reopen({ isOffline: true });
    mount();
    registry.nowMs += 300_000;
    expect((await mirror.ask(FILE)).status).toBe(200);
    expect((await mirror.ask(CRATE)).status).toBe(200);
    const [status, detail] = await detailOf(await mirror.ask('/index/ba/r-/bar-x'));
    expect([status, detail]).toEqual([502, expect.stringContaining('as this server is offline')]);
    expect(await health()).toEqual({ status: 'ok', upstream: 'offline', ...sqlite() });
    expect(asked()).toEqual([]);
  });
});

describe('the token of the upstream', () => {
  it('is sent to the upstream and shown nowhere', async () => {
    await mirror.upstream.close();
    mirror = reopen({ token: 'hunter2-secret' });
    mount({ token: 'hunter2-secret', config: { 'auth-required': true } });
    expect((await mirror.ask(CRATE)).status).toBe(200);
    mount({ token: 'another', config: { 'auth-required': true } });
    registry.nowMs += 300_000;
    const answer = await mirror.ask('/index/ba/r-/bar-x');
    const [status, detail] = await detailOf(answer);
    expect([status, detail]).toEqual([502, expect.stringContaining('it refuses the token')]);
    expect(JSON.stringify([detail, mirror.log])).not.toContain('hunter2');
    expect(await (await mirror.ask('/metrics')).text()).not.toContain('hunter2');
  });

  it('is suggested if the upstream refuses requests without one', async () => {
    mount({ token: 'secret' });
    const [status, detail] = await detailOf(await mirror.ask(FILE));
    expect([status, detail]).toEqual([502, expect.stringContaining('in `TSREG_UPSTREAM_TOKEN`')]);
    // One refused request does not make the upstream count as unreachable.
    expect(mirror.log).toEqual([]);
  });

  it('is sent to the download host only if the upstream requires it, and never to redirects', async () => {
    await mirror.upstream.close();
    mirror = reopen({ token: 'hunter2-secret' });
    const other = await startRegistryServer();
    try {
      other.mount('files', { crates: [foo] });
      mount({ config: { dl: `${other.url}/files/dl` } });
      expect((await mirror.ask(CRATE)).status).toBe(200);
      expect(other.requests.map(({ headers }) => headers.authorization)).toEqual([undefined]);
      expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([
        'hunter2-secret',
        'hunter2-secret',
      ]);
      await verifyStore(registry.store, { nowMs: 0, removeUnreferenced: false, forgetDamaged: true });
      for (const each of await mirrored()) await registry.store.records.removeMirroredArchive(each);
      other.requests.length = 0;
      const location = `${other.url}/files/dl/Foo-x/1.0.0/download`;
      mount({ token: 'hunter2-secret', config: { 'auth-required': true } }, [
        { kind: 'status', status: 302, path: 'download', headers: { location } },
      ]);
      registry.nowMs += 300_000;
      expect((await mirror.ask(CRATE)).status).toBe(200);
      expect(other.requests.map(({ headers }) => headers.authorization)).toEqual([undefined]);
    } finally {
      await other.close();
    }
  });
});

describe('a private registry', () => {
  it('requires a token also for files of the upstream', async () => {
    await mirror.upstream.close();
    mirror = reopen({ settings: { authRequired: true } });
    for (const path of [FILE, CRATE]) expect((await mirror.ask(path)).status).toBe(401);
    expect(asked()).toEqual([]);
  });
});

describe('a mirror of a mirror', () => {
  it('serves the files of the first registry', async () => {
    await using second = await openTestRegistry();
    let baseUrl = '';
    const middle = createServer((request, response) => {
      const settings = { ...mirror.context.settings, baseUrl };
      const { fetch } = createApp({ ...mirror.context, settings });
      void getRequestListener((asked, env) => fetch(asked, env))(request, response);
    });
    middle.listen(0, '127.0.0.1');
    await once(middle, 'listening');
    const address = middle.address();
    baseUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
    const last = openMirror(second, `${baseUrl}/index/`);
    try {
      expect(await (await last.ask(FILE)).text()).toBe(`${foo.indexLine}\n`);
      expect((await bytesOf(await last.ask(CRATE))).equals(foo.archive ?? Buffer.alloc(0))).toBe(true);
      second.nowMs += 300_000;
      expect((await last.ask(FILE)).status).toBe(200);
      mount({}, [{ kind: 'refuse' }]);
      // The mirror in the middle serves it from its cache.
      second.nowMs += 300_000;
      registry.nowMs += 300_000;
      expect((await last.ask(FILE)).status).toBe(200);
      expect((await last.ask('/index/ba/r-/bar-x')).status).toBe(502);
    } finally {
      await last.upstream.close();
      middle.close();
      middle.closeAllConnections();
    }
  });
});
