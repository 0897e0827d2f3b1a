import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { SERVER_CERTIFICATE, SERVER_KEY } from '../../io/http/certificates.ts';
import { formatAddress, listen, parseListenAddress } from '../../../src/server/http/listen.ts';

const local = { address: { host: '127.0.0.1', port: 0 }, tls: null };

it('parses and formats addresses', () => {
  expect(parseListenAddress('127.0.0.1:7878')).toEqual({ host: '127.0.0.1', port: 7878 });
  expect(parseListenAddress('[::1]:0')).toEqual({ host: '::1', port: 0 });
  expect(parseListenAddress(':80')).toEqual({ host: '127.0.0.1', port: 80 });
  expect(formatAddress({ host: '::1', port: 80 })).toBe('[::1]:80');
  for (const text of ['', '80', 'host', 'a:b', '[zz]:1', 'host:70000']) {
    expect(() => parseListenAddress(text), text).toThrow(`cannot listen on \`${text}\``);
  }
});

it('responds to requests that arrived before it was ready', async () => {
  const listener = await listen(local);
  const answer = fetch(`http://${formatAddress(listener.address)}/`);
  await sleep(20);
  listener.serve(() => new Response('late'));
  expect(await (await answer).text()).toBe('late');
  await listener.stop(1000);
});

it('finishes the current requests before it stops, and accepts no new ones', async () => {
  const listener = await listen(local);
  const url = `http://${formatAddress(listener.address)}/`;
  listener.serve(async () => {
    await sleep(200);
    return new Response('whole');
  });
  const answer = fetch(url);
  await sleep(50);
  const stopped = listener.stop(5000);
  await expect(fetch(url)).rejects.toThrow();
  expect(await (await answer).text()).toBe('whole');
  await stopped;
});

it.each(['', 'GET / HT', 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\nGET / HT'])(
  'stops without waiting for a client that sent only %j',
  async (sent) => {
    const listener = await listen(local);
    listener.serve(() => new Response('whole'));
    const socket = connect(listener.address.port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write(sent);
    await sleep(100);
    const before = Date.now();
    await listener.stop(30_000);
    expect(Date.now() - before).toBeLessThan(10_000);
    socket.destroy();
  },
);

it('responds to HTTP/1.0 requests without a host, as health checks send them', async () => {
  const listener = await listen(local);
  listener.serve((request) => new Response(request.url));
  const socket = connect(listener.address.port, '127.0.0.1');
  socket.write('GET /readyz HTTP/1.0\r\n\r\n');
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(text).toContain('http://127.0.0.1/readyz');
  await listener.stop(1000);
});

it('stops after the grace period despite an unfinished response', async () => {
  const listener = await listen(local);
  listener.serve(() => new Response(new ReadableStream()));
  const socket = connect(listener.address.port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  socket.on('error', () => {});
  await sleep(50);
  const before = Date.now();
  await listener.stop(200);
  expect(Date.now() - before).toBeGreaterThan(150);
});

it('disconnects a client that stops sending, but not one that waits for a response', async () => {
  const listener = await listen({ ...local, idleMs: 40 });
  const url = `http://${formatAddress(listener.address)}/`;
  listener.serve(async (request) => {
    const text = await request.text();
    await sleep(250);
    return new Response(text);
  });
  const send = (body: string): Promise<string> =>
    new Promise((resolve) => {
      let answer = '';
      const socket = connect(listener.address.port, '127.0.0.1');
      socket.on('data', (data) => {
        answer += data.toString();
        if (answer.endsWith('all of it')) socket.destroy();
      });
      socket.on('close', () => resolve(answer)).on('error', () => {});
      socket.write(`PUT / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n${body}`);
    });
  expect(await send('all of')).toBe('');
  expect(await send('all of it')).toContain('200 OK');
  expect(await (await fetch(url)).text()).toBe('');
  await listener.stop(1000);
});

it('names an address that is in use', async () => {
  const first = await listen(local);
  first.serve(() => new Response());
  const { port } = first.address;
  await expect(listen({ address: { host: '127.0.0.1', port }, tls: null })).rejects.toThrow(
    `failed to listen on \`127.0.0.1:${port}\``,
  );
  await first.stop(0);
});

it('stops after the grace period despite an unfinished TLS handshake', async () => {
  const tls = { certificate: SERVER_CERTIFICATE, key: SERVER_KEY };
  const listener = await listen({ ...local, tls });
  listener.serve(() => new Response());
  const socket = connect(listener.address.port, '127.0.0.1').on('error', () => {});
  await sleep(100);
  const before = Date.now();
  await listener.stop(200);
  expect(Date.now() - before).toBeLessThan(3000);
  socket.destroy();
});
