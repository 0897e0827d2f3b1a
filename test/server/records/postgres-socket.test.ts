import { expect, it } from 'vitest';
import { openSocket, serverAddresses } from '../../../src/server/records/postgres-socket.ts';

it.each([
  ['postgres://db.example/reg', [{ host: 'db.example', port: 5432 }]],
  ['postgres://user:p%40ss@db.example:6432/reg?max=3', [{ host: 'db.example', port: 6432 }]],
  ['postgresql://u@[::1]:5433/reg', [{ host: '::1', port: 5433 }]],
  [
    'postgres://u:p@one:1,two/reg',
    [
      { host: 'one', port: 1 },
      { host: 'two', port: 5432 },
    ],
  ],
  ['postgres://u@%2Frun%2Fpostgresql/reg', [{ path: '/run/postgresql/.s.PGSQL.5432' }]],
  ['postgres:///reg', [{ host: 'localhost', port: 5432 }]],
])('returns the server addresses of %s', (url, addresses) => {
  expect(serverAddresses(url)).toEqual(addresses);
});

it('fails if nothing listens at the address', async () => {
  await expect(openSocket([{ path: '/nowhere/.s.PGSQL.5432' }], 1000)).rejects.toMatchObject({
    code: 'ENOENT',
  });
});
