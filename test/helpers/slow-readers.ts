import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { createHash } from 'node:crypto';
import { openSqlite } from '../../src/server/records/sqlite-database.ts';

const LINE_BYTES = 100_000;

/** Returns an index file body of about `bytes` bytes that compresses to nearly nothing. */
export function largeIndexBody(name: string, bytes: number): string {
  const line = (number: number): string =>
    JSON.stringify({
      ...{ name, vers: `1.0.${number}`, deps: [], cksum: 'ab'.repeat(32), yanked: false },
      features: { pad: ['x'.repeat(LINE_BYTES)] },
    });
  const count = Math.floor(bytes / (line(0).length + 8));
  return Array.from({ length: count }, (_, number) => `${line(number)}\n`).join('');
}

/** Replaces the index file of a published crate in the SQLite database `file` by `body`. */
export async function replaceIndexBody(file: string, lowerCaseName: string, body: string): Promise<void> {
  const database = await openSqlite(file, { isShared: true });
  const etag = `"${createHash('sha256').update(body).digest('hex').slice(0, 32)}"`;
  const sql = 'UPDATE index_files SET body = ?, etag = ? WHERE lower_case_name = ?';
  database.run(sql, body, etag, lowerCaseName);
  database.close();
}

/** Opens a connection that requests a file, receives the beginning of it, and stops reading. */
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

/** Returns the resident memory of a process in MB. */
export function residentMb(pid: number): number {
  const [, kilobytes = '0'] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1024;
}
