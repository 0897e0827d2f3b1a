import { expect, it } from 'vitest';
import { asDatabaseError, isRestarting } from '../../../src/server/records/postgres-errors.ts';

const failure = (code: string): Error => Object.assign(new Error('it said so'), { code });

it.each([
  ['a lock that is not to be had', '55P03'],
  ['a statement that takes too long', '57014'],
  ['a full disk', '53100'],
  ['no memory', '53200'],
  ['a server that stops', '57P01'],
])('treats %s as a network error', (_, code) => {
  expect(asDatabaseError(failure(code))).toMatchObject({
    code: 'network',
    message: expect.stringContaining(`it said so (${code})`),
  });
});

it('treats an invalid statement as an I/O error', () => {
  expect(asDatabaseError(failure('42601'))).toMatchObject({ code: 'io' });
});

it.each([
  ['28P01', 'io', 'user and password'],
  ['3D000', 'io', 'CREATE DATABASE'],
  ['42501', 'io', 'serve migrate --dry-run'],
  ['53300', 'network', 'max_connections'],
  ['53100', 'network', 'free space'],
  ['ECONNREFUSED', 'network', 'is the database running'],
  ['ENOTFOUND', 'network', 'no host has this name'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'network', 'NODE_EXTRA_CA_CERTS'],
])('adds a hint to %s', (code, kind, hint) => {
  expect(asDatabaseError(failure(code))).toMatchObject({ code: kind, hint: expect.stringContaining(hint) });
});

it('distinguishes a restarting database from a permanent failure', () => {
  for (const code of ['57P03', 'ECONNREFUSED']) expect(isRestarting(failure(code)), code).toBe(true);
  for (const code of ['28P01', '3D000', 'ENOTFOUND']) expect(isRestarting(failure(code)), code).toBe(false);
});
