import { expect, test } from 'vitest';
import { Connector } from '../../../src/io/http/connector.ts';
import { startTestServer } from './test-server.ts';

test('an error of a connection that nobody uses yet does not end the process', async () => {
  const server = await startTestServer(() => {});
  const connector = new Connector({
    timeoutMs: 0,
    tls: { min: null, max: null },
    certificates: () => null,
    proxyCertificates: () => null,
    userAgent: 'test',
    signal: new AbortController().signal,
  });
  const socket = await connector.connect({ url: new URL(server.url), proxy: null, allowH2: false });
  const closed = new Promise((resolve) => {
    socket.on('close', resolve);
  });
  socket.destroy(new Error('reset'));
  expect(await closed).toBe(true);
  await server.close();
});
