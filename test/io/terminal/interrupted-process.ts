import { interruptible } from '../../../src/io/terminal/interruption.ts';

// Work that fails after a signal has arrived, but before Node reports it, as if Ctrl-C ended a program that it runs.
await interruptible(() => {
  process.kill(process.pid, 'SIGINT');
  return Promise.reject(new Error('the program ended'));
});
