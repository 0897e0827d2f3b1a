/** Makes JSON schemas, as OpenAPI 3.1 uses them. */

/** A JSON schema. */
export type Schema = Readonly<Record<string, unknown>>;

/** The schema of `true` and `false`. */
export const BOOLEAN: Schema = { type: 'boolean' };
/** The schema of a time, such as `2026-03-14T09:26:53.000Z`. */
export const TIME: Schema = { type: 'string', format: 'date-time' };
/** The schema of a day, such as `2026-03-14`. */
export const DATE: Schema = { type: 'string', format: 'date' };
/** The schema of an ID. */
export const ID: Schema = { type: 'integer', format: 'int64', minimum: 0 };
/** The schema of a number of things. */
export const COUNT: Schema = { type: 'integer', format: 'int64', minimum: 0 };

/** Returns the schema of a text. */
export function text(description?: string): Schema {
  return { type: 'string', ...(description === undefined ? {} : { description }) };
}

/** Returns the schema of a list. */
export function list(items: Schema): Schema {
  return { type: 'array', items };
}

/** Returns the schema of an object whose members all have the same schema. */
export function mapOf(values: Schema): Schema {
  return { type: 'object', additionalProperties: values };
}

/** Returns the schema of an object with these members, all of them required. */
export function object(properties: Readonly<Record<string, Schema>>): Schema {
  return { type: 'object', properties, required: Object.keys(properties) };
}

/** Returns a schema that also allows `null`. */
export function nullable(schema: Schema): Schema {
  const { type } = schema;
  return typeof type === 'string'
    ? { ...schema, type: [type, 'null'] }
    : { anyOf: [schema, { type: 'null' }] };
}

/** Returns a schema with a description. */
export function withDescription(schema: Schema, description: string): Schema {
  return { ...schema, description };
}

/** Returns a reference to a schema of the document. */
export function ref(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}
