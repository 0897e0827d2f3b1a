/**
 * Paths of badges of other sites on this server. They are signed, so that the server fetches only addresses of readmes
 * that it rendered.
 */
import { badgeAddress } from '../shared/badge-hosts.ts';
import { equalTexts, sign } from './form-proof.ts';
import { withQuery } from './paths.ts';

/** What a readme needs to show badges. Threads and cache keys take it as JSON. */
export interface BadgeLinks {
  /** The sites whose badges are shown. */
  readonly hosts: readonly string[];
  /** The key of signatures in base64. */
  readonly key: string;
}

/** Returns the path that shows an image of another site; null if it is no badge of these sites. */
export function badgePath(image: string, { hosts, key }: BadgeLinks): string | null {
  const address = badgeAddress(image, hosts);
  return address === null ? null : withQuery(`/badges/${signature(address, key)}`, { address });
}

/** Returns true if `badgePath` made the path, and the site is still shown. */
export function isBadgePath(
  { signature: given, address }: { readonly signature: string; readonly address: string },
  { hosts, key }: BadgeLinks,
): boolean {
  return badgeAddress(address, hosts) === address && equalTexts(given, signature(address, key));
}

function signature(address: string, key: string): string {
  return sign(Buffer.from(key, 'base64'), address);
}
