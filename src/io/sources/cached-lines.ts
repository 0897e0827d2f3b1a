/** Finds versions in cached index files, without lock and network. Cargo Book: Registry Index, Sparse protocol. */
import { existsSync } from 'node:fs';
import { inputRecorder } from '../disk/input-recorder.ts';
import { decodeIndexLine, type IndexEntry, type IndexSources } from '../../core/protocol/index-line.ts';
import type { Version } from '../../core/version/version.ts';
import { placeInIndexCache, readIndexFile } from './index-cache.ts';
import { indexCacheFile, type RegistryFolders, registryFoldersOf } from './registry-folders.ts';
import type { SourceContext } from './source-context.ts';

/** A line of an index file that cargo can use. */
export type UsableEntry = IndexEntry & { readonly kind: 'usable' };

const NO_LINES: ReadonlyMap<string, UsableEntry> = new Map();

/**
 * The lines of a registry's cached index files that were needed. The rest of each file is not decoded. The comment of
 * `SparseRegistry` lists when they are forgotten.
 */
export class CachedLines {
  readonly #from: IndexSources;
  readonly #context: SourceContext;
  readonly #foldersBelow: (home: string) => RegistryFolders;
  /** Usable lines, by name and version. */
  readonly #found = new Map<string, Map<string, UsableEntry>>();
  /** Versions that were not on disk at a `PackageCache.turn`, by name. */
  readonly #missed = new Map<string, { readonly version: Version; readonly turn: number | null }[]>();

  constructor(from: IndexSources, context: SourceContext) {
    this.#from = from;
    this.#context = context;
    this.#foldersBelow = registryFoldersOf(from.actual);
  }

  /** Returns the lines of `name` that were found, by version. */
  known(name: string): ReadonlyMap<string, UsableEntry> {
    return this.#found.get(name) ?? NO_LINES;
  }

  /** Returns the versions of `name` that `findNew` did not find. */
  missed(name: string): readonly Version[] {
    return (this.#missed.get(name) ?? []).map(({ version }) => version);
  }

  /** Forgets everything, because the files are out of date. */
  forget(): void {
    this.#found.clear();
    this.#missed.clear();
  }

  /** Like `find`, but does not read the file again if the version was missing and cannot have appeared since. */
  findNew(name: string, version: Version): UsableEntry | null {
    if (this.#wasMissed(name, version)) return null;
    const entry = this.find(name, version);
    if (entry !== null) return entry;
    const missed = this.#missed.get(name);
    const miss = { version, turn: this.#context.cache.turn };
    if (missed === undefined) this.#missed.set(name, [miss]);
    else missed.push(miss);
    return null;
  }

  /** Returns the line of one version; null if it is not in the cache or cannot be used. */
  find(name: string, version: Version): UsableEntry | null {
    const known = this.#found.get(name)?.get(version.text);
    if (known !== undefined) return known;
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
      this.#addFound(name, entry);
      return entry;
    }
    return null;
  }

  #wasMissed(name: string, version: Version): boolean {
    const { turn } = this.#context.cache;
    if (turn === null) return false;
    const missed = this.#missed.get(name) ?? [];
    return missed.some((miss) => miss.turn === turn && miss.version.text === version.text);
  }

  #addFound(name: string, entry: UsableEntry): void {
    const version = entry.summary.id.version.text;
    const lines = this.#found.get(name);
    if (lines === undefined) this.#found.set(name, new Map([[version, entry]]));
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
