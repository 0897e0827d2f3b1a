import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Most of the time goes to waiting for programs that the tests start: no core is kept free.
    maxWorkers: availableParallelism(),
  },
});
