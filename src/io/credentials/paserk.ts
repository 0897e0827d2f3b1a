/** Keys of asymmetric tokens, and their text format: PASERK, version 3 (ECDSA over P-384). */
import { createECDH, createHash, createPrivateKey, type KeyObject } from 'node:crypto';
import { Secret } from '../config/secret.ts';
import { TsregError } from '../../core/errors/error.ts';

const CURVE = 'secp384r1';
const SECRET_BYTES = 48;
const COORDINATE_BYTES = 48;
/** The first bytes of the SHA-384 hash that identifies a key. PASERK, "ID": a multiple of three needs no padding. */
const ID_BYTES = 33;
const SECRET_PREFIX = 'k3.secret.';
const PUBLIC_PREFIX = 'k3.public.';
const ID_PREFIX = 'k3.pid.';

/** A key pair. */
export interface TokenKey {
  /** The private key, for Node's `crypto`. */
  readonly signingKey: KeyObject;
  /** The compressed point of the public key: 49 bytes. */
  readonly publicBytes: Buffer;
  /** `k3.public.…`, for the registry. */
  readonly publicText: string;
  /** `k3.pid.…`, by which tokens identify the key. */
  readonly id: string;
}

/** Parses a secret key (`k3.secret.…`). Throws `auth` if it is invalid. */
export function readTokenKey(secret: Secret): TokenKey {
  const bytes = secretBytes(secret);
  const pair = createECDH(CURVE);
  try {
    pair.setPrivateKey(bytes);
  } catch {
    throw keyError('failed to load public key from private key', 'Key');
  }
  const point = pair.getPublicKey(null, 'uncompressed');
  const publicBytes = pair.getPublicKey(null, 'compressed');
  const signingKey = createPrivateKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-384',
      d: bytes.toString('base64url'),
      x: point.subarray(1, 1 + COORDINATE_BYTES).toString('base64url'),
      y: point.subarray(1 + COORDINATE_BYTES).toString('base64url'),
    },
  });
  const publicText = PUBLIC_PREFIX + publicBytes.toString('base64url');
  const hash = createHash('sha384').update(ID_PREFIX).update(publicText).digest();
  const id = ID_PREFIX + hash.subarray(0, ID_BYTES).toString('base64url');
  return { signingKey, publicBytes, publicText, id };
}

/** Generates a key, as `k3.secret.…`. */
export function makeTokenKey(): Secret {
  const pair = createECDH(CURVE);
  pair.generateKeys();
  const bytes = Buffer.alloc(SECRET_BYTES);
  const secret = pair.getPrivateKey();
  // `getPrivateKey` omits leading zeros.
  secret.copy(bytes, SECRET_BYTES - secret.length);
  return new Secret(SECRET_PREFIX + bytes.toString('base64url'));
}

/** Decodes a secret key. Throws `auth`, with the reason that cargo's library gives. */
function secretBytes(secret: Secret): Buffer {
  const text = secret.expose();
  const encoded = text.startsWith(SECRET_PREFIX) ? text.slice(SECRET_PREFIX.length) : '';
  if (encoded === '' || encoded.includes('.')) throw keyError('failed to load private key', 'PaserkParsing');
  const bytes = Buffer.from(encoded, 'base64url');
  if (bytes.toString('base64url') !== encoded) throw keyError('failed to load private key', 'Base64');
  if (bytes.length !== SECRET_BYTES) throw keyError('failed to load private key', 'PaserkParsing');
  return bytes;
}

function keyError(message: string, reason: string): TsregError {
  return new TsregError(message, { cause: new TsregError(reason, { code: 'auth' }) });
}
