/** `http.ssl-version`. Cargo Book: Configuration. */
import { TsregError } from '../errors/error.ts';

/** A version of TLS as Node calls it. */
type TlsVersion = 'TLSv1' | 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3';

/** Versions of TLS that are accepted; null leaves it to the library. */
export interface TlsRange {
  readonly min: TlsVersion | null;
  readonly max: TlsVersion | null;
}

/** The setting as written: one version is the least one. */
export type SslVersionSetting = string | { readonly min: string | null; readonly max: string | null } | null;

const TLS_VERSIONS: Readonly<Record<string, TlsVersion | null>> = {
  default: null,
  tlsv1: 'TLSv1',
  'tlsv1.0': 'TLSv1',
  'tlsv1.1': 'TLSv1.1',
  'tlsv1.2': 'TLSv1.2',
  'tlsv1.3': 'TLSv1.3',
};

/** Reads the setting; throws with cargo's words for a version that does not exist. */
export function tlsRange(setting: SslVersionSetting): TlsRange {
  const version = (name: string | null) => {
    if (name === null) return null;
    const known = TLS_VERSIONS[name];
    if (known !== undefined) return known;
    throw new TsregError(
      `Invalid ssl version \`${name}\`,choose from 'default', 'tlsv1', 'tlsv1.0', 'tlsv1.1', 'tlsv1.2', 'tlsv1.3'.`,
      { code: 'config' },
    );
  };
  if (setting === null || typeof setting === 'string') return { min: version(setting), max: null };
  return { min: version(setting.min), max: version(setting.max) };
}
