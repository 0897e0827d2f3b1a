/**
 * A separate process that uses a SQLite file: `ROLE FILE DRIVER SECONDS`. `write` commits rows for that long and prints
 * their number. `checkpoint` checkpoints repeatedly. `hold` commits one row to a write-ahead log, prints `ready`, and
 * keeps the file open until its stdin ends.
 */
import { openSqlite, type SqliteDatabase } from '../../src/server/records/sqlite-database.ts';
import { libsqlDriver, nodeDriver } from '../../src/server/records/sqlite-driver.ts';

const [role = '', file = '', name = '', seconds = '0'] = process.argv.slice(2);
const found = name === 'libsql' ? await libsqlDriver() : nodeDriver();
if (found === null) throw new Error(`there is no ${name}`);
const driver = role === 'hold' ? { ...found, canUseWal: true } : found;
const endMs = performance.now() + Number(seconds) * 1000;

const open = async (): Promise<SqliteDatabase> => {
  const opened = await openSqlite(file, { isShared: true, driver });
  // Power failures are not tested here, and faster commits find more errors.
  opened.exec('PRAGMA synchronous = OFF');
  return opened;
};
let database = await open();
if (role === 'write') {
  let rows = 0;
  for (; performance.now() < endMs; rows += 1) {
    database.transaction(() =>
      database.run('INSERT INTO rows (id, text) VALUES (?, ?)', rows, `row ${rows}`),
    );
  }
  console.log(rows);
} else if (role === 'checkpoint') {
  for (let round = 1; performance.now() < endMs; round += 1) {
    database.all('PRAGMA wal_checkpoint(PASSIVE)');
    if (round % 10_000 !== 0) continue;
    database.close();
    database = await open();
  }
} else {
  database.exec('CREATE TABLE texts (text TEXT) STRICT');
  database.exec("INSERT INTO texts VALUES ('one')");
  console.log('ready');
  for await (const _ of process.stdin);
}
database.close();
