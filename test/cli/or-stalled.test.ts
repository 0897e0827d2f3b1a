import { EventEmitter } from 'node:events';
import { expect, test } from 'vitest';
import { orStalled } from '../../src/cli/or-stalled.ts';

test('rejects pending work once the event loop is empty', async () => {
  const process = new EventEmitter();
  const work = orStalled(new Promise(() => {}), process);
  process.emit('beforeExit');
  await expect(work).rejects.toThrow('the event loop is empty');
});

test('passes on the outcome of the work and removes its listener', async () => {
  const process = new EventEmitter();
  expect(await orStalled(Promise.resolve(7), process)).toBe(7);
  await expect(orStalled(Promise.reject(new Error('its own')), process)).rejects.toThrow('its own');
  expect(process.listenerCount('beforeExit')).toBe(0);
});
