/**
 * Proofs that a form was made for the reader who sends it. Without them, another site could make the reader's browser
 * send it.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { HttpContext } from '../../http/http-env.ts';

/** More than any proof has, so that long input is not hashed. */
const MAX_PROOF_CHARS = 199;

/** Returns a new proof for `reader`, the secret of a cookie. Each proof is different. */
export function makeFormProof(key: Uint8Array, reader: string): string {
  const salt = randomBytes(16).toString('base64url');
  return `${salt}.${sign(key, `${salt}.${reader}`)}`;
}

/** Returns true if `makeFormProof` made `proof` for `reader` with `key`. A proof is valid as long as that secret. */
export function isFormProof(
  proof: string,
  { key, reader }: { readonly key: Uint8Array; readonly reader: string },
): boolean {
  const [salt = '', signature = ''] = proof.split('.');
  return proof.length <= MAX_PROOF_CHARS && equalTexts(signature, sign(key, `${salt}.${reader}`));
}

/** Returns false if the browser reports another site as the origin. If it reports nothing, only the proof counts. */
export function isFromThisSite(c: HttpContext, baseUrl: string): boolean {
  const site = c.req.header('sec-fetch-site');
  // `none`: no site started the request.
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  const origin = c.req.header('origin');
  if (origin === undefined) return true;
  // The `Host` counts too, because a server can have other names than that of `baseUrl`.
  return origin === new URL(baseUrl).origin || origin.replace(/^https?:\/\//, '') === c.req.header('host');
}

/** Returns the signature of a text in base64url. */
export function sign(key: Uint8Array, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64url');
}

/** Compares two texts in a time that does not reveal how much of them is equal. */
export function equalTexts(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}
