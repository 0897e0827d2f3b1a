/** Fields that `[patch]` and `[replace]` ignore. Cargo Book: Overriding Dependencies. */
import type { Warning } from '../errors/warning.ts';
import type { Dependency } from '../summary/summary.ts';

/** Returns a warning if an entry has `features` or `default-features = false`, which have no effect; else null. */
export function unusedOverrideFields(
  { name, features, defaultFeatures }: Dependency,
  table: 'patch' | 'replace',
): Warning | null {
  const fields: string[] = [];
  if (features.length > 0) fields.push('`features`');
  if (!defaultFeatures) fields.push('`default-features`');
  if (fields.length === 0) return null;
  const list = fields.join(', ');
  const text = `configure ${list} in the \`dependencies\` entry`;
  return table === 'patch'
    ? { title: `unused field in patch for \`${name}\`: ${list}`, remarks: [{ label: 'help', text }] }
    : { title: `unused field in replacement for \`${name}\`: ${list}`, remarks: [{ label: 'note', text }] };
}
