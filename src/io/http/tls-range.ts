/** The setting `http.ssl-version`. Cargo Book: Configuration. */
import { TsregError } from '../../core/errors/error.ts';

/** A TLS version, as Node names it. */
type TlsVersion = 'TLSv1' | 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3';

/** Accepted TLS versions; null leaves the choice to Node. */
export interface TlsRange {
  readonly min: TlsVersion | null;
  readonly max: TlsVersion | null;
}

/** The setting as written. A single version is the minimum. */
export type SslVersionSetting = string | { readonly min: string | null; readonly max: string | null } | null;

const TLS_VERSIONS: ReadonlyMap<string, TlsVersion | null> = new Map([
  ['default', null],
  ['tlsv1', 'TLSv1'],
  ['tlsv1.0', 'TLSv1'],
  ['tlsv1.1', 'TLSv1.1'],
  ['tlsv1.2', 'TLSv1.2'],
  ['tlsv1.3', 'TLSv1.3'],
]);

/** Parses the setting. Throws cargo's `config` error for an unknown version. */
export function tlsRange(setting: SslVersionSetting): TlsRange {
  const parseVersion = (name: string | null) => {
    if (name === null) return null;
    const version = TLS_VERSIONS.get(name);
    if (version !== undefined) return version;
    throw new TsregError(
      `Invalid ssl version \`${name}\`,choose from ${[...TLS_VERSIONS.keys()].map((key) => `'${key}'`).join(', ')}.`,
      { code: 'config' },
    );
  };
  if (setting === null || typeof setting === 'string') return { min: parseVersion(setting), max: null };
  return { min: parseVersion(setting.min), max: parseVersion(setting.max) };
}
