import type { Clock } from './shared/clock.ts';
import type { Colour } from './shared/colour.ts';
import type { TrustedProxies } from './shared/trusted-proxies.ts';
import type { Log } from './shared/log.ts';
import type { OutgoingHttp } from './shared/outgoing-http.ts';
import type { Advisories } from './store/advisories.ts';
import type { AuthorizedRecords, ServedRecords } from './store/store.ts';
import type { StaticIndexPublisher } from './static/static-index-publisher.ts';
import type { Upstream } from './upstream/upstream.ts';
import type { Blobs } from './store/blobs.ts';

/** Values and services of the server. None of them belongs to one process alone. */
export interface ServerContext {
  readonly records: ServedRecords;
  readonly blobs: Blobs;
  /** The registry that is proxied; null for none. */
  readonly upstream: Upstream | null;
  /** Advisories about crates; absent if the operator has no copy of them. */
  readonly advisories?: Advisories;
  /** Writes index and archives as static files; absent if there are none. */
  readonly staticIndex?: StaticIndexPublisher;
  readonly settings: ServerSettings;
  /** HTTP settings for requests to identity issuers and for badges. */
  readonly http: OutgoingHttp;
  readonly clock: Clock;
  readonly log: Log;
}

/** Services for changes. `records` are authorized for an actor, or unrestricted on the command line. */
export interface ChangeContext {
  readonly records: AuthorizedRecords;
  readonly clock: Clock;
}

/** Settings that the operator chose. */
export interface ServerSettings {
  /** URL under which clients reach the server: scheme, host and port, without a trailing slash. */
  readonly baseUrl: string;
  /** Whether index, downloads, search and pages need a token or a session too. */
  readonly authRequired: boolean;
  /** Whether published crates must follow the rules of crates.io. */
  readonly strict: boolean;
  /** Index URLs that dependencies may name besides this registry and crates.io; none if absent. */
  readonly dependencyRegistries?: readonly string[];
  /** Proxies whose `X-Forwarded-For` and `X-Request-Id` are trusted. */
  readonly trustedProxies: TrustedProxies;
  /** URL of the static files, without a trailing slash; absent if there are none. */
  readonly staticUrl?: string;
  /** Whether downloads redirect to the object store. */
  readonly redirectsDownloads?: boolean;
  /** Access to `/metrics`; only readers of the registry if absent. */
  readonly metrics?: MetricsAccess;
  /** How documentation of crates is shown; `full` if absent. */
  readonly documentation?: DocumentationMode;
  readonly limits: ServerLimits;
  /** The release of tsreg, for admins. */
  readonly version: string;
  /** How the registry presents itself to people, unless admins choose something else in the pages. */
  readonly identity: Identity;
  /** The parts of `identity` that flags set, so that admins cannot choose them; none if absent. */
  readonly fixedIdentity?: ReadonlySet<IdentityPart>;
  /** The sites whose badges readmes show, according to flags, none if empty; absent if admins choose in the pages. */
  readonly badgeHosts?: readonly string[];
}

/**
 * How documentation that owners uploaded is shown. `full`: with its scripts. `static`: without scripts. `off`: not at all,
 * and uploads are refused.
 */
export type DocumentationMode = 'full' | 'static' | 'off';

/** The parts of an identity, by the name of their flag. */
export type IdentityPart = 'name' | 'registry-name' | 'logo' | 'accent' | 'welcome';

/** How the registry presents itself on its pages. */
export interface Identity {
  /** The name of the site, in headers and titles. */
  readonly siteName: string;
  /** The registry's name in examples. Users may choose another one in their configuration. */
  readonly registryName: string;
  /** null for a monogram of the name. */
  readonly logo: Logo | null;
  /** The colour from which those of links and buttons are derived. */
  readonly accent: Colour;
  /** The text on the start page as HTML, which the renderer of readmes has sanitized; null for none. */
  readonly welcomeHtml: string | null;
}

/** An image file that stands for the registry. */
export interface Logo {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly kind: LogoKind;
}

/** The format of a logo, which is also the extension of its file. */
export type LogoKind = 'svg' | 'png' | 'webp' | 'jpg';

/** How `/metrics` is protected. */
export interface MetricsAccess {
  /** Required value of `Authorization: Bearer`; null for none. */
  readonly token: string | null;
  /** Whether `/metrics` has a separate listener instead of a path of the registry. */
  readonly hasOwnListener: boolean;
}

/** Limits for one client. */
export interface ServerLimits {
  /** Maximum bytes of a `.crate`. */
  readonly maxCrateBytes: number;
  /** Maximum bytes of publish metadata, and of other JSON bodies. */
  readonly maxMetadataBytes: number;
  /** Maximum bytes of an unpacked `.crate`. */
  readonly maxUnpackedBytes: number;
  /** Maximum files in a `.crate`. */
  readonly maxFiles: number;
  /** Changes (publish, yank, owners) per minute and user, also the maximum burst; 0 for no limit. */
  readonly changesPerMinute: number;
  /** Refused credentials per minute and client network, also the maximum burst; 0 for no limit. */
  readonly refusalsPerMinute: number;
}
