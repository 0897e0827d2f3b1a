import fc from 'fast-check';
import { expect, it } from 'vitest';
import { networkOf } from '../../../src/server/http/network-of.ts';

it.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::FFFF:c000:201', '192.0.2.1'],
  ['0:0:0:0:0:ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:0:7:a:b:c:d', '2001:db8:0:7::/64'],
  ['2001:0DB8:0000:0007::1', '2001:db8:0:7::/64'],
  ['2001:db8::', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['unknown', 'unknown'],
])('returns the network of %s as %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});

it('returns the same network for two addresses only if they share a /64', () => {
  const group = fc.integer({ min: 0, max: 0xffff }).map((bits) => bits.toString(16));
  const half = fc.tuple(group, group, group, group).map((groups) => groups.join(':'));
  fc.assert(
    fc.property(half, half, half, half, (network, other, host, another) => {
      fc.pre(network !== '0:0:0:0' && other !== '0:0:0:0');
      expect(networkOf(`${network}:${host}`)).toBe(networkOf(`${network}:${another}`));
      const isSame = networkOf(`${network}:${host}`) === networkOf(`${other}:${host}`);
      expect(isSame).toBe(network === other);
    }),
  );
});
