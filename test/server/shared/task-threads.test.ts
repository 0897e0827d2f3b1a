import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it, vi } from 'vitest';
import { TaskThreads } from '../../../src/server/shared/task-threads.ts';
import { makeTempDir } from '../../helpers/temp-dir.ts';

afterEach(() => {
  vi.useRealTimers();
});

it('rejects once for a message that cannot be sent, and goes on', async () => {
  using dir = makeTempDir('threads');
  const program = path.join(dir.path, 'echo.cjs');
  writeFileSync(
    program,
    `const { parentPort } = require('node:worker_threads');
    parentPort.on('message', (text) => parentPort.postMessage(text));
    parentPort.postMessage('ready');`,
  );
  const limits = { deadlineMs: 10_000, maxWaiting: 1, maxWaitMs: 1000, maxHeapMb: 64 };
  const threads = new TaskThreads({ program, count: 1, ...limits });
  await expect(threads.run(async () => ({ message: () => 1 }))).rejects.toThrow('could not be cloned');
  // A second rejection would be an unhandled one, which fails the test run.
  await sleep(200);
  expect(await threads.run(async () => ({ message: 'a' }))).toBe('a');
});

it('does not blame the task if the thread does not start', async () => {
  using dir = makeTempDir('threads');
  const program = path.join(dir.path, 'silent.cjs');
  writeFileSync(program, 'setInterval(() => {}, 1000);');
  const limits = { deadlineMs: 10_000, maxWaiting: 1, maxWaitMs: 1000, maxHeapMb: 64 };
  const threads = new TaskThreads({ program, count: 1, ...limits });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const response = threads.run(async () => ({ message: 'a' })).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(await response).toMatchObject({
    kind: 'failed',
    message: 'the thread did not start: it took more than 30000 ms',
  });
});
