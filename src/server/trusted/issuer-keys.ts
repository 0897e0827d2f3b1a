/** Fetches public keys of issuers, according to OpenID Connect Discovery. */
import * as v from 'valibot';
import { TsregError } from '../../core/errors/error.ts';
import { Transport } from '../../io/http/transport.ts';
import type { Clock } from '../shared/clock.ts';
import type { OutgoingHttp } from '../shared/outgoing-http.ts';
import type { PublicJwk } from './jwt.ts';

const FETCH_TIMEOUT_MS = 10_000;
const MAX_BODY_BYTES = 512 * 1024;
const MAX_KEYS = 100;
/** How long keys are cached. */
const KEEP_MS = 10 * 60_000;
/** Minimum time between fetches for unknown keys or after a failure, which is cached for as long. */
const ASK_AGAIN_AFTER_MS = 30_000;
const MAX_ISSUERS = 1000;

const DISCOVERY = v.object({ issuer: v.string(), jwks_uri: v.string() });
const KEY_SET = v.object({ keys: v.pipe(v.array(v.looseObject({})), v.maxLength(MAX_KEYS)) });
const JWK = v.looseObject({
  kid: v.optional(v.string()),
  alg: v.optional(v.string()),
  use: v.optional(v.string()),
  kty: v.string(),
});

interface Entry {
  readonly keys: Promise<readonly PublicJwk[]>;
  readonly fetchedAtMs: number;
}

/** A cache of issuers' keys. Callers must ask only for issuers that an admin has named. */
export class IssuerKeys {
  readonly #clock: Clock;
  readonly #http: OutgoingHttp;
  readonly #entries = new Map<string, Entry>();

  constructor({ clock, http }: { readonly clock: Clock; readonly http: OutgoingHttp }) {
    this.#clock = clock;
    this.#http = http;
  }

  /**
   * Returns the keys of an issuer. Fetches them again if the key `keyId` is not cached, because issuers rotate keys.
   * Throws `network` if the keys cannot be fetched.
   */
  async find(issuer: string, keyId: string | null): Promise<readonly PublicJwk[]> {
    const nowMs = this.#clock.now();
    const known = this.#entries.get(issuer);
    const ageMs = known === undefined ? Number.POSITIVE_INFINITY : nowMs - known.fetchedAtMs;
    if (known !== undefined && ageMs < KEEP_MS) {
      if (ageMs < ASK_AGAIN_AFTER_MS) return await known.keys;
      const keys = await known.keys.catch(() => []);
      if (keys.some(({ kid }) => keyId === null || kid === keyId)) return keys;
    }
    // A concurrent call may have begun to fetch the keys meanwhile.
    const current = this.#entries.get(issuer);
    if (current !== undefined && current !== known) return await current.keys;
    const keys = this.#fetch(issuer);
    if (this.#entries.size >= MAX_ISSUERS) this.#entries.clear();
    this.#entries.set(issuer, { keys, fetchedAtMs: nowMs });
    return await keys;
  }

  async #fetch(issuer: string): Promise<readonly PublicJwk[]> {
    const ending = new AbortController();
    const timer = setTimeout(() => ending.abort(new Error('it takes too long')), FETCH_TIMEOUT_MS);
    const transport = new Transport({
      ...this.#http,
      ...{ gitProxy: () => Promise.resolve(null), offlineFlag: null, signal: ending.signal },
    });
    try {
      return await readKeys(issuer, transport);
    } catch (cause) {
      throw new TsregError(`cannot get the keys of the issuer \`${issuer}\``, { code: 'network', cause });
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

async function readKeys(issuer: string, transport: Transport): Promise<readonly PublicJwk[]> {
  const configuration = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const discovered = v.parse(DISCOVERY, await fetchJson(configuration, transport));
  if (discovered.issuer !== issuer)
    throw new Error(`its discovery document names the issuer \`${discovered.issuer.slice(0, 200)}\``);
  if (!isKeyAddress(discovered.jwks_uri, issuer)) throw new Error('its keys are not at an HTTPS address');
  const { keys } = v.parse(KEY_SET, await fetchJson(discovered.jwks_uri, transport));
  // Key sets may also contain unknown kinds of keys.
  return keys.flatMap((key) => {
    const parsed = v.safeParse(JWK, key);
    return parsed.success ? [asJwk(parsed.output)] : [];
  });
}

function isKeyAddress(text: string, issuer: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return (
    protocol === 'https:' || (issuer.startsWith('http:') && protocol === 'http:' && isThisMachine(hostname))
  );
}

/** Returns the fields of RSA and EC keys only. */
function asJwk(key: Readonly<Record<string, unknown>>): PublicJwk {
  const names = ['kty', 'kid', 'alg', 'use', 'n', 'e', 'crv', 'x', 'y'];
  return Object.fromEntries(
    names.flatMap((name) => (typeof key[name] === 'string' ? [[name, key[name]] as const] : [])),
  );
}

/** Fetches JSON without following redirects. Throws if the status is not 200 or the body is too large. */
async function fetchJson(url: string, transport: Transport): Promise<unknown> {
  const headers = { accept: 'application/json' };
  const { status, body } = await transport.send({ url, headers, maxBytes: MAX_BODY_BYTES }, { isOnce: true });
  if (status !== 200) throw new Error(`\`${url}\` responded with status ${status}`);
  return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
}
