import { expect, it } from 'vitest';
import { TsregError } from '../../../src/core/errors/error.ts';
import { asDatabaseError } from '../../../src/server/records/postgres-errors.ts';
import { asSqliteError } from '../../../src/server/records/sqlite-errors.ts';
import { isDiskFullError, withDiskFullHint } from '../../../src/server/shared/full-disk.ts';

const ofSystem = Object.assign(new Error('ENOSPC: no space left on device, write'), {
  ...{ code: 'ENOSPC', errno: -28, syscall: 'write' },
});
const wrapped = new TsregError('failed to write `x`', { cause: ofSystem });
const ofSqlite = asSqliteError(new Error('database or disk is full'), '/backup/records.new');
const ofPostgres = asDatabaseError(Object.assign(new Error('could not extend file'), { code: '53100' }));
const other = new TsregError('failed to write `x`', { cause: new Error('EACCES') });

const rejectionOf = (error: unknown): Promise<unknown> =>
  withDiskFullHint('free space on the disk of `/backup`', () => Promise.reject(error)).catch(
    (rejection: unknown) => rejection,
  );

it('recognizes the full disk of this machine and of a database server, also as a cause', () => {
  const causes = [ofSystem, wrapped, ofSqlite, ofPostgres, new Error('failed', { cause: ofPostgres })];
  expect(causes.map(isDiskFullError)).toEqual(causes.map(() => true));
  expect(isDiskFullError(other)).toBe(false);
});

it.each([
  ['the system', ofSystem, { message: expect.stringContaining('No space left on device') }],
  ['a wrapper', wrapped, { message: 'failed to write `x`', cause: ofSystem }],
  ['SQLite', ofSqlite, { message: expect.stringContaining('`/backup/records.new` cannot be used') }],
])('gives the hint to an error of %s', async (_, error, expected) => {
  expect(await rejectionOf(error)).toMatchObject({
    ...{ code: 'io', hint: 'free space on the disk of `/backup`' },
    ...expected,
  });
});

it('leaves the error of a database server, which has its own hint, and other errors', async () => {
  expect(await rejectionOf(ofPostgres)).toBe(ofPostgres);
  expect(ofPostgres).toMatchObject({ hint: expect.stringContaining('disk of the database') });
  expect(await rejectionOf(other)).toBe(other);
});
