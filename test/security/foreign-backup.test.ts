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
import { backupStore, restoreStore } from '../../src/server/backup-store.ts';
import { BACKUP_MARK_FILE, openStore, RECORDS_FILE } from '../../src/server/open-store.ts';
import { openExistingStore } from '../../src/server/open-existing-store.ts';
import { STEPS } from '../../src/server/records/schema.ts';
import { type DriverConnection, libsqlDriver } from '../../src/server/records/sqlite-driver.ts';
import { folderLocation } from '../../src/server/store-location.ts';
import { publishBody } from '../helpers/publish-body.ts';
import { blobKeys } from '../helpers/test-storage.ts';
import { makeTempDir, type TempDir } from '../helpers/temp-dir.ts';
import { openTestRegistry, type TestRegistry } from '../helpers/test-registry.ts';

/** This one changes whatever it is told to, and has a function that writes files. */
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

/** Changes the records of the backup, whatever they say to that. */
function change(body: (file: DriverConnection) => void): void {
  const file = driver.open(join(backup, RECORDS_FILE));
  file.exec('PRAGMA ignore_check_constraints = ON');
  body(file);
  file.close();
}

const marker = (): string => join(temp.path, 'written');
/** A call that leaves a file behind. */
const call = (): string => `writefile('${marker()}', 'x')`;

/** What whoever changes a backup could add to it. */
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
  it('is not restored, and nothing of it is evaluated', async () => {
    change((file) => file.exec(sql()));
    rmSync(marker(), { force: true });
    await expect(restoreStore(registry.store, backup)).rejects.toMatchObject(REFUSED);
    expect(existsSync(marker())).toBe(false);
    expect(await registry.store.records.count()).toMatchObject({ crates: 1, versions: 1 });
  });

  it('is not served, verified or moved as a data folder', async () => {
    change((file) => file.exec(sql()));
    rmSync(marker(), { force: true });
    rmSync(join(backup, BACKUP_MARK_FILE));
    for (const open of [openStore, openExistingStore]) {
      await expect(open(folderLocation(backup), {})).rejects.toMatchObject({ cause: REFUSED });
    }
    expect(existsSync(marker())).toBe(false);
  });
});

describe('a backup of an older form', () => {
  /** Makes the records of the backup anew, with a crate. */
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

  it('with a damaged search table is restored without that, or refused', async () => {
    makeOlder('UPDATE crate_search_data SET block = randomblob(4000)');
    // Newer releases of SQLite can drop such a table.
    const outcome = await restoreStore(registry.store, backup).catch((error: unknown) => error);
    if (outcome instanceof Error) expect(outcome).toMatchObject({ code: 'config' });
    else expect(outcome).toMatchObject({ versions: 0 });
  });
});

it('a backup whose files are links is not followed to other files', async () => {
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

it('a backup cannot name files outside of its folder', async () => {
  change((file) => file.exec("UPDATE versions SET blob_key = '../../../../etc/passwd'"));
  await using other = await openTestRegistry();
  await expect(restoreStore(other.store, backup)).rejects.toMatchObject({ code: 'source' });
});

/** A journal of the records that makes SQLite delete another file once it has used the journal. */
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

describe('a folder from elsewhere', () => {
  let precious: string;
  beforeEach(() => {
    const folder = join(realpathSync(temp.path), 'home');
    precious = join(folder, 'notes.txt');
    mkdirSync(folder);
    writeFileSync(precious, 'precious\n');
    utimesSync(precious, 1, 1);
    rmSync(join(backup, BACKUP_MARK_FILE));
  });

  it('has no file deleted that a journal names', async () => {
    writeFileSync(join(backup, `${RECORDS_FILE}-journal`), journalNaming(precious));
    const problem = expect.stringContaining('would delete another file');
    await expect(openStore(folderLocation(backup), {})).rejects.toMatchObject({
      cause: { message: problem },
    });
    expect(existsSync(precious)).toBe(true);
  });

  it('may have a journal of a restore that was cut off', async () => {
    const file = join(realpathSync(backup), RECORDS_FILE);
    writeFileSync(`${file}-journal`, journalNaming(`${file}-mj1234569AB`));
    await (await openStore(folderLocation(backup), {})).close();
  });

  it.each(['-journal', '-wal', '-shm', '-no-wal'])(
    'has no file written over that a link leads to, at `%s`',
    async (suffix) => {
      symlinkSync(precious, join(backup, RECORDS_FILE + suffix));
      const problem = expect.stringContaining('is not a file');
      await expect(openStore(folderLocation(backup), {})).rejects.toMatchObject({
        cause: { message: problem },
      });
    },
  );

  it('has no old files deleted in a folder that a link leads to', async () => {
    const incoming = join(backup, 'crates', 'incoming');
    rmSync(incoming, { recursive: true });
    symlinkSync(join(precious, '..'), incoming);
    writeFileSync(join(backup, BACKUP_MARK_FILE), '{"format":1}\n');
    await using other = await openTestRegistry();
    await expect(restoreStore(other.store, backup)).rejects.toThrow('is not a folder');
    // Nor where the link is one level higher.
    const crates = join(backup, 'crates');
    renameSync(join(precious, '..'), join(temp.path, 'incoming'));
    rmSync(crates, { recursive: true });
    symlinkSync(temp.path, crates);
    await restoreStore(other.store, backup).catch(() => undefined);
    expect(readdirSync(join(temp.path, 'incoming'))).toEqual(['notes.txt']);
  });
});
