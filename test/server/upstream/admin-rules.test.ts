import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AdvisoryDatabase } from '../../../src/server/publish/advisories/advisory-database.ts';
import type { GateSettings } from '../../../src/server/store/mirror-status.ts';
import type { UpstreamRuleKind } from '../../../src/server/store/upstream-rule-records.ts';
import { rustsecFile, writeFiles } from '../../helpers/advisory-files.ts';
import { type BuiltCrate, buildCrate } from '../../helpers/crate.ts';
import { type Mirror, NO_GATES, openMirror } from '../../helpers/mirror.ts';
import { type RegistryServer, startRegistryServer } from '../../helpers/registry-server.ts';
import { makeTempDir } from '../../helpers/temp-dir.ts';
import { openTestRegistry, type TestRegistry } from '../../helpers/test-registry.ts';

// The rules that admins store while servers run.

const DAY_MS = 24 * 60 * 60 * 1000;
const FILE = '/index/fo/o-/foo-x';
const BY = { login: 'root', atMs: 5 };

let server: RegistryServer;
let registry: TestRegistry;
const mirrors: Mirror[] = [];

beforeAll(async () => {
  server = await startRegistryServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  registry = await openTestRegistry();
  const built = (version: string, daysBefore: number, license: string): BuiltCrate => {
    const pubtime = new Date(registry.nowMs - daysBefore * DAY_MS).toISOString().replace(/\.\d+/, '');
    const decl = { name: 'Foo-x', version, index: { pubtime }, extra: `license = "${license}"` };
    return buildCrate(decl, () => 'sparse+https://elsewhere.invalid/index/');
  };
  const crates = [built('1.0.0', 30, 'MIT'), built('1.1.0', 20, 'AGPL-3.0-only'), built('1.2.0', 1, 'MIT')];
  server.mount('up', { crates, config: { dl: `${server.url}/up/dl` } });
  server.requests.length = 0;
});
afterEach(async () => {
  for (const mirror of mirrors.splice(0)) await mirror.upstream.close();
  await registry[Symbol.asyncDispose]();
});

/** Opens a server. All servers of a test share the store. */
function open(gates: Partial<GateSettings> = {}, context = registry.context): Mirror {
  const mirror = openMirror({ ...registry, context }, `sparse+${server.url}/up/`, {
    gates: { ...NO_GATES, ...gates },
  });
  mirrors.push(mirror);
  return mirror;
}

async function add(kind: UpstreamRuleKind, name: string, version: string | null = null): Promise<void> {
  await registry.store.records.addUpstreamRule({ kind, name, version, reason: 'why' }, BY);
}

async function remove(kind: UpstreamRuleKind, name: string, version: string | null = null): Promise<void> {
  await registry.store.records.removeUpstreamRule({ kind, name, version }, BY);
}

/** Returns the versions in the index that are not yanked. */
async function versions(mirror: Mirror): Promise<readonly string[]> {
  const response = await mirror.ask(FILE);
  if (response.status !== 200) return [String(response.status)];
  const lines = (await response.text()).trimEnd().split('\n');
  const selectable = lines.filter((line) => !line.includes('"yanked":true'));
  return selectable.map((line) => /"vers":"([^"]+)"/.exec(line)?.[1] ?? '');
}

async function download(mirror: Mirror, version: string): Promise<readonly [number, string]> {
  const response = await mirror.ask(`/api/v1/crates/Foo-x/${version}/download`);
  return [response.status, response.status === 200 ? '' : await response.text()];
}

describe('a version that an admin blocks', () => {
  it('is refused at once on all servers, with the message of the flag, and served again once unblocked', async () => {
    const both = [open(), open()];
    for (const mirror of both) expect(await versions(mirror)).toEqual(['1.0.0', '1.1.0', '1.2.0']);
    expect((await download(open(), '1.1.0'))[0]).toBe(200);
    await add('block', 'foo_X', '1.1.0');
    const detail =
      'this registry blocks version `1.1.0` of crate `Foo-x`; an admin of this registry can serve it with `--allow Foo-x@1.1.0`, or on the page `/admin/mirror`';
    for (const mirror of both) {
      expect(await versions(mirror)).toEqual(['1.0.0', '1.2.0']);
      expect(await download(mirror, '1.1.0')).toEqual([403, JSON.stringify({ errors: [{ detail }] })]);
      expect((await download(mirror, '1.0.0'))[0]).toBe(200);
      expect(mirror.upstream.status().gatedDownloads.blocked).toBe(1);
    }
    await remove('block', 'Foo-x', '1.1.0');
    for (const mirror of both) {
      expect(await versions(mirror)).toEqual(['1.0.0', '1.1.0', '1.2.0']);
      expect((await download(mirror, '1.1.0'))[0]).toBe(200);
    }
  });

  it('changes the index file that clients have, each time', async () => {
    const mirror = open();
    const etags = [];
    const statusOf = async (etag: string): Promise<number> =>
      (await mirror.ask(FILE, { headers: { 'if-none-match': etag } })).status;
    for (const change of [undefined, '1.0.0', '1.1.0'] as const) {
      if (change !== undefined) await add('block', 'foo-x', change);
      const etag = (await mirror.ask(FILE)).headers.get('etag') ?? '';
      for (const older of etags) expect(await statusOf(older)).toBe(200);
      expect(await statusOf(etag)).toBe(304);
      etags.push(etag);
    }
    for (const version of ['1.1.0', '1.0.0']) await remove('block', 'foo-x', version);
    expect(await statusOf(etags[0] ?? '')).toBe(304);
  });

  it('adds to the versions that flags block', async () => {
    const mirror = open({ blocked: ['foo-x@1.0.0'] });
    await add('block', 'foo-x', '1.2.0');
    expect(await versions(mirror)).toEqual(['1.1.0']);
    await remove('block', 'foo-x', '1.0.0');
    expect(await versions(mirror)).toEqual(['1.1.0']);
  });
});

describe('a crate that an admin blocks', () => {
  it('is refused as with the flag, and its cached page says so', async () => {
    const mirror = open();
    await versions(mirror);
    await add('block', 'FOO_x');
    const flagged = open({ blocked: ['foo-x'] });
    expect(await versions(mirror)).toEqual(await versions(flagged));
    expect(await download(mirror, '1.0.0')).toEqual(await download(flagged, '1.0.0'));
    expect(await mirror.upstream.cache.originOf('foo-x')).toBe('blocked');
    const crate = await mirror.upstream.cache.find('foo-x');
    expect(crate?.versions.map(({ refusal }) => refusal?.kind)).toEqual(['blocked', 'blocked', 'blocked']);
  });
});

describe('a version that an admin allows', () => {
  it('is served despite the minimum age, a license, an advisory and a block', async () => {
    const dir = makeTempDir('advisories');
    const file = rustsecFile({ id: 'RUSTSEC-2026-0001', crate: 'foo-x', patched: ['>=1.1.0'] });
    writeFiles(dir.path, { 'RUSTSEC-2026-0001.md': file });
    const advisories = await AdvisoryDatabase.open(dir.path, registry.context);
    dir.remove();
    const gates = { minAgeMs: 3 * DAY_MS, deniedLicenses: ['AGPL-3.0'], blocksAdvisories: true };
    const mirror = open(gates, { ...registry.context, advisories });
    const statuses = async (): Promise<readonly number[]> => {
      const all = [];
      for (const version of ['1.0.0', '1.1.0', '1.2.0']) all.push((await download(mirror, version))[0]);
      return all;
    };
    expect(await statuses()).toEqual([403, 403, 403]);
    expect(await versions(mirror)).toEqual(['1.0.0', '1.1.0']);
    await add('block', 'foo-x');
    await add('allow', 'foo-X', '1.2.0');
    expect([await statuses(), await versions(mirror)]).toEqual([[403, 403, 200], ['1.2.0']]);
    await add('allow', 'foo-x');
    expect(await statuses()).toEqual([200, 200, 200]);
    expect(await versions(mirror)).toEqual(['1.0.0', '1.1.0', '1.2.0']);
    await remove('allow', 'foo-x');
    await remove('block', 'foo-x');
    expect([await statuses(), await versions(mirror)]).toEqual([
      [403, 403, 200],
      ['1.0.0', '1.1.0', '1.2.0'],
    ]);
  });
});
