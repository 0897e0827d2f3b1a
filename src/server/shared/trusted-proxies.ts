/** Proxies that are trusted to report where a request came from. */
import { BlockList, isIP } from 'node:net';
import { TsregError } from '../../core/errors/error.ts';

/** Addresses and networks of trusted proxies. */
export class TrustedProxies {
  readonly #list = new BlockList();
  readonly #isEmpty: boolean;

  /** Parses IPv4 and IPv6 addresses and networks: `10.1.2.3`, `10.0.0.0/8`, `fd00::/8`. Throws a usage error. */
  constructor(texts: readonly string[]) {
    this.#isEmpty = texts.length === 0;
    for (const text of texts) {
      const [address = '', prefix, more] = text.split('/');
      const version = isIP(address);
      const maxBits = version === 6 ? 128 : 32;
      const bits = prefix === undefined ? maxBits : Number(prefix);
      const isPrefix = prefix === undefined || (/^\d{1,3}$/.test(prefix) && bits <= maxBits);
      if (version === 0 || address.includes('%') || more !== undefined || !isPrefix) {
        throw new TsregError(
          `invalid value \`${text}\` for \`--trusted-proxy\`: expected an address or a network, as in \`10.1.2.3\` or \`10.0.0.0/8\``,
          { code: 'usage' },
        );
      }
      this.#list.addSubnet(address, bits, version === 6 ? 'ipv6' : 'ipv4');
    }
  }

  /** Returns true for the address of a trusted proxy; false for a text that is not an address. */
  has(address: string): boolean {
    // A check by `BlockList` takes a noticeable part of a short request.
    if (this.#isEmpty) return false;
    // A link-local address may include its interface.
    const [bare = ''] = address.split('%');
    const version = isIP(bare);
    return version !== 0 && this.#list.check(bare, version === 6 ? 'ipv6' : 'ipv4');
  }
}
