import http from 'node:http';
import http2 from 'node:http2';
import https from 'node:https';
import type { Server, Socket } from 'node:net';
import { SERVER_CERTIFICATE, SERVER_KEY } from './certificates.ts';
import { listen } from '../../helpers/listen.ts';

/** A server on 127.0.0.1 whose responses the test defines. */
export interface TestServer {
  readonly url: string;
  readonly port: number;
  /** The number of connections in total, of open ones, and of open ones at the peak. */
  readonly connections: { made: number; open: number; mostOpen: number };
  /** Handles requests with `Expect: 100-continue`, which otherwise get `100 Continue` at once. */
  onExpectation(answer: Answer): void;
  /** Cuts every connection. */
  cut(): void;
  close(): Promise<void>;
}

export type Answer = (request: http.IncomingMessage, response: http.ServerResponse) => void;

/** Starts a server that speaks `protocol`. */
export async function startTestServer(
  answer: Answer,
  protocol: 'http' | 'https' | 'h2' = 'http',
): Promise<TestServer> {
  const tls = { cert: SERVER_CERTIFICATE, key: SERVER_KEY };
  const onRequest = (request: unknown, response: unknown): void =>
    answer(request as http.IncomingMessage, response as http.ServerResponse);
  const server: Server =
    protocol === 'http'
      ? http.createServer(onRequest)
      : protocol === 'https'
        ? https.createServer(tls, onRequest)
        : http2.createSecureServer({ ...tls, allowHTTP1: true }, onRequest);
  const sockets = new Set<Socket>();
  const connections = { made: 0, open: 0, mostOpen: 0 };
  server.on(protocol === 'http' ? 'connection' : 'secureConnection', (socket: Socket) => {
    connections.made += 1;
    connections.open += 1;
    connections.mostOpen = Math.max(connections.mostOpen, connections.open);
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      connections.open -= 1;
      sockets.delete(socket);
    });
  });
  const port = await listen(server);
  return {
    url: `${protocol === 'http' ? 'http' : 'https'}://127.0.0.1:${port}`,
    port,
    connections,
    onExpectation: (answering) => {
      server.on('checkContinue', (request: unknown, response: unknown) =>
        answering(request as http.IncomingMessage, response as http.ServerResponse),
      );
    },
    cut: () => {
      for (const socket of sockets) socket.destroy();
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
