/** HTTP/1.1 on a bounded number of connections, which stay open for later requests. */
import { Agent } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import type { Channel, ExchangeListener, ExchangeRequest } from './channel.ts';
import { converse, createRequest } from './h1-exchange.ts';

/**
 * Maximum number of concurrent connections. A server that handles one at a time, with a backlog of five, accepts this
 * many. For one more, the system waits seconds before it tries again.
 */
const CONNECTIONS = 6;
const KEEP_ALIVE_MS = 60_000;

/** Options of a channel. */
export interface H1Options {
  /** The value of the `Host` header. */
  readonly host: string;
  /**
   * True to accept responses that only a lenient parser accepts. Each request then has its own connection, so no
   * response can be taken for the next one.
   */
  readonly isLenient: boolean;
}

/** A channel for requests without a body, over an agent of Node. */
export class H1Channel implements Channel {
  readonly #options: H1Options;
  readonly #agent: Agent;
  /** Exchanges that have not started, as functions that run them. */
  readonly #queue: (() => Promise<void>)[] = [];
  readonly #running = new Set<Promise<void>>();

  /** `connect` opens each connection. */
  constructor(options: H1Options, connect: () => Promise<Socket>) {
    this.#options = options;
    this.#agent = Object.assign(new Agent({ keepAlive: !options.isLenient, timeout: KEEP_ALIVE_MS }), {
      createConnection: (_: unknown, settle: (error: Error | null, socket?: Socket) => void): void => {
        connect().then((socket) => settle(null, socket), settle);
      },
    });
  }

  exchange(request: ExchangeRequest, listener: ExchangeListener): void {
    this.#queue.push(() => this.#exchange(request, listener));
    this.#startQueued();
  }

  async close(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
    this.#agent.destroy();
  }

  /** Starts queued exchanges. The agent's own limit would not count connections that are being opened. */
  #startQueued(): void {
    while (this.#running.size < CONNECTIONS) {
      const start = this.#queue.shift();
      if (start === undefined) return;
      const running = start().finally(() => {
        this.#running.delete(running);
        this.#startQueued();
      });
      this.#running.add(running);
    }
  }

  /** Sends a request, and waits until its connection is free or closed. Reports all errors to `listener`. */
  async #exchange(request: ExchangeRequest, listener: ExchangeListener): Promise<void> {
    try {
      if (Object.keys(this.#agent.freeSockets).length > 0) await nextPoll();
      const { host, isLenient } = this.#options;
      const sending = createRequest(request, { host, agent: this.#agent, insecureHTTPParser: isLenient });
      const closed = new Promise((resolve) => {
        sending.once('close', resolve);
      });
      await converse(sending, request.body, { listener, failedWrite: () => null });
      await closed;
    } catch (error) {
      listener.fail(error instanceof Error ? error : new Error(String(error)));
    }
  }
}

/**
 * Waits until Node has handled what came on idle connections, such as their end. Otherwise a request could take one
 * that the server has closed, or take other data for its response.
 */
async function nextPoll(): Promise<void> {
  // The first may come before Node asks the system for data again.
  await setImmediate();
  await setImmediate();
}
