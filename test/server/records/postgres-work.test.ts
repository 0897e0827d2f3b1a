import { expect, it } from 'vitest';
import type { PostgresConnection } from '../../../src/server/records/postgres-connection.ts';
import { PostgresPool } from '../../../src/server/records/postgres-pool.ts';
import { postgresWork } from '../../../src/server/records/postgres-work.ts';
import { change } from '../../../src/server/records/sql-work.ts';

it('reports an unknown outcome if the server cannot tell whether a commit took effect', async () => {
  const failure = (code: string): Error => Object.assign(new Error('no'), { code });
  const connect = () => ({
    isLost: false,
    async query(sql: string) {
      // The server cancels the statement.
      if (sql.includes('txid_status')) throw failure('57014');
      return { rows: [{ id: '7' }], count: 1 };
    },
    async exec(sql: string) {
      if (sql !== 'COMMIT') return;
      this.isLost = true;
      throw failure('ECONNRESET');
    },
    end: async () => undefined,
  });
  const pool = new PostgresPool(() => connect() as unknown as PostgresConnection, { max: 1, waitMs: 50 });
  await expect(postgresWork(pool).write(() => change('DELETE FROM t'))).rejects.toMatchObject({
    code: 'io',
    message: expect.stringContaining('it is unknown whether the change was saved'),
  });
});
