/** Connections: TCP, through a proxy, encrypted. */
import { connect as connectTcp, type Socket } from 'node:net';
import type { SecureContext, TLSSocket } from 'node:tls';
import { connectError, CurlError, errorCode } from './curl-error.ts';
import { checkHost, handshakeError } from './tls-error.ts';
import type { TlsRange } from './tls-range.ts';

/** curl's time limit for connecting, if `http.timeout` is 0. */
const DEFAULT_TIMEOUT_MS = 300_000;
const MAX_TUNNEL_RESPONSE_BYTES = 64 * 1024;

/** Options of all connections. */
export interface ConnectorOptions {
  /** For connecting, with proxy and encryption; 0 for curl's default. */
  readonly timeoutMs: number;
  readonly tls: TlsRange;
  /** Returns PEM texts; null for the certificates that Node contains. Called once, when they are first needed. */
  readonly certificates: () => readonly Buffer[] | null;
  /** The same, for TLS connections to a proxy. */
  readonly proxyCertificates: () => readonly Buffer[] | null;
  readonly userAgent: string;
  /** The signal that ends all attempts to connect. */
  readonly signal: AbortSignal;
}

/** The target of a connection. */
export interface Destination {
  readonly url: URL;
  /** Null for a direct connection. */
  readonly proxy: URL | null;
  readonly allowH2: boolean;
}

/** An opener of connections to the server of a URL. Rejections are `CurlError`s, or after an abort its reason. */
export class Connector {
  readonly #options: ConnectorOptions;
  #context: SecureContext | null = null;
  #proxyContext: SecureContext | null = null;

  constructor(options: ConnectorOptions) {
    this.#options = options;
  }

  /**
   * Opens a connection for requests. For unencrypted `http` through a proxy, it leads to the proxy. If it fails before
   * the caller listens to it, the caller's first request finds it closed.
   */
  async connect(destination: Destination): Promise<Socket | TLSSocket> {
    const { url, proxy } = destination;
    const { signal } = this.#options;
    signal.throwIfAborted();
    let timer: NodeJS.Timeout | undefined;
    let abort = (): void => {};
    const started = performance.now();
    const tcp = connectTcp({ ...addressOf(proxy ?? url), noDelay: true, keepAlive: true });
    const interruption = new Promise<never>((_, reject) => {
      abort = () => reject(signal.reason);
      signal.addEventListener('abort', abort);
      const timeoutMs = this.#options.timeoutMs === 0 ? DEFAULT_TIMEOUT_MS : this.#options.timeoutMs;
      timer = setTimeout(() => {
        const elapsed = Math.round(performance.now() - started);
        reject(new CurlError(28, `Connection timed out after ${elapsed} milliseconds`));
      }, timeoutMs);
    });
    try {
      const socket = await Promise.race([this.#establish(tcp, destination), interruption]);
      // Without a listener, an error would end this process.
      socket.on('error', () => {});
      return socket;
    } catch (error) {
      destroyQuietly(tcp);
      throw error;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    }
  }

  /** Waits for `tcp`, and adds encryption and a tunnel as the destination requires. Has no time limit. */
  async #establish(tcp: Socket, { url, proxy, allowH2 }: Destination): Promise<Socket | TLSSocket> {
    let socket: Socket | TLSSocket = tcp;
    await waitForTcp(tcp, { url, proxy });
    if (proxy?.protocol === 'https:')
      socket = await this.#encrypt(socket, proxy, { allowH2: false, isProxy: true });
    if (proxy !== null && url.protocol === 'https:') await this.#openTunnel(socket, url, proxy);
    if (url.protocol === 'https:') socket = await this.#encrypt(socket, url, { allowH2, isProxy: false });
    return socket;
  }

  /** Encrypts a connection to the server or proxy at `url`. */
  #encrypt(
    socket: Socket,
    url: URL,
    { allowH2, isProxy }: { readonly allowH2: boolean; readonly isProxy: boolean },
  ): Promise<TLSSocket> {
    const { host } = addressOf(url);
    // The server name of TLS (RFC 6066) is never an address.
    const isAddress = /^[\d.]+$|:/.test(host);
    return new Promise((resolve, reject) => {
      let secureContext: SecureContext;
      try {
        secureContext = isProxy ? this.#secureProxyContext() : this.#secureContext();
      } catch (error) {
        reject(error instanceof CurlError ? error : new CurlError(77, String(error)));
        return;
      }
      const encrypted = process.getBuiltinModule('node:tls').connect({
        socket,
        host,
        servername: isAddress ? '' : host,
        secureContext,
        checkServerIdentity: (_, certificate) => checkHost(host, certificate),
        ALPNProtocols: allowH2 ? ['h2', 'http/1.1'] : ['http/1.1'],
      });
      const fail = (error: unknown) => reject(handshakeError(error));
      encrypted.once('error', fail);
      encrypted.once('secureConnect', () => {
        encrypted.off('error', fail);
        resolve(encrypted);
      });
    });
  }

  /** Requests a tunnel to `url` from a proxy. RFC 9110, section 9.3.6. */
  #openTunnel(socket: Socket, url: URL, proxy: URL): Promise<void> {
    const target = `${url.hostname}:${addressOf(url).port}`;
    const authorization = basicAuthorization(proxy);
    const head = [
      `CONNECT ${target} HTTP/1.1`,
      `Host: ${target}`,
      ...(authorization === null ? [] : [`Proxy-Authorization: ${authorization}`]),
      `User-Agent: ${this.#options.userAgent}`,
      'Proxy-Connection: Keep-Alive',
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    return new Promise((resolve, reject) => {
      let response = '';
      const finish = (error: CurlError | null) => {
        socket.off('data', onData).off('error', onError).off('close', onClose);
        socket.pause();
        if (error === null) resolve();
        else reject(error);
      };
      const onClose = () => finish(new CurlError(56, 'Proxy CONNECT aborted'));
      const onError = (error: unknown) => {
        if (errorCode(error) !== 'ECONNRESET') return onClose();
        return finish(new CurlError(56, 'Recv failure: Connection reset by peer'));
      };
      const onData = (chunk: Buffer) => {
        response += chunk.toString('latin1');
        if (response.length > MAX_TUNNEL_RESPONSE_BYTES) return onClose();
        if (!/\n\r?\n/.test(response)) return;
        const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(response)?.[1] ?? 0);
        finish(status >= 200 && status < 300 ? null : refusedTunnel(status));
      };
      socket.on('data', onData).on('error', onError).on('close', onClose);
    });
  }

  #secureContext(): SecureContext {
    this.#context ??= this.#makeContext(this.#options.certificates());
    return this.#context;
  }

  #secureProxyContext(): SecureContext {
    this.#proxyContext ??= this.#makeContext(this.#options.proxyCertificates());
    return this.#proxyContext;
  }

  /** Returns the settings of TLS connections that trust `certificates`; null for those that Node contains. */
  #makeContext(certificates: readonly Buffer[] | null): SecureContext {
    const { min, max } = this.#options.tls;
    return process.getBuiltinModule('node:tls').createSecureContext({
      ...(certificates === null ? {} : { ca: [...certificates] }),
      // As in curl, a trusted certificate need not be that of a root authority.
      allowPartialTrustChain: true,
      ...(min === null ? {} : { minVersion: min }),
      ...(max === null ? {} : { maxVersion: max }),
    });
  }
}

/** Waits until `socket` is connected to the server or proxy. */
function waitForTcp(socket: Socket, { url, proxy }: Pick<Destination, 'url' | 'proxy'>): Promise<void> {
  const isForwarded = proxy !== null && url.protocol === 'http:';
  const { host, port } = addressOf(isForwarded ? proxy : url);
  const proxyHost = proxy === null ? null : addressOf(proxy).host;
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const fail = (error: unknown) => {
      reject(connectError(error, { host, port, elapsedMs: performance.now() - started, proxyHost }));
    };
    socket.once('error', fail);
    socket.once('connect', () => {
      socket.off('error', fail);
      resolve();
    });
  });
}

/** Returns the error of a proxy that does not open a tunnel. The status 0 stands for text that is not HTTP. */
function refusedTunnel(status: number): CurlError {
  const isLoginMissing = status === 407;
  return new CurlError(
    7,
    `CONNECT tunnel failed, response ${status}`,
    isLoginMissing
      ? { hint: 'check the login in the address of the proxy: `http://USER:PASSWORD@HOST:PORT`' }
      : {},
  );
}

/** Returns the authorization header for the user in the URL of a server or proxy; null without one. */
export function basicAuthorization({ username, password }: URL): string | null {
  if (username === '' && password === '') return null;
  return `Basic ${Buffer.from(`${decodeBytes(username)}:${decodeBytes(password)}`, 'latin1').toString('base64')}`;
}

/** Decodes percent escapes to a byte string. A URL may contain bytes that are not text, or a `%` that is no escape. */
function decodeBytes(text: string): string {
  return text.replaceAll(/%([\da-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
}

/** Returns the host, without the brackets around an IPv6 address, and the port. */
function addressOf({ hostname, port, protocol }: URL): { readonly host: string; readonly port: number } {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  if (port !== '') return { host, port: Number(port) };
  return { host, port: protocol === 'https:' ? 443 : 80 };
}

function destroyQuietly(socket: Socket): void {
  socket.on('error', () => {});
  socket.destroy();
}
