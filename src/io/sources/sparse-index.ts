/** An index served as files over HTTP, and its cache. Cargo Book: Registry Index, Sparse protocol. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isHttpConfigured, isNetConfigured } from '../config/network-settings.ts';
import { inputRecorder } from '../disk/input-recorder.ts';
import { errnoOf, osErrorText } from '../disk/errno.ts';
import { writeFileAtomic } from '../disk/write-file-atomic.ts';
import { TsregError } from '../../core/errors/error.ts';
import { checkUri } from '../http/check-uri.ts';
import { headerValue, type HttpRequest, type HttpResponse, shownHeaders } from '../http/message.ts';
import { type Outcome, sendPrefetch, sendWithRetries } from '../http/retry.ts';
import { StatusError } from '../http/status-error.ts';
import { describeIndex } from '../../core/package-id/describe.ts';
import type { SourceId } from '../../core/package-id/source-id.ts';
import { authorizationOf } from '../../core/protocol/check-token.ts';
import { hideSecret } from '../../core/protocol/hide-secret.ts';
import { decodeIndexConfig, INDEX_CONFIG_FILE, type IndexConfig } from '../../core/protocol/index-config.ts';
import { type PrefetchedFile, IndexPrefetch } from './index-prefetch.ts';
import { encodeIndexCache, type IndexFile, readIndexCache, splitIndexFile } from './index-cache.ts';
import type { RegistryAccess } from './registry-access.ts';
import { type RegistryFolders, registryFoldersOf } from './registry-folders.ts';
import type { SourceContext } from './source-context.ts';

/** Ten times the largest file of crates.io. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;
const MAX_CONFIG_BYTES = 1024 * 1024;
const CACHE = '.cache';
const UNKNOWN_REVISION = 'Unknown';

/** The result of a request for an index file. */
type Loaded = { readonly bytes: Buffer; readonly revision: string } | 'not-modified' | 'not-found';

/**
 * Reads an index. All methods need the lock on the package cache. `home` is the folder that it allows to write to. The
 * comment of `SparseRegistry` lists what `expire` and `invalidate` clear.
 */
export class SparseIndex {
  readonly #source: SourceId;
  readonly #context: SourceContext;
  readonly #access: RegistryAccess;
  readonly #foldersBelow: (home: string) => RegistryFolders;
  readonly #files = new Map<string, Promise<IndexFile | null>>();
  readonly #ahead = new IndexPrefetch();
  #expected: ReadonlySet<string> = new Set();
  #isUpdated = false;
  #hasFetched = false;
  #config: Promise<IndexConfig | null> | null = null;
  #needsToken = false;
  /** Headers of a 401 response, which describe how to log in. */
  #challenge: readonly (readonly [string, string])[] = [];
  #hasWarned = false;

  /** `source` is the registry of this index. Throws if its URL cannot be that of an index. */
  constructor(source: SourceId, context: SourceContext, access: RegistryAccess) {
    checkSparseIndexUrl(source);
    this.#source = source;
    this.#context = context;
    this.#access = access;
    this.#foldersBelow = registryFoldersOf(source);
  }

  /** False while cached files are used without a request. */
  get isUpdated(): boolean {
    return this.#isUpdated;
  }

  /** Requests every file once before its next use. */
  invalidate(): void {
    this.expire();
    this.#hasFetched = false;
  }

  /** Like `invalidate`, for repeated queries: does not announce the update again. */
  expire(): void {
    this.#isUpdated = true;
    this.#files.clear();
    this.#config = null;
  }

  /**
   * Prefetches files (`ab/cd/abcdef`) that will most likely be used, once `config.json` is known. Skips cached files
   * that need no request. Unused files leave no trace. Ends with `cancelPrefetch`.
   */
  prefetch(paths: Iterable<string>): void {
    this.#expected = new Set(paths);
  }

  /** Cancels the prefetch. */
  cancelPrefetch(): void {
    this.#expected = new Set();
    this.#ahead.stop();
  }

  /**
   * Prints `Updating`, once. Returns false if no request follows: the network is forbidden, or `[net]` or `[http]` is
   * invalid, which the next request reports.
   */
  announce(): boolean {
    const { config, offlineFlag, report } = this.#context;
    if (offlineFlag !== null) return false;
    const isNetRight = isNetConfigured(config);
    if (isNetRight && !this.#hasFetched) report.status('Updating', describeIndex(this.#source));
    this.#hasFetched = true;
    return isNetRight && isHttpConfigured(config);
  }

  /** Returns the cached file at `path` (`ab/cd/abcdef`), however old; null if there is none. The lock must be held. */
  onDisk(path: string): IndexFile | null {
    const { cache } = this.#context;
    for (const home of [cache.home, cache.ownHome]) {
      const file = readIndexCache(this.#cachePath(home, path));
      if (file !== null) return file;
    }
    return null;
  }

  /** Returns the index file at `path` (`ab/cd/abcdef`), or null if it does not exist. */
  file(path: string, home: string): Promise<IndexFile | null> {
    let file = this.#files.get(path);
    if (file === undefined) {
      file = this.#loadFile(path, home);
      this.#files.set(path, file);
    }
    return file;
  }

  /** Returns true if a valid `config.json` is on disk. */
  hasConfig(home: string): boolean {
    return readCachedConfig(this.#configPath(home)) !== null;
  }

  /** Returns `config.json` and saves it to disk. Rejects if it does not exist. */
  async config(home: string): Promise<IndexConfig> {
    const config = await this.#configOf(home);
    if (config === null) throw new TsregError('config.json not found', { code: 'source' });
    return config;
  }

  /** Returns the Authorization header for requests to the registry; null if it needs none. */
  async authorization(config: IndexConfig): Promise<string | null> {
    return config.authRequired ? authorizationOf(await this.#token()) : null;
  }

  async #loadFile(path: string, home: string): Promise<IndexFile | null> {
    const cachePath = this.#cachePath(home, path);
    const ahead = this.#ahead.take(path);
    const cached = ahead === null ? readIndexCache(cachePath) : ahead.cached;
    const { offlineFlag } = this.#context;
    if (cached !== null && (!this.#isUpdated || offlineFlag !== null)) return cached;
    if (offlineFlag !== null) return null;
    // `config.json` contains whether a token is needed.
    const config = await this.#configOf(home);
    if (config === null) return null;
    this.#needsToken = config.authRequired;
    const loaded = await this.#request(path, cached?.revision ?? null, ahead?.outcome);
    if (loaded === 'not-modified') {
      if (cached !== null) return cached;
      throw new TsregError('registry said cache valid when no cache exists', {
        code: 'network',
        isInternal: true,
      });
    }
    if (loaded === 'not-found') {
      removeQuietly(cachePath);
      return null;
    }
    const file = splitIndexFile(loaded.bytes, loaded.revision);
    await this.#store(cachePath, encodeIndexCache(file));
    return file;
  }

  #configOf(home: string): Promise<IndexConfig | null> {
    this.#config ??= this.#loadConfig(home).then((config) => {
      if (config !== null) this.#prefetch(config, home);
      return config;
    });
    return this.#config;
  }

  /** Returns `config.json` and saves it to disk. Returns null if it does not exist. */
  async #loadConfig(home: string): Promise<IndexConfig | null> {
    const cached = readCachedConfig(this.#configPath(home));
    const { offlineFlag } = this.#context;
    if (cached !== null && (!this.#isUpdated || offlineFlag !== null)) return cached;
    // A registry that needed a token will need one again.
    if (cached !== null) this.#needsToken = cached.authRequired;
    const loaded = offlineFlag === null ? await this.#request(INDEX_CONFIG_FILE, null) : 'not-found';
    if (loaded === 'not-found') return null;
    if (loaded === 'not-modified')
      throw new TsregError('config.json is never stored in the index cache', {
        code: 'network',
        isInternal: true,
      });
    const config = decodeIndexConfig(loaded.bytes);
    await storeConfig(this.#configPath(home), loaded.bytes);
    return config;
  }

  #prefetch({ authRequired }: IndexConfig, home: string): void {
    // Prefetching sends no token.
    if (authRequired || this.#context.offlineFlag !== null) return;
    const paths = Array.from(this.#expected).filter((path) => !this.#files.has(path));
    this.#ahead.ask(paths, (path) => this.#sendPrefetch(path, home));
  }

  #sendPrefetch(path: string, home: string): PrefetchedFile | null {
    const cachePath = this.#cachePath(home, path);
    if (!this.#isUpdated && existsSync(cachePath)) return null;
    const cached = readIndexCache(cachePath);
    const request = this.#requestOf(path, cached?.revision ?? null, null);
    return { cached, outcome: sendPrefetch(this.#access.transport, request, accepts) };
  }

  #requestOf(path: string, revision: string | null, token: string | null): HttpRequest {
    const authorization = token === null ? null : authorizationOf(token);
    const headers = {
      'cargo-protocol': 'version=1',
      accept: 'text/plain',
      ...condition(revision),
      ...(authorization === null ? {} : { authorization }),
    };
    const maxBytes = path === INDEX_CONFIG_FILE ? MAX_CONFIG_BYTES : MAX_FILE_BYTES;
    return { url: this.#source.url + path, headers, maxBytes };
  }

  /** Requests a file; with a revision, only if it changed. `ahead` is an earlier request without a token. */
  async #request(path: string, revision: string | null, ahead?: Promise<Outcome>): Promise<Loaded> {
    // cargo reads `[net]` before it prints "Updating", and `[http]` afterwards.
    const { retry } = this.#access;
    this.announce();
    const { transport } = this.#access;
    checkUri(this.#source.url + path);
    const context = `download of ${path} failed`;
    const isConfig = path === INDEX_CONFIG_FILE;
    for (;;) {
      const token = this.#needsToken ? await this.#token() : null;
      const request = this.#requestOf(path, revision, token);
      const prefetched = token === null ? (ahead ?? null) : null;
      const response = await sendWithRetries(transport, request, {
        ...retry,
        accepts,
        ahead: prefetched,
      }).catch((error: unknown) => {
        // cargo treats an HTTP status as a response, not as a failed download.
        if (error instanceof StatusError) throw error;
        throw new TsregError(context, { cause: error });
      });
      switch (response.status) {
        case 200:
          return {
            bytes: Buffer.from(response.body.buffer, response.body.byteOffset, response.body.length),
            revision: revisionOf(response),
          };
        case 304:
          return 'not-modified';
        case 401: {
          this.#challenge = shownHeaders(response);
          if (isConfig && token === null) {
            this.#needsToken = true;
            continue;
          }
          const body = withoutSecret(response.body, token);
          const problem = new StatusError({ ...response, body });
          if (token === null) throw problem;
          throw this.#access.credentials.rejected(this.#source, { cause: problem, token, response });
        }
        default:
          return 'not-found';
      }
    }
  }

  #cachePath(home: string, path: string): string {
    return join(this.#foldersBelow(home).index, CACHE, path);
  }

  #configPath(home: string): string {
    return join(this.#foldersBelow(home).index, INDEX_CONFIG_FILE);
  }

  async #token(): Promise<string> {
    return (await this.#access.credentials.indexToken(this.#source, this.#challenge)).expose();
  }

  async #store(path: string, bytes: Uint8Array): Promise<void> {
    try {
      await writeFileAtomic(path, bytes, { durable: false });
    } catch (error) {
      if (this.#hasWarned) return;
      this.#hasWarned = true;
      const reason = osErrorText(error);
      this.#context.report.warning(`failed to write cache, path: ${path}, error: ${reason}`);
    }
  }
}

function accepts(status: number): boolean {
  return [200, 304, 401, 404].includes(status);
}

/** Removes the token from a response body, in case the server sends it back. */
function withoutSecret(body: Uint8Array, secret: string | null): Uint8Array {
  const text = Buffer.from(body).toString();
  const safe = hideSecret(text, secret);
  return safe === text ? body : Buffer.from(safe);
}

function condition(revision: string | null): Record<string, string> {
  const colon = revision?.indexOf(':') ?? -1;
  if (revision === null || colon === -1) return {};
  const value = revision.slice(colon + 1).trim();
  switch (revision.slice(0, colon)) {
    case 'etag':
      return { 'if-none-match': value };
    case 'last-modified':
      return { 'if-modified-since': value };
    default:
      return {};
  }
}

function revisionOf(response: HttpResponse): string {
  const etag = headerValue(response, 'etag');
  if (etag !== null) return `etag: ${etag.trim()}`;
  const lastModified = headerValue(response, 'last-modified');
  return lastModified === null ? UNKNOWN_REVISION : `last-modified: ${lastModified.trim()}`;
}

async function storeConfig(path: string, bytes: Buffer): Promise<void> {
  try {
    await writeFileAtomic(path, bytes, { durable: false });
  } catch {
    // The next run fetches it again.
  }
}

function readCachedConfig(path: string): IndexConfig | null {
  try {
    const config = decodeIndexConfig(readFileSync(path));
    inputRecorder()?.wholeFiles.add(path);
    return config;
  } catch (error) {
    if (error instanceof TsregError || errnoOf(error) !== null) return null;
    throw error;
  }
}

function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The next run requests it again.
  }
}

/** Throws `source` if the URL of a sparse registry does not end in a slash. */
export function checkSparseIndexUrl({ kind, url }: SourceId): void {
  if (kind !== 'sparse-registry' || url.endsWith('/')) return;
  throw new TsregError(`sparse registry url must end in a slash \`/\`: sparse+${url}`, { code: 'source' });
}
