/** The table of summaries that the resolver queries, with those of a catalog's sources. */
import type { SourceId } from '../../core/package-id/source-id.ts';
import { type ABSENT, type RejectedVersion, type SummaryTable, UNKNOWN } from '../../core/resolve/problem.ts';
import type { Summary } from '../../core/summary/summary.ts';
import type { Version } from '../../core/version/version.ts';
import type { OpenSources } from './open-sources.ts';

/** The summaries of all sources. Everything from a source that cannot be opened is UNKNOWN: loading it fails. */
export class SourceSummaries implements SummaryTable {
  readonly #sources: OpenSources;

  constructor(sources: OpenSources) {
    this.#sources = sources;
  }

  exact(source: SourceId, name: string, version: Version): Summary | typeof ABSENT | typeof UNKNOWN {
    return this.#sources.tryOpen(source)?.exact(name, version) ?? UNKNOWN;
  }

  all(
    source: SourceId,
    name: string,
    accepts?: (version: Version) => boolean,
  ): readonly Summary[] | typeof UNKNOWN {
    const opened = this.#sources.tryOpen(source);
    if (opened === null) return UNKNOWN;
    if (opened.isUpdated) return opened.all(name, accepts);
    this.#sources.outdated.add(opened);
    return UNKNOWN;
  }

  atHand(
    source: SourceId,
    name: string,
    accepts?: (version: Version) => boolean,
  ): readonly Summary[] | typeof UNKNOWN {
    return this.#sources.tryOpen(source)?.atHand(name, accepts) ?? UNKNOWN;
  }

  downloaded(
    source: SourceId,
    name: string,
    accepts: (version: Version) => boolean,
  ): readonly Summary[] | typeof UNKNOWN {
    return this.#sources.tryOpen(source)?.downloaded(name, accepts) ?? UNKNOWN;
  }

  rejected(source: SourceId, name: string): readonly RejectedVersion[] {
    return this.#sources.tryOpen(source)?.rejected(name) ?? [];
  }

  isDownloaded(source: SourceId, name: string, version: Version): boolean {
    return this.#sources.tryOpen(source)?.isDownloaded(name, version) ?? false;
  }
}
