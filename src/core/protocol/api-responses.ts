/**
 * Decoding of registry responses. Decoders that do not return null for a body of another form throw `source` in cargo's
 * words. Cargo Book: Registry Web API.
 */
import { TsregError } from '../errors/error.ts';
import {
  array,
  boolean,
  decodeAsCargo,
  nullable,
  string,
  struct,
  unsigned32,
} from '../json/decode-as-cargo.ts';
import { decodeOrNull, fields } from '../json/decode.ts';
import { JsonCursor } from '../json/json-cursor.ts';

/** A user or team that may publish and yank versions of a crate. */
export interface CrateOwner {
  readonly id: number;
  readonly login: string;
  readonly name: string | null;
  /** Not in the Cargo Book; some registries send it. */
  readonly email: string | null;
}

/** A crate in a search result. */
export interface CrateMatch {
  readonly name: string;
  readonly maxVersion: string;
  readonly description: string | null;
}

/** A page of a search result. */
export interface SearchPage {
  readonly crates: readonly CrateMatch[];
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

// The decoders have the names of cargo's types, which its messages contain.
const apiErrors = struct(
  'ApiErrorList',
  { errors: array(struct('ApiError', { detail: string }, { required: ['detail'] })) },
  { required: ['errors'] },
);

/** Returns the messages of `{"errors":[{"detail":"…"}]}`; null for a body of any other form. */
export function decodeApiErrors(body: Uint8Array): readonly string[] | null {
  try {
    return decodeAsCargo(apiErrors, body).errors.map(({ detail }) => detail);
  } catch (error) {
    if (error instanceof TsregError) return null;
    throw error;
  }
}

const okResponse = struct('R', { ok: boolean }, { required: ['ok'] });

/** Decodes `{"ok":true}`. */
export function decodeOk(body: Uint8Array): boolean {
  return decodeAsCargo(okResponse, body).ok;
}

const ownerResponse = struct('OwnerResponse', { ok: boolean, msg: string }, { required: ['ok', 'msg'] });
const silentOwnerResponse = struct(
  'OwnerResponse',
  { ok: boolean, msg: nullable(string) },
  { required: ['ok'] },
);

/** Decodes `{"ok":true,"msg":"…"}`. Throws if `msg` is missing, unless `mayBeSilent`. */
export function decodeOwnersChange(
  body: Uint8Array,
  { mayBeSilent }: { readonly mayBeSilent: boolean },
): OwnersChange {
  const { ok, msg = null } = decodeAsCargo<{ readonly ok: boolean; readonly msg?: string | null }>(
    mayBeSilent ? silentOwnerResponse : ownerResponse,
    body,
  );
  return { ok, message: msg };
}

const owner = struct(
  'User',
  {
    id: unsigned32,
    login: string,
    avatar: nullable(string),
    email: nullable(string),
    name: nullable(string),
  },
  { required: ['id', 'login'] },
);
const owners = struct('Users', { users: array(owner) }, { required: ['users'] });

/** Decodes `{"users":[…]}`. */
export function decodeOwners(body: Uint8Array): readonly CrateOwner[] {
  const { users } = decodeAsCargo(owners, body);
  return users.map(({ id, login, name = null, email = null }) => ({ id, login, name, email }));
}

const foundCrate = struct(
  'Crate',
  { name: string, description: nullable(string), max_version: string },
  { required: ['name', 'max_version'] },
);
const searchPage = struct(
  'Crates',
  {
    crates: array(foundCrate),
    meta: struct('TotalCrates', { total: unsigned32 }, { required: ['total'] }),
  },
  { required: ['crates', 'meta'] },
);

/** Decodes `{"crates":[…],"meta":{"total":…}}`. */
export function decodeSearchPage(body: Uint8Array): SearchPage {
  const { crates, meta } = decodeAsCargo(searchPage, body);
  return {
    crates: crates.map(({ name, description = null, max_version: maxVersion }) => ({
      name,
      description,
      maxVersion,
    })),
    total: meta.total,
  };
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

/** Returns the strings in a list; none if the value has another form. */
function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

/** Parses a whole body. Throws cargo's error for invalid JSON, which `JSON.parse` words differently. */
function parseJson(body: Uint8Array): unknown {
  const cursor = new JsonCursor(body);
  cursor.checkValue();
  cursor.finish();
  return JSON.parse(new TextDecoder().decode(body));
}

/** Returns a field; undefined if it is missing or if the value is not an object. */
function fieldOf(value: unknown, name: string): unknown {
  return decodeOrNull(fields, value)?.[name];
}
