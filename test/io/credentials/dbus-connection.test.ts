import { createServer } from 'node:net';
import path from 'node:path';
import { expect, test } from 'vitest';
import { BusConnection } from '../../../src/io/credentials/dbus/connection.ts';
import { onWindows } from '../../helpers/system.ts';
import { makeTempDir } from '../../helpers/temp-dir.ts';

// Windows has no session bus.
test.skipIf(onWindows)(
  'opening a connection to a silent bus can be aborted (not on Windows: no D-Bus)',
  async () => {
    using temp = makeTempDir('dbus');
    const socket = path.join(temp.path, 'bus');
    const controller = new AbortController();
    const server = createServer((client) => {
      client.on('error', () => {});
      controller.abort(new Error('enough'));
    });
    await new Promise<void>((resolve) => {
      server.listen(socket, resolve);
    });
    try {
      const opening = BusConnection.open([socket, socket], controller.signal);
      await expect(opening).rejects.toThrow('enough');
    } finally {
      server.close();
    }
  },
);
