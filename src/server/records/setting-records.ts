import type { SettingAuthor, SettingChange, SettingRecords } from '../store/setting-records.ts';
import { insertAudit } from './audit-records.ts';
import { bytes, text } from './row.ts';
import { textRange } from './search-words.ts';
import { all, change, type SqlDatabase, type Work } from './sql-work.ts';
import { UPSTREAM_RULES } from './upstream-rule-records.ts';

/** Implements the record methods for settings. */
export function settingRecords(database: SqlDatabase): SettingRecords {
  return {
    async listSettings() {
      const [from, to] = textRange(UPSTREAM_RULES);
      const sql = 'SELECT name, value FROM settings WHERE name < ? OR name >= ?';
      const rows = await database.read(() => all(sql, from, to));
      return new Map(rows.map((row) => [text(row, 'name'), bytes(row, 'value')]));
    },
    async changeSettings(changes, by) {
      await database.write(function* () {
        for (const settingChange of changes) yield* changeSetting(settingChange, by);
      });
    },
  };
}

function* changeSetting({ name, value, detail }: SettingChange, { login, atMs }: SettingAuthor): Work<void> {
  if (value === null) yield* change('DELETE FROM settings WHERE name = ?', name);
  else {
    yield* change(
      'INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
      name,
      value,
    );
  }
  yield* insertAudit({ atMs, actor: login, action: 'change-settings', detail });
}
