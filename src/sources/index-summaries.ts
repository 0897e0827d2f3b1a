/** One package's file in an index, decoded line by line as versions are asked for. */
import { decodeIndexLine, type IndexEntry, type IndexSources } from '../protocol/index-line.ts';
import type { SourceTable } from '../package-id/source-table.ts';
import type { RejectedVersion } from '../resolve/problem.ts';
import type { Summary } from '../summary/summary.ts';
import type { Version } from '../version/version.ts';
import { type IndexedLine, type IndexFile, lineText } from './index-cache.ts';

/** Where the lines come from and how they are to be read. */
export interface IndexSummariesOptions {
  /** The package's exact name; lines of any other are as if they were not there. */
  readonly name: string;
  readonly from: IndexSources;
  readonly sources: SourceTable;
  /** What was decoded before, by version; of these versions the same objects are given out. */
  readonly known?: ReadonlyMap<string, IndexEntry>;
}

/** The versions of one package. The same version is always the same object. */
export class IndexSummaries {
  readonly #file: IndexFile | null;
  readonly #options: IndexSummariesOptions;
  readonly #decoded: Map<string, IndexEntry | null>;

  /** `file` is null for a package that the index does not have. */
  constructor(file: IndexFile | null, options: IndexSummariesOptions) {
    this.#file = file;
    this.#options = options;
    this.#decoded = new Map(options.known);
  }

  /** Every usable version that is accepted, yanked ones included. No other line is decoded. */
  all(accepts?: (version: Version) => boolean): readonly Summary[] {
    const all: Summary[] = [];
    for (const line of this.#file?.lines ?? []) {
      if (accepts?.(line.version) === false) continue;
      const entry = this.#decode(line);
      if (entry?.kind === 'usable') all.push(entry.summary);
    }
    return all;
  }

  /** Versions that `all` leaves out. */
  get rejected(): readonly RejectedVersion[] {
    return this.#entries().flatMap((entry) =>
      entry.kind === 'rejected' ? [{ version: entry.version, reason: entry.reason }] : [],
    );
  }

  /** One usable version, or null. */
  exact(version: Version): Summary | null {
    const line = this.#file?.lines.find((candidate) => candidate.version.text === version.text);
    const entry = line === undefined ? null : this.#decode(line);
    return entry?.kind === 'usable' ? entry.summary : null;
  }

  #entries(): readonly IndexEntry[] {
    return (this.#file?.lines ?? []).flatMap((line) => this.#decode(line) ?? []);
  }

  #decode(line: IndexedLine): IndexEntry | null {
    const version = line.version.text;
    let entry = this.#decoded.get(version);
    if (entry === undefined) {
      const { name, from, sources } = this.#options;
      entry = this.#file === null ? null : decodeIndexLine(lineText(this.#file, line), from, sources);
      if (entry !== null && nameOf(entry) !== name) entry = null;
      this.#decoded.set(version, entry);
    }
    return entry;
  }
}

function nameOf(entry: IndexEntry): string {
  return entry.kind === 'usable' ? entry.summary.id.name : entry.name;
}
