import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import net, { type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import tls, { type TlsOptions } from 'node:tls';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import type { TransportOptions } from '../../../src/io/http/transport.ts';
import { listen } from '../../helpers/listen.ts';
import { testTransport } from '../../helpers/test-transport.ts';
import { AUTHORITY, SERVER_CERTIFICATE, SERVER_KEY } from './certificates.ts';
import {
  EXPIRED,
  NAMELESS,
  ODD_AUTHORITY,
  ODD_KEY,
  OTHER_COMMON_NAME,
  OTHER_HOST,
  SELF_SIGNED,
} from './odd-certificates.ts';

// The messages are those of curl 8.21 in cargo 1.99.

const folder = mkdtempSync(join(tmpdir(), 'tls-'));
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const caFile = file('ca.pem', AUTHORITY);
const oddCaFile = file('odd.pem', ODD_AUTHORITY);
afterAll(() => rmSync(folder, { recursive: true }));

const servers: Server[] = [];
const sockets = new Set<Socket>();
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
  for (const socket of sockets) socket.destroy();
  sockets.clear();
});

/** Starts a server that calls `accept` for each TCP connection. Returns its port. */
async function start(server: Server, accept: (socket: Socket) => void = () => {}): Promise<number> {
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    accept(socket);
  });
  servers.push(server);
  return await listen(server);
}

/** Starts a TLS server that responds to all requests. */
function startTls(options: TlsOptions): Promise<number> {
  const server = tls.createServer({ ALPNProtocols: ['http/1.1'], ...options }, (socket) => {
    socket.on('error', () => {});
    socket.on('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'));
  });
  return start(server.on('tlsClientError', () => {}));
}

/** Sends a request. Returns the body, or the message of the error. */
async function outcome(url: string, options: Partial<TransportOptions> = {}): Promise<string> {
  const transport = testTransport({ caFile, proxyCaFile: caFile, ...options });
  try {
    const { body } = await transport.send({ url, headers: {}, maxBytes: 1000 });
    return Buffer.from(body).toString();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await transport.close();
  }
}

const NOT_OK = '[60] SSL peer certificate or SSH remote key was not OK';

describe('a certificate is refused', () => {
  test.each([
    ['SSL certificate OpenSSL verify result: self-signed certificate (18)', 'localhost', SELF_SIGNED],
    ['SSL certificate OpenSSL verify result: certificate has expired (10)', 'localhost', EXPIRED],
    [
      "SSL: no alternative certificate subject name matches target hostname 'localhost'",
      'localhost',
      OTHER_HOST,
    ],
    [
      "SSL: no alternative certificate subject name matches target ipv4 address '127.0.0.1'",
      '127.0.0.1',
      OTHER_HOST,
    ],
    [
      "SSL: certificate subject name 'elsewhere.example' does not match target hostname 'localhost'",
      'localhost',
      OTHER_COMMON_NAME,
    ],
    ['SSL: unable to obtain common name from peer certificate', 'localhost', NAMELESS],
  ])('of the server: %s', async (reason, host, cert) => {
    const port = await startTls({ cert, key: ODD_KEY });
    expect(await outcome(`https://${host}:${port}/`, { caFile: oddCaFile })).toBe(`${NOT_OK} (${reason})`);
  });

  test('of an authority that is not trusted', async () => {
    const port = await startTls({ cert: SERVER_CERTIFICATE, key: SERVER_KEY });
    const reason = 'SSL certificate OpenSSL verify result: unable to get local issuer certificate (20)';
    expect(await outcome(`https://localhost:${port}/`, { caFile: oddCaFile })).toBe(`${NOT_OK} (${reason})`);
  });

  test('of a proxy', async () => {
    const port = await startTls({ cert: SELF_SIGNED, key: ODD_KEY });
    const reason = 'SSL certificate OpenSSL verify result: self-signed certificate (18)';
    expect(await outcome('https://localhost:9/', { proxy: `https://localhost:${port}` })).toBe(
      `${NOT_OK} (${reason})`,
    );
  });
});

test('a certificate can itself be trusted, without its authority', async () => {
  const port = await startTls({ cert: SERVER_CERTIFICATE, key: SERVER_KEY });
  const trusted = file('server.pem', SERVER_CERTIFICATE);
  expect(await outcome(`https://localhost:${port}/`, { caFile: trusted })).toBe('ok');
});

describe('a handshake fails', () => {
  test.each<[string, string, (socket: Socket) => void]>([
    [
      'if the server closes the connection',
      '[35] SSL connect error (TLS connect error: error:0A000126:SSL routines::unexpected eof while reading)',
      (socket) => socket.once('data', () => socket.end()),
    ],
    [
      'if the server resets the connection',
      '[35] SSL connect error (Recv failure: Connection reset by peer)',
      (socket) => socket.once('data', () => socket.resetAndDestroy()),
    ],
    [
      'if the server does not use TLS',
      '[35] SSL connect error (TLS connect error: error:0A00010B:SSL routines::wrong version number)',
      (socket) => socket.once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
    ],
  ])('%s', async (_, message, accept) => {
    const port = await start(net.createServer(), accept);
    expect(await outcome(`https://127.0.0.1:${port}/`)).toBe(message);
  });

  test('if the server requires TLS 1.3', async () => {
    const port = await startTls({ cert: SERVER_CERTIFICATE, key: SERVER_KEY, minVersion: 'TLSv1.3' });
    const sslVersion = { min: 'tlsv1.2', max: 'tlsv1.2' };
    expect(await outcome(`https://localhost:${port}/`, { sslVersion })).toBe(
      '[35] SSL connect error (TLS connect error: error:0A00042E:SSL routines::tlsv1 alert protocol version)',
    );
  });

  test('if the server requires a client certificate', async () => {
    const options = { requestCert: true, rejectUnauthorized: true, ca: ODD_AUTHORITY };
    const port = await startTls({ cert: SERVER_CERTIFICATE, key: SERVER_KEY, ...options });
    // In TLS 1.3, the server refuses after the handshake.
    expect(await outcome(`https://localhost:${port}/`)).toMatch(
      /^\[56\] Failure when receiving data from the peer \(OpenSSL SSL_read: OpenSSL\/[\d.]+: error:0A00045C:SSL routines::tlsv13 alert certificate required, errno 0\)$/,
    );
  });
});

describe('a proxy opens no tunnel', () => {
  const COULD_NOT_CONNECT = '[7] Could not connect to server';
  const RECEIVE_FAILURE = '[56] Failure when receiving data from the peer';
  const reply =
    (text: string) =>
    (socket: Socket): void =>
      void socket.once('data', () => socket.write(text));

  test.each<[string, (socket: Socket) => void]>([
    [
      `${COULD_NOT_CONNECT} (CONNECT tunnel failed, response 407)`,
      reply('HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n'),
    ],
    [
      `${COULD_NOT_CONNECT} (CONNECT tunnel failed, response 403)`,
      reply('HTTP/1.1 403 Forbidden\nContent-Length: 0\n\n'),
    ],
    [`${COULD_NOT_CONNECT} (CONNECT tunnel failed, response 0)`, reply('garbage\r\n\r\n')],
    [`${RECEIVE_FAILURE} (Proxy CONNECT aborted)`, (socket) => socket.once('data', () => socket.end())],
    [
      `${RECEIVE_FAILURE} (Recv failure: Connection reset by peer)`,
      (socket) => socket.once('data', () => socket.resetAndDestroy()),
    ],
  ])('%s', async (message, accept) => {
    const port = await start(net.createServer(), accept);
    expect(await outcome('https://localhost:9/', { proxy: `http://127.0.0.1:${port}` })).toBe(message);
  });

  test('if it does not respond, and the message names the server', async () => {
    const proxy = 'http://127.0.0.1:1';
    expect(await outcome('https://registry.example:444/', { proxy })).toMatch(
      /^\[7\] Could not connect to server \(Failed to connect to registry\.example:444 over proxy 127\.0\.0\.1 after \d+ ms: Could not connect to server\)$/,
    );
  });
});
