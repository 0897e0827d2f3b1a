import { isIP } from 'node:net';

const GROUPS = 8;
const GROUPS_OF_NETWORK = 4;
/** The groups before an IPv4 address that is written as an IPv6 address. RFC 4291, section 2.5.5.2. */
const BEFORE_IPV4 = '0:0:0:0:0:ffff';

/**
 * Returns the network of an address, by which clients are counted. It is an IPv4 address itself, also if written as
 * `::ffff:192.0.2.1`. Of an IPv6 address it is the /64, which one client usually has to itself. Returns any other text
 * unchanged.
 */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const groups = groupsOf(address);
  if (groups.slice(0, -2).join(':') === BEFORE_IPV4) return groups.slice(-2).flatMap(bytesOf).join('.');
  return `${groups.slice(0, GROUPS_OF_NETWORK).join(':')}::/64`;
}

/** Returns all eight groups, each in its shortest form. */
function groupsOf(address: string): readonly string[] {
  const { hostname } = new URL(`http://[${address.replace(/%.*$/, '')}]`);
  const [left = [], right = []] = hostname
    .slice(1, -1)
    .split('::')
    .map((half) => half.split(':').filter((group) => group !== ''));
  const zeros = Array.from({ length: GROUPS - left.length - right.length }, () => '0');
  return [...left, ...zeros, ...right];
}

/** Returns both bytes of a group. */
function bytesOf(group: string): readonly number[] {
  const bits = Number.parseInt(group, 16);
  return [bits >> 8, bits & 0xff];
}
