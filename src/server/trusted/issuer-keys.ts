/** Fetches public keys of issuers, according to OpenID Connect Discovery. */
import type { JWK } from 'jose';
import { TsregError } from '../../core/errors/error.ts';
import { type Decoder, decodeOrNull, field, fields, list, object, string } from '../../core/json/decode.ts';
import { Transport } from '../../io/http/transport.ts';
import type { Clock } from '../shared/clock.ts';
import type { OutgoingHttp } from '../shared/outgoing-http.ts';

const FETCH_TIMEOUT_MS = 10_000;
const MAX_BODY_BYTES = 512 * 1024;
const MAX_KEYS = 100;
/** How long keys are cached. */
const CACHED_FOR_MS = 10 * 60_000;
/** Minimum time between fetches. The failure of a fetch is cached for as long. */
const REFETCH_AFTER_MS = 30_000;
/** Above this number, all cached keys are dropped. */
const MAX_ISSUERS = 1000;

const decodeDiscovery = object({ issuer: field('issuer', string), keyAddress: field('jwks_uri', string) });
const decodeKeySet = field('keys', list);

/** The error if the keys of an issuer cannot be fetched. */
export class IssuerAway extends TsregError {
  constructor(issuer: string, cause: unknown) {
    super(`cannot get the keys of the issuer \`${issuer}\``, { code: 'network', cause });
  }
}

/** The keys of an issuer. */
interface CachedKeys {
  readonly keys: readonly JWK[];
  readonly fetchedAtMs: number;
}

/** A fetch of an issuer's keys, running or done. */
interface Fetch {
  readonly keys: Promise<readonly JWK[]>;
  readonly startedAtMs: number;
}

/** A cache of issuers' keys. Callers must ask only for issuers of publishers, which are public or named by an admin. */
export class IssuerKeys {
  readonly #clock: Clock;
  readonly #http: OutgoingHttp;
  /** Apart from the newest fetches, because a failed one must not replace keys. Anyone can cause one by an unknown ID. */
  readonly #cached = new Map<string, CachedKeys>();
  readonly #newestFetches = new Map<string, Fetch>();

  constructor({ clock, http }: { readonly clock: Clock; readonly http: OutgoingHttp }) {
    this.#clock = clock;
    this.#http = http;
  }

  /**
   * Returns the keys of an issuer. Fetches them again if the key `keyId` is not cached, because issuers rotate keys.
   * Throws `IssuerAway` if the keys cannot be fetched.
   */
  async find(issuer: string, keyId: string | null): Promise<readonly JWK[]> {
    const nowMs = this.#clock.now();
    const cached = this.#cached.get(issuer);
    if (cached !== undefined && nowMs - cached.fetchedAtMs < CACHED_FOR_MS) {
      if (cached.keys.some(({ kid }) => keyId === null || kid === keyId)) return cached.keys;
    }
    const newest = this.#newestFetches.get(issuer);
    if (newest !== undefined && nowMs - newest.startedAtMs < REFETCH_AFTER_MS) return await newest.keys;
    if (this.#newestFetches.size >= MAX_ISSUERS) {
      this.#newestFetches.clear();
      this.#cached.clear();
    }
    const fetching = this.#fetch(issuer);
    this.#newestFetches.set(issuer, { keys: fetching, startedAtMs: nowMs });
    const keys = await fetching;
    this.#cached.set(issuer, { keys, fetchedAtMs: nowMs });
    return keys;
  }

  async #fetch(issuer: string): Promise<readonly JWK[]> {
    const abortController = new AbortController();
    const timer = setTimeout(() => abortController.abort(new Error('it takes too long')), FETCH_TIMEOUT_MS);
    const transport = new Transport({
      ...this.#http,
      gitProxy: () => Promise.resolve(null),
      offlineFlag: null,
      signal: abortController.signal,
    });
    try {
      return await readKeys(issuer, transport);
    } catch (cause) {
      throw new IssuerAway(issuer, cause);
    } finally {
      clearTimeout(timer);
      await transport.close();
    }
  }
}

/** Returns true for an HTTPS URL, or an HTTP URL of this machine, without credentials, query and fragment. */
export function isIssuerUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password, search, hash } = new URL(text);
  if (username !== '' || password !== '' || search !== '' || hash !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && isThisMachine(hostname));
}

function isThisMachine(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d+){3}$/.test(hostname);
}

async function readKeys(issuer: string, transport: Transport): Promise<readonly JWK[]> {
  const configuration = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const discovery = decodeDiscovery(await fetchJson(configuration, transport));
  if (discovery.issuer !== issuer)
    throw new Error(`its discovery document names the issuer \`${discovery.issuer.slice(0, 200)}\``);
  if (!isKeyAddress(discovery.keyAddress, issuer)) throw new Error('its keys are not at an HTTPS address');
  const keys = decodeKeySet(await fetchJson(discovery.keyAddress, transport));
  if (keys.length > MAX_KEYS) throw new Error(`it has more than ${MAX_KEYS} keys`);
  // Key sets may also contain unknown kinds of keys. RFC 7517, section 5: ignore them.
  return keys.map((key) => decodeOrNull(decodeJwk, key)).filter((key) => key !== null);
}

/** Returns true for an HTTPS URL. For an issuer on this machine, HTTP to this machine is allowed too. */
function isKeyAddress(text: string, issuer: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return (
    protocol === 'https:' || (issuer.startsWith('http:') && protocol === 'http:' && isThisMachine(hostname))
  );
}

const OPTIONAL_FIELDS = ['kid', 'alg', 'use', 'n', 'e', 'crv', 'x', 'y'];

/** Decodes the fields of RSA and EC keys, and no others. */
const decodeJwk: Decoder<JWK> = (value) => {
  const key = fields(value);
  const names = OPTIONAL_FIELDS.filter((name) => key[name] !== undefined);
  return {
    kty: string(key['kty']),
    ...Object.fromEntries(names.map((name) => [name, string(key[name])])),
  };
};

/** Fetches JSON without following redirects. Throws if the status is not 200 or the body is too large. */
async function fetchJson(url: string, transport: Transport): Promise<unknown> {
  const headers = { accept: 'application/json' };
  const { status, body } = await transport.send({ url, headers, maxBytes: MAX_BODY_BYTES }, { isOnce: true });
  if (status !== 200) throw new Error(`\`${url}\` responded with status ${status}`);
  return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
}
