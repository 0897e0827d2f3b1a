import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { rejectIfEventLoopDrains } from '../../src/cli/reject-if-event-loop-drains.ts';

test('rejects pending work once the event loop is empty', async () => {
  const process = new EventEmitter();
  const work = rejectIfEventLoopDrains(new Promise(() => {}), process);
  process.emit('beforeExit');
  await expect(work).rejects.toThrow('the event loop is empty');
});

test('passes on the outcome of the work and removes its listener', async () => {
  const process = new EventEmitter();
  expect(await rejectIfEventLoopDrains(Promise.resolve(7), process)).toBe(7);
  await expect(rejectIfEventLoopDrains(Promise.reject(new Error('its own')), process)).rejects.toThrow(
    'its own',
  );
  expect(process.listenerCount('beforeExit')).toBe(0);
});
