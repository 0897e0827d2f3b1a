import { createPublicKey, ECDH, verify } from 'node:crypto';

/** The content of a token. */
export interface VerifiedToken {
  readonly payload: unknown;
  readonly footer: string;
}

/** Verifies a token `v3.public.…` with the key `k3.public.…`, as a registry does. Returns null if it is invalid. */
export function verifyToken(token: string, publicText: string): VerifiedToken | null {
  const [version, purpose, body = '', footer = '', ...rest] = token.split('.');
  if (version !== 'v3' || purpose !== 'public' || rest.length > 0) return null;
  const point = Buffer.from(publicText.replace(/^k3\.public\./, ''), 'base64url');
  const bytes = Buffer.from(body, 'base64url');
  const message = bytes.subarray(0, -96);
  const pieces = [
    point,
    Buffer.from('v3.public.'),
    message,
    Buffer.from(footer, 'base64url'),
    Buffer.alloc(0),
  ];
  const isGood = verify(
    'sha384',
    Buffer.concat([length(pieces.length), ...pieces.flatMap((piece) => [length(piece.length), piece])]),
    { key: publicKey(point), dsaEncoding: 'ieee-p1363' },
    bytes.subarray(-96),
  );
  if (!isGood) return null;
  return {
    payload: JSON.parse(message.toString('utf8')),
    footer: Buffer.from(footer, 'base64url').toString(),
  };
}

function publicKey(point: Buffer) {
  const whole = ECDH.convertKey(point, 'secp384r1', undefined, undefined, 'uncompressed');
  if (typeof whole === 'string') throw new Error('a key in hexadecimal digits');
  const [x, y] = [whole.subarray(1, 49), whole.subarray(49)].map((half) => half.toString('base64url'));
  return createPublicKey({ format: 'jwk', key: { kty: 'EC', crv: 'P-384', x: x ?? '', y: y ?? '' } });
}

function length(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}
