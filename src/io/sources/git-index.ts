/** A registry index that is a git repository, in `registry/index` of cargo's home. Cargo Book: Registry Index. */
import { existsSync, rmSync } from 'node:fs';
import { markCacheDirectory } from '../disk/cache-directory-tag.ts';
import { inputRecorder } from '../disk/input-recorder.ts';
import { createFolders } from '../disk/make-folders.ts';
import { writeFileAtomic } from '../disk/write-file-atomic.ts';
import { TsregError, withContextAsync } from '../../core/errors/error.ts';
import { fetchReference } from '../git/fetch.ts';
import { initializeRepository } from '../git/initialize.ts';
import { CommitTree, openRepository, readReference, type Repository } from '../git/repository.ts';
import { describeIndex } from '../../core/package-id/describe.ts';
import { registryDirName } from '../../core/package-id/folder-names.ts';
import type { SourceId } from '../../core/package-id/source-id.ts';
import { decodeIndexConfig, INDEX_CONFIG_FILE, type IndexConfig } from '../../core/protocol/index-config.ts';
import { indexPath } from '../../core/protocol/index-path.ts';
import { makeGitContext } from './git-context.ts';
import { encodeIndexCache, type IndexFile, readIndexCache, splitIndexFile } from './index-cache.ts';
import type { RegistryContext } from './source-context.ts';

/** The reference that cargo's fetch updates: the default branch of the index. */
const HEAD = 'refs/remotes/origin/HEAD';

/** The repository at the commit of the last fetch. */
interface OpenedIndex {
  readonly repository: Repository;
  readonly commit: string;
  readonly tree: CommitTree;
}

/** The repository of an index and its cache files, which cargo shares. */
export class GitIndex {
  readonly #source: SourceId;
  readonly #context: RegistryContext;
  readonly #folder: string;
  /** The last result of `#open`: null if the index was never fetched. */
  #opened: OpenedIndex | null = null;
  /** The state of `indexFetches` at that time; null before the first `#open`. */
  #openedAt: number | null = null;

  /** `source` is the registry of this index. */
  constructor(source: SourceId, context: RegistryContext) {
    this.#source = source;
    this.#context = context;
    this.#folder = `registry/index/${registryDirName(source)}`;
  }

  /** Returns the index file of a package as of the last fetch, or null if there is none. */
  find(name: string): IndexFile | null {
    const opened = this.#open();
    const path = indexPath(name);
    const entry = opened?.tree.find(path) ?? null;
    if (opened === null || entry === null) return null;
    for (const home of this.#homes()) {
      const file = readIndexCache(this.#cachePath(home, name));
      // Old releases of cargo stored the commit, which is correct but soon stale.
      if (file !== null && (file.revision === entry.oid || file.revision === opened.commit)) return file;
    }
    const blob = opened.repository.objects.read(entry.oid);
    if (blob?.kind !== 'blob')
      throw new TsregError(`path \`${path}\` is not a blob in the git repo`, { code: 'source' });
    return splitIndexFile(blob.data, entry.oid);
  }

  /** Updates the cache files of names that `find` returned: writes new, removes missing ones. The lock must be held. */
  async writeCache(home: string, files: ReadonlyMap<string, IndexFile | null>): Promise<void> {
    for (const [name, file] of files) {
      const path = this.#cachePath(home, name);
      try {
        if (file === null) rmSync(path, { force: true });
        else if (!file.isCached) await writeFileAtomic(path, encodeIndexCache(file), { durable: false });
      } catch {
        // The cache is optional.
      }
    }
  }

  /** Returns `config.json` as of the last fetch, or null if there is none. */
  readConfig(): IndexConfig | null {
    const opened = this.#open();
    const entry = opened?.tree.find(INDEX_CONFIG_FILE) ?? null;
    if (opened === null || entry === null) return null;
    const blob = opened.repository.objects.read(entry.oid);
    return blob?.kind === 'blob' ? decodeIndexConfig(blob.data) : null;
  }

  /** Returns the repository, or creates an empty one. The lock must be held. */
  async prepare(home: string): Promise<Repository> {
    const path = `${home}/${this.#folder}`;
    markCacheDirectory(`${home}/registry`);
    const repository = openRepository(path);
    if (repository !== null) return repository;
    if (existsSync(path)) rmSync(path, { recursive: true });
    createFolders(path);
    // Not bare: old releases of cargo check files out in it.
    return initializeRepository(path, { bare: false });
  }

  /** Fetches the newest index, and reports it unless `isQuiet`. The lock must be held. */
  async update(home: string, { isQuiet = false } = {}): Promise<void> {
    const index = await this.prepare(home);
    if (!isQuiet) this.#context.report.status('Updating', describeIndex(this.#source));
    const { url } = this.#source;
    await withContextAsync(`failed to fetch \`${url}\``, () =>
      fetchReference(index, { url, reference: { kind: 'default' } }, makeGitContext(home, this.#context)),
    );
  }

  /** Opens the repository, once after each fetch. Returns null if the index was never fetched. */
  #open(): OpenedIndex | null {
    const fetches = this.#context.cache.indexFetches.get(this.#source.key) ?? 0;
    if (this.#openedAt === fetches) return this.#opened;
    this.#openedAt = fetches;
    this.#opened = null;
    for (const home of this.#homes()) {
      const repository = openRepository(`${home}/${this.#folder}`);
      const commit = repository === null ? null : readReference(repository, HEAD);
      if (repository === null || commit === null) continue;
      this.#opened = { repository, commit, tree: new CommitTree(repository, commit) };
      // git rewrites this file at every fetch.
      inputRecorder()?.wholeFiles.add(`${home}/${this.#folder}/.git/FETCH_HEAD`);
      break;
    }
    return this.#opened;
  }

  #homes(): readonly string[] {
    const { cache } = this.#context;
    return [cache.home, cache.ownHome];
  }

  #cachePath(home: string, name: string): string {
    return `${home}/${this.#folder}/.cache/${indexPath(name)}`;
  }
}
