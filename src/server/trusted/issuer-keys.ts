/** Public keys of issuers, fetched as OpenID Connect Discovery says. */
import * as v from 'valibot';
import { TsregError } from '../../errors/error.ts';
import type { Clock } from '../clock.ts';
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
  readonly #entries = new Map<string, Entry>();

  constructor(clock: Clock) {
    this.#clock = clock;
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
    const keys = fetchKeys(issuer);
    if (this.#entries.size >= MAX_ISSUERS) this.#entries.clear();
    this.#entries.set(issuer, { keys, fetchedAtMs: nowMs });
    return await keys;
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

async function fetchKeys(issuer: string): Promise<readonly PublicJwk[]> {
  try {
    const discovered = v.parse(
      DISCOVERY,
      await fetchJson(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`),
    );
    if (discovered.issuer !== issuer)
      throw new Error(`it calls itself \`${discovered.issuer.slice(0, 200)}\``);
    if (!isKeyAddress(discovered.jwks_uri, issuer)) throw new Error('its keys are not at an HTTPS address');
    const { keys } = v.parse(KEY_SET, await fetchJson(discovered.jwks_uri));
    // Kinds of keys that are not known here stand beside those that are.
    return keys.flatMap((key) => {
      const parsed = v.safeParse(JWK, key);
      return parsed.success ? [asJwk(parsed.output)] : [];
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new TsregError(`the keys of the issuer \`${issuer}\` cannot be had: ${reason}`, {
      code: 'network',
    });
  }
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

async function fetchJson(url: string): Promise<unknown> {
  const answer = await fetch(url, {
    headers: { accept: 'application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(FETCH_TIMEOUT_MS),
  });
  if (!answer.ok || answer.body === null) {
    await answer.body?.cancel();
    throw new Error(`\`${url}\` is answered with ${answer.status}`);
  }
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of answer.body) {
    length += chunk.byteLength;
    if (length > MAX_BODY_BYTES)
      throw new Error(`\`${url}\` is answered with more than ${MAX_BODY_BYTES} bytes`);
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString('utf8'));
}
