/** Where a registry is kept, as whoever runs it says. */
import { TsregError } from '../errors/error.ts';

/** Each half of the store by itself: records in a database or a folder, blobs in an object store or that folder. */
export interface StoreLocation {
  /** Absolute path; null if neither half is kept in a folder. */
  readonly dataFolder: string | null;
  /** `postgres://…`, with a password perhaps: never to be shown; null for `registry.db` in the folder. */
  readonly database: string | null;
  /** `s3://bucket/prefix…`; null for `crates` in the folder. */
  readonly storage: string | null;
}

/** A location in a folder alone. */
export function folderLocation(dataFolder: string): StoreLocation {
  return { dataFolder, database: null, storage: null };
}

/** The places of a registry by the flags that name them, without secrets. */
export interface StorePlaces {
  readonly data?: string;
  readonly database?: string;
  readonly storage?: string;
}

/** Every place that is used, for messages. */
export function describePlaces({ dataFolder, database, storage }: StoreLocation): StorePlaces {
  return {
    ...(dataFolder === null ? {} : { data: dataFolder }),
    ...(database === null ? {} : { database: withoutSecrets(database) }),
    ...(storage === null ? {} : { storage: withoutSecrets(storage) + shownParameters(storage) }),
  };
}

/** Where the records are, for messages: the database without its password, or the folder. */
export function describeRecords(location: StoreLocation): string {
  const { data = '', database = data } = describePlaces(location);
  return database;
}

/** Where a registry is, for messages. */
export function describeLocation(location: StoreLocation): string {
  return Object.values(describePlaces(location))
    .map((place) => `\`${place}\``)
    .join(' and ');
}

/** The folder of a location that needs one. Throws a usage error where it was left out. */
export function requireFolder({ dataFolder }: StoreLocation): string {
  if (dataFolder !== null) return dataFolder;
  throw new TsregError('no place for the registry: pass `--data`, or both `--database` and `--storage`', {
    code: 'usage',
  });
}

/** What says which object store is meant, as far as it is in the form that is allowed there; keys never are. */
function shownParameters(storage: string): string {
  const [, query = ''] = storage.split('?', 2);
  const shown = query.split('&').filter((each) => SHOWN_PARAMETER.test(each));
  return shown.length === 0 ? '' : `?${shown.join('&')}`;
}

const SHOWN_PARAMETER = /^(?:endpoint=https?:\/\/[\w.:[\]-]+\/?|region=[\w-]+|path-style=\w+)$/;

/** A URL by scheme, user, host and path alone: what stands behind `?` may be a secret as well. */
function withoutSecrets(url: string): string {
  const [, scheme = '', rest = ''] = /^([a-z0-9+.-]+:\/\/)([^?#]*)/i.exec(url) ?? [];
  const slash = rest.indexOf('/');
  const authority = slash === -1 ? rest : rest.slice(0, slash);
  const at = authority.lastIndexOf('@');
  const user = at === -1 ? '' : `${authority.slice(0, at).split(':', 1)[0] ?? ''}@`;
  return scheme + user + rest.slice(at + 1);
}
