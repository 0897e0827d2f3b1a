// A minimal file server: reads the file and sends it. It is a separate process: node scripts/run-ts.mjs
// bench/static-server.ts FOLDER
// It prints its address, and ends when its stdin does.
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import http from 'node:http';
import path from 'node:path';

const [folder = '.'] = process.argv.slice(2);
/** Larger files are streamed. */
const MAX_WHOLE_BYTES = 65_536;

const server = http.createServer((request, response) => {
  answer(path.join(folder, path.normalize(request.url ?? '/')), response).catch(() => {
    response.writeHead(404).end();
  });
});

async function answer(file: string, response: http.ServerResponse): Promise<void> {
  const { size } = await stat(file);
  response.setHeader('content-length', size);
  if (size <= MAX_WHOLE_BYTES) response.end(await readFile(file));
  else createReadStream(file).pipe(response);
}

server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  console.log(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`);
});
process.stdin.resume().on('end', () => process.exit());
