/** Public keys of issuers, fetched as OpenID Connect Discovery says. */
import * as v from 'valibot';
import { TsregError } from '../../errors/error.ts';
import { Transport } from '../../http/transport.ts';
import type { Clock } from '../clock.ts';
import type { OutgoingHttp } from '../outgoing-http.ts';
import type { PublicJwk } from './jwt.ts';

const FETCH_TIMEOUT_MS = 10_000;
const MAX_BODY_BYTES = 512 * 1024;
const MAX_KEYS = 100;
/** For how long keys are good without being asked for again. */
const KEEP_MS = 10 * 60_000;
/** Keys that are not known are looked for at most this often, and failures remembered for as long. */
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

/** Keys of issuers, kept for some minutes. Must only be asked for issuers that an admin has named. */
export class IssuerKeys {
  readonly #clock: Clock;
  readonly #http: OutgoingHttp;
  readonly #entries = new Map<string, Entry>();

  constructor({ clock, http }: { readonly clock: Clock; readonly http: OutgoingHttp }) {
    this.#clock = clock;
    this.#http = http;
  }

  /**
   * The keys of an issuer; fetched anew where the key of that name is not among them, as issuers change their keys.
   * Throws `network` where they cannot be had.
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
    // Whoever was faster has put another entry there meanwhile.
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

/** True for what issuers and their keys are fetched from: HTTPS, or this machine. */
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
  // Kinds of keys that are not known here stand beside those that are.
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

/** What RSA and EC keys have; everything else is left out. */
function asJwk(key: Readonly<Record<string, unknown>>): PublicJwk {
  const names = ['kty', 'kid', 'alg', 'use', 'n', 'e', 'crv', 'x', 'y'];
  return Object.fromEntries(
    names.flatMap((name) => (typeof key[name] === 'string' ? [[name, key[name]] as const] : [])),
  );
}

/** Follows no redirection, and takes no answer that is too long. */
async function fetchJson(url: string, transport: Transport): Promise<unknown> {
  const headers = { accept: 'application/json' };
  const { status, body } = await transport.send({ url, headers, maxBytes: MAX_BODY_BYTES }, { isOnce: true });
  if (status !== 200) throw new Error(`\`${url}\` responded with status ${status}`);
  return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
}
