/**
 * The index of a sparse registry: its files in memory, on disk and on the server. Cargo Book: Registry Index, Sparse
 * protocol.
 */
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { osErrorText } from '../disk/errno.ts';
import { writeFileAtomic } from '../disk/write-file-atomic.ts';
import { TsregError } from '../../core/errors/error.ts';
import type { SourceId } from '../../core/package-id/source-id.ts';
import { authorizationOf } from '../../core/protocol/check-token.ts';
import { decodeIndexConfig, INDEX_CONFIG_FILE, type IndexConfig } from '../../core/protocol/index-config.ts';
import { encodeIndexCache, type IndexFile, readIndexCache, splitIndexFile } from './index-cache.ts';
import { readIndexConfig, storeIndexConfig } from './index-config-file.ts';
import { IndexPrefetch, type PrefetchedFile } from './index-prefetch.ts';
import { IndexRequests } from './index-requests.ts';
import type { RegistryAccess } from './registry-access.ts';
import { type RegistryFolders, registryFoldersOf } from './registry-folders.ts';
import type { RegistryContext } from './source-context.ts';

/** The folder with the cached index files, in the index folder. */
const CACHE = '.cache';

/**
 * Reads an index. `onDisk`, `file` and `config` need the lock on the package cache. `home` is the folder that it allows
 * to write to. The comment of `SparseRegistry` lists what `expire` and `invalidate` clear.
 */
export class SparseIndex {
  readonly #context: RegistryContext;
  readonly #requests: IndexRequests;
  readonly #foldersBelow: (home: string) => RegistryFolders;
  /** Loaded index files, by path; null for a missing file. */
  readonly #files = new Map<string, Promise<IndexFile | null>>();
  readonly #prefetch = new IndexPrefetch();
  /** Paths to prefetch once `config.json` is known. */
  #expectedPaths: ReadonlySet<string> = new Set();
  #isUpdated = false;
  /** The loaded `config.json`, or null if there is none; null itself before it is loaded. */
  #config: Promise<IndexConfig | null> | null = null;
  /** True after a warning about a cache file that cannot be written. One is enough. */
  #hasWarnedOfWrite = false;

  /** `source` is the registry of this index. Throws if its URL cannot be that of an index. */
  constructor(source: SourceId, context: RegistryContext, access: RegistryAccess) {
    checkSparseIndexUrl(source);
    this.#context = context;
    this.#requests = new IndexRequests(source, context, access);
    this.#foldersBelow = registryFoldersOf(source);
  }

  /** False while cached files are used without a request. */
  get isUpdated(): boolean {
    return this.#isUpdated;
  }

  /** Requests every file once before its next use. */
  invalidate(): void {
    this.expire();
    this.#requests.forgetAnnouncement();
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
    this.#expectedPaths = new Set(paths);
  }

  /** Cancels the prefetch. */
  cancelPrefetch(): void {
    this.#expectedPaths = new Set();
    this.#prefetch.stop();
  }

  /** Announces the requests that follow: see `IndexRequests.announce`. */
  announce(): boolean {
    return this.#requests.announce();
  }

  /** Returns the cached file at `path` (`ab/cd/abcdef`), however old; null if there is none. */
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

  /** Returns true if a valid `config.json` is on disk, in `home`. Needs no lock, like `storedConfig`. */
  hasConfig(home: string): boolean {
    return readIndexConfig(this.#configPath(home)) !== null;
  }

  /**
   * Returns `config.json` from disk; null if it must be requested. Needs no lock, because an unfinished file is not
   * valid.
   */
  storedConfig(): IndexConfig | null {
    const { cache, offlineFlag } = this.#context;
    if (this.#isUpdated && offlineFlag === null) return null;
    return readIndexConfig(this.#configPath(cache.home)) ?? readIndexConfig(this.#configPath(cache.ownHome));
  }

  /** Returns `config.json` and saves it to disk. Rejects if it does not exist. */
  async config(home: string): Promise<IndexConfig> {
    const config = await this.#configOf(home);
    if (config === null) throw new TsregError('config.json not found', { code: 'source' });
    return config;
  }

  /** Returns the Authorization header for requests to the registry; null if it needs none. */
  async authorization(config: IndexConfig): Promise<string | null> {
    return config.authRequired ? authorizationOf(await this.#requests.token()) : null;
  }

  /** Returns a file from disk if it may be used, else from the server. Saves it to disk. */
  async #loadFile(path: string, home: string): Promise<IndexFile | null> {
    const cachePath = this.#cachePath(home, path);
    const prefetched = this.#prefetch.take(path);
    const cached = prefetched === null ? readIndexCache(cachePath) : prefetched.cached;
    const { offlineFlag } = this.#context;
    if (cached !== null && (!this.#isUpdated || offlineFlag !== null)) return cached;
    if (offlineFlag !== null) return null;
    // `config.json` contains whether a token is needed.
    const config = await this.#configOf(home);
    if (config === null) return null;
    this.#requests.needsToken = config.authRequired;
    const response = await this.#requests.send(path, cached?.revision ?? null, prefetched?.outcome);
    if (response === 'not-modified') {
      if (cached !== null) return cached;
      throw new TsregError('registry said cache valid when no cache exists', {
        code: 'network',
        isInternal: true,
      });
    }
    if (response === 'not-found') {
      removeQuietly(cachePath);
      return null;
    }
    const file = splitIndexFile(response.bytes, response.revision);
    await this.#store(cachePath, encodeIndexCache(file));
    return file;
  }

  /** Like `config`, but returns null if the file does not exist. */
  #configOf(home: string): Promise<IndexConfig | null> {
    this.#config ??= this.#loadConfig(home).then((config) => {
      if (config !== null) this.#startPrefetch(config, home);
      return config;
    });
    return this.#config;
  }

  /** Like `#loadFile`, for `config.json`. */
  async #loadConfig(home: string): Promise<IndexConfig | null> {
    const cached = readIndexConfig(this.#configPath(home));
    const { offlineFlag } = this.#context;
    if (cached !== null && (!this.#isUpdated || offlineFlag !== null)) return cached;
    // A registry that needed a token will need one again.
    if (cached !== null) this.#requests.needsToken = cached.authRequired;
    const response = offlineFlag === null ? await this.#requests.send(INDEX_CONFIG_FILE, null) : 'not-found';
    if (response === 'not-found') return null;
    if (response === 'not-modified')
      throw new TsregError('config.json is never stored in the index cache', {
        code: 'network',
        isInternal: true,
      });
    const config = decodeIndexConfig(response.bytes);
    await storeIndexConfig(this.#configPath(home), response.bytes);
    return config;
  }

  #startPrefetch({ authRequired }: IndexConfig, home: string): void {
    // Prefetching sends no token.
    if (authRequired || this.#context.offlineFlag !== null) return;
    const paths = Array.from(this.#expectedPaths).filter((path) => !this.#files.has(path));
    this.#prefetch.start(paths, (path) => this.#sendPrefetch(path, home));
  }

  /** Requests a file in advance. Returns null if the cached file will be used without a request. */
  #sendPrefetch(path: string, home: string): PrefetchedFile | null {
    const cachePath = this.#cachePath(home, path);
    if (!this.#isUpdated && existsSync(cachePath)) return null;
    const cached = readIndexCache(cachePath);
    return { cached, outcome: this.#requests.prefetch(path, cached?.revision ?? null) };
  }

  #cachePath(home: string, path: string): string {
    return join(this.#foldersBelow(home).index, CACHE, path);
  }

  #configPath(home: string): string {
    return join(this.#foldersBelow(home).index, INDEX_CONFIG_FILE);
  }

  /** Writes a file to the cache. Warns once if that fails. */
  async #store(path: string, bytes: Uint8Array): Promise<void> {
    try {
      await writeFileAtomic(path, bytes, { durable: false });
    } catch (error) {
      if (this.#hasWarnedOfWrite) return;
      this.#hasWarnedOfWrite = true;
      const reason = osErrorText(error);
      this.#context.report.warning(`failed to write cache, path: ${path}, error: ${reason}`);
    }
  }
}

/** Removes a file if it exists. Ignores failures. */
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
