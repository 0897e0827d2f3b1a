import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openSqlite } from '../../src/server/records/sqlite-database.ts';
import { libsqlDriver, nodeDriver, type SqliteDriver } from '../../src/server/records/sqlite-driver.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const SECONDS = 20;

/** A file system in memory allows more commits, so a lost row is more likely to show. */
const MEMORY = '/dev/shm';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(existsSync(MEMORY) ? MEMORY : os.tmpdir(), 'tsreg-acknowledged-'));
  file = path.join(folder, 'rows.db');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const node = nodeDriver();
const drivers: readonly SqliteDriver[] = [
  await libsqlDriver(),
  ...(node === null || !node.canUseWal ? [] : [node]),
];

/** Runs a process to its end and returns its stdout. */
async function run(role: 'write' | 'checkpoint', { name }: SqliteDriver): Promise<string> {
  const args = ['scripts/run-ts.mjs', 'test/helpers/sqlite-process.ts', role, file, name, String(SECONDS)];
  const child = spawn(process.execPath, args, { cwd: ROOT, stdio: ['ignore', 'pipe', 'inherit'] });
  let text = '';
  for await (const chunk of child.stdout.setEncoding('utf8')) text += String(chunk);
  expect(child.exitCode ?? (await new Promise((resolve) => child.once('close', resolve)))).toBe(0);
  return text;
}

describe.each(drivers)('with $name $version', (driver) => {
  it('keeps every committed row while other processes checkpoint', async () => {
    const database = await openSqlite(file, { isShared: true, driver });
    database.exec('CREATE TABLE rows (id INTEGER PRIMARY KEY, text TEXT NOT NULL)');
    const [committed] = await Promise.all([
      run('write', driver),
      run('checkpoint', driver),
      run('checkpoint', driver),
    ]);
    const rows = Number(committed);
    console.log(`${database.description}: ${rows} rows committed in ${SECONDS} s`);
    expect(rows).toBeGreaterThan(100);
    expect(
      database.get('SELECT integrity_check AS result FROM pragma_integrity_check LIMIT 1'),
    ).toMatchObject({ result: 'ok' });
    const found = database.get("SELECT count(*) AS count FROM rows WHERE text = 'row ' || id");
    expect(found).toMatchObject({ count: rows });
    database.close();
  });
});
