/** What every part of the server works with. */
import type { Clock } from './clock.ts';
import type { TrustedProxies } from './http/trusted-proxies.ts';
import type { Log } from './log.ts';
import type { OutgoingHttp } from './outgoing-http.ts';
import type { AuthorizedRecords, Blobs, ServedRecords } from './store.ts';
import type { StaticHalf } from './static/static-half.ts';
import type { Upstream } from './upstream/upstream.ts';

/** Values and services that the server is made of; nothing of them belongs to one process alone. */
export interface ServerContext {
  readonly records: ServedRecords;
  readonly blobs: Blobs;
  /** The registry whose crates are passed on; null for none. */
  readonly upstream: Upstream | null;
  /** Index and archives as files for static servers; left out where there are none. */
  readonly staticHalf?: StaticHalf;
  readonly settings: ServerSettings;
  /** How issuers of identities are asked. */
  readonly http: OutgoingHttp;
  readonly clock: Clock;
  readonly log: Log;
}

/** What changes are made with: records of an actor, or all of them on the machine itself, where no rights are needed. */
export interface ChangeContext {
  readonly records: AuthorizedRecords;
  readonly clock: Clock;
}

/** What whoever runs the server has decided. */
export interface ServerSettings {
  /** The address under which clients reach the server: scheme, host and port, without a slash at the end. */
  readonly baseUrl: string;
  /** True if index, downloads, search and pages need a token or a session as well. */
  readonly authRequired: boolean;
  /** True if what is published must keep the rules of crates.io. */
  readonly strict: boolean;
  /** URLs of indexes that dependencies may name beside the registry itself and crates.io; left out for none. */
  readonly dependencyRegistries?: readonly string[];
  /** Whose `X-Forwarded-For` and `X-Request-Id` count. */
  readonly trustedProxies: TrustedProxies;
  /** Where the static half is served, without a slash at the end; left out where there is none. */
  readonly staticUrl?: string;
  /** True if downloads are answered with an address of the store itself. */
  readonly redirectsDownloads?: boolean;
  /** Who sees `/metrics`; readers of the registry unless given. */
  readonly metrics?: MetricsAccess;
  readonly limits: ServerLimits;
}

/** How `/metrics` is protected. */
export interface MetricsAccess {
  /** What must be sent as `Authorization: Bearer`; null for nothing. */
  readonly token: string | null;
  /** True if it is at a listener of its own, and not where the registry is. */
  readonly hasOwnListener: boolean;
}

/** What one client may ask for. */
export interface ServerLimits {
  /** Bytes of a `.crate`. */
  readonly maxCrateBytes: number;
  /** Bytes of the JSON in front of it, and of every other body. */
  readonly maxMetadataBytes: number;
  /** Bytes of what a `.crate` unpacks to. */
  readonly maxUnpackedBytes: number;
  /** Files in a `.crate`. */
  readonly maxFiles: number;
  /** Changes (publish, yank, owners) a minute and user; as many may come at once. 0 for no limit. */
  readonly changesPerMinute: number;
  /** Refused credentials a minute and address; as many may come at once. 0 for no limit. */
  readonly refusalsPerMinute: number;
}
