import { expect, it } from 'vitest';
import { databaseAddress } from '../../../src/commands/serve/store-flags.ts';

it.each([
  ['postgres://h/d', 'require', 'postgres://h/d?sslmode=require'],
  ['postgres://h/d?max=3', 'verify-full', 'postgres://h/d?max=3&sslmode=verify-full'],
  ['postgres://h/d?max=3&sslmode=disable', 'require', 'postgres://h/d?max=3&sslmode=disable'],
  ['postgres://h/d', 'a&b', 'postgres://h/d?sslmode=a%26b'],
  ['postgres://h/d', '', 'postgres://h/d'],
  ['postgres://h/d', undefined, 'postgres://h/d'],
  [null, 'require', null],
])('for the database %s, adds PGSSLMODE=%s unless the address has a mode', (address, mode, used) => {
  expect(databaseAddress(address, { PGSSLMODE: mode })).toBe(used);
});
