/**
 * Paths of badges of other sites on this server. They are signed, so that the server fetches only addresses of readmes
 * that it rendered.
 */
import { badgeAddress } from '../../shared/badge-hosts.ts';
import { equalTexts, sign } from '../shared/form-proof.ts';
import { withQuery } from '../shared/paths.ts';

/** The sites and the key with which a readme shows badges. Only JSON values: the thread and cache keys need that. */
export interface BadgeLinks {
  /** The sites whose badges are shown. */
  readonly hosts: readonly string[];
  /** The key of signatures in base64. */
  readonly key: string;
}

/** Returns the path on this server that shows the badge at the URL `image`; null if it is no badge of `hosts`. */
export function badgePath(image: string, { hosts, key }: BadgeLinks): string | null {
  const address = badgeAddress(image, hosts);
  return address === null ? null : withQuery(`/badges/${signatureOf(address, key)}`, { address });
}

/** Returns true if `badgePath` made the path with these parts, and `hosts` still contains the site. */
export function isBadgePath(
  { signature, address }: { readonly signature: string; readonly address: string },
  { hosts, key }: BadgeLinks,
): boolean {
  return badgeAddress(address, hosts) === address && equalTexts(signature, signatureOf(address, key));
}

function signatureOf(address: string, key: string): string {
  return sign(Buffer.from(key, 'base64'), address);
}
