import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { projectRoot } from '../../helpers/project-root.ts';
import { testTransport } from '../../helpers/test-transport.ts';
import { AUTHORITY } from './certificates.ts';

// A server that refuses an upload after its first kilobyte and closes the connection, while the client still writes.

const RUNS = 50;
const WORDS = 'the archive is too large';

const folder = mkdtempSync(join(tmpdir(), 'early-refusal-'));
const caFile = join(folder, 'ca.pem');
writeFileSync(caFile, AUTHORITY);
afterAll(() => rmSync(folder, { recursive: true }));

type Outcomes = ReadonlyMap<string, number>;

/** Uploads `RUNS` times. Returns how often each outcome occurred. */
async function upload(protocol: 'http' | 'https', closing: string): Promise<Outcomes> {
  const args = ['scripts/run-ts.mjs', 'test/io/http/refusing-process.ts', protocol, closing, WORDS];
  const server = spawn(process.execPath, args, { cwd: projectRoot, stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(server, 'close');
  const transport = testTransport({ timeoutMs: 5000, caFile, proxyCaFile: caFile });
  const outcomes = new Map<string, number>();
  try {
    const [port] = await once(server.stdout, 'data');
    const url = `${protocol}://127.0.0.1:${String(port).trim()}`;
    for (let run = 0; run < RUNS; run += 1) {
      const request = {
        url,
        method: 'PUT',
        headers: {},
        body: Buffer.alloc(900_000),
        maxBytes: 1000,
      } as const;
      const outcome = await transport.send(request, { isOnce: true }).then(
        ({ status, body }) => `${status} ${Buffer.from(body).toString()}`,
        (error: unknown) => String(error),
      );
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
  } finally {
    await transport.close();
    server.kill();
    await ended;
  }
  return outcomes;
}

test.each([
  ['http', 'close'],
  ['http', 'reset'],
  ['http', 'read-on'],
  ['https', 'close'],
  ['https', 'read-on'],
] as const)(
  'over %s, returns the response of a server that refuses an upload early (%s)',
  async (protocol, closing) => {
    expect(await upload(protocol, closing)).toEqual(new Map([[`413 ${WORDS}`, RUNS]]));
  },
);

test('fails at once if a server closes the connection without a response', async () => {
  const begin = performance.now();
  const outcomes = await upload('http', 'silent');
  expect([...outcomes.keys()].filter((each) => !/\[(?:52|55|56)\] /.test(each))).toEqual([]);
  // Far below the timeout for a response.
  expect(performance.now() - begin).toBeLessThan(RUNS * 500);
});
