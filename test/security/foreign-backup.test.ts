import {
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { backupStore, restoreStore } from '../../src/server/admin/backup-store.ts';
import { BACKUP_MARK_FILE, openStore, RECORDS_FILE } from '../../src/server/admin/open-store.ts';
import { openExistingStore } from '../../src/server/admin/open-existing-store.ts';
import { STEPS } from '../../src/server/records/schema.ts';
import { type DriverConnection, libsqlDriver } from '../../src/server/records/sqlite-driver.ts';
import { folderLocation } from '../../src/server/admin/store-location.ts';
import { publishBody } from '../helpers/publish-body.ts';
import { blobKeys } from '../helpers/test-storage.ts';
import { makeTempDir, type TempDir } from '../helpers/temp-dir.ts';
import { openTestRegistry, type TestRegistry } from '../helpers/test-registry.ts';

/** libsql, because it allows any schema change and has the SQL function `writefile`. */
const driver = await libsqlDriver();
let temp: TempDir;
let registry: TestRegistry;
let backup: string;
beforeEach(async () => {
  temp = makeTempDir('foreign');
  backup = join(temp.path, 'backup');
  registry = await openTestRegistry();
  const alice = await registry.tokenOf(await registry.user('alice'));
  expect((await registry.publish(alice, publishBody({ name: 'foo', version: '1.0.0' }).bytes)).kind).toBe(
    'published',
  );
  await backupStore(registry.store, backup);
});
afterEach(async () => {
  await registry[Symbol.asyncDispose]();
  temp.remove();
});

/** Changes the database of the backup, even against its check constraints. */
function change(body: (file: DriverConnection) => void): void {
  const file = driver.open(join(backup, RECORDS_FILE));
  file.exec('PRAGMA ignore_check_constraints = ON');
  body(file);
  file.close();
}

const marker = (): string => join(temp.path, 'written');
/** Returns an SQL call that creates the marker file. */
const call = (): string => `writefile('${marker()}', 'x')`;

/** Schema changes that an attacker could make to a backup. */
const ADDITIONS: readonly (readonly [what: string, sql: () => string])[] = [
  ['a table with a check', () => `CREATE TABLE evil (x, CHECK (${call()} > 0)); INSERT INTO evil VALUES (1)`],
  ['a check in a table of its own', () => `ALTER TABLE secrets ADD COLUMN x TEXT CHECK (${call()} > 0)`],
  ['a trigger', () => `CREATE TRIGGER evil AFTER INSERT ON owners BEGIN SELECT ${call()}; END`],
  [
    'a trigger of a known name',
    () => `CREATE TRIGGER sealed_audit_INSERT AFTER INSERT ON audit BEGIN SELECT ${call()}; END`,
  ],
  ['a view', () => `CREATE VIEW evil AS SELECT ${call()} AS x`],
  [
    'a view in place of a pragma',
    () => `CREATE VIEW pragma_user_version AS SELECT ${call()} AS user_version`,
  ],
  [
    'a view in place of a table',
    () => `DROP TABLE own_names; CREATE VIEW own_names AS SELECT ${call()} AS pattern`,
  ],
  ['a generated column', () => 'ALTER TABLE crates ADD COLUMN x TEXT AS (upper(name)) VIRTUAL'],
  ['a default', () => "ALTER TABLE crates ADD COLUMN x TEXT DEFAULT 'x'"],
  ['an index of an expression', () => 'CREATE INDEX evil ON crates (upper(name))'],
  ['a table', () => 'CREATE TABLE evil (x)'],
  ['a virtual table', () => 'CREATE VIRTUAL TABLE evil USING fts5 (x)'],
  ['a table too few', () => 'DROP TABLE owners'],
];

const REFUSED = { code: 'config', message: expect.stringContaining('another program changed') };

describe.each(ADDITIONS)('a backup with %s', (_, sql) => {
  it('is not restored, and none of its SQL runs', async () => {
    change((file) => file.exec(sql()));
    rmSync(marker(), { force: true });
    await expect(restoreStore(registry.store, backup)).rejects.toMatchObject(REFUSED);
    expect(existsSync(marker())).toBe(false);
    expect(await registry.store.records.count()).toMatchObject({ crates: 1, versions: 1 });
  });

  it('cannot be opened as a data folder, and none of its SQL runs', async () => {
    change((file) => file.exec(sql()));
    rmSync(marker(), { force: true });
    rmSync(join(backup, BACKUP_MARK_FILE));
    for (const open of [openStore, openExistingStore]) {
      await expect(open(folderLocation(backup), {})).rejects.toMatchObject({ cause: REFUSED });
    }
    expect(existsSync(marker())).toBe(false);
  });
});

describe('a backup with an older schema', () => {
  /** Replaces the database of the backup with one of an older schema that has one crate. */
  function makeOlder(more: string): void {
    rmSync(join(backup, RECORDS_FILE));
    change((file) => {
      for (const step of STEPS.slice(0, 6)) file.exec(step);
      file.exec(`INSERT INTO crates (name, canonical_name, max_version, keywords, downloads, created_at, updated_at)
        VALUES ('bar', 'bar', '1.0.0', '[]', 0, 1, 1);
        INSERT INTO crate_search (rowid, name) VALUES (1, 'bar');
        ${more};
        PRAGMA user_version = 6`);
    });
  }

  it.each([
    ['', (): string => ''],
    [
      ', whatever that has for settings',
      (): string =>
        `INSERT OR REPLACE INTO crate_search_config VALUES ('rank', '${call().replaceAll("'", "''")}')`,
    ],
  ])('is restored without its search table%s', async (_, more) => {
    makeOlder(more());
    expect(await restoreStore(registry.store, backup)).toMatchObject({ versions: 0 });
    const { items } = await registry.store.records.searchCrates('bar', { limit: 1, offset: 0 });
    expect(items.map(({ name }) => name)).toEqual(['bar']);
    expect(existsSync(marker())).toBe(false);
  });

  it('is restored or refused if its search table is damaged', async () => {
    makeOlder('UPDATE crate_search_data SET block = randomblob(4000)');
    // Newer releases of SQLite can drop such a table.
    const outcome = await restoreStore(registry.store, backup).catch((error: unknown) => error);
    if (outcome instanceof Error) expect(outcome).toMatchObject({ code: 'config' });
    else expect(outcome).toMatchObject({ versions: 0 });
  });
});

it('a restore does not follow symlinks in the backup', async () => {
  const file = join(backup, RECORDS_FILE);
  renameSync(file, join(temp.path, 'elsewhere.db'));
  symlinkSync(join(temp.path, 'elsewhere.db'), file);
  await expect(restoreStore(registry.store, backup)).rejects.toThrow('is not a file');
  rmSync(file);
  renameSync(join(temp.path, 'elsewhere.db'), file);
  const [key = ''] = await blobKeys(registry.store.blobs);
  const blob = join(backup, 'crates', key.slice(0, 2), key.slice(2, 4), `${key}.crate`);
  renameSync(blob, join(temp.path, 'elsewhere.crate'));
  symlinkSync(join(temp.path, 'elsewhere.crate'), blob);
  await using other = await openTestRegistry();
  await expect(restoreStore(other.store, backup)).rejects.toThrow('its .crate is missing');
});

it('a restore refuses a backup whose blob keys lead out of its folder', async () => {
  change((file) => file.exec("UPDATE versions SET blob_key = '../../../../etc/passwd'"));
  await using other = await openTestRegistry();
  await expect(restoreStore(other.store, backup)).rejects.toMatchObject({ code: 'source' });
});

/** Returns a journal of the database that makes SQLite delete `file` after a rollback. */
function journalNaming(file: string): Buffer {
  const mark = Buffer.from('d9d505f920a163d7', 'hex');
  const name = Buffer.from(file);
  const number = (value: number): Buffer => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    return bytes;
  };
  const head = Buffer.concat([mark, ...[0, 0, 50, 512, 4096].map(number)]);
  const sum = name.reduce((total, byte) => total + byte, 0);
  const lockedPage = number(0x40000000 / 4096 + 1);
  return Buffer.concat([
    ...[head, Buffer.alloc(512 - head.length), lockedPage, name],
    ...[number(name.length), number(sum), mark],
  ]);
}

describe('a data folder from an untrusted source', () => {
  let precious: string;
  beforeEach(() => {
    const folder = join(realpathSync(temp.path), 'home');
    precious = join(folder, 'notes.txt');
    mkdirSync(folder);
    writeFileSync(precious, 'precious\n');
    utimesSync(precious, 1, 1);
    rmSync(join(backup, BACKUP_MARK_FILE));
  });

  it('is refused if its journal would delete another file', async () => {
    writeFileSync(join(backup, `${RECORDS_FILE}-journal`), journalNaming(precious));
    const problem = expect.stringContaining('would delete another file');
    await expect(openStore(folderLocation(backup), {})).rejects.toMatchObject({
      cause: { message: problem },
    });
    expect(existsSync(precious)).toBe(true);
  });

  it('may contain the journal of an interrupted restore', async () => {
    const file = join(realpathSync(backup), RECORDS_FILE);
    writeFileSync(`${file}-journal`, journalNaming(`${file}-mj1234569AB`));
    await (await openStore(folderLocation(backup), {})).close();
  });

  it.each(['-journal', '-wal', '-shm', '-no-wal'])(
    'is refused if its `%s` file is a symlink',
    async (suffix) => {
      symlinkSync(precious, join(backup, RECORDS_FILE + suffix));
      const problem = expect.stringContaining('is not a file');
      await expect(openStore(folderLocation(backup), {})).rejects.toMatchObject({
        cause: { message: problem },
      });
    },
  );

  it('makes a restore delete no files behind a symlink', async () => {
    const incoming = join(backup, 'crates', 'incoming');
    rmSync(incoming, { recursive: true });
    symlinkSync(join(precious, '..'), incoming);
    writeFileSync(join(backup, BACKUP_MARK_FILE), '{"format":1}\n');
    await using other = await openTestRegistry();
    await expect(restoreStore(other.store, backup)).rejects.toThrow('is not a folder');
    // The same for a symlink one level higher.
    const crates = join(backup, 'crates');
    renameSync(join(precious, '..'), join(temp.path, 'incoming'));
    rmSync(crates, { recursive: true });
    symlinkSync(temp.path, crates);
    await restoreStore(other.store, backup).catch(() => undefined);
    expect(readdirSync(join(temp.path, 'incoming'))).toEqual(['notes.txt']);
  });
});
