/** Servers and the connections to them. */
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Channel } from './channel.ts';
import type { Connector } from './connector.ts';
import { H1Channel } from './h1-channel.ts';
import { H2Channel } from './h2-channel.ts';

/** Which server, and how. */
export interface OriginOptions {
  readonly url: URL;
  /** Null for direct connections. */
  readonly proxy: URL | null;
  readonly allowH2: boolean;
}

/** One server. Connections are made when they are needed. */
export class Origin {
  readonly proxy: URL | null;
  /** Requests that were answered. */
  completed = 0;
  /** Address of the last connection; null before there is one. */
  ip: string | null = null;
  readonly #url: URL;
  readonly #allowH2: boolean;
  readonly #connector: Connector;
  #h1: Promise<H1Channel> | null = null;
  #h2: H2Channel | null = null;
  #connecting: Promise<Channel> | null = null;

  constructor(options: OriginOptions, connector: Connector) {
    this.#url = options.url;
    this.proxy = options.proxy;
    this.#allowH2 = options.allowH2;
    this.#connector = connector;
  }

  /**
   * What to send a request on. Where HTTP/2 is possible, one connection is made to ask for it, and all
   * wait for that: if it is spoken, no other one is needed. Rejects with a `CurlError`.
   */
  async channel(): Promise<Channel> {
    if (!this.#allowH2) this.#h1 ??= this.#openH1(null);
    if (this.#h1 !== null) return await this.#h1;
    if (this.#h2?.isOpen === true) return this.#h2;
    this.#connecting ??= this.#negotiate().finally(() => {
      this.#connecting = null;
    });
    return await this.#connecting;
  }

  /** Closes what is idle; waits for the rest. */
  async close(): Promise<void> {
    await this.#h2?.close();
    await (await this.#h1)?.close();
  }

  async #negotiate(): Promise<Channel> {
    const socket = await this.#connect(true);
    if (isTls(socket) && socket.alpnProtocol === 'h2') {
      this.#h2 = await H2Channel.open(socket, this.#url);
      return this.#h2;
    }
    this.#h1 = this.#openH1(socket);
    return await this.#h1;
  }

  #openH1(first: Socket | null): Promise<H1Channel> {
    let unused = first;
    const base = this.proxy !== null && this.#url.protocol === 'http:' ? this.proxy : this.#url;
    return H1Channel.open(base.origin, async () => {
      const socket = unused ?? (await this.#connect(false));
      unused = null;
      return socket;
    });
  }

  async #connect(allowH2: boolean): Promise<Socket> {
    const socket = await this.#connector.connect({ url: this.#url, proxy: this.proxy, allowH2 });
    this.ip = socket.remoteAddress ?? this.ip;
    return socket;
  }
}

/** Asked of a property: to have the class, all of TLS would be loaded with this file. */
function isTls(socket: Socket): socket is TLSSocket {
  return 'encrypted' in socket;
}
