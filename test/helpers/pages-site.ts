import { Hono } from 'hono';
import { scryptSync } from 'node:crypto';
import path from 'node:path';
import type { PublishMetadata } from '../../src/core/protocol/publish-metadata.ts';
import type { HttpEnv } from '../../src/server/http/http-env.ts';
import { HealthCheck } from '../../src/server/http/health-check.ts';
import { TrustedProxies } from '../../src/server/shared/trusted-proxies.ts';
import type { StoreLocation } from '../../src/server/admin/store-location.ts';
import { openStore } from '../../src/server/admin/open-store.ts';
import { pagesApp } from '../../src/server/pages/pages-app.ts';
import type { ServerContext, ServerSettings } from '../../src/server/server-context.ts';
import type { Store } from '../../src/server/store/store.ts';
import type { User } from '../../src/server/store/values.ts';
import { HTTP } from './mirror.ts';
import { TEST_IDENTITY } from './test-identity.ts';
import { makeTempDir } from './temp-dir.ts';
import { removeTestLocation, testLocation } from './test-location.ts';

/** The web pages over a private store, with a clock that the test sets. */
export interface PagesSite extends AsyncDisposable {
  readonly store: Store;
  readonly location: StoreLocation;
  readonly context: ServerContext;
  readonly app: Hono<HttpEnv>;
  /** The events of the log, with their values. */
  readonly logged: readonly { readonly event: string; readonly values: unknown }[];
  nowMs: number;
  /** Returns a browser without cookies. */
  browser(): TestBrowser;
  /** Creates a user with the password `PASSWORD`. */
  addUser(login: string, more?: { readonly isAdmin?: boolean; readonly name?: string }): Promise<User>;
  /** Publishes a version. Omitted fields of the metadata are empty. Without `archive`, its `.crate` is not an archive. */
  publish(
    owner: User,
    metadata: Partial<PublishMetadata> & Pick<PublishMetadata, 'name' | 'version'>,
    archive?: Uint8Array,
  ): Promise<void>;
}

/** The password of all users of a `PagesSite`. */
export const PASSWORD = 'correct horse battery';

/** A hash of `PASSWORD` that is cheap to check. */
export const QUICK_HASH = [
  'scrypt',
  4,
  1,
  1,
  'c2FsdA',
  scryptSync(PASSWORD, 'salt', 32, { N: 16, r: 1, p: 1 }).toString('base64url'),
].join('$');

/** The URL of a `PagesSite`. */
export const SITE_URL = 'http://127.0.0.1:7878';

/** Creates a site. `services` replace the default ones. */
export async function makePagesSite(
  settings: Partial<ServerSettings> = {},
  services: Partial<Pick<ServerContext, 'records' | 'http' | 'advisories'>> = {},
): Promise<PagesSite> {
  const dir = makeTempDir('pages');
  const place = await testLocation(path.join(dir.path, 'data'));
  const store = await openStore(place.location, place.env);
  const logged: { event: string; values: unknown }[] = [];
  const note = (event: string, values?: unknown): void => void logged.push({ event, values });
  const site = { nowMs: Date.UTC(2026, 2, 14, 9, 26, 53) };
  const context: ServerContext = {
    records: store.records,
    blobs: store.blobs,
    upstream: null,
    http: HTTP,
    settings: {
      baseUrl: SITE_URL,
      authRequired: false,
      strict: false,
      trustedProxies: new TrustedProxies([]),
      limits: {
        maxCrateBytes: 1e7,
        maxMetadataBytes: 1e6,
        maxUnpackedBytes: 1e8,
        maxFiles: 1000,
        changesPerMinute: 0,
        refusalsPerMinute: 0,
      },
      identity: TEST_IDENTITY,
      version: '1.2.3',
      ...settings,
    },
    clock: { now: () => site.nowMs },
    log: { info: note, warning: note, error: note },
    ...services,
  };
  const app = new Hono<HttpEnv>().route('/', pagesApp(context, new HealthCheck(context)));
  app.notFound((c) => c.json({ errors: [{ detail: 'not found' }] }, 404));

  return Object.assign(site, {
    store,
    location: place.location,
    context,
    app,
    logged,
    browser: () => new TestBrowser(app, context.settings.baseUrl),
    async addUser(
      login: string,
      { isAdmin = false, name }: { readonly isAdmin?: boolean; readonly name?: string } = {},
    ): Promise<User> {
      const made = await store.records.createUser({ login, name: name ?? null, isAdmin, atMs: site.nowMs });
      if (made === null) throw new Error(`${login} is taken`);
      await store.records.updateUser(made.id, { passwordHash: QUICK_HASH });
      return { ...made, hasPassword: true };
    },
    async publish(
      owner: User,
      given: Partial<PublishMetadata> & Pick<PublishMetadata, 'name' | 'version'>,
      archive?: Uint8Array,
    ): Promise<void> {
      const metadata: PublishMetadata = { ...EMPTY_METADATA, ...given };
      const writer = await store.blobs.begin();
      await writer.write(archive ?? new TextEncoder().encode(`${metadata.name} ${metadata.version}`));
      const { key, checksum } = await writer.finish();
      const line = {
        name: metadata.name,
        vers: metadata.version,
        deps: [],
        cksum: checksum,
        features: {},
        yanked: false,
      };
      const outcome = await store.records.publishVersion({
        metadata,
        indexLine: JSON.stringify(line),
        checksum,
        size: archive?.length ?? 1000 + metadata.name.length * 997,
        blobKey: key,
        atMs: site.nowMs,
        actor: { user: owner, token: null },
        isStored: true,
      });
      if (outcome.kind !== 'published') throw new Error(`not published: ${outcome.kind}`);
    },
    async [Symbol.asyncDispose]() {
      await store.close();
      await removeTestLocation(place);
      dir.remove();
    },
  });
}

const EMPTY_METADATA: Omit<PublishMetadata, 'name' | 'version'> = {
  dependencies: [],
  features: new Map(),
  authors: [],
  description: null,
  documentation: null,
  homepage: null,
  readme: null,
  readmeFile: null,
  keywords: [],
  categories: [],
  license: null,
  licenseFile: null,
  repository: null,
  badges: new Map(),
  links: null,
  rustVersion: null,
};

/** A received page. */
export interface TestPage {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

/** Requests pages as a browser does: with its cookies, and with the headers and hidden fields of forms. */
export class TestBrowser {
  readonly cookies = new Map<string, string>();
  readonly #app: Hono<HttpEnv>;
  readonly #url: string;

  constructor(app: Hono<HttpEnv>, url: string) {
    this.#app = app;
    this.#url = url;
  }

  async get(address: string, headers: Record<string, string> = {}): Promise<TestPage> {
    return this.#ask(address, { headers: { accept: 'text/html', ...headers } });
  }

  /** Sends fields to `address` without loading a page first. */
  async post(
    address: string,
    fields: Record<string, string> | URLSearchParams,
    headers: Record<string, string> = {},
  ): Promise<TestPage> {
    return this.#ask(address, {
      method: 'POST',
      headers: {
        accept: 'text/html',
        origin: this.#url,
        'sec-fetch-site': 'same-origin',
        'content-type': 'application/x-www-form-urlencoded',
        ...headers,
      },
      body: new URLSearchParams(fields).toString(),
    });
  }

  /** Loads `page`, reads the CSRF token of its first form, and sends it with `fields` to `action`. */
  async submit(
    page: string,
    action: string,
    fields: Record<string, string> | URLSearchParams,
  ): Promise<TestPage> {
    const { text } = await this.get(page);
    const filled = new URLSearchParams(fields);
    filled.set('csrf', proofIn(text));
    return this.post(action, filled);
  }

  /** Sends a form with files as `submit` does. */
  async upload(
    page: string,
    action: string,
    fields: Readonly<Record<string, string | Blob>>,
  ): Promise<TestPage> {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    form.set('csrf', proofIn((await this.get(page)).text));
    const body = new Response(form);
    const type = body.headers.get('content-type') ?? '';
    return this.#ask(action, {
      method: 'POST',
      headers: { accept: 'text/html', origin: this.#url, 'content-type': type },
      body: await body.arrayBuffer(),
    });
  }

  async signIn(login: string, password = PASSWORD): Promise<TestPage> {
    return this.submit('/sign-in', '/sign-in', { login, password, return: '/me' });
  }

  async #ask(
    address: string,
    init: { method?: string; body?: string | ArrayBuffer; headers: Record<string, string> },
  ): Promise<TestPage> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { host: new URL(this.#url).host, ...(cookie === '' ? {} : { cookie }), ...init.headers };
    const answer = await this.#app.request(`${this.#url}${address}`, { ...init, headers }, {});
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/max-age=0/i.test(line)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    return { status: answer.status, text: await answer.text(), headers: answer.headers };
  }
}

/** Returns the first CSRF token in a page; an empty string if there is none. */
export function proofIn(page: string): string {
  return /name="csrf" value="([^"]+)"/.exec(page)?.[1] ?? '';
}
