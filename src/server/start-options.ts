/** The settings of a server. */
import type { Clock } from './clock.ts';
import type { Log } from './log.ts';
import type { StoreEnvironment } from './open-store.ts';
import type { OutgoingHttp } from './outgoing-http.ts';
import type { StoreLocation } from './store-location.ts';
import type { UpstreamSettings } from './upstream/open-upstream.ts';

/** What whoever starts a server says. */
export interface StartOptions {
  /** `HOST:PORT`; port 0 for any that is free. */
  readonly listen: string;
  /** What is not there is made. */
  readonly location: StoreLocation;
  readonly env: StoreEnvironment;
  /** What clients reach the server under, if that is not where it listens. */
  readonly baseUrl: string | null;
  /** Addresses and networks of proxies whose headers are believed. */
  readonly trustedProxies: readonly string[];
  readonly authRequired: boolean;
  readonly strict: boolean;
  /** URLs of indexes that dependencies may name beside the registry itself and crates.io. */
  readonly dependencyRegistries: readonly string[];
  /** PEM files; null for plain HTTP. */
  readonly tls: { readonly certificatePath: string; readonly keyPath: string } | null;
  /** Largest `.crate` that is taken. */
  readonly maxCrateBytes: number;
  /** Connections at a time; one address has an eighth of them. */
  readonly maxConnections: number;
  /** Changes a minute that a user may make; 0 for any number. */
  readonly changesPerMinute: number;
  /** How others are asked: issuers of identities, and the upstream. */
  readonly http: OutgoingHttp;
  /** null for none. */
  readonly upstream: UpstreamSettings | null;
  /** Where the files in the object store are served by somebody else; null where they are not. */
  readonly staticUrl: string | null;
  /** True to send readers of `.crate` files to the object store. */
  readonly redirectsDownloads: boolean;
  /** `HOST:PORT` for `/metrics` alone; null where it is part of the registry. */
  readonly metricsListen: string | null;
  /** File with what must be sent to see `/metrics`; null for none. */
  readonly metricsTokenPath: string | null;
  /** How long requests are still taken once the server is to stop, while `/readyz` tells balancers to send none. */
  readonly drainMs: number;
  readonly clock: Clock;
  readonly log: Log;
}
