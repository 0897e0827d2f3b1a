/** The tables that tsreg reads. Cargo Book: Configuration, "Configuration format". */
import {
  boolean,
  type Decoder,
  integer,
  list,
  located,
  locatedPath,
  oneOf,
  string,
  stringItem,
  struct,
  word,
  words,
} from './decoder.ts';
import type { Located } from './definition.ts';

/** `[build]` as written; null for keys that are not set. */
export interface BuildTable {
  readonly 'target-dir': Located<string> | null;
  readonly 'build-dir': Located<string> | null;
  readonly rustc: Located<string> | null;
  readonly 'rustc-wrapper': Located<string> | null;
  readonly 'rustc-workspace-wrapper': Located<string> | null;
  readonly rustflags: readonly string[] | null;
  readonly target: Located<string | readonly Located<string>[]> | null;
}

/** Reads `[build]`. Fields for compilers are checked, but not used. */
export const BUILD_TABLE: Decoder<BuildTable> = struct({
  pipelining: boolean,
  'dep-info-basedir': locatedPath,
  'target-dir': locatedPath,
  'build-dir': locatedPath,
  incremental: boolean,
  target: located(
    oneOf<string | readonly Located<string>[]>('a string or array', (value) => {
      if (value.type === 'string') return string;
      return value.type === 'array' ? list(stringItem) : null;
    }),
  ),
  jobs: oneOf<unknown>('an integer or string', (value) => {
    // Beyond its range, an integer has the wrong type.
    if (value.type === 'integer')
      return BigInt.asIntN(32, value.value) === value.value ? integer('i32') : null;
    return value.type === 'string' ? string : null;
  }),
  rustflags: words,
  rustdocflags: words,
  'rustc-wrapper': locatedPath,
  'rustc-workspace-wrapper': locatedPath,
  rustc: locatedPath,
  rustdoc: locatedPath,
  'artifact-dir': locatedPath,
  warnings: word(['warn', 'allow', 'deny']),
  sbom: boolean,
  analysis: struct({ enabled: boolean }, { required: ['enabled'] }),
});

/** `[net]` as written; null for keys that are not set. */
export interface NetTable {
  readonly retry: number | null;
  readonly offline: boolean | null;
  readonly 'git-fetch-with-cli': boolean | null;
  readonly ssh: { readonly 'known-hosts': readonly Located<string>[] | null } | null;
}

/** Reads `[net]`. */
export const NET_TABLE: Decoder<NetTable> = struct({
  retry: integer('u32'),
  offline: boolean,
  'git-fetch-with-cli': boolean,
  ssh: struct({ 'known-hosts': list(stringItem) }),
});

/** `http.ssl-version` as a range of versions such as `tlsv1.2`; null for a missing key. */
export interface SslVersionRange {
  readonly min: string | null;
  readonly max: string | null;
}

/** `[http]` as written; null for keys that are not set. */
export interface HttpTable {
  readonly proxy: string | null;
  readonly 'low-speed-limit': number | null;
  readonly timeout: number | null;
  readonly cainfo: Located<string> | null;
  readonly 'proxy-cainfo': Located<string> | null;
  readonly 'check-revoke': boolean | null;
  readonly 'user-agent': string | null;
  readonly debug: boolean | null;
  readonly multiplexing: boolean | null;
  readonly 'ssl-version': string | SslVersionRange | null;
}

/** Reads `[http]`. */
export const HTTP_TABLE: Decoder<HttpTable> = struct({
  proxy: string,
  'low-speed-limit': integer('u32'),
  timeout: integer('u64'),
  cainfo: locatedPath,
  'proxy-cainfo': locatedPath,
  'check-revoke': boolean,
  'user-agent': string,
  debug: boolean,
  multiplexing: boolean,
  'ssl-version': oneOf<string | SslVersionRange>('a string or map', (value) => {
    if (value.type === 'string') return string;
    return value.type === 'table' ? struct({ min: string, max: string }) : null;
  }),
});

/** `[resolver]` as written; null for keys that are not set. */
export interface ResolverTable {
  readonly 'incompatible-rust-versions': 'allow' | 'fallback' | null;
  readonly 'incompatible-publish-age': 'allow' | 'deny' | null;
  readonly 'feature-unification': 'package' | 'selected' | 'workspace' | null;
  readonly 'lockfile-path': Located<string> | null;
}

/** Reads `[resolver]`. */
export const RESOLVER_TABLE: Decoder<ResolverTable> = struct({
  'incompatible-rust-versions': word(['allow', 'fallback']),
  'incompatible-publish-age': word(['allow', 'deny']),
  'feature-unification': word(['package', 'selected', 'workspace']),
  'lockfile-path': locatedPath,
});
