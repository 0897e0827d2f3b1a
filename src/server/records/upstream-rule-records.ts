import { decodeOrNull, field, object, orElse, string } from '../../core/json/decode.ts';
import { canonicalName } from '../store/canonical-name.ts';
import type { SettingAuthor } from '../store/setting-records.ts';
import type {
  UpstreamRule,
  UpstreamRuleKind,
  UpstreamRuleRecords,
  UpstreamRuleTarget,
} from '../store/upstream-rule-records.ts';
import type { AuditAction } from '../store/values.ts';
import { insertAudit } from './audit-records.ts';
import { bytes, text, total } from './row.ts';
import { textRange } from './search-words.ts';
import { all, change, one, type SqlDatabase, type SqlRow, type Work } from './sql-work.ts';

/**
 * The beginning of the names of settings that are rules. `block/NAME@VERSION` or `allow/NAME@` follows, with the
 * canonical name and without build metadata. The value is the JSON of a `StoredRule`.
 */
export const UPSTREAM_RULES = 'upstream-rule/';

/** The parts of a rule that its key does not have. */
interface StoredRule {
  /** In the spelling of the admin. */
  readonly name: string;
  readonly reason: string | null;
  /** ISO 8601. */
  readonly added: string;
}

const STORED_RULE = object<StoredRule>({
  name: field('name', string),
  reason: field('reason', orElse(string, null)),
  added: field('added', string),
});

/** The actions in the audit trail. */
const ADD_ACTIONS: Readonly<Record<UpstreamRuleKind, AuditAction>> = {
  block: 'block-upstream',
  allow: 'allow-upstream',
};
const REMOVE_ACTIONS: Readonly<Record<UpstreamRuleKind, AuditAction>> = {
  block: 'unblock-upstream',
  allow: 'disallow-upstream',
};

/** Implements the record methods for rules about crates of the upstream. */
export function upstreamRuleRecords(database: SqlDatabase): UpstreamRuleRecords {
  return {
    async findUpstreamRules(crate) {
      const sql =
        'SELECT * FROM settings WHERE (name >= ? AND name < ?) OR (name >= ? AND name < ?) ORDER BY name';
      const rangeOf = (kind: UpstreamRuleKind): readonly [string, string] =>
        textRange(keyOf({ kind, name: crate, version: null }));
      const rows = await database.read(() => all(sql, ...rangeOf('block'), ...rangeOf('allow')));
      return rows.map(asRule);
    },
    async listUpstreamRules(kind, { limit, offset }) {
      const range = textRange(`${UPSTREAM_RULES}${kind}/`);
      const where = 'WHERE name >= ? AND name < ?';
      return await database.readMoment(function* () {
        const sql = `SELECT * FROM settings ${where} ORDER BY name LIMIT ? OFFSET ?`;
        const rows = yield* all(sql, ...range, limit, offset);
        const count = yield* one(`SELECT count(*) AS total FROM settings ${where}`, ...range);
        return { items: rows.map(asRule), total: total(count) };
      });
    },
    async addUpstreamRule(rule, by) {
      const { kind, name, reason } = rule;
      const stored: StoredRule = { name, reason, added: new Date(by.atMs).toISOString() };
      return await database.write(function* () {
        const sql = 'INSERT INTO settings (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING';
        if ((yield* change(sql, keyOf(rule), Buffer.from(JSON.stringify(stored)))) === 0) return false;
        yield* audit(ADD_ACTIONS[kind], rule, { by, reason });
        return true;
      });
    },
    async removeUpstreamRule(rule, by) {
      return await database.write(function* () {
        if ((yield* change('DELETE FROM settings WHERE name = ?', keyOf(rule))) === 0) return false;
        yield* audit(REMOVE_ACTIONS[rule.kind], rule, { by, reason: null });
        return true;
      });
    },
  };
}

/** Returns the name of the setting. Without a version, it is also how the names of the crate's other rules begin. */
function keyOf({ kind, name, version }: UpstreamRuleTarget): string {
  return `${UPSTREAM_RULES}${kind}/${canonicalName(name)}@${version ?? ''}`;
}

function* audit(
  action: AuditAction,
  { name, version }: UpstreamRuleTarget,
  { by, reason }: { readonly by: SettingAuthor; readonly reason: string | null },
): Work<void> {
  yield* insertAudit({ atMs: by.atMs, actor: by.login, action, crate: name, version, detail: reason });
}

/** Returns the rule of a row. If this release cannot read its value, the rule still applies. */
function asRule(row: SqlRow): UpstreamRule {
  const [kind = '', selector = ''] = text(row, 'name').slice(UPSTREAM_RULES.length).split('/');
  const [name = '', version = ''] = selector.split('@');
  const stored = decodeOrNull(STORED_RULE, parseValue(bytes(row, 'value')));
  return {
    kind: kind === 'allow' ? 'allow' : 'block',
    name: stored?.name ?? name,
    version: version === '' ? null : version,
    reason: stored?.reason ?? null,
    addedAtMs: Date.parse(stored?.added ?? '') || 0,
  };
}

/** Returns the JSON of a value; null for another text. */
function parseValue(value: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(value).toString());
  } catch {
    return null;
  }
}
