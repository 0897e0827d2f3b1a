/** Decodes one package's index file, line by line as versions are used. */
import { decodeIndexLine, type IndexEntry, type IndexSources } from '../../core/protocol/index-line.ts';
import type { SourceTable } from '../../core/package-id/source-table.ts';
import type { RejectedVersion } from '../../core/resolve/problem.ts';
import type { Summary } from '../../core/summary/summary.ts';
import type { Version } from '../../core/version/version.ts';
import { type IndexedLine, type IndexFile, lineText } from './index-cache.ts';

/** The origin of the lines and how to decode them. */
export interface IndexSummariesOptions {
  /** The package's exact name. Ignores lines with another name. */
  readonly name: string;
  readonly from: IndexSources;
  readonly sources: SourceTable;
  /** Entries of first lines that were decoded before, by version. The same objects are returned again. */
  readonly decodedEntries?: ReadonlyMap<string, IndexEntry>;
}

/** The versions of one package. One line is always the same object. */
export class IndexSummaries {
  readonly #file: IndexFile | null;
  readonly #options: IndexSummariesOptions;
  readonly #entryByLine = new Map<IndexedLine, IndexEntry | null>();
  /** The entries of `decodedEntries` that `#takeDecoded` has not returned yet. */
  readonly #unusedEntries: Map<string, IndexEntry>;

  /** `file` is null for a package that the index does not have. */
  constructor(file: IndexFile | null, options: IndexSummariesOptions) {
    this.#file = file;
    this.#options = options;
    this.#unusedEntries = new Map(options.decodedEntries);
    // cargo decodes a file that is not cached at once. That matters if lines name registries: messages use the first
    // spelling of a registry that the run has met.
    if (file?.isCached === false && file.bytes.includes('"registry"')) this.#entries();
  }

  /** Returns every usable version that `accepts` allows, including yanked ones. Decodes no other line. */
  all(accepts?: (version: Version) => boolean): readonly Summary[] {
    const summaries: Summary[] = [];
    for (const line of this.#file?.lines ?? []) {
      if (accepts?.(line.version) === false) continue;
      const entry = this.#decode(line);
      if (entry?.kind === 'usable') summaries.push(entry.summary);
    }
    return summaries;
  }

  /** Versions that `all` leaves out. */
  get rejected(): readonly RejectedVersion[] {
    return this.#entries().flatMap((entry) =>
      entry.kind === 'rejected' ? [{ version: entry.version, reason: entry.reason }] : [],
    );
  }

  /** Returns the first line of a version if it is usable; otherwise null. */
  exact(version: Version): Summary | null {
    const line = this.#file?.lines.find((candidate) => candidate.version.text === version.text);
    const entry = line === undefined ? null : this.#decode(line);
    return entry?.kind === 'usable' ? entry.summary : null;
  }

  #entries(): readonly IndexEntry[] {
    return (this.#file?.lines ?? []).flatMap((line) => this.#decode(line) ?? []);
  }

  /** Returns the entry of a line, which is decoded once; null if the line belongs to no version of this package. */
  #decode(line: IndexedLine): IndexEntry | null {
    let entry = this.#entryByLine.get(line);
    if (entry === undefined) {
      entry = this.#takeDecoded(line) ?? this.#read(line);
      this.#entryByLine.set(line, entry);
    }
    return entry;
  }

  /** Returns the decoded entry of a version once, for its first line; null if there is none. */
  #takeDecoded({ version }: IndexedLine): IndexEntry | null {
    const entry = this.#unusedEntries.get(version.text) ?? null;
    this.#unusedEntries.delete(version.text);
    return entry;
  }

  #read(line: IndexedLine): IndexEntry | null {
    const { name, from, sources } = this.#options;
    const entry = this.#file === null ? null : decodeIndexLine(lineText(this.#file, line), from, sources);
    return entry !== null && entryName(entry) === name ? entry : null;
  }
}

/** Decodes every line of an index file. Leaves out those without a package. */
export function decodeIndexFile(
  file: IndexFile | null,
  { from, sources }: Pick<IndexSummariesOptions, 'from' | 'sources'>,
): readonly IndexEntry[] {
  if (file === null) return [];
  return file.lines.flatMap((line) => decodeIndexLine(lineText(file, line), from, sources) ?? []);
}

/** Returns the package name in an index line. */
export function entryName(entry: IndexEntry): string {
  return entry.kind === 'usable' ? entry.summary.id.name : entry.name;
}
