/** Signatures of requests: AWS Signature Version 4, in a header or in the URL. AWS IAM User Guide. */
import { createHash, createHmac } from 'node:crypto';
import type { BucketCredentials } from './bucket-credentials.ts';

/** A request to sign. */
export interface UnsignedRequest {
  readonly method: string;
  /** As in the `Host` header: with the port unless it is the default port of the scheme. */
  readonly host: string;
  /** Escaped, as sent. */
  readonly path: string;
  /** Not escaped. */
  readonly query: readonly (readonly [name: string, value: string])[];
  /** Names in lower case; all of them are signed. */
  readonly headers: Readonly<Record<string, string>>;
  /** Hex SHA-256 of the body, or a placeholder. */
  readonly payloadHash: string;
}

/** The credentials, the scope and the time of a signature. */
export interface Signer {
  readonly credentials: BucketCredentials;
  readonly region: string;
  /** `s3`. */
  readonly service: string;
  readonly atMs: number;
}

const ALGORITHM = 'AWS4-HMAC-SHA256';
/** Placeholder for the hash of a body that is not signed. */
const UNSIGNED = 'UNSIGNED-PAYLOAD';

/** Returns the request's headers, with the signature and the headers that it needs. */
export function signHeaders(request: UnsignedRequest, signer: Signer): Readonly<Record<string, string>> {
  const { accessKeyId, sessionToken } = signer.credentials;
  const headers = {
    ...request.headers,
    host: request.host,
    'x-amz-date': timestamp(signer.atMs),
    ...(sessionToken === null ? {} : { 'x-amz-security-token': sessionToken }),
  };
  const { signature, signedHeaders } = sign({ ...request, headers }, signer);
  const credential = `${accessKeyId}/${scopeOf(signer)}`;
  return {
    ...headers,
    authorization: `${ALGORITHM} Credential=${credential},SignedHeaders=${signedHeaders},Signature=${signature}`,
  };
}

/** Returns the query, without a `?`, with which anyone can send the request for `expiresInSeconds`. */
export function signQuery(
  request: Omit<UnsignedRequest, 'payloadHash'>,
  signer: Signer,
  { expiresInSeconds }: { readonly expiresInSeconds: number },
): string {
  const { accessKeyId, sessionToken } = signer.credentials;
  const headers = { ...request.headers, host: request.host };
  const query: UnsignedRequest['query'] = [
    ...request.query,
    ['X-Amz-Algorithm', ALGORITHM],
    ['X-Amz-Credential', `${accessKeyId}/${scopeOf(signer)}`],
    ['X-Amz-Date', timestamp(signer.atMs)],
    ['X-Amz-Expires', String(expiresInSeconds)],
    ['X-Amz-SignedHeaders', Object.keys(headers).toSorted().join(';')],
    ...(sessionToken === null ? [] : [['X-Amz-Security-Token', sessionToken] as const]),
  ];
  const { signature } = sign({ ...request, headers, query, payloadHash: UNSIGNED }, signer);
  return `${encodeQuery(query)}&X-Amz-Signature=${signature}`;
}

/** Returns the query with escaped names and values, in the order in which they are signed. */
export function encodeQuery(query: UnsignedRequest['query']): string {
  return query
    .map(([name, value]) => [encode(name), encode(value)] as const)
    .toSorted(([a, aValue], [b, bValue]) => compare(a, b) || compare(aValue, bValue))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
}

/** Returns a key as a part of a path. Escapes all but unreserved characters and slashes. */
export function encodeKey(key: string): string {
  return key.split('/').map(encode).join('/');
}

/** Signs the "canonical request" of the specification, which lists all headers. */
function sign(
  { method, path, query, headers, payloadHash }: UnsignedRequest,
  signer: Signer,
): { readonly signature: string; readonly signedHeaders: string } {
  const sorted = Object.entries(headers).toSorted(([a], [b]) => compare(a, b));
  const signedHeaders = sorted.map(([name]) => name).join(';');
  const lines = sorted.map(([name, value]) => `${name}:${value.trim().replaceAll(/ +/g, ' ')}\n`);
  const canonical = [method, path, encodeQuery(query), lines.join(''), signedHeaders, payloadHash].join('\n');
  const text = [ALGORITHM, timestamp(signer.atMs), scopeOf(signer), sha256(canonical)].join('\n');
  return { signature: hmac(signingKey(signer), text).toString('hex'), signedHeaders };
}

function signingKey({ credentials, region, service, atMs }: Signer): Buffer {
  const parts = [dateOf(atMs), region, service, 'aws4_request'];
  return parts.reduce(hmac, Buffer.from(`AWS4${credentials.secretAccessKey}`));
}

function scopeOf({ region, service, atMs }: Signer): string {
  return `${dateOf(atMs)}/${region}/${service}/aws4_request`;
}

/** Returns a time as `20130524T000000Z`. */
function timestamp(atMs: number): string {
  return new Date(atMs).toISOString().replaceAll(/[:-]|\.\d{3}/g, '');
}

function dateOf(atMs: number): string {
  return timestamp(atMs).slice(0, 8);
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Escapes all but the unreserved characters of RFC 3986; `encodeURIComponent` leaves five more. */
function encode(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Compares by code units: the escaped texts are ASCII, and the specification sorts by bytes. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
