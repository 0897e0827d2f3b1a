/** Packages of a graph, fetched and read. */
import { join } from 'node:path';
import type { PackageCache } from '../../disk/package-cache.ts';
import { SETTLING_MS, type Stamp, takeStamp } from '../../disk/stamp.ts';
import type { SourceTable } from '../../package-id/source-table.ts';
import type { PackageCatalog } from '../../sources/catalog.ts';
import type { FetchedPackage } from '../../sources/source.ts';
import type { Summary } from '../../summary/summary.ts';
import type { EarlierPackages } from './earlier-packages.ts';
import type { ReadAhead } from './read-ahead.ts';
import type { LoadedPackage } from './remember.ts';
import { viewPackage } from './workspace-view.ts';

/** Where packages come from. */
export interface PackageReaderOptions {
  readonly catalog: PackageCatalog;
  readonly cache: PackageCache;
  readonly earlier: EarlierPackages;
  readonly ahead: ReadAhead | null;
  /** Of the run. */
  readonly sources: SourceTable;
  /** When the run began. */
  readonly startedMs: number;
  /** Done once while packages are read or unpacked by others, if they are: what cannot be shared with them. */
  readonly meanwhile: () => void;
}

/** Reads packages, as far as nobody has read them before. */
export class PackageReader {
  readonly #options: PackageReaderOptions;
  #isMeanwhileDone = false;

  constructor(options: PackageReaderOptions) {
    this.#options = options;
  }

  /** Fetches and reads packages, in the order of the argument. Rejects with cargo's error chain for the first that is wrong. */
  async read(summaries: readonly Summary[]): Promise<readonly LoadedPackage[]> {
    const { catalog, earlier, ahead } = this.#options;
    const read = new Map<string, LoadedPackage>();
    const places = await catalog.fetchPackages(summaries, {
      onUnpacked: (fetched) => {
        // While others are unpacked this thread has little to do, and afterwards the others have nothing.
        this.#doMeanwhile();
        this.#tryRead(fetched, read);
      },
    });
    if (ahead !== null) await this.#readBeside(ahead, places, read);
    return summaries.map((summary, at) => {
      const fetched = places[at] ?? missing();
      const known = earlier.content(summary, fetched) ?? ahead?.content(summary, fetched) ?? null;
      return known === null ? (read.get(fetched.id.key) ?? this.#readOne(fetched)) : { fetched, ...known };
    });
  }

  /** Reads what the thread has not come to, from the other end, and waits for the rest. */
  async #readBeside(
    ahead: ReadAhead,
    places: readonly FetchedPackage[],
    read: Map<string, LoadedPackage>,
  ): Promise<void> {
    this.#doMeanwhile();
    for (let at = places.length - 1; at >= 0; at -= 1) {
      const fetched = places[at];
      if (fetched !== undefined && !read.has(fetched.id.key) && ahead.leaves(fetched.root))
        this.#tryRead(fetched, read);
    }
    await ahead.arrive(this.#options.sources);
  }

  #doMeanwhile(): void {
    if (!this.#isMeanwhileDone) this.#options.meanwhile();
    this.#isMeanwhileDone = true;
  }

  /** Adds a package to `read`, by the key of its id, unless it is wrong. */
  #tryRead(fetched: FetchedPackage, read: Map<string, LoadedPackage>): void {
    try {
      read.set(fetched.id.key, this.#readOne(fetched));
    } catch {
      // It is read again in its turn, and told of if no other is wrong before it.
    }
  }

  #readOne(fetched: FetchedPackage): LoadedPackage {
    const { catalog, cache, startedMs } = this.#options;
    const manifest = manifestStamp(fetched, cache, startedMs);
    return { fetched, view: viewPackage(catalog.manifestOf(fetched)), manifest };
  }
}

function missing(): never {
  throw new RangeError('a package was fetched and is not there');
}

/** What tells a manifest that is read after this, or was since the run began, from every later state of it. */
function manifestStamp(
  { root, manifest }: FetchedPackage,
  cache: PackageCache,
  startedMs: number,
): Stamp | null {
  const path = join(root, 'Cargo.toml');
  const written = cache.writtenStamp(path);
  if (written !== null) return written;
  const stamp = takeStamp(path);
  const limitMs = manifest === undefined ? Math.max(startedMs, Date.now() - SETTLING_MS) : startedMs;
  return stamp === null || stamp.changedMs >= limitMs ? null : stamp;
}
