import { expect, it } from 'vitest';
import { type CheckedOptions, checkOptions } from '../../src/server/check-options.ts';
import { externalDeliveryOf } from '../../src/server/external-delivery.ts';
import type { BadgeOptions, NetworkOptions, StartOptions } from '../../src/server/start-options.ts';
import { HTTP } from '../helpers/mirror.ts';
import { openTestRegistry } from '../helpers/test-registry.ts';

async function check(
  network: Partial<NetworkOptions>,
  badges: Partial<BadgeOptions> = {},
  documentation: StartOptions['documentation'] = 'full',
): Promise<CheckedOptions> {
  await using registry = await openTestRegistry();
  const { location, context } = registry;
  const options: StartOptions = {
    network: { listen: '127.0.0.1:0', baseUrl: null, trustedProxies: [], tls: null, ...network },
    location,
    env: {},
    authRequired: false,
    publishing: { strict: false, dependencyRegistries: [] },
    limits: { maxCrateBytes: 1, maxConnections: 1, changesPerMinute: 0 },
    http: HTTP,
    upstream: null,
    delivery: { staticUrl: null, redirectsDownloads: false },
    monitoring: { metricsListen: null, metricsTokenPath: null, drainMs: 0 },
    identity: {
      ...{ siteName: 'Crates', registryName: 'mine', accent: '#3451b2' },
      ...{ fixedParts: [], logoPath: null, welcomePath: null },
    },
    badges: { isShown: null, hosts: [], ...badges },
    advisoriesPath: null,
    documentation,
    version: '1.2.3',
    clock: context.clock,
    log: context.log,
  };
  return await checkOptions(options);
}

it.each(['0.0.0.0:80', '0:80', '[::]:80', '[0::0]:80'])(
  'requires a base URL for `%s`, which means all interfaces',
  async (listen) => {
    await expect(check({ listen })).rejects.toThrow('needs `--base-url`');
  },
);

it('does not show the password in a URL', async () => {
  const url = 'https://user:s3cret@crates.example';
  await expect(check({ baseUrl: url })).rejects.toThrow('`--base-url` has a user or a password in it');
  await using registry = await openTestRegistry();
  const staticFiles = {
    stat: () => Promise.resolve(null),
    read: () => Promise.resolve(null),
    write: () => Promise.resolve(true),
    copyBlob: () => Promise.resolve(true),
    delete: () => Promise.resolve(),
    async *list() {},
  };
  const delivery = { staticUrl: url, redirectsDownloads: false, authRequired: false };
  expect(() => externalDeliveryOf(delivery, { ...registry.store.blobs, staticFiles })).toThrow(
    '`--static-url` has a user or a password in it',
  );
});

it('shows documentation as the option says', async () => {
  expect((await check({}, {}, 'static')).settings.documentation).toBe('static');
});

it('shows badges of the default sites or of those of a flag, none offline, and leaves the choice to admins', async () => {
  const hostsOf = async (badges: Partial<BadgeOptions>): Promise<readonly string[] | undefined> =>
    (await check({}, badges)).settings.badgeHosts;
  expect(await hostsOf({ isShown: true })).toContain('img.shields.io');
  expect(await hostsOf({ isShown: true, hosts: ['Badges.Example'] })).toEqual(['badges.example']);
  expect(await hostsOf({ isShown: false, hosts: ['badges.example'] })).toEqual([]);
  expect(await hostsOf({})).toBe(undefined);
});

it.each([
  '127.0.0.1',
  'localhost',
  '[::1]',
  '0x7f.1',
  'https://img.shields.io',
  'a b.example',
  `${'a.'.repeat(127)}b`,
])('refuses `%s` as a site of badges', async (host) => {
  await expect(check({}, { isShown: true, hosts: [host] })).rejects.toThrow('for `--badge-host`');
});
