/** Signed tokens: PASETO, version 3 public. */
import { sign } from 'node:crypto';
import type { TokenKey } from './paserk.ts';

const HEADER = 'v3.public.';

/** The content of a token, as text. */
export interface TokenContent {
  readonly payload: string;
  readonly footer: string;
}

/** Returns a token with `content`, signed with `key`. */
export function signToken({ payload, footer }: TokenContent, key: TokenKey): string {
  const signed = authenticatedText([
    key.publicBytes,
    Buffer.from(HEADER),
    Buffer.from(payload),
    Buffer.from(footer),
    Buffer.alloc(0),
  ]);
  const signature = sign('sha384', signed, { key: key.signingKey, dsaEncoding: 'ieee-p1363' });
  const body = Buffer.concat([Buffer.from(payload), signature]).toString('base64url');
  return `${HEADER}${body}.${Buffer.from(footer).toString('base64url')}`;
}

/** Encodes pieces with their number and lengths, so that different lists have different encodings. */
function authenticatedText(pieces: readonly Buffer[]): Buffer {
  return Buffer.concat([
    littleEndian(pieces.length),
    ...pieces.flatMap((piece) => [littleEndian(piece.length), piece]),
  ]);
}

function littleEndian(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(value));
  return bytes;
}
