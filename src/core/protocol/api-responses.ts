/** Decoding of registry responses, with cargo's errors. Cargo Book: Registry Web API. */
import { TsregError } from '../errors/error.ts';
import { JsonCursor } from './json-cursor.ts';

/** A user or team that may publish and yank versions of a crate. */
export interface CrateOwner {
  readonly id: number;
  readonly login: string;
  readonly name: string | null;
  /** Not in the Cargo Book; some registries send it. */
  readonly email: string | null;
}

/** A crate in a search result. */
export interface FoundCrate {
  readonly name: string;
  readonly maxVersion: string;
  readonly description: string | null;
}

/** A page of a search result. */
export interface SearchPage {
  readonly crates: readonly FoundCrate[];
  /** Number of crates on all pages. */
  readonly total: number;
}

/** Warnings of a registry about a crate that it accepted. */
export interface PublishWarnings {
  readonly invalidCategories: readonly string[];
  readonly invalidBadges: readonly string[];
  readonly other: readonly string[];
}

/** The owner of a token, and the token's permissions. */
export interface Account {
  readonly login: string;
  readonly name: string | null;
  /** Null if the registry does not send it. */
  readonly token: AccountToken | null;
}

/** A token, as its registry describes it. */
export interface AccountToken {
  readonly name: string | null;
  /** Permitted actions. */
  readonly scopes: readonly string[];
  /** Patterns of crate names that the token is valid for; empty for all. */
  readonly crates: readonly string[];
  /** RFC 3339; null if it does not expire. */
  readonly expiresAt: string | null;
}

/** The response to a change of owners. */
export interface OwnersChange {
  readonly ok: boolean;
  /** Null if the registry sent none. */
  readonly message: string | null;
}

/** Returns the messages of `{"errors":[{"detail":"…"}]}`; null for a body of any other form. */
export function decodeApiErrors(body: Uint8Array): readonly string[] | null {
  try {
    const cursor = new JsonCursor(body);
    const errors = readFields(cursor, 'struct ApiErrorList', {
      errors: () =>
        readItems(cursor, () =>
          readFields(cursor, 'struct ApiError', { detail: () => cursor.readString() }).need('detail'),
        ),
    }).need('errors');
    cursor.finish();
    return errors;
  } catch (error) {
    if (error instanceof TsregError) return null;
    throw error;
  }
}

/** Decodes `{"ok":true}`. */
export function decodeOk(body: Uint8Array): boolean {
  const cursor = new JsonCursor(body);
  const ok = readFields(cursor, 'struct R', { ok: () => cursor.readBoolean() }).need('ok');
  cursor.finish();
  return ok;
}

/** Decodes `{"ok":true,"msg":"…"}`. Throws if `msg` is missing, unless `mayBeSilent`. */
export function decodeOwnersChange(body: Uint8Array, mayBeSilent: boolean): OwnersChange {
  const cursor = new JsonCursor(body);
  const read = (): string | null =>
    mayBeSilent ? cursor.readOptional(() => cursor.readString()) : cursor.readString();
  const fields = readFields(cursor, 'struct OwnerResponse', { ok: () => cursor.readBoolean(), msg: read });
  const ok = fields.need('ok');
  const message = mayBeSilent ? (fields.values.msg ?? null) : fields.need('msg');
  cursor.finish();
  return { ok, message };
}

/** Decodes `{"users":[…]}`. */
export function decodeOwners(body: Uint8Array): readonly CrateOwner[] {
  const cursor = new JsonCursor(body);
  const text = (): string | null => cursor.readOptional(() => cursor.readString());
  const owners = readFields(cursor, 'struct Users', {
    users: () =>
      readItems(cursor, () => {
        const fields = readFields(cursor, 'struct User', {
          id: () => cursor.readUnsigned32(),
          login: () => cursor.readString(),
          avatar: text,
          email: text,
          name: text,
        });
        const { values } = fields;
        return {
          id: fields.need('id'),
          login: fields.need('login'),
          name: values.name ?? null,
          email: values.email ?? null,
        };
      }),
  }).need('users');
  cursor.finish();
  return owners;
}

/** Decodes `{"crates":[…],"meta":{"total":…}}`. */
export function decodeSearchPage(body: Uint8Array): SearchPage {
  const cursor = new JsonCursor(body);
  const fields = readFields(cursor, 'struct Crates', {
    crates: () =>
      readItems(cursor, () => {
        const crate = readFields(cursor, 'struct Crate', {
          name: () => cursor.readString(),
          description: () => cursor.readOptional(() => cursor.readString()),
          max_version: () => cursor.readString(),
        });
        const description = crate.values.description ?? null;
        return { name: crate.need('name'), description, maxVersion: crate.need('max_version') };
      }),
    meta: () =>
      readFields(cursor, 'struct TotalCrates', { total: () => cursor.readUnsigned32() }).need('total'),
  });
  const crates = fields.need('crates');
  const total = fields.need('meta');
  cursor.finish();
  return { crates, total };
}

/** Returns the `warnings` of an accepted crate; none if the body is empty or they have another form. */
export function decodePublishWarnings(body: Uint8Array): PublishWarnings {
  const warnings = body.length === 0 ? null : fieldOf(parseJson(body), 'warnings');
  const list = (name: string): readonly string[] => texts(fieldOf(warnings, name));
  return {
    invalidCategories: list('invalid_categories'),
    invalidBadges: list('invalid_badges'),
    other: list('other'),
  };
}

/** Decodes `{"user":{"login":"…"}}` or `{"login":"…"}`; null for a body of any other form. */
export function decodeAccount(body: Uint8Array): Account | null {
  let document: unknown;
  try {
    document = parseJson(body);
  } catch (error) {
    if (error instanceof TsregError) return null;
    throw error;
  }
  const user = fieldOf(document, 'user') ?? document;
  const login = fieldOf(user, 'login');
  if (typeof login !== 'string') return null;
  const token = fieldOf(document, 'token');
  return {
    login,
    name: textOrNull(fieldOf(user, 'name')),
    token:
      token === undefined || token === null
        ? null
        : {
            name: textOrNull(fieldOf(token, 'name')),
            scopes: texts(fieldOf(token, 'scopes')),
            crates: texts(fieldOf(token, 'crates')),
            expiresAt: textOrNull(fieldOf(token, 'expires_at')),
          },
  };
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

function parseJson(body: Uint8Array): unknown {
  const cursor = new JsonCursor(body);
  cursor.checkValue();
  cursor.finish();
  return JSON.parse(new TextDecoder().decode(body));
}

function fieldOf(value: unknown, name: string): unknown {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? Object.entries(value).findLast(([key]) => key === name)?.[1] : undefined;
}

/** The fields that were present in an object. */
interface ReadFields<T> {
  readonly values: Partial<T>;
  /** Returns a required field. Throws if it is missing. Call it at the end of the object. */
  need<K extends keyof T & string>(name: K): T[K];
}

/**
 * Reads an object. Ignores fields without a reader and throws for duplicate ones. As in cargo, also reads a list of the
 * values in the order of `readers`.
 */
function readFields<T extends object>(
  cursor: JsonCursor,
  expected: string,
  readers: { readonly [K in keyof T]: () => T[K] },
): ReadFields<T> {
  const values: Partial<T> = {};
  const isKnown = (key: string): key is keyof T & string => Object.hasOwn(readers, key);
  const read = (key: keyof T): void => {
    values[key] = readers[key]();
  };
  if (cursor.isAtList()) {
    const order = Object.keys(readers).filter(isKnown);
    cursor.readTuple(
      expected,
      order.map((key) => () => read(key)),
    );
  } else {
    cursor.readObject(expected, (key) => {
      if (!isKnown(key)) return cursor.skipValue();
      if (Object.hasOwn(values, key)) throw cursor.error(`duplicate field \`${key}\``);
      read(key);
    });
  }
  return {
    values,
    need(name) {
      const value = values[name];
      if (value === undefined) throw cursor.error(`missing field \`${name}\``);
      return value;
    },
  };
}

function readItems<T>(cursor: JsonCursor, read: () => T): readonly T[] {
  const items: T[] = [];
  cursor.readList('a sequence', () => items.push(read()));
  return items;
}
