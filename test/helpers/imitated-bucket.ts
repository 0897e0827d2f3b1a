/** A small S3-compatible store within the process, which fails on request. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Environment } from '../../src/server/bucket/bucket-location.ts';

/** A received request. */
export interface BucketRequest {
  readonly method: string;
  /** The key without the name of the bucket; empty for the bucket itself. */
  readonly key: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
}

/** A fault that replaces the normal response. */
export type Fault =
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly code?: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** The connection closes: before or after the request is performed, or after some bytes of an object. */
  | { readonly kind: 'reset' | 'reset-afterwards' }
  | { readonly kind: 'cut'; readonly afterBytes: number }
  /** The server stops sending: without a response, or after some bytes of an object. */
  | { readonly kind: 'silence'; readonly afterBytes?: number }
  | { readonly kind: 'slow'; readonly ms: number }
  /** A response without `content-length`. */
  | { readonly kind: 'chunked' }
  /** A response with this text and the status 200. */
  | { readonly kind: 'body'; readonly text: string };

/** A stored object. */
export interface StoredObject {
  readonly bytes: Buffer;
  readonly headers: Readonly<Record<string, string>>;
  readonly changedAtMs: number;
}

/** The store. */
export interface ImitatedBucket extends AsyncDisposable {
  /** The URL for `--storage`, with a prefix. */
  readonly url: string;
  readonly env: Environment;
  readonly objects: Map<string, StoredObject>;
  readonly requests: BucketRequest[];
  /** Returns the fault of a request; null for a normal response. Called for every request. */
  fault: (request: BucketRequest) => Fault | null;
  /** The maximum number of entries in one page of a list. */
  pageSize: number;
}

const BUCKET = 'imitated';

/** Starts a store on 127.0.0.1 with one empty bucket. */
export async function imitateBucket(): Promise<ImitatedBucket> {
  const server = createServer((request, response) => {
    answer(store, request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const store: ImitatedBucket = {
    url: `s3://${BUCKET}/pre?endpoint=http://127.0.0.1:${port}`,
    env: { AWS_ACCESS_KEY_ID: 'imitated-id', AWS_SECRET_ACCESS_KEY: 'imitated-secret' },
    objects: new Map(),
    requests: [],
    fault: () => null,
    pageSize: 1000,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return store;
}

async function answer(
  store: ImitatedBucket,
  message: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(message.url ?? '', 'http://store');
  const key = decodeURIComponent(url.pathname).slice(`/${BUCKET}/`.length);
  const { method = '', headers } = message;
  const request: BucketRequest = { method, key, query: url.searchParams, headers };
  store.requests.push(request);
  const fault = store.fault(request);
  if (fault?.kind === 'reset') return void message.socket.destroy();
  const parts: Uint8Array[] = [];
  for await (const part of message) parts.push(part);
  const body = Buffer.concat(parts);
  if (fault?.kind === 'silence' && fault.afterBytes === undefined) return;
  if (fault?.kind === 'slow') await wait(fault.ms);
  if (fault?.kind === 'body') return void response.end(fault.text);
  if (fault?.kind === 'status') {
    return fail(response, fault.status, { code: fault.code ?? 'InternalError', ...fault.headers });
  }
  if (fault?.kind === 'reset-afterwards') {
    response.end = (() => message.socket.destroy()) as unknown as ServerResponse['end'];
  }
  if (!isSigned(request)) return fail(response, 403, { code: 'AccessDenied' });
  if (method === 'PUT') return put(store, request, { body, response });
  if (method === 'DELETE') {
    store.objects.delete(key);
    return void response.writeHead(204).end();
  }
  if (key === '') return list(store, request, response);
  return get(store, request, { response, fault });
}

function isSigned({ headers, query }: BucketRequest): boolean {
  const signature = /^AWS4-HMAC-SHA256 Credential=imitated-[a-z]+\/\d{8}\/.*Signature=[0-9a-f]{64}$/;
  return signature.test(headers.authorization ?? '') || query.has('X-Amz-Signature');
}

function put(
  { objects }: ImitatedBucket,
  { key, headers }: BucketRequest,
  { body, response }: { readonly body: Buffer; readonly response: ServerResponse },
): void {
  const source = headers['x-amz-copy-source'];
  if (typeof source === 'string') {
    const copied = objects.get(decodeURIComponent(source).slice(`/${BUCKET}/`.length));
    if (copied === undefined) return fail(response, 404, { code: 'NoSuchKey' });
    objects.set(key, copied);
    return void response.end('<CopyObjectResult><ETag>x</ETag></CopyObjectResult>');
  }
  const sha256 = createHash('sha256').update(body);
  if (sha256.copy().digest('hex') !== headers['x-amz-content-sha256']) {
    return fail(response, 400, { code: 'XAmzContentSHA256Mismatch' });
  }
  const checksum = sha256.digest('base64');
  if (headers['x-amz-checksum-sha256'] !== checksum) return fail(response, 400, { code: 'BadDigest' });
  const existing = objects.get(key);
  const ifMatch = headers['if-match'];
  if (headers['if-none-match'] === '*' && existing !== undefined) {
    return fail(response, 412, { code: 'PreconditionFailed' });
  }
  if (ifMatch !== undefined && existing === undefined) return fail(response, 404, { code: 'NoSuchKey' });
  if (ifMatch !== undefined && ifMatch !== etagOf(existing)) {
    return fail(response, 412, { code: 'PreconditionFailed' });
  }
  const kept = {
    'content-type': headers['content-type'] ?? '',
    'cache-control': String(headers['cache-control'] ?? ''),
  };
  objects.set(key, { bytes: body, headers: kept, changedAtMs: Date.now() });
  response.writeHead(200, { 'x-amz-checksum-sha256': checksum }).end();
}

function get(
  { objects }: ImitatedBucket,
  { key, method, headers }: BucketRequest,
  { response, fault }: { readonly response: ServerResponse; readonly fault: Fault | null },
): void {
  const object = objects.get(key);
  if (object === undefined) return fail(response, 404, { code: 'NoSuchKey' });
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(headers.range ?? '') ?? [];
  const range = from === undefined ? null : { first: Number(from), last: Number(to) };
  const bytes = range === null ? object.bytes : object.bytes.subarray(range.first, range.last + 1);
  response.writeHead(range === null ? 200 : 206, {
    ...object.headers,
    ...(fault?.kind === 'chunked' ? {} : { 'content-length': bytes.length }),
    etag: etagOf(object),
    'last-modified': new Date(object.changedAtMs).toUTCString(),
    ...(range === null
      ? {}
      : { 'content-range': `bytes ${range.first}-${range.last}/${object.bytes.length}` }),
  });
  if (method === 'HEAD') return void response.end();
  if (fault?.kind !== 'cut' && fault?.kind !== 'silence') return void response.end(bytes);
  response.write(bytes.subarray(0, fault.afterBytes), () => {
    if (fault.kind === 'cut') setTimeout(() => response.destroy(), 20);
  });
}

function list(
  { objects, pageSize }: ImitatedBucket,
  { query }: BucketRequest,
  response: ServerResponse,
): void {
  const prefix = query.get('prefix') ?? '';
  const after = query.get('continuation-token') ?? '';
  const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).toSorted();
  const page = keys.slice(0, pageSize);
  const isCut = keys.length > page.length;
  const entries = page.map((key) => {
    const object = objects.get(key);
    const time = new Date(object?.changedAtMs ?? 0).toISOString();
    return `<Contents><Key>${encodeURIComponent(key)}</Key><LastModified>${time}</LastModified><ETag>&quot;x&quot;</ETag><Size>${object?.bytes.length}</Size></Contents>`;
  });
  const next = isCut ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : '';
  response.end(
    `<?xml version="1.0"?><ListBucketResult xmlns="x"><IsTruncated>${isCut}</IsTruncated>${next}${entries.join('')}</ListBucketResult>`,
  );
}

function etagOf(object: StoredObject | undefined): string {
  return `"${createHash('md5')
    .update(object?.bytes ?? '')
    .digest('hex')}"`;
}

function fail(
  response: ServerResponse,
  status: number,
  { code = '', ...headers }: Record<string, string>,
): void {
  response.writeHead(status, headers);
  response.end(`<Error><Code>${code}</Code><Message>It &lt;went&gt; wrong</Message></Error>`);
}
