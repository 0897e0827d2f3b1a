// A registry that serves the cached index files and `.crate` files of a CARGO_HOME. It is a separate process, so that
// its cost is not measured: node scripts/run-ts.mjs bench/mirror-server.ts HOME LATENCY_MS
// It prints its address, and ends when its stdin does.
import { readdirSync, readFileSync } from 'node:fs';
import http2 from 'node:http2';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { SERVER_CERTIFICATE, SERVER_KEY } from '../test/io/http/certificates.ts';

const [home = '', latency = '0'] = process.argv.slice(2);
const latencyMs = Number(latency);

const index = path.join(cratesIo(path.join(home, 'registry', 'index')), '.cache');
const crates = cratesIo(path.join(home, 'registry', 'cache'));

/** Returns the folder of crates.io inside `parent`. */
function cratesIo(parent: string): string {
  const name = readdirSync(parent).find((each) => each.startsWith('index.crates.io-'));
  if (name === undefined) throw new Error(`nothing of crates.io in ${parent}`);
  return path.join(parent, name);
}

/** Returns an index file as the registry served it. cargo caches it as a header and `version NUL json NUL …`. */
function indexFile(name: string): Buffer {
  const parts = readFileSync(path.join(index, name)).toString('latin1').split('\0');
  const lines: string[] = [];
  // The header is five bytes of numbers, three of which are 0, and a revision.
  for (let at = 5; at + 1 < parts.length; at += 2) lines.push(parts[at] ?? '');
  return Buffer.from(`${lines.join('\n')}\n`, 'latin1');
}

function answer(url: string): { readonly status: number; readonly body: Buffer } {
  if (url === '/index/config.json')
    return { status: 200, body: Buffer.from(JSON.stringify({ dl: `${base}/dl`, api: base })) };
  try {
    const crate = /^\/dl\/([\w-]+)\/([\w.+-]+)\/download$/.exec(url);
    if (crate !== null)
      return { status: 200, body: readFileSync(path.join(crates, `${crate[1]}-${crate[2]}.crate`)) };
    if (url.startsWith('/index/') && !url.includes('..'))
      return { status: 200, body: indexFile(url.slice('/index/'.length)) };
  } catch {
    // Not in this home.
  }
  return { status: 404, body: Buffer.alloc(0) };
}

const server = http2.createSecureServer({ cert: SERVER_CERTIFICATE, key: SERVER_KEY });
server.on('stream', (stream, headers) => {
  stream.on('error', () => {});
  setTimeout(() => {
    if (stream.destroyed) return;
    const { status, body } = answer(headers[':path'] ?? '');
    stream.respond({ ':status': status, 'content-length': body.length });
    stream.end(body);
  }, latencyMs);
});
await new Promise<void>((resolve) => {
  server.listen(0, '127.0.0.1', resolve);
});
const { port } = server.address() as AddressInfo;
const base = `https://localhost:${port}`;
console.log(base);
process.stdin.resume().on('end', () => process.exit());
