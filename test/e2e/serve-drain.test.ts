import { existsSync, readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { serveRegistry } from '../helpers/served-registry.ts';
import { onWindows } from '../helpers/system.ts';
import { makeTempDir } from '../helpers/temp-dir.ts';

it.skipIf(onWindows)(
  'keeps serving while it drains, but fails /readyz (not on Windows: no signals)',
  async () => {
    const temp = makeTempDir('serve-drain');
    const registry = await serveRegistry(`${temp.path}/data`, ['--drain', '1']);
    const status = async (path: string): Promise<number> => (await fetch(registry.url + path)).status;
    try {
      expect(await status('/readyz')).toBe(200);
      const stopped = registry.stop();
      await expect.poll(() => status('/readyz'), { interval: 20 }).toBe(503);
      expect([await status('/livez'), await status('/index/config.json')]).toEqual([200, 200]);
      expect(await stopped).toBe(0);
      // After the stop, the records are one file that can be copied, or they are in an external database.
      const files = existsSync(`${temp.path}/data`) ? readdirSync(`${temp.path}/data`) : [];
      // `registry.db-no-wal` is an empty file through which processes agree on the journal. It stays.
      const beside = files.filter((name) => name.startsWith('registry.db-') && name !== 'registry.db-no-wal');
      expect(beside).toEqual([]);
    } finally {
      await registry[Symbol.asyncDispose]();
      temp.remove();
    }
  },
);
