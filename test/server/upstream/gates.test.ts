import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { GateSettings } from '../../../src/server/store/mirror-status.ts';
import { type BuiltCrate, buildCrate, type CrateDecl } from '../../helpers/crate.ts';
import { type Mirror, NO_GATES, openMirror } from '../../helpers/mirror.ts';
import { type RegistryServer, startRegistryServer } from '../../helpers/registry-server.ts';
import { openTestRegistry, type TestRegistry } from '../../helpers/test-registry.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const FILE = '/index/fo/o-/foo-x';

let server: RegistryServer;
let registry: TestRegistry;
let mirror: Mirror;
let crates: readonly BuiltCrate[];

const built = (decl: CrateDecl): BuiltCrate =>
  buildCrate(decl, () => 'sparse+https://elsewhere.invalid/index/');

/** Returns a version of `Foo-x` that was published some days before the start of a test. */
function version(text: string, daysBefore: number | null): BuiltCrate {
  const pubtime = new Date(registry.nowMs - (daysBefore ?? 0) * DAY_MS).toISOString().replace(/\.\d+/, '');
  return built({ name: 'Foo-x', version: text, index: daysBefore === null ? {} : { pubtime } });
}

beforeAll(async () => {
  server = await startRegistryServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  registry = await openTestRegistry();
  crates = [version('1.0.0', 30), version('1.1.0', null), version('1.2.0', 2), version('1.3.0', 1)];
  server.mount('up', { crates, config: { dl: `${server.url}/up/dl` } });
  server.requests.length = 0;
});
afterEach(async () => {
  await mirror.upstream.close();
  await registry[Symbol.asyncDispose]();
});

function open(gates: Partial<GateSettings>, settings: Parameters<typeof openMirror>[2] = {}): void {
  mirror = openMirror(registry, `sparse+${server.url}/up/`, {
    gates: { ...NO_GATES, ...gates },
    ...settings,
  });
}

/** Returns the versions in the index that are not yanked. */
async function versions(): Promise<readonly string[]> {
  const response = await mirror.ask(FILE);
  if (response.status !== 200) return [String(response.status)];
  const lines = (await response.text()).trimEnd().split('\n');
  const selectable = lines.filter((line) => !line.includes('"yanked":true'));
  return selectable.map((line) => /"vers":"([^"]+)"/.exec(line)?.[1] ?? '');
}

async function download(of: string, crate = 'Foo-x'): Promise<readonly [number, string]> {
  const response = await mirror.ask(`/api/v1/crates/${crate}/${of}/download`);
  return [response.status, response.status === 200 ? '' : await response.text()];
}

/** Returns the index file of the upstream, in which only these lines are not yanked. */
const lines = (...of: readonly number[]): string =>
  crates
    .map(({ indexLine }, at) => {
      const line = of.includes(at) ? indexLine : JSON.stringify({ ...JSON.parse(indexLine), yanked: true });
      return `${line}\n`;
    })
    .join('');

describe('the minimum age', () => {
  it('yanks younger versions until they are old enough, and keeps those without a time', async () => {
    open({ minAgeMs: 3 * DAY_MS });
    const first = await mirror.ask(FILE);
    expect(await first.text()).toBe(lines(0, 1));
    registry.nowMs += DAY_MS;
    expect(await (await mirror.ask(FILE)).text()).toBe(lines(0, 1, 2));
    registry.nowMs += DAY_MS;
    const whole = await mirror.ask(FILE);
    expect(await whole.text()).toBe(lines(0, 1, 2, 3));
    expect(whole.headers.get('etag')).not.toBe(first.headers.get('etag'));
  });

  it('changes the ETag together with the content, and sends no Last-Modified meanwhile', async () => {
    open({ minAgeMs: 3 * DAY_MS });
    const first = await mirror.ask(FILE);
    const known = { headers: { 'if-none-match': first.headers.get('etag') ?? '' } };
    expect([first.headers.get('last-modified'), (await mirror.ask(FILE, known)).status]).toEqual([null, 304]);
    registry.nowMs += DAY_MS - 1;
    expect((await mirror.ask(FILE, known)).status).toBe(304);
    registry.nowMs += 1;
    expect((await mirror.ask(FILE, known)).status).toBe(200);
    // A time that the client has from another response says nothing about the versions that are yanked.
    const since = { headers: { 'if-modified-since': new Date(registry.nowMs).toUTCString() } };
    expect((await mirror.ask(FILE, since)).status).toBe(200);
  });

  it('counts from when the server received the file if the upstream states a later time', async () => {
    crates = [version('1.0.0', -1000)];
    server.mount('up', { crates, config: { dl: `${server.url}/up/dl` } });
    open({ minAgeMs: 3 * DAY_MS });
    expect(await versions()).toEqual(['403']);
    expect((await download('1.0.0'))[0]).toBe(403);
    registry.nowMs += 3 * DAY_MS;
    expect(await versions()).toEqual(['1.0.0']);
    expect((await download('1.0.0'))[0]).toBe(200);
  });

  it('refuses downloads of younger versions, with the time from which on they are served', async () => {
    open({ minAgeMs: 3 * DAY_MS });
    const [status, text] = await download('1.3.0');
    const from = new Date(registry.nowMs + 2 * DAY_MS).toISOString().slice(0, 16).replace('T', ' ');
    const detail = `this registry serves version \`1.3.0\` of crate \`Foo-x\` only from ${from} UTC on, because it is too new; an admin of this registry can serve it with \`--allow Foo-x@1.3.0\`, or on the page \`/admin/mirror\``;
    expect([status, JSON.parse(text)]).toEqual([403, { errors: [{ detail }] }]);
    expect(server.requests.map(({ path }) => path)).toEqual(['/up/fo/o-/foo-x']);
    expect((await download('1.1.0'))[0]).toBe(200);
  });

  it('does not read an index file that is older than the minimum', async () => {
    open({ minAgeMs: 3 * DAY_MS });
    await mirror.ask(FILE);
    registry.nowMs += 3 * DAY_MS;
    const { etag } = Object.fromEntries((await mirror.ask(FILE)).headers);
    await mirror.upstream.close();
    const { records } = mirror.context;
    const unreadable = { findMirroredIndex: () => Promise.reject(new Error('was read')) };
    mirror = openMirror(
      { ...registry, context: { ...registry.context, records: { ...records, ...unreadable } } },
      `sparse+${server.url}/up/`,
      { gates: { ...NO_GATES, minAgeMs: 3 * DAY_MS } },
    );
    const again = await mirror.ask(FILE, { headers: { 'if-none-match': etag ?? '' } });
    expect(again.status).toBe(304);
  });
});

describe('a blocked version', () => {
  it('is yanked in the index, and its download is refused even if it is cached', async () => {
    open({});
    expect((await download('1.2.0'))[0]).toBe(200);
    const whole = (await mirror.ask(FILE)).headers.get('etag') ?? '';
    await mirror.upstream.close();
    open({ blocked: ['FOO_x@1.2.0+any', 'foo-x@1.0.0'] });
    expect((await mirror.ask(FILE, { headers: { 'if-none-match': whole } })).status).toBe(200);
    expect(await versions()).toEqual(['1.1.0', '1.3.0']);
    const detail =
      'this registry blocks version `1.2.0` of crate `Foo-x`; an admin of this registry can serve it with `--allow Foo-x@1.2.0`, or on the page `/admin/mirror`';
    expect(await download('1.2.0')).toEqual([403, JSON.stringify({ errors: [{ detail }] })]);
    expect((await download('1.1.0'))[0]).toBe(200);
    expect(mirror.upstream.status().gatedDownloads).toMatchObject({ blocked: 1, 'too-young': 0 });
  });

  it('can be every version of a crate: then the upstream is not asked', async () => {
    open({ blocked: ['foo_x'] });
    expect(await versions()).toEqual(['403']);
    expect((await download('1.0.0', 'foo-X'))[0]).toBe(403);
    expect(server.requests).toEqual([]);
  });

  it('does not free the name for new crates', async () => {
    open({ blocked: ['foo-x'] });
    expect(await mirror.upstream.findSameName('foo_x')).toBe('Foo-x');
  });
});

describe('an allowed version', () => {
  it('is served despite the other gates', async () => {
    open({ minAgeMs: 3 * DAY_MS, blocked: ['foo-x'], allowed: ['foo-x@1.3.0'] });
    expect(await versions()).toEqual(['1.3.0']);
    expect([(await download('1.3.0'))[0], (await download('1.0.0'))[0]]).toEqual([200, 403]);
  });

  it('can be every version of a crate', async () => {
    open({ minAgeMs: 3 * DAY_MS, blocked: ['foo-x@1.0.0'], allowed: ['foo-x'] });
    expect(await versions()).toEqual(['1.0.0', '1.1.0', '1.2.0', '1.3.0']);
    expect((await download('1.0.0'))[0]).toBe(200);
  });
});

it.each([
  [{ blocked: ['a b'] }, 'invalid value `a b` for `--block`: expected `NAME` or `NAME@1.2.3`'],
  [{ blocked: ['foo@1'] }, 'invalid value `foo@1` for `--block`'],
  [{ allowed: ['foo@1.0.0@2'] }, 'invalid value `foo@1.0.0@2` for `--allow`'],
  [{ allowed: ['foo-*'] }, 'invalid value `foo-*` for `--allow`'],
])('the gates %j are refused', (gates, words) => {
  open({});
  expect(() => openMirror(registry, 'crates-io', { gates: { ...NO_GATES, ...gates } })).toThrow(words);
});
