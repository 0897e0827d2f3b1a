/** HTTP requests and responses. */
import { present } from '../../core/errors/assert.ts';
import type { UploadBody } from './upload-body.ts';

/** An HTTP request. */
export interface HttpRequest {
  readonly url: string;
  readonly method?: 'GET' | 'PUT' | 'POST' | 'DELETE';
  /** Additional headers. The transport adds `host`, `user-agent`, `accept-encoding` and an `accept` of everything. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | UploadBody;
  /** A body larger than this, before or after decoding, is an error. */
  readonly maxBytes: number;
  /**
   * Called when a response with status 200 begins, again for each repetition of the request. The returned function gets
   * the body part by part, each one after the promise of the previous one is fulfilled; the promises must not reject.
   * `body` of the response stays empty. No encoding is requested, and an encoded response is an error. For another
   * status, `body` has at most the first 64 KiB, undecoded.
   */
  readonly receive?: () => PartReceiver;
  /** Allocates the memory for the body. `body` is this memory unless the response was encoded. Default: new memory. */
  readonly allocate?: (bytes: number) => Uint8Array;
  /** Called while `body` is sent, with the bytes that the system has accepted so far. */
  readonly onSent?: (sent: number, total: number) => void;
  /** Called while the body is received; `total` is null if the server did not send it. */
  readonly onProgress?: (received: number, total: number | null) => void;
}

/** A function that processes parts of a body. */
export type PartReceiver = (part: Uint8Array) => Promise<void>;

/** The status and headers of a response. */
export interface ResponseHead {
  readonly status: number;
  /** `HTTP/1.1 200 OK`; HTTP/2 has no reason phrase. */
  readonly statusLine: string;
  /** In order. Names have the server's spelling, values are latin1. */
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/** A response with any status. */
export interface HttpResponse extends ResponseHead {
  /** The earlier heads, in order: those of 1xx responses and of redirects. */
  readonly earlier: readonly ResponseHead[];
  /** The decoded body; empty if `receive` got it. */
  readonly body: Uint8Array;
  /** Bytes of the body as sent by the server. */
  readonly transferredBytes: number;
  /** The URL after redirects. */
  readonly url: string;
  /** The address of the server, or of the proxy. */
  readonly ip: string | null;
}

/** Returns the headers in a list of Node, in which names and values alternate. */
export function headerPairs(raw: readonly (Uint8Array | string)[]): ResponseHead['headers'] {
  const text = (i: number): string => {
    const item = present(raw[i], 'a header');
    return typeof item === 'string' ? item : Buffer.from(item).toString('latin1');
  };
  return Array.from(
    { length: Math.floor(raw.length / 2) },
    (_, i) => [text(2 * i), text(2 * i + 1)] as const,
  );
}

/** Returns the value of a header, or null. Of several values the last counts. `name` is in lower case. */
export function headerValue(response: Pick<ResponseHead, 'headers'>, name: string): string | null {
  return response.headers.findLast(([headerName]) => headerName.toLowerCase() === name)?.[1] ?? null;
}

/**
 * Returns the headers of a response and of the heads before it as cargo shows them: names in lower case in the order of
 * their first appearance, those of one name together, without headers whose name or value is not printable ASCII.
 */
export function shownHeaders({
  earlier,
  headers,
}: Pick<HttpResponse, 'earlier' | 'headers'>): readonly (readonly [name: string, value: string])[] {
  const byName = new Map<string, string[]>();
  for (const [writtenName, writtenValue] of [...earlier.flatMap((head) => head.headers), ...headers]) {
    const name = writtenName.toLowerCase();
    const value = writtenValue.trim();
    if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(name) || !/^[\t\x20-\x7e]*$/.test(value)) continue;
    const values = byName.get(name);
    if (values === undefined) byName.set(name, [value]);
    else values.push(value);
  }
  return [...byName].flatMap(([name, values]) => values.map((value) => [name, value] as const));
}
