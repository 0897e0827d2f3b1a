/**
 * Reads values from rows, and lists placeholders. Throws `bug` if a column has another type, which the schema rules
 * out.
 */
import { TsregError } from '../../core/errors/error.ts';
import type { SqlRow } from './sql-work.ts';

/** Returns a text that is not null. */
export function text(row: SqlRow, column: string): string {
  const value = row[column];
  return typeof value === 'string' ? value : wrongType(column);
}

/** Returns a text, or null. */
export function optionalText(row: SqlRow, column: string): string | null {
  return row[column] === null ? null : text(row, column);
}

/** Returns a number that is not null. */
export function integer(row: SqlRow, column: string): number {
  const value = row[column];
  if (typeof value === 'bigint') return Number(value);
  return typeof value === 'number' ? value : wrongType(column);
}

/** Returns a number, or null. */
export function optionalInteger(row: SqlRow, column: string): number | null {
  return row[column] === null ? null : integer(row, column);
}

/** Returns a boolean, which is stored as a number. */
export function flag(row: SqlRow, column: string): boolean {
  return integer(row, column) !== 0;
}

/** Returns a list of texts, which is stored as JSON. */
export function textList(row: SqlRow, column: string): readonly string[] {
  const value: unknown = JSON.parse(text(row, column));
  if (!Array.isArray(value)) return wrongType(column);
  return value.map((item: unknown) => (typeof item === 'string' ? item : wrongType(column)));
}

/** Returns bytes that are not null. */
export function bytes(row: SqlRow, column: string): Uint8Array {
  const value = row[column];
  if (value instanceof Uint8Array) return value;
  return value instanceof ArrayBuffer ? new Uint8Array(value) : wrongType(column);
}

/** Returns `?, ?, ?`: a placeholder for each value. */
export function placeholders(values: readonly unknown[]): string {
  return values.map(() => '?').join(', ');
}

/** Returns the number in a row of `SELECT count(*) AS total`. */
export function total(row: SqlRow | null): number {
  return row === null ? wrongType('total') : integer(row, 'total');
}

function wrongType(column: string): never {
  throw new TsregError(`the column \`${column}\` of the registry's records is damaged`, { code: 'bug' });
}
