import { expect, it } from 'vitest';
import { storeEnvironmentFor } from '../../../src/server/admin/store-environment.ts';

const env = {
  HOME: '/home/alice',
  AWS_ACCESS_KEY_ID: 'new',
  AWS_SECRET_ACCESS_KEY: 'new secret',
  AWS_SESSION_TOKEN: 'new session',
  TSREG_FROM_AWS_ACCESS_KEY_ID: 'old',
  TSREG_FROM_AWS_SECRET_ACCESS_KEY: 'old secret',
  TSREG_FROM_HOME: '/elsewhere',
};

it('replaces all object store keys with those of the side', () => {
  const from = storeEnvironmentFor(env, 'FROM');
  expect(Object.fromEntries(Object.entries(from).filter(([name]) => name.startsWith('AWS')))).toEqual({
    AWS_ACCESS_KEY_ID: 'old',
    AWS_SECRET_ACCESS_KEY: 'old secret',
  });
  expect(from['HOME']).toBe('/home/alice');
});

it('returns the environment itself if the side has no keys', () => {
  expect(storeEnvironmentFor(env, 'TO')).toBe(env);
});
