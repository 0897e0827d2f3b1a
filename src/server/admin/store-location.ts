/** The location of a registry, as the operator configures it. */
import { TsregError } from '../../core/errors/error.ts';

/** The location of a store: records in a database or a folder, blobs in an object store or the same folder. */
export interface StoreLocation {
  /** Absolute path; null if neither part is in a folder. */
  readonly dataFolder: string | null;
  /** `postgres://…`, possibly with a password, so it must not be printed; null for `registry.db` in the folder. */
  readonly database: string | null;
  /** `s3://bucket/prefix…`; null for `crates` in the folder. */
  readonly storage: string | null;
}

/** Returns a location that is only a folder. */
export function folderLocation(dataFolder: string): StoreLocation {
  return { dataFolder, database: null, storage: null };
}

/** The parts of a location by the flags that name them, without secrets. */
export interface StorePlaces {
  readonly data?: string;
  readonly database?: string;
  readonly storage?: string;
}

/** Returns all parts of a location for messages. */
export function describePlaces({ dataFolder, database, storage }: StoreLocation): StorePlaces {
  return {
    ...(dataFolder === null ? {} : { data: dataFolder }),
    ...(database === null ? {} : { database: withoutSecrets(database) }),
    ...(storage === null ? {} : { storage: withoutSecrets(storage) + shownParameters(storage) }),
  };
}

/** Returns the place of the records for messages: the database without its password, or the folder. */
export function describeRecords(location: StoreLocation): string {
  const { data = '', database = data } = describePlaces(location);
  return database;
}

/** Returns a location for messages, without secrets. */
export function describeLocation(location: StoreLocation): string {
  return Object.values(describePlaces(location))
    .map((place) => `\`${place}\``)
    .join(' and ');
}

/** Returns the folder of a location. Throws `usage` if it has none. */
export function requireFolder({ dataFolder }: StoreLocation): string {
  if (dataFolder !== null) return dataFolder;
  throw new TsregError('no place for the registry: pass `--data`, or both `--database` and `--storage`', {
    code: 'usage',
  });
}

/** Matches the parameters of `s3://…` that messages may show. An endpoint with a user, a path or a query is hidden. */
const SHOWN_PARAMETER = /^(?:endpoint=https?:\/\/[\w.:[\]-]+\/?|region=[\w-]+|path-style=\w+)$/;

/** Returns the parameters that identify the object store, if they have the allowed form; never keys. */
function shownParameters(storage: string): string {
  const [, query = ''] = storage.split('?', 2);
  const shown = query.split('&').filter((parameter) => SHOWN_PARAMETER.test(parameter));
  return shown.length === 0 ? '' : `?${shown.join('&')}`;
}

/**
 * Returns only scheme, user, host and path of a URL: the query may contain secrets too. A password that is not escaped
 * may contain `@`, so the last one ends it.
 */
function withoutSecrets(url: string): string {
  const [, scheme = '', rest = ''] = /^([a-z0-9+.-]+:\/\/)([^?#]*)/i.exec(url) ?? [];
  const slash = rest.indexOf('/');
  const authority = slash === -1 ? rest : rest.slice(0, slash);
  const at = authority.lastIndexOf('@');
  const user = at === -1 ? '' : `${authority.slice(0, at).replace(/:.*/s, '')}@`;
  return scheme + user + rest.slice(at + 1);
}
