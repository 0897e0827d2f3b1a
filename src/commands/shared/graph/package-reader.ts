/** Fetches and reads the packages of a graph. */
import { type CachedPackage, PackagePacks } from '../../../cache/package-pack.ts';
import { isSafeToCache, takeFingerprint } from '../../../io/disk/fingerprint.ts';
import { inputRecorder } from '../../../io/disk/input-recorder.ts';
import { present } from '../../../core/errors/assert.ts';
import { TsregError } from '../../../core/errors/error.ts';
import { joinPath } from '../../../core/files/path.ts';
import { isCratesIo, isRegistry } from '../../../core/package-id/source-id.ts';
import { formatSourceUrl } from '../../../core/package-id/source-url.ts';
import type { PackageCatalog } from '../../../io/sources/catalog.ts';
import type { FetchedPackage } from '../../../io/sources/source.ts';
import type { Summary } from '../../../core/summary/summary.ts';
import { BUILD } from '../version.ts';
import { textOf } from './package-entry.ts';
import { type PackageView, viewPackage } from './package-view.ts';

/** Options of a `PackageReader`. */
export interface PackageReaderOptions {
  /** Absolute path of `CARGO_HOME`. */
  readonly cargoHome: string;
  /** `TSREG_CACHE`: `off` disables the cache, `verify` compares its entries with the manifests. */
  readonly cacheMode: string | undefined;
}

/** Reads packages, from the package cache if possible. */
export class PackageReader {
  readonly #catalog: PackageCatalog;
  readonly #cacheMode: string | undefined;
  readonly #packs: PackagePacks;
  /** Before the first read. A manifest that is not clearly older is not cached: see `isSafeToCache`. */
  readonly #startedMs = Date.now();

  constructor(catalog: PackageCatalog, { cargoHome, cacheMode }: PackageReaderOptions) {
    this.#catalog = catalog;
    this.#cacheMode = cacheMode;
    this.#packs = new PackagePacks(cargoHome, BUILD);
  }

  /**
   * Fetches and reads packages. Returns them in the order of `summaries`. Rejects with cargo's error chain for the
   * first package that cannot be read.
   */
  async read(summaries: readonly Summary[]): Promise<readonly PackageView[]> {
    const fetched = await this.#catalog.fetchPackages(summaries);
    const views = summaries.map((summary, index) =>
      this.#view(summary, present(fetched[index], 'a fetched package')),
    );
    // The end of a run comes after its output, which this must not delay.
    const save = (): void => this.#packs.save();
    const recorder = inputRecorder();
    if (recorder === undefined) save();
    else recorder.afterRun(save);
    return views;
  }

  /** Returns a fetched package, from the package cache if possible. Adds it to the cache if its entry can be reused. */
  #view(summary: Summary, fetched: FetchedPackage): PackageView {
    const { source } = fetched.id;
    // A package with a manifest was read from its folder. Only unpacked registry packages never change.
    if (this.#cacheMode === 'off' || fetched.manifest !== undefined || !isRegistry(source))
      return viewPackage(this.#catalog.manifestOf(fetched));
    const location = { root: fetched.root, source: formatSourceUrl(source, { encoded: false }) };
    const cached = this.#packs.find(location);
    if (cached !== null) {
      if (this.#cacheMode === 'verify') this.#verify(fetched, cached);
      const { libraryName, head, tail } = cached;
      return { summary, libraryName, text: { head, tail } };
    }
    const fingerprint = takeFingerprint(joinPath(fetched.root, 'Cargo.toml'));
    const view = viewPackage(this.#catalog.manifestOf(fetched));
    // The names of other registries depend on the configuration, which is not part of the cache key.
    const isIndependent = view.summary.dependencies.every((dependency) =>
      [dependency.source, dependency.registry ?? source].every(
        (registry) => registry === source || isCratesIo(registry),
      ),
    );
    if (isIndependent && fingerprint !== null && isSafeToCache(fingerprint, this.#startedMs)) {
      const { libraryName, text } = view;
      this.#packs.add(location, fingerprint, { libraryName, ...text });
    }
    return view;
  }

  /** Throws `bug` if the cache entry of a package differs from its manifest. */
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
