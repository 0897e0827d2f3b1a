/** What one connection or several with a server look like to those who send requests. */
import type { ResponseHead } from './message.ts';
import type { UploadBody } from './upload-body.ts';

/** What the head of an answer may take, as with curl. */
export const MAX_HEAD_BYTES = 300 * 1024;

/** A request in terms of the protocol. */
export interface ExchangeRequest {
  readonly method: string;
  /** Path and query; an absolute URL for a forwarding proxy. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: UploadBody | null;
}

/** Learns what comes back. After `end` or `fail` nothing more is called. */
export interface ExchangeListener {
  /** The request is on its way, and can be ended. */
  start(abort: (reason: Error) => void): void;
  /** It is not, any more: it waits for its turn again, and `start` comes once more. */
  stop(): void;
  /** So many bytes more of the request's body have gone out. */
  sent(bytes: number): void;
  /** The server has said something before its answer. */
  interim(head: ResponseHead): void;
  head(head: ResponseHead): void;
  /** Where a promise is returned, no more is wanted before it is fulfilled. */
  data(chunk: Buffer): Promise<void> | undefined;
  /** The answer is complete. */
  end(): void;
  fail(error: Error): void;
}

/** Sends requests, as many at a time as the protocol allows. */
export interface Channel {
  exchange(request: ExchangeRequest, listener: ExchangeListener): void;
  /** Waits for requests that are under way, then closes. */
  close(): Promise<void>;
}

/** A connection ended before a request was answered. */
export class ConnectionEnded extends Error {
  /** `unsent`, `refused`: the server has not looked at the request. `cut`: it may have. */
  readonly how: 'unsent' | 'refused' | 'cut';

  constructor(how: 'unsent' | 'refused' | 'cut') {
    super('other side closed');
    this.how = how;
  }
}
