/** Requests and answers. */
import type { UploadBody } from './upload-body.ts';

/** One request. */
export interface HttpRequest {
  readonly url: string;
  readonly method?: 'GET' | 'PUT' | 'POST' | 'DELETE';
  /** Beside `host`, `user-agent` and `accept-encoding`, and `accept`, which says that anything will do unless given. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | UploadBody;
  /** More than this, before or after decoding, is an error. */
  readonly maxBytes: number;
  /**
   * Called when an answer with status 200 begins, again where the request is repeated: what it returns gets the body part
   * by part, the next one when the promise of the one before is fulfilled, as it must be in any case; `body` stays empty.
   * No encoding is asked for, and one that comes all the same is an error. Of other answers only the first 64 KiB are
   * kept, and as they came.
   */
  readonly receive?: () => PartReceiver;
  /** Gives the memory that the body is put together in; it is `body`, unless that was encoded. New memory unless given. */
  readonly allocate?: (bytes: number) => Uint8Array;
  /** Called as `body` goes out: how much of it the system has taken so far. */
  readonly onSent?: (sent: number, total: number) => void;
  /** Called as the body comes in; `total` is null where the server did not say. */
  readonly onProgress?: (received: number, total: number | null) => void;
}

/** Takes parts of a body. */
export type PartReceiver = (part: Uint8Array) => Promise<void>;

/** What stands before the body of an answer. */
export interface ResponseHead {
  readonly status: number;
  /** `HTTP/1.1 200 OK`; in HTTP/2 there are no words. */
  readonly statusLine: string;
  /** In order, names as the server wrote them, values as latin1. */
  readonly headers: readonly (readonly [name: string, value: string])[];
}

/** One answer, whatever its status. */
export interface HttpResponse extends ResponseHead {
  /** The heads that came before, in order: those of 1xx and of redirects. */
  readonly earlier: readonly ResponseHead[];
  /** Without any content encoding; empty where `receive` has got it. */
  readonly body: Uint8Array;
  /** Bytes of the body as sent. */
  readonly transferredBytes: number;
  /** After redirects. */
  readonly url: string;
  /** Of the server, or of the proxy. */
  readonly ip: string | null;
}

/** The value of a header, or null. Of several the last counts. */
export function headerValue(response: Pick<ResponseHead, 'headers'>, name: string): string | null {
  return response.headers.findLast(([known]) => known.toLowerCase() === name)?.[1] ?? null;
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
  for (const [written, spaced] of [...earlier.flatMap((head) => head.headers), ...headers]) {
    const name = written.toLowerCase();
    const value = spaced.trim();
    if (!/^[!#$%&'*+.^_`|~0-9a-z-]+$/.test(name) || !/^[\t\x20-\x7e]*$/.test(value)) continue;
    const values = byName.get(name);
    if (values === undefined) byName.set(name, [value]);
    else values.push(value);
  }
  return [...byName].flatMap(([name, values]) => values.map((value) => [name, value] as const));
}
