/** Reads values of parsed JSON whose form is not known. */

/** The fields of an object. */
export type Fields = Readonly<Record<string, unknown>>;

/** Returns an object; null for anything else. */
export function fieldsOf(value: unknown): Fields | null {
  return isFields(value) ? value : null;
}

/** Returns the objects of a list; none for anything else. */
export function itemsOf(value: unknown): readonly Fields[] {
  return listOf(value).filter(isFields);
}

/** Returns a text; null for anything else. */
export function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

/** Returns the texts of a list; none for anything else. */
export function textsOf(value: unknown): readonly string[] {
  return listOf(value).filter((item) => typeof item === 'string');
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
