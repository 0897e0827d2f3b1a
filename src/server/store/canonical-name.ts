/**
 * Returns the form that all mutually exclusive spellings of a crate name share: lower case, `_` for `-`. Cargo Book:
 * Registry Index, Name restrictions.
 */
export function canonicalName(name: string): string {
  return name.toLowerCase().replaceAll('-', '_');
}
