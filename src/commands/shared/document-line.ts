/**
 * The output of `--json`. The documents that functions of the library return have keys in camelCase, which
 * `documentLine` changes. Only `metadata`, and the package in the document of `info`, have cargo's keys. The types of
 * documents that only commands print have the printed keys, in snake_case.
 */

/**
 * Returns a document as one line of JSON, with its keys in snake_case. All keys must be names of fields: a key that is
 * data, such as the name of a feature, would change too.
 */
export function documentLine(document: object): string {
  return `${JSON.stringify(document, withSnakeCase)}\n`;
}

/** For `JSON.stringify`, which calls it for each value, before the values inside. */
function withSnakeCase(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [snakeCase(name), field]));
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
