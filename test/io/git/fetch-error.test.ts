import { expect, it } from 'vitest';
import { fetchError, SpuriousError } from '../../../src/io/git/fetch-error.ts';

const URL = 'https://git.example/a';

it.each([
  [
    "fatal: unable to access 'https://git.example/a/': Failed to connect to git.example port 443 after 3 ms: Couldn't connect to server",
    'failed to connect to git.example: Connection refused; class=Os (2)',
  ],
  [
    "fatal: unable to access 'https://git.example/a/': Failed to connect to git.example:443 after 3 ms: Could not connect to server",
    'failed to connect to git.example: Connection refused; class=Os (2)',
  ],
  [
    "fatal: unable to access 'https://git.example/a/': Failed to connect to ::1 port 443 after 3 ms: Could not connect to server",
    'failed to connect to ::1: Connection refused; class=Os (2)',
  ],
  [
    'ssh: connect to host git.example port 22: Connection refused',
    'failed to connect to git.example: Connection refused; class=Os (2)',
  ],
  [
    'ssh: connect to host git.example port 22: Connection timed out',
    'failed to connect to git.example: Connection timed out; class=Os (2)',
  ],
])('a connection that fails is a failure that may be temporary: %s', (stderr, message) => {
  const error = fetchError(URL, 'git fetch', { status: 128, stderr: `${stderr}\n` });
  expect(error).toBeInstanceOf(SpuriousError);
  expect(error).toMatchObject({ message, code: 'network' });
});

it('an unknown failure contains the command, its exit status and the output of git', () => {
  const error = fetchError(URL, 'git fetch', { status: 1, stderr: 'fatal: odd\n' });
  expect(error).not.toBeInstanceOf(SpuriousError);
  expect(error).toMatchObject({
    message: "process didn't exit successfully: `git fetch` (exit status: 1)\n--- stderr\nfatal: odd\n",
    code: 'git',
  });
});
