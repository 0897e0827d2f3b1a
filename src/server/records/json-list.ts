import type { SqlDialect } from './sql-work.ts';

/**
 * Returns the condition that `text`, an SQL expression, is in the JSON array of a placeholder. So one statement serves
 * lists of any length.
 */
export function isInJsonList(text: string, placeholder: string): Readonly<Record<SqlDialect, string>> {
  return {
    sqlite: `${text} IN (SELECT value FROM json_each(${placeholder}))`,
    postgres: `${text} IN (SELECT jsonb_array_elements_text(CAST(CAST(${placeholder} AS TEXT) AS JSONB)))`,
  };
}
