/** Git dependencies: repositories that are checked out under cargo's home. Cargo Book: Specifying Dependencies. */
import { markCacheDirectory } from '../disk/cache-directory-tag.ts';
import { inputRecorder } from '../disk/input-recorder.ts';
import { TsregError } from '../../core/errors/error.ts';
import { toNativeSeparators } from '../../core/files/path.ts';
import { checkOut, isFreshCheckout, READY_MARK } from '../git/checkout.ts';
import { findDatabase, revisionOf, updateDatabase, type Database, type Revision } from '../git/database.ts';
import { shortId } from '../git/repository.ts';
import { describePackage } from '../../core/package-id/describe.ts';
import { gitDbName } from '../../core/package-id/folder-names.ts';
import type { SourceId } from '../../core/package-id/source-id.ts';
import { UNKNOWN } from '../../core/resolve/problem.ts';
import type { Summary } from '../../core/summary/summary.ts';
import type { FolderPackages } from './folder-packages.ts';
import { fetchedPackage } from './folder-source.ts';
import { makeGitContext } from './git-context.ts';
import { findPackages } from './package-walk.ts';
import { type FetchedPackage, Source } from './source.ts';
import type { SourceContext } from './source-context.ts';

const DEFAULT_BRANCH = { kind: 'default' } as const;

/**
 * One repository at one commit. If a lock file pins the commit and it is checked out, the packages are read from there.
 * Otherwise everything is UNKNOWN until `load`. The source of its packages contains the commit. `Source` documents the
 * methods.
 */
export class GitSource extends Source {
  readonly #context: SourceContext;
  readonly #dirName: string;
  readonly #revision: Revision;
  /** null before the packages are read. */
  #packages: FolderPackages | null = null;
  /** True after the first search for a checkout on disk. */
  #wasSearched = false;

  constructor(original: SourceId, actual: SourceId, context: SourceContext) {
    super(original, actual);
    this.#context = context;
    this.#dirName = gitDbName(actual);
    this.#revision =
      actual.precise === null
        ? { reference: actual.reference ?? DEFAULT_BRANCH }
        : revisionOf(actual.precise);
  }

  all(name: string): readonly Summary[] | typeof UNKNOWN {
    return this.#tryOpen()?.summaries(name) ?? UNKNOWN;
  }

  async load(): Promise<void> {
    if (this.#tryOpen() === null) await this.#update();
  }

  isDownloaded(): boolean {
    return this.#tryOpen() !== null;
  }

  async fetch(summaries: readonly Summary[]): Promise<readonly FetchedPackage[]> {
    await this.load();
    return summaries.map(({ id }) => {
      const manifest = this.#packages?.manifest(id) ?? null;
      if (manifest !== null) return fetchedPackage(manifest);
      throw new TsregError(`failed to find ${describePackage(id)} in path source`, {
        code: 'source',
        isInternal: true,
      });
    });
  }

  similarNames(): Promise<readonly string[]> {
    // cargo asks repositories only for the exact name.
    return Promise.resolve([]);
  }

  /** Fetches the repository if necessary, checks it out and reads its packages. */
  async #update(): Promise<void> {
    const { cache } = this.#context;
    await cache.hold(async (home) => {
      markCacheDirectory(`${home}/git`);
      const context = makeGitContext(home, this.#context);
      const declared = this.actual.reference ?? DEFAULT_BRANCH;
      const origin = { url: this.actual.url, revision: this.#revision, declared };
      const database = await updateDatabase(origin, context, { isSubmodule: false });
      const path = this.#checkoutPath(home, database);
      await checkOut(database, path, context);
      this.#read(path, database.commit);
    });
  }

  /** Reads the checkout of a pinned commit. Returns null if there is none. */
  #tryOpen(): FolderPackages | null {
    if (this.#packages !== null || this.#wasSearched) return this.#packages;
    this.#wasSearched = true;
    if (!('locked' in this.#revision)) return null;
    const { locked } = this.#revision;
    const { cache } = this.#context;
    for (const home of [cache.home, cache.ownHome]) {
      const database = findDatabase(this.actual.url, `${home}/git/db/${this.#dirName}`, locked);
      if (database === null) continue;
      const path = this.#checkoutPath(home, database);
      if (!isFreshCheckout(path, locked)) continue;
      inputRecorder()?.immutableFolder(path, `${path}/${READY_MARK}`);
      inputRecorder()?.wholeFiles.add(`${path}/.git/HEAD`);
      inputRecorder()?.wholeFiles.add(`${database.path}/HEAD`);
      try {
        return this.#read(path, locked);
      } catch {
        return null; // `load` throws the error again.
      }
    }
    return null;
  }

  #checkoutPath(home: string, database: Database): string {
    const commit = shortId(database.repository, database.commit);
    return toNativeSeparators(`${home}/git/checkouts/${this.#dirName}/${commit}`);
  }

  /** Reads the packages of the checkout at `path`. */
  #read(path: string, commit: string): FolderPackages {
    const source = this.#context.sources.withPrecise(this.original, commit);
    this.#packages = findPackages(path, source, this.#context);
    return this.#packages;
  }
}
