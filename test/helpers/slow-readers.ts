import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { createHash } from 'node:crypto';
import { openSqlite } from '../../src/server/records/sqlite-database.ts';

const LINE_BYTES = 100_000;

/** The lines of an index file of about so many bytes, which compress to nearly nothing. */
export function largeIndexBody(name: string, bytes: number): string {
  const line = (number: number): string =>
    JSON.stringify({
      ...{ name, vers: `1.0.${number}`, deps: [], cksum: 'ab'.repeat(32), yanked: false },
      features: { pad: ['x'.repeat(LINE_BYTES)] },
    });
  const count = Math.floor(bytes / (line(0).length + 8));
  return Array.from({ length: count }, (_, number) => `${line(number)}\n`).join('');
}

/** Makes `body` the index file of a crate that was published to the registry in `file`. */
export async function replaceIndexBody(file: string, lowerCaseName: string, body: string): Promise<void> {
  const database = await openSqlite(file, { isShared: true });
  const etag = `"${createHash('sha256').update(body).digest('hex').slice(0, 32)}"`;
  const sql = 'UPDATE index_files SET body = ?, etag = ? WHERE lower_case_name = ?';
  database.run(sql, body, etag, lowerCaseName);
  database.close();
}

/** A connection that has asked for a file, has got the beginning of it, and reads no further. */
export async function readSlowly(url: string, path: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(`GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`);
  await once(socket, 'data');
  socket.pause();
  return socket;
}

/** Memory of a process in MB, as the system counts it. */
export function residentMb(pid: number): number {
  const [, kilobytes = '0'] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}
