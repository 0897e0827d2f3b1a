/** Fetches badges of other sites for readers, whose address, cookies and referrer these sites never get. */
import { headerValue, type HttpResponse } from '../../io/http/message.ts';
import { Transport } from '../../io/http/transport.ts';
import { badgeAddress, REDIRECT_HOSTS } from './badge-hosts.ts';
import type { Clock } from './clock.ts';
import type { Log } from './log.ts';
import type { OutgoingHttp } from './outgoing-http.ts';
import { reasonOf } from './reason-of.ts';
import { RecentValues } from './recent-values.ts';
import { Slots } from './slots.ts';
import { withinTime } from './within-time.ts';

/** A badge, or another small image that a site sent as one. */
export interface BadgeImage {
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** How long clients and this server use a badge. */
export const BADGE_MAX_AGE_MS = 10 * 60_000;
/** How long a failure counts. */
export const FAILED_BADGE_MAX_AGE_MS = 60_000;

const MAX_BYTES = 64 * 1024;
const TIMEOUT_MS = 5000;
const MAX_REDIRECTS = 3;
/** Requests to one site at a time, and others that wait for their turn: a slow site must not delay the others. */
const MAX_REQUESTS = 4;
const MAX_WAITING = 50;
const MAX_CACHED_BYTES = 16 * 1024 * 1024;
/** Memory for the address and the headers of a badge, and for a failure. */
const MIN_ENTRY_BYTES = 2048;

const IMAGE_TYPES: ReadonlySet<string> = new Set([
  'image/svg+xml',
  'image/png',
  'image/gif',
  'image/webp',
  'image/jpeg',
]);

/** The error if a badge had to wait too long for its turn. The next request tries again. */
class TooManyBadges extends Error {
  override readonly name = 'TooManyBadges';
}

/** A result; `image` is null if the badge could not be fetched. */
interface FetchResult {
  readonly image: BadgeImage | null;
}

interface Context {
  readonly http: OutgoingHttp;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * A cache of badges. It does not check the addresses of networks to which names lead: names come from the list of the
 * operator, and each site must prove its name with a certificate, which a server in the private network does not have.
 */
export class RemoteBadges {
  readonly #context: Context;
  /** By the name of the site. Names come from a short list. */
  readonly #slots = new Map<string, Slots>();
  readonly #badges: RecentValues<FetchResult>;
  /** One for all requests, because reading the trusted certificates takes long. */
  readonly #transport: Transport;
  #requests = 0;

  constructor(context: Context) {
    this.#context = context;
    this.#transport = new Transport({
      ...context.http,
      timeoutMs: TIMEOUT_MS,
      // No badge is that large, so every transfer is over after this timeout.
      lowSpeedLimit: MAX_BYTES,
      gitProxy: () => Promise.resolve(null),
      offlineFlag: null,
      signal: new AbortController().signal,
    });
    this.#badges = new RecentValues({
      clock: context.clock,
      maxAgeMs: ({ image }) => (image === null ? FAILED_BADGE_MAX_AGE_MS : BADGE_MAX_AGE_MS),
      maxSize: MAX_CACHED_BYTES,
      sizeOf: ({ image }) => MIN_ENTRY_BYTES + (image?.bytes.length ?? 0),
    });
  }

  /**
   * Returns the badge at an address that `badgeAddress` returned for `hosts`, from the cache if it is recent; null if it
   * cannot be fetched. Redirects must stay on these hosts and `REDIRECT_HOSTS`.
   */
  async find(address: string, hosts: readonly string[]): Promise<BadgeImage | null> {
    const fetch = (): Promise<FetchResult> =>
      this.#slotsOf(address).run(
        () => this.#tryFetch(address, hosts),
        () => new TooManyBadges(),
      );
    try {
      return (await this.#badges.get(address, fetch)).image;
    } catch (error) {
      if (error instanceof TooManyBadges) return null;
      throw error;
    }
  }

  #slotsOf(address: string): Slots {
    const { hostname } = new URL(address);
    const slots =
      this.#slots.get(hostname) ?? new Slots(MAX_REQUESTS, MAX_WAITING, { maxWaitMs: TIMEOUT_MS });
    this.#slots.set(hostname, slots);
    return slots;
  }

  async #tryFetch(address: string, hosts: readonly string[]): Promise<FetchResult> {
    try {
      return { image: await this.#fetch(address, hosts) };
    } catch (error) {
      // The query may contain a token.
      const url = address.replace(/\?.*/, '');
      this.#context.log.info('badge-not-fetched', { url, reason: reasonOf(error) });
      return { image: null };
    }
  }

  async #fetch(address: string, hosts: readonly string[]): Promise<BadgeImage> {
    this.#requests += 1;
    const response = this.#follow(address, hosts).finally(() => {
      this.#requests -= 1;
      // Idle connections would keep a server that stops alive.
      if (this.#requests === 0) void this.#transport.close();
    });
    const tooLate = (): Error => new Error('it takes too long');
    return imageOf(await withinTime(response, { timeoutMs: TIMEOUT_MS, tooLate }));
  }

  /** Requests a badge and follows its redirects. Sends no request after `TIMEOUT_MS`. */
  async #follow(address: string, hosts: readonly string[]): Promise<HttpResponse> {
    const headers = { accept: [...IMAGE_TYPES].join(', ') };
    const nextHosts = [...hosts, ...REDIRECT_HOSTS];
    const untilMs = performance.now() + TIMEOUT_MS;
    let url = address;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
      const request = { url, headers, maxBytes: MAX_BYTES };
      const response = await this.#transport.send(request, { isFollowed: false });
      const location = headerValue(response, 'location');
      if (response.status < 300 || response.status > 399 || location === null) return response;
      const next = URL.canParse(location, url) ? badgeAddress(new URL(location, url).href, nextHosts) : null;
      if (next === null) throw new Error('it redirects to an address that is not in the list of badges');
      if (performance.now() > untilMs) throw new Error('it takes too long');
      url = next;
    }
    throw new Error(`it redirects more than ${MAX_REDIRECTS} times`);
  }
}

function imageOf(response: HttpResponse): BadgeImage {
  if (response.status !== 200) throw new Error(`it responded with status ${response.status}`);
  const type = (headerValue(response, 'content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (!IMAGE_TYPES.has(type)) throw new Error('it is not an image');
  return { type, bytes: new Uint8Array(response.body) };
}
