import { defineConfig } from 'vitest/config';

// `npm run test:long`: fuzzing and fault tests that take too long for `npm test`. Each bounds its own time.
export default defineConfig({
  test: { include: ['test/**/*.long.ts'], testTimeout: 180_000, hookTimeout: 60_000, maxWorkers: 2 },
});
