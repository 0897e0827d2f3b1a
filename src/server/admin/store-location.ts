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
    ...(storage === null ? {} : { storage: withoutSecrets(storage) }),
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

/** A host and a port. A missing host must not make the password look like a port. */
const HOST = String.raw`(?:\[[\da-f:.]+\]|[^:,@/?#]*)(?::\d*)?`;

/**
 * Matches an address whose user, place and query are certain: after the first `/`, `?` or `#` comes no `@`, which could
 * end a password with unescaped characters.
 */
const ADDRESS = new RegExp(
  `^(\\w+://)(?:([^:/?#]*)(?::[^/?#]*)?@)?(${HOST}(?:,${HOST})*(?:/[^?#@]*)?)(?:\\?([^#@]*))?(?:#[^@]*)?$`,
  'i',
);

/** Matches the parameters of `s3://…` that messages may show. An endpoint with a path or a query is hidden. */
const SHOWN_PARAMETER = /^(?:endpoint=https?:\/\/[\w.:[\]-]+\/?|region=[\w-]+|path-style=\w+)$/;

/**
 * Returns scheme, user, hosts and path of an address, and the parameters that identify an object store. Returns only the
 * scheme and `…` if it is uncertain where the password ends.
 */
function withoutSecrets(address: string): string {
  const match = ADDRESS.exec(address);
  if (match === null) return `${/^\w+:\/\//.exec(address)?.[0] ?? ''}…`;
  const [, scheme = '', user, place = '', query = ''] = match;
  const shown = query.split('&').filter((parameter) => SHOWN_PARAMETER.test(parameter));
  const parameters = shown.length === 0 ? '' : `?${shown.join('&')}`;
  return `${scheme}${user === undefined ? '' : `${user}@`}${place}${parameters}`;
}
