import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { orStalled } from '../../src/cli/or-stalled.ts';

test('work that never ends fails once nothing is left to wait for', async () => {
  const process = new EventEmitter();
  const work = orStalled(new Promise(() => {}), process);
  process.emit('beforeExit');
  await expect(work).rejects.toThrow('the event loop is empty');
});

test('work that ends is not looked after any more', async () => {
  const process = new EventEmitter();
  expect(await orStalled(Promise.resolve(7), process)).toBe(7);
  await expect(orStalled(Promise.reject(new Error('its own')), process)).rejects.toThrow('its own');
  expect(process.listenerCount('beforeExit')).toBe(0);
});
