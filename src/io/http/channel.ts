/** The interface of connections to a server, for the code that sends requests. */
import type { ResponseHead } from './message.ts';
import type { UploadBody } from './upload-body.ts';

/** Maximum size of a response head, as in curl. */
export const MAX_HEAD_BYTES = 300 * 1024;

/** A request in terms of the protocol. */
export interface ExchangeRequest {
  readonly method: string;
  /** Path and query; an absolute URL for a forwarding proxy. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: UploadBody | null;
}

/** Observer of one exchange. After `end` or `fail` nothing more is called. */
export interface ExchangeListener {
  /** The request is being sent; `abort` ends it. */
  start(abort: (reason: Error) => void): void;
  /** The request was put back into the queue; `start` follows again. */
  stop(): void;
  /** `bytes` more of the request's body were sent. */
  sent(bytes: number): void;
  /** The server sent a 1xx response. */
  interim(head: ResponseHead): void;
  /** The final response began. */
  head(head: ResponseHead): void;
  /** If this returns a promise, the next chunk follows only when it is fulfilled. */
  data(chunk: Buffer): Promise<void> | undefined;
  /** The response is complete. */
  end(): void;
  /** The exchange failed, possibly before `start`. */
  fail(error: Error): void;
}

/** A channel that sends requests, as many at a time as the protocol allows. */
export interface Channel {
  /** Queues a request. Throws nothing: `listener` gets all errors. */
  exchange(request: ExchangeRequest, listener: ExchangeListener): void;
  /** Waits for running requests, then closes. */
  close(): Promise<void>;
}

/** The error of a connection that ended before a response was complete. */
export class ConnectionEnded extends Error {
  /** `unsent`, `refused`: the server has not processed the request. `cut`: it may have. */
  readonly how: 'unsent' | 'refused' | 'cut';

  constructor(how: 'unsent' | 'refused' | 'cut') {
    super('other side closed');
    this.how = how;
  }
}
