import { createServer, type AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { openPostgresRecords } from '../../../src/server/records/postgres-records.ts';

it('waits for a starting database and fails on a refused login', async () => {
  let connections = 0;
  /** Returns an ErrorResponse message of the PostgreSQL protocol. */
  const answer = (code: string): Buffer => {
    const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0Mno\0\0`);
    const head = Buffer.alloc(5);
    head.write('E');
    head.writeInt32BE(fields.length + 4, 1);
    return Buffer.concat([head, fields]);
  };
  const server = createServer((socket) => {
    connections += 1;
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(answer(connections < 3 ? '57P03' : '28P01')));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await expect(openPostgresRecords(`postgres://u:p@127.0.0.1:${port}/d`)).rejects.toMatchObject({
    message: expect.stringContaining('28P01'),
    hint: expect.stringContaining('user and password'),
  });
  expect(connections).toBe(3);
  server.close();
});
