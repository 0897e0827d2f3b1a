/**
 * The same for all spellings of a crate's name that exclude each other: lower case, `_` for `-`. Cargo Book:
 * Registry Index, Name restrictions.
 */
export function canonicalName(name: string): string {
  return name.toLowerCase().replaceAll('-', '_');
}
