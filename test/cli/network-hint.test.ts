import { expect, it } from 'vitest';
import { networkHint } from '../../src/cli/network-hint.ts';
import { TsregError } from '../../src/core/errors/error.ts';

const TREE = { name: 'tree', network: 'optional' } as const;

const wrapped = (code: 'network' | 'git' | 'auth', message: string): TsregError =>
  new TsregError('failed to get `log`', { cause: new TsregError(message, { code }) });

it.each([
  wrapped('network', '[6] Could not resolve hostname'),
  wrapped('git', "fatal: unable to access 'https://git.example/x/': Could not resolve host: git.example"),
])('suggests `--offline` unless it is already set: %s', (error) => {
  expect(networkHint(error, TREE, { offline: false })).toContain('`--offline`');
  expect(networkHint(error, TREE, { offline: true })).toBe(null);
});

it('points to the `index` of the registry only if the server cannot be reached', () => {
  const whoami = { name: 'whoami', network: 'required' } as const;
  const unreached = wrapped('network', '[7] Could not connect to server (Failed to connect to x port 1)');
  expect(networkHint(unreached, whoami, { offline: false })).toContain('`index` of the registry');
  const refused = wrapped('network', 'failed to get a 200 OK response, got 404');
  expect(networkHint(refused, whoami, { offline: false })).toBe(null);
  const byProxy = '[7] Could not connect to server (CONNECT tunnel failed, response 403)';
  expect(networkHint(wrapped('network', byProxy), whoami, { offline: false })).toBe(null);
});

it('points to the proxy if that cannot be reached', () => {
  const whoami = { name: 'whoami', network: 'required' } as const;
  const error = wrapped(
    'network',
    '[7] Could not connect to server (Failed to connect to x port 1 over proxy y)',
  );
  expect(networkHint(error, whoami, { offline: false })).toMatch(/^the proxy does not respond/);
});

it('does not suggest `--offline` for a crate that cannot be downloaded', () => {
  const hint = (message: string): string | null => {
    const cause = new TsregError(message, { code: 'network' });
    const error = new TsregError('failed to download from `http://x/`', { cause });
    return networkHint(error, TREE, { offline: false });
  };
  expect(hint('got 500')).toBe(null);
  expect(hint('[7] Could not connect to server (Failed to connect to x port 1)')).toMatch(
    /^the server does not respond/,
  );
});

it.each([
  wrapped('network', 'failed to get successful HTTP response from `http://x/`, got 403\nbody:\nblocked'),
  wrapped('git', 'revision abc not found'),
  wrapped('auth', 'no token found'),
  new Error('network'),
])('returns no hint for other errors: %s', (error) => {
  expect(networkHint(error, TREE, { offline: false })).toBe(null);
});

it('explains that offline mode blocks a command that needs the registry', () => {
  const whoami = { name: 'whoami', network: 'required' } as const;
  expect(networkHint(wrapped('network', 'no request'), whoami, { offline: true })).toBe(
    '`whoami` needs the registry, and `--offline`, `--frozen` or `net.offline` does not allow that',
  );
  expect(networkHint(wrapped('auth', 'no token found'), whoami, { offline: true })).toBe(null);
});
