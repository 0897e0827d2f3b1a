import type { Clock } from './shared/clock.ts';
import type { Log } from './shared/log.ts';
import type { StoreEnvironment } from './admin/open-store.ts';
import type { OutgoingHttp } from './shared/outgoing-http.ts';
import type { StoreLocation } from './admin/store-location.ts';
import type { UpstreamSettings } from './open-upstream.ts';
import type { DocumentationMode, IdentityPart, ServerContext } from './server-context.ts';
import type { Records } from './store/store.ts';

/** Options of `startServer`, in groups that follow the headings of `tsreg serve --help`. */
export interface StartOptions {
  readonly network: NetworkOptions;
  /** Created if it does not exist. */
  readonly location: StoreLocation;
  readonly env: StoreEnvironment;
  /** Whether index, downloads, search and pages need a token or a session too. */
  readonly authRequired: boolean;
  readonly publishing: PublishingOptions;
  readonly limits: LimitOptions;
  /** HTTP settings for requests to identity issuers and for badges. */
  readonly http: OutgoingHttp;
  /** null for no upstream. */
  readonly upstream: UpstreamSettings | null;
  /** Folder with a copy of an advisory database; null for none. */
  readonly advisoriesPath: string | null;
  readonly documentation: DocumentationMode;
  readonly delivery: DeliveryOptions;
  readonly monitoring: MonitoringOptions;
  readonly identity: IdentityOptions;
  readonly badges: BadgeOptions;
  /** The release of tsreg. */
  readonly version: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Called when the registry is open, before the first request is served. If it throws, the server does not start. */
  readonly prepare?: (registry: OpenRegistry) => Promise<void>;
}

/** The registry of a server, without access control and upstream. */
export interface OpenRegistry extends Omit<ServerContext, 'records' | 'upstream' | 'staticIndex'> {
  readonly records: Records;
}

/** How clients reach the server. */
export interface NetworkOptions {
  /** `HOST:PORT`; port 0 for any free port. */
  readonly listen: string;
  /** URL under which clients reach the server; null if it is the listen address. */
  readonly baseUrl: string | null;
  /** Addresses and networks of proxies whose headers are trusted. */
  readonly trustedProxies: readonly string[];
  /** Paths of PEM files; null for plain HTTP. */
  readonly tls: TlsPaths | null;
}

/** Paths of the PEM files for TLS. */
export interface TlsPaths {
  readonly certificatePath: string;
  readonly keyPath: string;
}

/** The rules for published crates. */
export interface PublishingOptions {
  /** Whether published crates must follow the rules of crates.io. */
  readonly strict: boolean;
  /** Index URLs that dependencies may name besides this registry and crates.io. */
  readonly dependencyRegistries: readonly string[];
}

/** Limits that the operator can set. */
export interface LimitOptions {
  /** Maximum bytes of a `.crate`. */
  readonly maxCrateBytes: number;
  /** Maximum simultaneous connections. One address may have an eighth of them. */
  readonly maxConnections: number;
  /** Changes per minute and user; 0 for no limit. */
  readonly changesPerMinute: number;
}

/** Files that clients get from elsewhere. Both options need an object store. */
export interface DeliveryOptions {
  /** URL at which another server offers the static files of the object store; null if there are none. */
  readonly staticUrl: string | null;
  /** Whether downloads of `.crate` files redirect to the object store. */
  readonly redirectsDownloads: boolean;
}

/** How the operator's monitoring and load balancers use the server. */
export interface MonitoringOptions {
  /** `HOST:PORT` of a separate listener for `/metrics`; null if it is part of the registry. */
  readonly metricsListen: string | null;
  /** File with the token for `/metrics`; null for none. */
  readonly metricsTokenPath: string | null;
  /** How long a stopping server still accepts requests, while `/readyz` tells load balancers to send none. */
  readonly drainMs: number;
}

/** How the registry presents itself on its pages and in examples. */
export interface IdentityOptions {
  /** The parts that flags set. Admins can choose all others in the pages. */
  readonly fixedParts: readonly IdentityPart[];
  /** The name of the site. */
  readonly siteName: string;
  /** The registry's name in examples. */
  readonly registryName: string;
  /** SVG, PNG, WebP or JPEG file; null for none. */
  readonly logoPath: string | null;
  /** `#rrggbb`. */
  readonly accent: string;
  /** Markdown file for the start page; null for none. */
  readonly welcomePath: string | null;
}

/** Badges of other sites in readmes. */
export interface BadgeOptions {
  /** Whether readmes show them; null if admins choose in the pages. */
  readonly isShown: boolean | null;
  /** The sites; empty for the default ones. */
  readonly hosts: readonly string[];
}
