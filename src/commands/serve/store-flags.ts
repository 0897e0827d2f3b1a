/** Flags that the `serve` commands share. */
import { resolve } from 'node:path';
import { TsregError } from '../../core/errors/error.ts';
import type { StoreLocation } from '../../server/admin/store-location.ts';
import { type Invocation, valueOf } from '../shared/command.ts';
import { type Flag, valueFlag } from '../shared/flag.ts';

const DEFAULT_FOLDER = 'tsreg-data';

/** How long to wait for a newly started server to create the registry. */
export const STARTUP_TIMEOUT_MS = 5000;

/** The global flags that have an effect on the commands of a private registry. */
export const STORE_GLOBAL_FLAGS: readonly string[] = ['quiet', 'color'];

/** Flags for the location of the registry. */
export const STORE_FLAGS: readonly Flag[] = [
  valueFlag('data', 'DIR', {
    help: `Folder of the registry [default: ${DEFAULT_FOLDER}]`,
    heading: 'Storage Options',
    refusesEmpty: true,
  }),
  valueFlag('database', 'URL', {
    help: 'PostgreSQL database with the records: postgres://… [env: TSREG_DATABASE]',
    heading: 'Storage Options',
    refusesEmpty: true,
  }),
  valueFlag('storage', 'URL', {
    help: 'Object store with the `.crate` files: s3://BUCKET/PREFIX [env: TSREG_STORAGE]',
    heading: 'Storage Options',
    refusesEmpty: true,
  }),
];

/** The starts of the addresses of a database and of an object store. */
export const DATABASE_SCHEME = /^postgres(?:ql)?:\/\//;
export const STORAGE_SCHEME = /^s3:\/\//;

/** A flag and a variable for the address of one half of a registry. The flag wins. */
interface AddressSetting {
  readonly flag: string;
  readonly variable: string;
  readonly scheme: RegExp;
  /** An address for messages. */
  readonly example: string;
}

const DATABASE: AddressSetting = {
  flag: 'database',
  variable: 'TSREG_DATABASE',
  scheme: DATABASE_SCHEME,
  example: 'postgres://USER:PASSWORD@HOST/NAME',
};

const STORAGE: AddressSetting = {
  flag: 'storage',
  variable: 'TSREG_STORAGE',
  scheme: STORAGE_SCHEME,
  example: 's3://BUCKET/PREFIX',
};

/**
 * Returns the location that `STORE_FLAGS` and the environment name. The folder is absolute; null if neither part is in
 * it. Throws `usage` for an address of another kind.
 */
export function storeLocation({ values, config }: Pick<Invocation, 'values' | 'config'>): StoreLocation {
  const addressOf = ({ flag, variable, scheme, example }: AddressSetting): string | null => {
    const flagValue = valueOf(values, flag);
    const address = flagValue ?? config.env[variable] ?? '';
    if (address === '') return null;
    if (scheme.test(address)) return address;
    // Not the value, which may contain a password.
    const where = flagValue === null ? `\`${variable}\`` : `\`--${flag}\``;
    throw new TsregError(`invalid value for ${where}: expected \`${example}\``, { code: 'usage' });
  };
  const database = databaseAddress(addressOf(DATABASE), config.env);
  const storage = addressOf(STORAGE);
  const needsFolder = database === null || storage === null;
  return {
    dataFolder: needsFolder ? resolve(valueOf(values, 'data') ?? DEFAULT_FOLDER) : null,
    database,
    storage,
  };
}

/**
 * Returns the address of a database, with `PGSSLMODE` as its `sslmode` unless it has one. The driver takes a missing
 * user, password and database name from `PGUSER`, `PGPASSWORD` and `PGDATABASE`.
 */
export function databaseAddress(
  address: string | null,
  env: Readonly<Record<string, string | undefined>>,
): string | null {
  const mode = env['PGSSLMODE'] ?? '';
  if (address === null || mode === '' || /[?&]sslmode=/.test(address)) return address;
  return `${address}${address.includes('?') ? '&' : '?'}sslmode=${encodeURIComponent(mode)}`;
}
