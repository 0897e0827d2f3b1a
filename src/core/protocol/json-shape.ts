/**
 * Decoding of JSON in publish requests. Errors name the position: ``` `deps[2].name` must be a string```. Missing
 * fields are null; unknown ones are ignored.
 */
import { TsregError } from '../errors/error.ts';

/** A value in a document. */
export class JsonNode {
  readonly #value: unknown;
  readonly #path: string;

  private constructor(value: unknown, path: string) {
    this.#value = value ?? null;
    this.#path = path;
  }

  /** Parses a document. Throws `source` if it is not UTF-8 JSON. Reading a string rejects NUL and lone surrogates. */
  static parse(bytes: Uint8Array): JsonNode {
    let value: unknown;
    try {
      value = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
    } catch (cause) {
      throw problem(cause instanceof SyntaxError ? cause.message : 'invalid UTF-8');
    }
    return new JsonNode(value, '');
  }

  get isNull(): boolean {
    return this.#value === null;
  }

  /** Returns a field of an object. */
  field(name: string): JsonNode {
    const { fields } = this;
    return new JsonNode(Object.hasOwn(fields, name) ? fields[name] : null, `${this.#prefix}${name}`);
  }

  /** The items of a list; empty for null. */
  get items(): readonly JsonNode[] {
    if (this.#value === null) return [];
    if (!Array.isArray(this.#value)) throw this.#mismatch('a list');
    return this.#value.map((item: unknown, index) => new JsonNode(item, `${this.#path}[${index}]`));
  }

  /** The fields of an object, in their order except for numeric names; empty for null. */
  get entries(): readonly (readonly [string, JsonNode])[] {
    if (this.#value === null) return [];
    return Object.entries(this.fields).map(([name, value]) => [
      this.#checked(name),
      new JsonNode(value, `${this.#prefix}${name}`),
    ]);
  }

  get string(): string {
    if (typeof this.#value !== 'string') throw this.#mismatch('a string');
    return this.#checked(this.#value);
  }

  get optionalString(): string | null {
    return this.isNull ? null : this.string;
  }

  get strings(): readonly string[] {
    return this.items.map((item) => item.string);
  }

  /** Returns `fallback` for null. */
  boolean(fallback: boolean): boolean {
    if (this.#value === null) return fallback;
    if (typeof this.#value !== 'boolean') throw this.#mismatch('true or false');
    return this.#value;
  }

  /** Returns an error about this value: ``` `deps[2].kind` must be …```. */
  #mismatch(expected: string): TsregError {
    const name = this.#path === '' ? 'the document' : `\`${this.#path}\``;
    if (this.#value === null && this.#path !== '') return problem(`${name} is missing`);
    return problem(`${name} must be ${expected}`);
  }

  #checked(text: string): string {
    if (/[\0\ud800-\udfff]/u.test(text)) {
      throw problem(`\`${this.#path}\` has characters that are not allowed`);
    }
    return text;
  }

  get #prefix(): string {
    return this.#path === '' ? '' : `${this.#path}.`;
  }

  private get fields(): Readonly<Record<string, unknown>> {
    if (!isFields(this.#value)) throw this.#mismatch('an object');
    return this.#value;
  }
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function problem(message: string): TsregError {
  return new TsregError(`invalid upload request: ${message}`, { code: 'source' });
}
