import { expect, it } from 'vitest';
import { offlineHint } from '../../src/cli/offline-hint.ts';
import { TsregError } from '../../src/errors/error.ts';

const wrapped = (code: 'network' | 'git' | 'auth', message: string): TsregError =>
  new TsregError('failed to get `log`', { cause: new TsregError(message, { code }) });

it.each([
  wrapped('network', '[6] Could not resolve hostname'),
  wrapped('git', "fatal: unable to access 'https://git.example/x/': Could not resolve host: git.example"),
])('names the flag that needs no network: %s', (error) => {
  expect(offlineHint(error)).toContain('`--offline`');
});

it.each([wrapped('git', 'revision abc not found'), wrapped('auth', 'no token found'), new Error('network')])(
  'says nothing of other errors: %s',
  (error) => {
    expect(offlineHint(error)).toBe(null);
  },
);
