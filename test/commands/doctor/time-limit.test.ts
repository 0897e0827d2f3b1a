import { expect, it } from 'vitest';
import { withTimeLimit } from '../../../src/commands/doctor/time-limit.ts';

const NEVER = new AbortController().signal;

it('returns the result of work that ends in time', async () => {
  await expect(withTimeLimit(NEVER, () => Promise.resolve(1))).resolves.toBe(1);
  await expect(withTimeLimit(NEVER, () => Promise.reject(new Error('x')))).rejects.toThrow('x');
});

it('aborts work that takes too long, and rejects even if it goes on', async () => {
  let wasAborted = false;
  const work = (signal: AbortSignal): Promise<never> => {
    signal.addEventListener('abort', () => (wasAborted = true));
    return new Promise(() => {});
  };
  await expect(withTimeLimit(NEVER, work, 20)).rejects.toMatchObject({
    message: 'no result within 0.02 seconds',
    code: 'network',
  });
  expect(wasAborted).toBe(true);
});

it('rejects when the signal is aborted', async () => {
  const controller = new AbortController();
  const running = withTimeLimit(controller.signal, () => new Promise(() => {}));
  controller.abort(new Error('interrupted'));
  await expect(running).rejects.toThrow();
});
