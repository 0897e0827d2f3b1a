/** Finds versions in cached index files, without lock and network. Cargo Book: Registry Index, Sparse protocol. */
import { existsSync } from 'node:fs';
import { inputRecorder } from '../disk/input-recorder.ts';
import { decodeIndexLine, type IndexEntry, type IndexSources } from '../../core/protocol/index-line.ts';
import type { Version } from '../../core/version/version.ts';
import { placeInIndexCache, readIndexFile } from './index-cache.ts';
import { indexCacheFile, type RegistryFolders, registryFoldersOf } from './registry-folders.ts';
import type { RegistryContext } from './source-context.ts';

/** A line of an index file that cargo can use. */
export type UsableEntry = IndexEntry & { readonly kind: 'usable' };

const NO_LINES: ReadonlyMap<string, UsableEntry> = new Map();

/**
 * The lines of a registry's cached index files that were needed. The rest of each file is not decoded. The comment of
 * `SparseRegistry` lists when they are forgotten.
 */
export class CachedLines {
  readonly #from: IndexSources;
  readonly #context: RegistryContext;
  readonly #foldersBelow: (home: string) => RegistryFolders;
  /** The usable lines that were found, by name and version. */
  readonly #entries = new Map<string, Map<string, UsableEntry>>();
  /** Versions that were not on disk at a `PackageCache.turn`, by name. */
  readonly #misses = new Map<string, { readonly version: Version; readonly turn: number | null }[]>();

  constructor(from: IndexSources, context: RegistryContext) {
    this.#from = from;
    this.#context = context;
    this.#foldersBelow = registryFoldersOf(from.actual);
  }

  /** Returns the lines of `name` that were found, by version. */
  entriesOf(name: string): ReadonlyMap<string, UsableEntry> {
    return this.#entries.get(name) ?? NO_LINES;
  }

  /** Returns the versions of `name` that `findNew` did not find. */
  missingVersions(name: string): readonly Version[] {
    return (this.#misses.get(name) ?? []).map(({ version }) => version);
  }

  /** Forgets everything, because the files are out of date. */
  forget(): void {
    this.#entries.clear();
    this.#misses.clear();
  }

  /** Like `find`, but does not read the file again if the version was missing and cannot have appeared since. */
  findNew(name: string, version: Version): UsableEntry | null {
    if (this.#isKnownMiss(name, version)) return null;
    const entry = this.find(name, version);
    if (entry !== null) return entry;
    const misses = this.#misses.get(name);
    const miss = { version, turn: this.#context.cache.turn };
    if (misses === undefined) this.#misses.set(name, [miss]);
    else misses.push(miss);
    return null;
  }

  /** Returns the line of one version; null if it is not in the cache or cannot be used. */
  find(name: string, version: Version): UsableEntry | null {
    const cached = this.#entries.get(name)?.get(version.text);
    if (cached !== undefined) return cached;
    const { cache, sources } = this.#context;
    for (const home of [cache.home, cache.ownHome]) {
      const { index } = this.#foldersBelow(home);
      // Most users have no `ownHome`, and failing to open a file is slower than checking.
      if (home === cache.ownHome && !existsSync(index)) continue;
      const path = indexCacheFile(index, name);
      const text = readLine(path, version);
      if (text === null) continue;
      const entry = decodeIndexLine(text, this.#from, sources);
      if (entry?.kind !== 'usable' || entry.summary.id.name !== name) continue;
      inputRecorder()?.wholeFiles.add(path);
      this.#addEntry(name, entry);
      return entry;
    }
    return null;
  }

  /** Returns true if the version was missing, and no other process can have written the file since. */
  #isKnownMiss(name: string, version: Version): boolean {
    const { turn } = this.#context.cache;
    if (turn === null) return false;
    const misses = this.#misses.get(name) ?? [];
    return misses.some((miss) => miss.turn === turn && miss.version.text === version.text);
  }

  #addEntry(name: string, entry: UsableEntry): void {
    const version = entry.summary.id.version.text;
    const lines = this.#entries.get(name);
    if (lines === undefined) this.#entries.set(name, new Map([[version, entry]]));
    else lines.set(version, entry);
  }
}

/** Returns the JSON of one version in a cache file; null if the file cannot be read or lacks the version. */
function readLine(path: string, version: Version): string | null {
  const bytes = readIndexFile(path);
  if (bytes === null) return null;
  const place = placeInIndexCache(bytes, version.text);
  return place === null ? null : bytes.toString('utf8', place.start, place.end);
}
