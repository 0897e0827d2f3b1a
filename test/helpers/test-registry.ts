import path from 'node:path';
import { TrustedProxies } from '../../src/server/shared/trusted-proxies.ts';
import { openStore } from '../../src/server/admin/open-store.ts';
import { ArchiveChecks } from '../../src/server/publish/archive-check.ts';
import { publish } from '../../src/server/publish/publish.ts';
import type { PublishResult } from '../../src/server/publish/publish-result.ts';
import type { ServerContext, ServerLimits } from '../../src/server/server-context.ts';
import type { StoreLocation } from '../../src/server/admin/store-location.ts';
import type { Records, Store } from '../../src/server/store/store.ts';
import type { Actor, Token, User } from '../../src/server/store/values.ts';
import { makeSecret, TOKEN_SCOPES } from '../../src/server/auth/tokens.ts';
import { HTTP } from './mirror.ts';
import { makeTempDir } from './temp-dir.ts';
import { TEST_IDENTITY } from './test-identity.ts';
import { removeTestLocation, testLocation } from './test-location.ts';

/** A registry in a folder, without a server. Its clock advances a second at each reading. */
export interface TestRegistry extends AsyncDisposable {
  readonly folder: string;
  readonly location: StoreLocation;
  readonly store: Store;
  /** With access to all records, as local commands have it. */
  readonly context: ServerContext & { readonly records: Records };
  nowMs: number;
  user(login: string, isAdmin?: boolean): Promise<User>;
  /** Returns the user with a token of all scopes, unless `more` changes that. */
  tokenOf(user: User, more?: Partial<Pick<Token, 'scopes' | 'cratePatterns'>>): Promise<Actor>;
  publish(actor: Actor, body: Uint8Array, isDryRun?: boolean): Promise<PublishResult>;
}

/** The limits of a `TestRegistry`. */
export const TEST_LIMITS: ServerLimits = {
  maxCrateBytes: 1_000_000,
  maxMetadataBytes: 100_000,
  maxUnpackedBytes: 4_000_000,
  maxFiles: 200,
  changesPerMinute: 0,
  refusalsPerMinute: 0,
};

/** The archive checker of all test registries. */
export const TEST_CHECKS = new ArchiveChecks();

/** The URL of a `TestRegistry`. */
export const TEST_URL = 'http://127.0.0.1:7878';

/** Opens a registry in `folder`, or in a temporary folder that is removed with it. */
export async function openTestRegistry(
  options: {
    readonly folder?: string;
    readonly strict?: boolean;
    readonly dependencyRegistries?: readonly string[];
  } = {},
): Promise<TestRegistry> {
  const dir = options.folder === undefined ? makeTempDir('registry') : null;
  const folder = options.folder ?? path.join(dir?.path ?? '', 'data');
  const place = await testLocation(folder);
  const store = await openStore(place.location, place.env);
  const silent = (): void => undefined;
  const registry: TestRegistry = {
    folder,
    location: place.location,
    store,
    nowMs: Date.UTC(2026, 0, 2, 3, 4, 5),
    context: {
      records: store.records,
      blobs: store.blobs,
      upstream: null,
      settings: {
        baseUrl: TEST_URL,
        authRequired: false,
        strict: options.strict ?? false,
        dependencyRegistries: options.dependencyRegistries ?? [],
        trustedProxies: new TrustedProxies([]),
        limits: TEST_LIMITS,
        identity: TEST_IDENTITY,
        version: '1.2.3',
      },
      clock: { now: () => (registry.nowMs += 1000) },
      http: HTTP,
      log: { info: silent, warning: silent, error: silent },
    },
    async user(login, isAdmin = false) {
      const made = await store.records.createUser({ login, name: null, isAdmin, atMs: registry.nowMs });
      const user = made ?? (await store.records.findUser(login));
      if (user === null) throw new Error(`no user ${login}`);
      return user;
    },
    async tokenOf(user, more = {}) {
      const { hash, prefix } = makeSecret();
      const token = await store.records.createToken({
        userId: user.id,
        name: 'test',
        hash,
        prefix,
        scopes: TOKEN_SCOPES,
        cratePatterns: [],
        createdAtMs: registry.nowMs,
        expiresAtMs: null,
        ...more,
      });
      return { user, token };
    },
    publish: (actor, body, isDryRun = false) =>
      publish(registry.context, { body: inChunks(body), actor, isDryRun, checks: TEST_CHECKS }),
    async [Symbol.asyncDispose]() {
      await store.close();
      if (dir !== null) await removeTestLocation(place);
      dir?.remove();
    },
  };
  return registry;
}

/** Yields a body in uneven chunks, as a socket would. */
async function* inChunks(body: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0, size = 1; at < body.length; at += size, size = (size * 7) % 65_521) {
    yield body.subarray(at, at + size);
  }
}
