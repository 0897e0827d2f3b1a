/**
 * Refuses uploads after their first kilobyte and closes the connection. Arguments: `http|https CLOSING WORDS`. It
 * prints its port and runs until it is killed. It is a separate process because a server in the client's process could
 * not run while the client writes.
 */
import net, { type Socket } from 'node:net';
import tls from 'node:tls';
import { listen } from '../../helpers/listen.ts';
import { SERVER_CERTIFICATE, SERVER_KEY } from './certificates.ts';

const [protocol = 'http', closing = 'close', words = ''] = process.argv.slice(2);
const refusal = `HTTP/1.1 413 Payload Too Large\r\nContent-Length: ${words.length}\r\nConnection: close\r\n\r\n${words}`;

const CLOSINGS: Readonly<Record<string, (socket: Socket) => void>> = {
  // The system resets the connection because of the unread bytes.
  close: (socket) => socket.end(refusal, () => socket.destroy()),
  reset: (socket) => socket.write(refusal, () => socket.resetAndDestroy()),
  'read-on': (socket) => socket.resume().end(refusal),
  silent: (socket) => socket.destroy(),
};

function serve(socket: Socket): void {
  let received = 0;
  socket.on('error', () => socket.destroy());
  socket.on('data', (chunk: Buffer) => {
    const isRefused = received >= 1024;
    received += chunk.length;
    if (isRefused || received < 1024) return;
    socket.pause();
    CLOSINGS[closing]?.(socket);
  });
}

const server =
  protocol === 'http'
    ? net.createServer({ allowHalfOpen: true }, serve)
    : tls.createServer({ cert: SERVER_CERTIFICATE, key: SERVER_KEY, allowHalfOpen: true }, serve);
process.stdout.write(`${await listen(server)}\n`);
