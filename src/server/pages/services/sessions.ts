/** Sessions of browsers: a random ID in a signed cookie, of which the store keeps a hash. */
import { createHash, randomBytes } from 'node:crypto';
import { getCookie, setCookie } from 'hono/cookie';
import type { ServerContext } from '../../server-context.ts';
import type { Actor, User } from '../../store/values.ts';
import type { HttpContext } from '../../http/http-env.ts';
import { equalTexts, sign } from '../shared/form-proof.ts';

/** Lifetime of a session. */
const SESSION_MS = 14 * 24 * 60 * 60 * 1000;

/** How long a browser is known after a sign-in: the maximum lifetime of a cookie. RFC 6265bis, section 5.5. */
const DEVICE_SECONDS = 400 * 24 * 60 * 60;

/** More than any secret in a cookie has, so that long input is not hashed. */
const MAX_SECRET_CHARS = 100;

/** A user, and the hash of the password with which a device signed in. */
export interface DeviceOwner {
  readonly user: User;
  readonly passwordHash: string;
}

/** A user with a session. */
export interface SignedIn {
  readonly user: User;
  /** For changes that the user makes in this session. */
  readonly actor: Actor;
  /** The secret in the cookie. */
  readonly sessionId: string;
}

/** The sessions and known devices of a site. */
export class Sessions {
  readonly #context: ServerContext;
  readonly #isSecure: boolean;

  /** Cookies are for the site at `context.settings.baseUrl`, and sent only over TLS if that uses it. */
  constructor(context: ServerContext) {
    this.#context = context;
    this.#isSecure = new URL(context.settings.baseUrl).protocol === 'https:';
  }

  /** Returns the user of a request; null if the cookie is missing, forged or expired, or if the user is disabled. */
  async find(c: HttpContext): Promise<SignedIn | null> {
    const { records, clock } = this.#context;
    const sessionId = await this.#verify(getCookie(c, this.#name('session')));
    if (sessionId === null) return null;
    const session = await records.findSession(hashOf(sessionId));
    if (session === null || session.expiresAtMs <= clock.now() || session.user.isDisabled) return null;
    const { user } = session;
    const credential = { kind: 'session', idHash: hashOf(sessionId) } as const;
    return { user, actor: { user, token: null, credential }, sessionId };
  }

  /**
   * Signs in a user whose password was just checked, and ends the browser's previous session. Throws `NoLongerAllowed`
   * if the user was disabled or the password changed meanwhile.
   */
  async start(c: HttpContext, { user, passwordHash }: DeviceOwner): Promise<void> {
    const { records, clock } = this.#context;
    await this.end(c);
    const sessionId = randomBytes(32).toString('base64url');
    const createdAtMs = clock.now();
    const expiresAtMs = createdAtMs + SESSION_MS;
    const credential = { kind: 'password', hash: passwordHash } as const;
    const authorized = records.authorize({ user, token: null, credential }, clock);
    await authorized.createSession(hashOf(sessionId), { userId: user.id, createdAtMs, expiresAtMs });
    this.#set(c, 'session', { value: await this.#signed(sessionId), maxAgeSeconds: SESSION_MS / 1000 });
  }

  /** Signs out the browser, and every copy of the cookie. */
  async end(c: HttpContext): Promise<void> {
    const sessionId = await this.#verify(getCookie(c, this.#name('session')));
    if (sessionId !== null) await this.#context.records.deleteSession(hashOf(sessionId));
    this.#set(c, 'session', { value: '', maxAgeSeconds: 0 });
  }

  /** Returns the secret of a browser without a session. Creates it, and sets its cookie, if it does not exist. */
  async visitor(c: HttpContext): Promise<string> {
    const known = await this.knownVisitor(c);
    if (known !== null) return known;
    const secret = randomBytes(24).toString('base64url');
    this.#set(c, 'visitor', { value: await this.#signed(secret), maxAgeSeconds: null });
    return secret;
  }

  /** Returns the secret of `visitor`; null if the browser has none. */
  async knownVisitor(c: HttpContext): Promise<string | null> {
    return this.#verify(getCookie(c, this.#name('visitor')));
  }

  /** Returns the ID of a browser that has signed in as this user with this password before; null for any other. */
  async knownDevice(c: HttpContext, owner: DeviceOwner): Promise<string | null> {
    return this.#verify(getCookie(c, this.#name(deviceCookie(owner))), purposeOf(owner));
  }

  /** Marks a browser as known because it has signed in as this user with this password. */
  async rememberDevice(c: HttpContext, owner: DeviceOwner): Promise<void> {
    const device = (await this.knownDevice(c, owner)) ?? randomBytes(24).toString('base64url');
    const value = await this.#signed(device, purposeOf(owner));
    this.#set(c, deviceCookie(owner), { value, maxAgeSeconds: DEVICE_SECONDS });
  }

  /** Returns a signed cookie. `purpose` prevents the use of one kind of cookie as another. */
  async #signed(secret: string, purpose = ''): Promise<string> {
    return `${secret}.${sign(await this.#context.records.secret('cookies'), purpose + secret)}`;
  }

  /** Returns the secret in a signed cookie; null if it is missing, forged or has another purpose. */
  async #verify(cookie: string | undefined, purpose = ''): Promise<string | null> {
    const [secret = '', signature = ''] = cookie?.split('.') ?? [];
    if (secret === '' || signature === '' || secret.length > MAX_SECRET_CHARS) return null;
    const expected = sign(await this.#context.records.secret('cookies'), purpose + secret);
    return equalTexts(signature, expected) ? secret : null;
  }

  /** Sets a cookie. `maxAgeSeconds` is null for a cookie that ends with the browser, and 0 removes the cookie. */
  #set(
    c: HttpContext,
    name: string,
    { value, maxAgeSeconds }: { readonly value: string; readonly maxAgeSeconds: number | null },
  ): void {
    setCookie(c, this.#name(name), value, {
      path: '/',
      httpOnly: true,
      sameSite: 'Lax',
      secure: this.#isSecure,
      ...(maxAgeSeconds === null ? {} : { maxAge: maxAgeSeconds }),
    });
  }

  /**
   * Adds a prefix. Browsers accept `__Host-` cookies only from the exact host, over TLS. RFC 6265bis, section 4.1.3.
   */
  #name(name: string): string {
    return this.#isSecure ? `__Host-tsreg-${name}` : `tsreg-${name}`;
  }
}

/** Returns a separate name for each user of a shared browser. */
function deviceCookie({ user }: DeviceOwner): string {
  return `device-${user.id}`;
}

/**
 * Returns the purpose of a device's cookie. It contains the password hash, so that a new password makes all devices
 * unknown: someone with the old one could have made any number of them.
 */
function purposeOf({ user, passwordHash }: DeviceOwner): string {
  return `device ${user.id} ${passwordHash} `;
}

function hashOf(sessionId: string): string {
  return createHash('sha256').update(sessionId).digest('hex');
}
