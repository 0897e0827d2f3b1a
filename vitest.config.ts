import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

// On Node 20, reading these certificates takes twice as long as the rest of a start. The tests use no network.
delete process.env['NODE_EXTRA_CA_CERTS'];

/**
 * Tests that replace modules, the clock or the working folder, or count connections. Each has a process of its own, and
 * the others share a few.
 */
const ISOLATED = [
  'test/cli/foreign-command.test.ts',
  'test/cli/hide-arguments.test.ts',
  'test/core/errors/os-error-text.test.ts',
  'test/core/files/windows-path.test.ts',
  'test/core/package-id/windows-url.test.ts',
  'test/io/config/parent-path.test.ts',
  'test/io/disk/cache-directory-tag.test.ts',
  'test/io/disk/windows-lock.test.ts',
  'test/io/http/send-with-retry.test.ts',
  'test/io/workspace/windows.test.ts',
  'test/server/admin/backup-store.test.ts',
  'test/server/blobs/s3-blobs.test.ts',
];

export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Most of the time goes to waiting for programs that the tests start: no core is kept free.
    maxWorkers: availableParallelism(),
    projects: [
      { extends: true, test: { name: 'isolated', include: ISOLATED } },
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['test/**/*.test.ts', ...ISOLATED.map((file) => `!${file}`)],
          isolate: false,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
