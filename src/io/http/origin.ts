/** Servers, and the connections to each. */
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { type Channel, ConnectionEnded } from './channel.ts';
import type { Connector } from './connector.ts';
import type { H1Channel } from './h1-channel.ts';
import type { H2Channel } from './h2-channel.ts';
import type { SingleUseChannel } from './single-use-channel.ts';

/** A server, and the way to connect to it. */
export interface OriginOptions {
  readonly url: URL;
  /** Null for direct connections. */
  readonly proxy: URL | null;
  readonly allowH2: boolean;
}

/** A server. Connects when a connection is first needed. */
export class Origin {
  readonly proxy: URL | null;
  /** Number of requests that got a response. */
  completedRequests = 0;
  /** Address of the last connection; null before the first one. */
  ip: string | null = null;
  readonly #url: URL;
  readonly #allowH2: boolean;
  readonly #connector: Connector;
  #isLenient = false;
  #h1: Promise<H1Channel> | null = null;
  /** The channel before `becomeLenient`. */
  #strictH1: Promise<H1Channel> | null = null;
  #h2: H2Channel | null = null;
  #singleUse: Promise<SingleUseChannel> | null = null;
  /** The connection that negotiated HTTP/1.1, until the first request takes it. */
  #unused: Socket | null = null;
  #connecting: Promise<Channel> | null = null;

  constructor(options: OriginOptions, connector: Connector) {
    this.#url = options.url;
    this.proxy = options.proxy;
    this.#allowH2 = options.allowH2;
    this.#connector = connector;
  }

  /**
   * Returns the channel for a request. If HTTP/2 is allowed, one connection negotiates it and all callers wait for the
   * result: with HTTP/2, no other connection is needed. With HTTP/1.1, `isSingleUse` means a separate connection for
   * each request. Rejects with a `CurlError`.
   */
  async channel({ isSingleUse }: { readonly isSingleUse: boolean }): Promise<Channel> {
    if (isSingleUse && (!this.#allowH2 || this.#h1 !== null)) return await this.#singleUseChannel();
    if (!this.#allowH2) this.#h1 ??= this.#openH1();
    if (this.#h1 !== null) return await this.#h1;
    if (this.#h2?.isOpen === true) return this.#h2;
    this.#connecting ??= this.#negotiate().finally(() => {
      this.#connecting = null;
    });
    const channel = await this.#connecting;
    return isSingleUse && channel !== this.#h2 ? await this.#singleUseChannel() : channel;
  }

  /** True after `becomeLenient`. */
  get isLenient(): boolean {
    return this.#isLenient;
  }

  /** From now on, opens HTTP/1.1 channels that are lenient, as in `H1Options`. */
  becomeLenient(): void {
    if (this.#isLenient) return;
    this.#isLenient = true;
    this.#strictH1 = this.#h1;
    this.#h1 = this.#openH1();
  }

  /** Closes idle connections, and the others when their requests end. */
  async close(): Promise<void> {
    this.#unused?.destroy();
    await (await this.#singleUse)?.close();
    await this.#h2?.close();
    await (await this.#h1)?.close();
    await (await this.#strictH1)?.close();
  }

  /** Connects, and opens the channel for the protocol that the server chooses. */
  async #negotiate(): Promise<Channel> {
    const socket = await this.#connect({ allowH2: true });
    if (isTls(socket) && socket.alpnProtocol === 'h2') {
      const { H2Channel } = await import('./h2-channel.ts');
      // It may have ended meanwhile. Node would wait for it forever.
      if (socket.destroyed) throw socket.errored ?? new ConnectionEnded('unsent');
      this.#h2 = H2Channel.open(socket, this.#url);
      return this.#h2;
    }
    this.#unused = socket;
    this.#h1 = this.#openH1();
    return await this.#h1;
  }

  async #openH1(): Promise<H1Channel> {
    const { H1Channel } = await import('./h1-channel.ts');
    const options = { host: this.#url.host, isLenient: this.#isLenient };
    return new H1Channel(options, () => this.#takeSocket());
  }

  /** Returns the channel with a separate connection for each request, and opens it at the first call. */
  #singleUseChannel(): Promise<SingleUseChannel> {
    const { host, protocol } = this.#url;
    // curl sends no `Expect` with the `Upgrade: h2c` of its direct unencrypted requests.
    const options = { host, expectsContinue: protocol === 'https:' || this.proxy !== null };
    this.#singleUse ??= import('./single-use-channel.ts').then(
      (module) => new module.SingleUseChannel(options, () => this.#takeSocket()),
    );
    return this.#singleUse;
  }

  async #takeSocket(): Promise<Socket> {
    const unused = this.#unused;
    this.#unused = null;
    if (unused === null) return await this.#connect({ allowH2: false });
    if (!unused.destroyed) return unused;
    // Node would wait for it forever. The server may have refused the client, or closed an idle connection.
    if (unused.errored !== null) throw unused.errored;
    return await this.#connect({ allowH2: false });
  }

  async #connect({ allowH2 }: { readonly allowH2: boolean }): Promise<Socket> {
    const socket = await this.#connector.connect({ url: this.#url, proxy: this.proxy, allowH2 });
    this.ip = socket.remoteAddress ?? this.ip;
    return socket;
  }
}

/** Checks a property instead of the class, whose import would load all of TLS with this file. */
function isTls(socket: Socket): socket is TLSSocket {
  return 'encrypted' in socket;
}
