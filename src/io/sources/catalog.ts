/** The packages that an operation can use: finds them and puts them on disk. */
import type { PackageManifest } from '../../core/manifest/manifest.ts';
import { comparePackageIds, type PackageId } from '../../core/package-id/package-id.ts';
import type { SourceId } from '../../core/package-id/source-id.ts';
import type { Report } from '../../core/report/report.ts';
import type { FoundPackage } from '../../core/resolve/explain.ts';
import type { SummaryTable } from '../../core/resolve/problem.ts';
import type { Summary } from '../../core/summary/summary.ts';
import { fetchFromSources, throwMissing } from './fetch-from-sources.ts';
import { loadFetchedPackage } from './load-package.ts';
import { OpenSources } from './open-sources.ts';
import type { RegistryOverlay } from './overlay-source.ts';
import { findPackagesBelow } from './package-walk.ts';
import { readPathOverrides } from './path-overrides.ts';
import { RegistryAccess } from './registry-access.ts';
import type { FetchedPackage, FetchListener, Source } from './source.ts';
import type { SourceContext } from './source-context.ts';
import { SourceReplacement } from './source-replacement.ts';
import { SourceSummaries } from './source-summaries.ts';
import { SummaryLoader } from './summary-loader.ts';
import { yankedAmong } from './yanked-packages.ts';

/**
 * Makes the catalog of an operation. Reads the `[source]` tables, and throws if they are invalid. `otherCatalog` is the
 * catalog of another workspace in the same operation: reuses its connections and tokens, but queries the registries
 * again.
 */
export function createCatalog(
  context: SourceContext,
  otherCatalog: PackageCatalog | null = null,
): PackageCatalog {
  const access = new RegistryAccess(context, otherCatalog?.access);
  const replacement = new SourceReplacement(context.config, context.sources);
  return new PackageCatalog(context, { access, replacement, overlay: null });
}

/** The parts of a catalog. */
interface CatalogParts {
  readonly access: RegistryAccess;
  readonly replacement: SourceReplacement;
  readonly overlay: RegistryOverlay | null;
}

/** Options of `PackageCatalog.fetchPackages`. */
export interface FetchPackagesOptions extends Pick<FetchListener, 'onUnpacked'> {
  /** True to fetch in the given order instead of by id. Default: false. */
  readonly keepsOrder?: boolean;
}

/** All sources of an operation: the table of their summaries, its loader, and the packages themselves. */
export class PackageCatalog {
  /** Returns `UNKNOWN` for summaries that `loader` has not loaded yet. */
  readonly table: SummaryTable;
  readonly loader: SummaryLoader;
  /** Shared by all catalogs of the operation. */
  readonly access: RegistryAccess;
  readonly #context: SourceContext;
  readonly #replacement: SourceReplacement;
  readonly #sources: OpenSources;

  constructor(context: SourceContext, { access, replacement, overlay }: CatalogParts) {
    this.#context = context;
    this.access = access;
    this.#replacement = replacement;
    this.#sources = new OpenSources(replacement, { context, access, overlay });
    this.table = new SourceSummaries(this.#sources);
    this.loader = new SummaryLoader(this.#sources, context);
  }

  /**
   * Returns a catalog for another resolution of the same operation. It queries every registry again, but reuses
   * connections and tokens. `overlay` is put over one of the registries. `report` replaces the operation's own.
   */
  fork(overlay: RegistryOverlay | null, report: Report = this.#context.report): PackageCatalog {
    const context = { ...this.#context, report };
    const access = new RegistryAccess(context, this.access);
    return new PackageCatalog(context, { access, replacement: this.#replacement, overlay });
  }

  /** Returns the opened source of `source`'s packages. Throws with cargo's message if there can be none. */
  sourceOf(source: SourceId): Source {
    return this.#sources.open(source);
  }

  /**
   * Returns the packages in the folders of the `paths` configuration, by name; the first one of a name counts. Throws
   * with cargo's error chain. Cargo Book: Overriding Dependencies, "paths overrides".
   */
  readPathOverrides(): ReadonlyMap<string, Summary> {
    return readPathOverrides(this.#context, this.#sources);
  }

  /** Returns the packages in the folder of a path source and below it; empty if they cannot be read. */
  packagesBelow(source: SourceId): readonly FoundPackage[] {
    return findPackagesBelow(source, this.#context);
  }

  /**
   * Puts packages on disk and returns their places in the order of `summaries`. Fetches them by id, which is the order
   * of cargo's status lines, or in the given order if `keepsOrder` is true.
   */
  async fetchPackages(
    summaries: readonly Summary[],
    { keepsOrder = false, ...listener }: FetchPackagesOptions = {},
  ): Promise<readonly FetchedPackage[]> {
    // cargo reads the `[http]` settings even if nothing has to be downloaded.
    this.#context.config.http();
    const inFetchOrder = keepsOrder ? summaries : summaries.toSorted((a, b) => comparePackageIds(a.id, b.id));
    const fetched = await fetchFromSources(inFetchOrder, (source) => this.sourceOf(source), listener);
    this.access.finishDownloads();
    return summaries.map(({ id }) => fetched.get(id.key) ?? throwMissing(id));
  }

  /** Returns the manifest of a fetched package. Throws with cargo's error chain. */
  manifestOf(fetched: FetchedPackage): PackageManifest {
    const { load } = this.#context;
    return loadFetchedPackage(fetched, { load, sourceOf: (source) => this.sourceOf(source) });
  }

  /**
   * Queries all registries again and returns those of `ids` that are yanked, in the order of cargo's warnings. `ids`
   * must be sorted. Call it after all other queries.
   */
  yankedAmong(ids: readonly PackageId[]): Promise<readonly PackageId[]> {
    return yankedAmong(ids, { sources: this.#sources, cache: this.#context.cache });
  }
}
