/**
 * Proofs that a form was made for the reader who sends it: without one, another site could have the reader's browser
 * send it.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** A new proof for whoever `reader` names (the secret of a cookie); every one looks different. */
export function makeFormProof(key: Uint8Array, reader: string): string {
  const salt = randomBytes(16).toString('base64url');
  return `${salt}.${sign(key, `${salt}.${reader}`)}`;
}

/** True if `proof` was made for `reader`. */
export function isFormProof(proof: string, key: Uint8Array, reader: string): boolean {
  const [salt = '', signature = ''] = proof.split('.');
  return proof.length < 200 && equalTexts(signature, sign(key, `${salt}.${reader}`));
}

/** The signature of a text, as text. */
export function sign(key: Uint8Array, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64url');
}

/** Compares without telling by the time how much of it is equal. */
export function equalTexts(a: string, b: string): boolean {
  const left = Buffer.from(a);
  const right = Buffer.from(b);
  return left.length === right.length && timingSafeEqual(left, right);
}
