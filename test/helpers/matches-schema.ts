import { array, fields, string } from '../../src/core/json/decode.ts';

/** An OpenAPI document, as far as tests read it. */
export type Document = Readonly<Record<string, unknown>>;

/**
 * Returns the differences between a value and a schema of `document`, each with its path; none if it matches. Knows the
 * keywords that the documents of tsreg use. Members that the schema does not name are differences.
 */
export function differences(
  document: Document,
  schema: unknown,
  value: unknown,
  at = '$',
): readonly string[] {
  const rules = fields(schema);
  const { $ref: ref, anyOf } = rules;
  if (typeof ref === 'string') return differences(document, resolve(document, ref), value, at);
  if (Array.isArray(anyOf)) {
    const found = anyOf.map((each) => differences(document, each, value, at));
    return found.some((each) => each.length === 0) ? [] : (found[0] ?? []);
  }
  const types = [rules['type']].flat();
  if (!types.includes(typeOf(value))) return [`${at} is ${typeOf(value)}, not ${types.join(' or ')}`];
  if (Array.isArray(rules['enum']) && !rules['enum'].includes(value)) return [`${at} is not in the enum`];
  if ('const' in rules && rules['const'] !== value) return [`${at} is not the constant`];
  if (rules['format'] === 'date-time' && Number.isNaN(Date.parse(string(value)))) return [`${at} is no time`];
  if (Array.isArray(value)) return ofItems(document, rules, { value, at });
  return value !== null && typeof value === 'object' ? ofMembers(document, rules, { value, at }) : [];
}

interface Place<T> {
  readonly value: T;
  readonly at: string;
}

function ofItems(
  document: Document,
  { items, maxItems }: Document,
  { value, at }: Place<readonly unknown[]>,
): readonly string[] {
  if (typeof maxItems === 'number' && value.length > maxItems) return [`${at} has too many items`];
  return value.flatMap((item, index) => differences(document, items, item, `${at}[${index}]`));
}

function ofMembers(document: Document, rules: Document, { value, at }: Place<object>): readonly string[] {
  const members = new Map<string, unknown>(Object.entries(value));
  const { additionalProperties } = rules;
  if (additionalProperties !== undefined) {
    return [...members].flatMap(([name, member]) =>
      differences(document, additionalProperties, member, `${at}.${name}`),
    );
  }
  const properties = fields(rules['properties'] ?? {});
  const missing = array(string)(rules['required'] ?? []).filter((name) => !members.has(name));
  return [
    ...missing.map((name) => `${at}.${name} is missing`),
    ...[...members].flatMap(([name, member]) =>
      name in properties
        ? differences(document, properties[name], member, `${at}.${name}`)
        : [`${at}.${name} is not documented`],
    ),
  ];
}

/** Returns the value that a reference or JSON pointer leads to. Throws if there is none. */
export function resolve(document: Document, ref: string): unknown {
  let found: unknown = document;
  for (const name of ref.replace('#/', '').split('/')) found = fields(found)[name.replaceAll('~1', '/')];
  if (found === undefined) throw new Error(`the document has no ${ref}`);
  return found;
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}
