/** Packages of a graph, fetched and read. */
import { type CachedPackage, type PackageLocation, PackagePacks } from '../../cache/package-pack.ts';
import { MTIME_GRANULARITY_MS } from '../../disk/fingerprint.ts';
import { inputRecorder } from '../../disk/input-recorder.ts';
import { TsregError } from '../../errors/error.ts';
import { isRegistry } from '../../package-id/source-id.ts';
import { formatSourceUrl } from '../../package-id/source-url.ts';
import type { PackageCatalog } from '../../sources/catalog.ts';
import type { FetchedPackage } from '../../sources/source.ts';
import type { WorkerPool } from '../../disk/worker-pool.ts';
import type { Summary } from '../../summary/summary.ts';
import { BUILD } from '../version.ts';
import { ManifestQueue } from './manifest-queue.ts';
import { type PackageView, viewPackage } from './package-view.ts';

/** What packages are read with. */
export interface PackageReaderOptions {
  /** Absolute path of `CARGO_HOME`. */
  readonly cargoHome: string;
  readonly workers: WorkerPool;
  /** `TSREG_CACHE`: `off` for no cache, `verify` to compare what it has with the manifests. */
  readonly cacheMode: string | undefined;
  /** Reads packages since the run began; null if nothing does. */
  readonly prefetched: ManifestQueue | null;
}

/** Reads packages, from the package cache where it has them. */
export class PackageReader {
  readonly #catalog: PackageCatalog;
  readonly #options: PackageReaderOptions;
  readonly #packs: PackagePacks;
  readonly #startedMs = Date.now();

  constructor(catalog: PackageCatalog, options: PackageReaderOptions) {
    this.#catalog = catalog;
    this.#options = options;
    this.#packs = new PackagePacks(options.cargoHome, BUILD);
  }

  /** Fetches and reads packages, in the order of the argument. Rejects with cargo's error chain for the first that is wrong. */
  async read(summaries: readonly Summary[]): Promise<readonly PackageView[]> {
    const fetched = await this.#catalog.fetchPackages(summaries);
    const { cacheMode } = this.#options;
    const known = cacheMode === 'off' ? NOTHING : await this.#readIndependent(fetched);
    return summaries.map((summary, at) => {
      const each = fetched[at] ?? missing();
      const found = known.get(each);
      if (found === undefined) return viewPackage(this.#catalog.manifestOf(each));
      if (cacheMode === 'verify') this.#verify(each, found);
      const { libraryName, head, tail } = found;
      return { summary, libraryName, text: { head, tail } };
    });
  }

  /** Reads what does not depend on the workspace: from the cache, else in several threads. */
  async #readIndependent(
    fetched: readonly FetchedPackage[],
  ): Promise<ReadonlyMap<FetchedPackage, CachedPackage>> {
    const found = new Map<FetchedPackage, CachedPackage>();
    const uncached = new Map<FetchedPackage, PackageLocation>();
    for (const each of fetched) {
      const { source } = each.id;
      if (each.manifest !== undefined || !isRegistry(source)) continue;
      const location = { root: each.root, source: formatSourceUrl(source, { encoded: false }) };
      const cached = this.#packs.find(location);
      if (cached === null) uncached.set(each, location);
      else found.set(each, cached);
    }
    if (uncached.size === 0) return found;
    const { prefetched } = this.#options;
    const read = new Map(await prefetched?.finish());
    const rest = [...uncached.values()].filter(({ root }) => !read.has(root));
    for (const [root, each] of await new ManifestQueue(rest, this.#options).finish()) read.set(root, each);
    const isSettledBefore = this.#startedMs - MTIME_GRANULARITY_MS;
    for (const [each, location] of uncached) {
      const package_ = read.get(location.root);
      if (package_ === undefined) continue;
      found.set(each, package_.content);
      if (package_.manifest.changedMs < isSettledBefore)
        this.#packs.add(location, package_.manifest, package_.content);
    }
    const save = (): void => this.#packs.save();
    const recorder = inputRecorder();
    if (recorder === undefined) save();
    else recorder.afterRun(save);
    return found;
  }

  /** Throws if what the cache has of a package is not what its manifest says. */
  #verify(fetched: FetchedPackage, { libraryName, head, tail }: CachedPackage): void {
    const { libraryName: expected, text } = viewPackage(this.#catalog.manifestOf(fetched));
    const isSame =
      libraryName === expected && textOf(head) === textOf(text.head) && textOf(tail) === textOf(text.tail);
    if (isSame) return;
    throw new TsregError(`the package cache is wrong about \`${fetched.root}\``, {
      code: 'bug',
      hint: 'please report this',
    });
  }
}

const NOTHING: ReadonlyMap<FetchedPackage, CachedPackage> = new Map();

function textOf(part: string | Uint8Array): string {
  return typeof part === 'string' ? part : Buffer.from(part).toString('utf8');
}

function missing(): never {
  throw new RangeError('a package was fetched and is not there');
}
