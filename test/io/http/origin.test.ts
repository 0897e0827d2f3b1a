import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Channel } from '../../../src/io/http/channel.ts';
import { Connector, type Destination } from '../../../src/io/http/connector.ts';
import { Origin } from '../../../src/io/http/origin.ts';
import { AUTHORITY } from './certificates.ts';
import { startTestServer } from './test-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'origin-'));
const caFile = join(folder, 'ca.pem');
writeFileSync(caFile, AUTHORITY);
afterAll(() => rmSync(folder, { recursive: true }));

/** A connector whose first connection ends at once, with an error or null. */
class EndingConnector extends Connector {
  connections = 0;
  readonly #error: Error | null;

  constructor(error: Error | null) {
    super({
      timeoutMs: 0,
      tls: { min: null, max: null },
      certificates: () => [readFileSync(caFile)],
      proxyCertificates: () => null,
      userAgent: 'test',
      signal: new AbortController().signal,
    });
    this.#error = error;
  }

  override async connect(destination: Destination): Promise<Socket> {
    const socket = await super.connect(destination);
    this.connections += 1;
    if (this.connections === 1) socket.destroy(this.#error ?? undefined);
    return socket;
  }
}

/** Sends a request. Returns its status, or rejects. */
function send(channel: Channel): Promise<number> {
  return new Promise((resolve, reject) => {
    let status = 0;
    channel.exchange(
      { method: 'GET', path: '/', headers: {}, body: null },
      {
        start: () => {},
        stop: () => {},
        sent: () => {},
        interim: () => {},
        head: (head) => (status = head.status),
        data: () => undefined,
        end: () => resolve(status),
        fail: reject,
      },
    );
  });
}

test.each([new Error('refused'), null])(
  'a connection that ends before its first request fails with its error, or is replaced: %s',
  async (error) => {
    const server = await startTestServer((_, response) => void response.end(), 'https');
    const connector = new EndingConnector(error);
    const origin = new Origin({ url: new URL(server.url), proxy: null, allowH2: true }, connector);
    const sending = origin.channel({ isSingleUse: false }).then(send);
    if (error === null) expect(await sending).toBe(200);
    else await expect(sending).rejects.toThrow('refused');
    expect(connector.connections).toBe(error === null ? 2 : 1);
    await origin.close();
    await server.close();
  },
);

test('an HTTP/2 connection that ends before its first request fails with its error', async () => {
  const server = await startTestServer((_, response) => void response.end(), 'h2');
  const connector = new EndingConnector(new Error('refused'));
  const origin = new Origin({ url: new URL(server.url), proxy: null, allowH2: true }, connector);
  await expect(origin.channel({ isSingleUse: false })).rejects.toThrow('refused');
  await server.close();
});
