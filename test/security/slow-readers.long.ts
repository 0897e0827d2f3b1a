import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { serveRegistry } from '../helpers/served-registry.ts';
import { largeIndexBody, readSlowly, replaceIndexBody, residentMb } from '../helpers/slow-readers.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';

const READERS = 60;
const FILE_BYTES = 16 * 1024 * 1024 - 200_000;
const MAX_GROWTH_MB = 250;

it.skipIf(process.platform !== 'linux')(
  'a server needs little memory for 60 slow readers of the largest index file',
  async () => {
    const temp = makeTempDir('slow-readers');
    const body = largeIndexBody('big', FILE_BYTES);
    try {
      await using server = await serveRegistry(path.join(temp.path, 'data'));
      await server.publish({ name: 'big', version: '1.0.0' }, await server.token('alice'));
      await replaceIndexBody(path.join(server.data, 'registry.db'), 'big', body);
      const pid = server.child.pid ?? 0;
      const before = residentMb(pid);
      const sockets = [];
      for (let count = 0; count < READERS; count += 1) {
        sockets.push(readSlowly(server.url, '/index/3/b/big'));
      }
      const readers = await Promise.all(sockets);
      let most = 0;
      for (let round = 0; round < 20; round += 1, await sleep(100)) most = Math.max(most, residentMb(pid));
      const quick = await fetch(`${server.url}/index/3/b/big`);
      expect(await quick.text()).toBe(body);
      for (const reader of readers) reader.destroy();
      console.log(
        `${READERS} readers of ${body.length} bytes: ${Math.round(before)} MB, then ${Math.round(most)} MB`,
      );
      expect(most - before).toBeLessThan(MAX_GROWTH_MB);
    } finally {
      temp.remove();
    }
  },
);
