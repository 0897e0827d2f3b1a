/**
 * Tracks which static files are outdated (`store/static-records.ts`). Each crate has a row in `static_changes`:
 *
 * - `generation` counts the changes of its index file, and `written` is the generation that the static files have. They
 *   are outdated while `written < generation`.
 * - `holder` is the writer that has reserved the crate, until `held_until`. After that time, another may take over.
 */
import type { StaticRecords, StaticReservation, StaticWrite } from '../store/static-records.ts';
import { integer, optionalInteger, optionalText, text } from './row.ts';
import { all, change, one, type SqlDatabase, type Work } from './sql-work.ts';

/**
 * Implements the record methods for outdated static files. Triggers on `index_files` note every change in its own
 * transaction, so that none can be missed.
 */
export function staticRecords(database: SqlDatabase): StaticRecords {
  return {
    async listStaticChanges({ after, limit, atMs }) {
      const sql = `SELECT lower_case_name FROM static_changes
        WHERE written < generation AND lower_case_name > ? AND (held_until IS NULL OR held_until <= ?)
        ORDER BY lower_case_name LIMIT ?`;
      const rows = await database.read(() => all(sql, after, atMs, limit));
      return rows.map((row) => text(row, 'lower_case_name'));
    },
    async beginStaticWrite(reservation) {
      return await database.write(() => beginWrite(reservation));
    },
    async endStaticWrite({ lowerCaseName, holder, generation }) {
      return await database.write(function* () {
        const changes = yield* change(
          `UPDATE static_changes SET written = CASE WHEN written < ?1 THEN ?1 ELSE written END,
           holder = NULL, held_until = NULL WHERE lower_case_name = ?2 AND holder = ?3`,
          generation,
          lowerCaseName,
          holder,
        );
        if (changes > 0) return true;
        // Another writer took over. The files of this one may have replaced newer ones.
        yield* change(
          'UPDATE static_changes SET generation = generation + 1 WHERE lower_case_name = ?',
          lowerCaseName,
        );
        return false;
      });
    },
    async markStaticChange(lowerCaseName) {
      await database.write(() =>
        change(
          `INSERT INTO static_changes (lower_case_name, crate, generation) VALUES (?1, ?1, 1)
           ON CONFLICT (lower_case_name) DO UPDATE SET generation = static_changes.generation + 1`,
          lowerCaseName,
        ),
      );
    },
  };
}

/** Reserves a crate for a writer, and returns what the writer needs: the index file and the archives. */
function* beginWrite({
  lowerCaseName,
  holder,
  atMs,
  untilMs,
}: StaticReservation): Work<StaticWrite | { readonly kind: 'unchanged' | 'busy' }> {
  const select = `SELECT crate, generation, written, holder, held_until FROM static_changes
    WHERE lower_case_name = ?`;
  const row = yield* one({ sqlite: select, postgres: `${select} FOR UPDATE` }, lowerCaseName);
  if (row === null || integer(row, 'written') >= integer(row, 'generation')) {
    return { kind: 'unchanged' };
  }
  const heldBy = optionalText(row, 'holder');
  const isHeld = (optionalInteger(row, 'held_until') ?? 0) > atMs;
  if (isHeld && heldBy !== holder) return { kind: 'busy' };
  yield* change(
    'UPDATE static_changes SET holder = ?, held_until = ? WHERE lower_case_name = ?',
    holder,
    untilMs,
    lowerCaseName,
  );
  const file = yield* one('SELECT crate_id, body FROM index_files WHERE lower_case_name = ?', lowerCaseName);
  const common = {
    kind: 'begun',
    generation: integer(row, 'generation'),
    crate: text(row, 'crate'),
  } as const;
  if (file === null) return { ...common, body: '', archives: [] };
  const archives = yield* all(
    'SELECT checksum, blob_key FROM versions WHERE crate_id = ? ORDER BY id',
    integer(file, 'crate_id'),
  );
  return {
    ...common,
    body: text(file, 'body'),
    archives: archives.map((archive) => ({
      checksum: text(archive, 'checksum'),
      blobKey: text(archive, 'blob_key'),
    })),
  };
}
