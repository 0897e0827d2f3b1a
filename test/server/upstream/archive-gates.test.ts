import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { AdvisoryDatabase } from '../../../src/server/publish/advisories/advisory-database.ts';
import type { Advisories } from '../../../src/server/store/advisories.ts';
import type { GateSettings } from '../../../src/server/store/mirror-status.ts';
import { rustsecFile, writeFiles } from '../../helpers/advisory-files.ts';
import { type BuiltCrate, buildCrate, type CrateDecl } from '../../helpers/crate.ts';
import { type Mirror, NO_GATES, openMirror } from '../../helpers/mirror.ts';
import { type RegistryServer, startRegistryServer } from '../../helpers/registry-server.ts';
import { makeTempDir, type TempDir } from '../../helpers/temp-dir.ts';
import { openTestRegistry, type TestRegistry } from '../../helpers/test-registry.ts';

let server: RegistryServer;
let registry: TestRegistry;
let mirror: Mirror | null = null;
let dir: TempDir;
let advisories: Advisories;

const built = (version: string, more: Partial<CrateDecl> = {}): BuiltCrate =>
  buildCrate({ name: 'Foo-x', version, ...more }, () => 'sparse+https://elsewhere.invalid/index/');

beforeAll(async () => {
  server = await startRegistryServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  registry = await openTestRegistry();
  dir = makeTempDir('advisories');
  const notice = { id: 'RUSTSEC-2021-0002', crate: 'Foo-x', extra: 'informational = "unsound"' };
  writeFiles(dir.path, {
    'RUSTSEC-2021-0001.md': rustsecFile({
      ...{ id: 'RUSTSEC-2021-0001', crate: 'foo-x', title: 'Foo\u001b[1m explodes' },
      patched: ['>=1.1.0'],
    }),
    'RUSTSEC-2021-0002.md': rustsecFile(notice),
  });
  advisories = await AdvisoryDatabase.open(dir.path, registry.context);
  const license = (text: string): Partial<CrateDecl> => ({ extra: `license = "${text}"` });
  const crates = [
    built('1.0.0', license('MIT OR Apache-2.0')),
    built('1.1.0', license('GPL-3.0-or-later')),
    built('1.2.0', { extra: 'license-file = "LICENSE"', files: { 'src/lib.rs': '', LICENSE: 'x' } }),
    built('1.3.0'),
    built('1.4.0', { archive: 'garbage' }),
  ];
  server.mount('up', { crates, config: { dl: `${server.url}/up/dl` } });
  server.requests.length = 0;
});
afterEach(async () => {
  await mirror?.upstream.close();
  await registry[Symbol.asyncDispose]();
  dir.remove();
});

async function open(gates: Partial<GateSettings>): Promise<Mirror> {
  await mirror?.upstream.close();
  const context = { ...registry.context, advisories };
  mirror = openMirror({ ...registry, context }, `sparse+${server.url}/up/`, {
    gates: { ...NO_GATES, ...gates },
  });
  return mirror;
}

/** Returns the status of a download, and the message of one that is refused. */
async function download(from: Mirror, version: string): Promise<readonly [number, string | null]> {
  const response = await from.ask(`/api/v1/crates/foo-X/${version}/download`);
  if (response.status === 200) return [200, null];
  const { errors } = JSON.parse(await response.text());
  return [response.status, errors[0].detail];
}

const downloadsOfArchives = (): number =>
  server.requests.filter(({ path }) => path.startsWith('/up/dl')).length;

const HOW = (version: string): string =>
  `an admin of this registry can serve it with \`--allow Foo-x@${version}\`, or on the page \`/admin/mirror\``;

describe('the rules for licenses', () => {
  it('serve only versions with an allowed license, and name the license, the rule and the way out', async () => {
    const gated = await open({ allowedLicenses: ['MIT', 'BSD-3-Clause'] });
    expect(await download(gated, '1.0.0')).toEqual([200, null]);
    const because = (version: string, license: string): string =>
      `this registry does not serve version \`${version}\` of crate \`Foo-x\`, because ${license}, and the rule \`--allow-license\` refuses it; ${HOW(version)}`;
    expect(await download(gated, '1.1.0')).toEqual([
      403,
      because('1.1.0', 'its license is `GPL-3.0-or-later`'),
    ]);
    expect(await download(gated, '1.2.0')).toEqual([
      403,
      because('1.2.0', 'it has a license file, but no SPDX license'),
    ]);
    expect(await download(gated, '1.3.0')).toEqual([403, because('1.3.0', 'it states no license')]);
    expect(await download(gated, '1.4.0')).toEqual([403, because('1.4.0', 'its license cannot be read')]);
    expect(gated.upstream.status().gatedDownloads).toEqual({
      ...{ blocked: 0, 'too-young': 0, advisory: 0, license: 4 },
    });
  });

  it('refuse versions that need a denied license, also if their archive is already cached', async () => {
    expect(await download(await open({}), '1.1.0')).toEqual([200, null]);
    const gated = await open({ deniedLicenses: ['GPL-3.0'] });
    const [status, message] = await download(gated, '1.1.0');
    expect([status, message]).toEqual([
      403,
      expect.stringContaining('and the rule `--deny-license GPL-3.0` refuses it'),
    ]);
    for (const version of ['1.0.0', '1.2.0', '1.3.0'])
      expect(await download(gated, version)).toEqual([200, null]);
    expect((await download(gated, '1.4.0'))[0]).toBe(403);
  });

  it('read an archive once, and neither request nor read it again for a further download', async () => {
    const gated = await open({ allowedLicenses: ['MIT'] });
    for (const version of ['1.0.0', '1.1.0']) await download(gated, version);
    const { blobs } = registry.store;
    const openBlob = blobs.open.bind(blobs);
    let opened = 0;
    blobs.open = (...parameters) => {
      opened += 1;
      return openBlob(...parameters);
    };
    expect((await download(gated, '1.1.0'))[0]).toBe(403);
    expect(opened).toBe(0);
    expect((await download(gated, '1.0.0'))[0]).toBe(200);
    // The response comes from memory.
    expect([opened, downloadsOfArchives()]).toEqual([0, 2]);
  });

  it('refuse a version whose archive was evicted without a request for it', async () => {
    const gated = await open({ allowedLicenses: ['MIT'] });
    expect((await download(gated, '1.1.0'))[0]).toBe(403);
    const { records } = registry.context;
    for (const use of await records.listLeastUsedMirrored(100))
      if (use.kind === 'archive') await records.evictMirrored(use);
    expect((await download(gated, '1.1.0'))[0]).toBe(403);
    expect(downloadsOfArchives()).toBe(1);
  });

  it('do not apply to allowed versions', async () => {
    const gated = await open({ allowedLicenses: ['MIT'], allowed: ['foo_x@1.1.0'] });
    expect([(await download(gated, '1.1.0'))[0], (await download(gated, '1.3.0'))[0]]).toEqual([200, 403]);
  });

  it('do not change the index', async () => {
    const whole = await (await (await open({})).ask('/index/fo/o-/foo-x')).text();
    const gated = await open({ allowedLicenses: ['MIT'], blocksAdvisories: true });
    await download(gated, '1.1.0');
    expect(await (await gated.ask('/index/fo/o-/foo-x')).text()).toBe(whole);
  });

  it('leave a download open while the archive cannot be read', async () => {
    const gated = await open({ allowedLicenses: ['MIT'] });
    const { blobs } = registry.store;
    const openBlob = blobs.open.bind(blobs);
    blobs.open = () => Promise.resolve(null);
    const message =
      'the license of crate `Foo-x` version `1.0.0` cannot be read at the moment; try again later';
    expect(await download(gated, '1.0.0')).toEqual([502, message]);
    blobs.open = openBlob;
    expect(await download(gated, '1.0.0')).toEqual([200, null]);
  });
});

describe('the rule for advisories', () => {
  it('refuses downloads of vulnerable versions, without a request to the upstream', async () => {
    const gated = await open({ blocksAdvisories: true });
    const message = `this registry does not serve version \`1.0.0\` of crate \`foo-X\`, because of RUSTSEC-2021-0001 (Foo explodes), solved in \`>=1.1.0\`; an admin of this registry can serve it with \`--allow foo-X@1.0.0\`, or on the page \`/admin/mirror\``;
    expect(await download(gated, '1.0.0')).toEqual([403, message]);
    expect(server.requests).toEqual([]);
    expect(gated.upstream.status().gatedDownloads).toMatchObject({ advisory: 1 });
    // Only an informational advisory is about this version.
    expect(await download(gated, '1.1.0')).toEqual([200, null]);
  });

  it('does not apply to allowed versions, and only if it is switched on', async () => {
    expect(await download(await open({ blocksAdvisories: true, allowed: ['foo-x@1.0.0'] }), '1.0.0')).toEqual(
      [200, null],
    );
    expect(await download(await open({}), '1.0.0')).toEqual([200, null]);
  });

  it('counts the refusals in the metrics', async () => {
    const gated = await open({ blocksAdvisories: true, allowedLicenses: ['MIT'] });
    for (const version of ['1.0.0', '1.3.0']) await download(gated, version);
    const counted = gated.upstream.metrics().find(({ name }) => name.includes('gated'));
    expect(counted?.value).toBe(2);
  });
});

it.each([
  [{ allowedLicenses: ['mit'] }, 'invalid value `mit` for `--allow-license`'],
  [{ deniedLicenses: ['MIT OR ISC'] }, 'invalid value `MIT OR ISC` for `--deny-license`'],
])('the gates %j are refused', async (gates, words) => {
  await expect(open(gates)).rejects.toThrow(words);
});
