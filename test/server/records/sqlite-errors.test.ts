import { expect, it } from 'vitest';
import { asSqliteError } from '../../../src/server/records/sqlite-errors.ts';

it.each(['database or disk is full', 'disk I/O error', 'database is locked'])(
  'treats `%s` as an I/O error with a hint',
  (words) => {
    expect(asSqliteError(new Error(words))).toMatchObject({
      ...{ name: 'TsregError', code: 'io', hint: expect.any(String) },
      message: expect.stringContaining(words),
    });
  },
);

it('returns other errors unchanged', () => {
  const error = new Error('no such column: x');
  expect(asSqliteError(error)).toBe(error);
});
