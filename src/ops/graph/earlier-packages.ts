/** What an earlier run made of packages that are still as it read them. */
import type { Config } from '../../config/config.ts';
import { DamagedRecordError } from '../../derived/damaged-record-error.ts';
import type { RecalledContent, RecalledDependencies } from '../../derived/dependency-record.ts';
import { recallLockPass } from '../../derived/lock-pass.ts';
import type { PackageView, WorkspaceView } from '../../derived/package-view.ts';
import { type Stamp, stampHolds } from '../../disk/stamp.ts';
import { TsregError } from '../../errors/error.ts';
import { joinPath } from '../../files/path.ts';
import { formatPackageId } from '../../package-id/package-id.ts';
import type { SourceId } from '../../package-id/source-id.ts';
import type { SourceTable } from '../../package-id/source-table.ts';
import type { FetchedPackage } from '../../sources/source.ts';
import { SourceReplacement } from '../../sources/source-replacement.ts';
import type { Summary } from '../../summary/summary.ts';
import type { Version } from '../../version/version.ts';
import type { KeptDependencies } from './kept-dependencies.ts';

/** A package that need not be read again. */
export interface EarlierContent {
  readonly view: PackageView;
  readonly manifest: Stamp;
}

/** A version in an index. */
interface EarlierSummary {
  readonly summary: Summary;
  readonly index: Stamp;
}

/** The packages that the last run on a workspace kept, whatever its lock file said. */
export class EarlierPackages {
  /** By ids in the `legacy` form. */
  readonly #contents = new Map<string, RecalledContent>();
  /** By keys of ids without what their sources are pinned to. */
  readonly #summaries = new Map<string, EarlierSummary>();
  readonly #given = new Map<Summary, Stamp>();

  /** `kept` is null where nothing that was kept may be used. */
  constructor(kept: KeptDependencies | null, { sources }: WorkspaceView, config: Config) {
    try {
      const earlier = kept?.recall() ?? null;
      if (earlier !== null) this.#take(earlier, sources, config);
    } catch (error) {
      // What is wrong with the configuration is told by whoever opens the sources.
      if (!(error instanceof DamagedRecordError || error instanceof TsregError)) throw error;
      this.#contents.clear();
      this.#summaries.clear();
    }
  }

  /** A version as a file of an index below cargo's home has it; null if it must be read. */
  summary(source: SourceId, name: string, version: Version): Summary | null {
    const found = this.#summaries.get(keyOf(source, name, version));
    if (found === undefined || found.summary.id.source !== source || !stampHolds(found.index)) return null;
    this.#given.set(found.summary, found.index);
    return found.summary;
  }

  /** The file that a version was read from which `summary` gave; null for all others. */
  indexStamp(summary: Summary): Stamp | null {
    return this.#given.get(summary) ?? null;
  }

  /** What is known of a package; null if it must be read. */
  content(summary: Summary, { id, root, manifest }: FetchedPackage): EarlierContent | null {
    const content = manifest === undefined ? this.#contents.get(formatPackageId(id, 'legacy')) : undefined;
    if (content === undefined || content.manifest.path !== joinPath(root, 'Cargo.toml')) return null;
    return stampHolds(content.manifest)
      ? { view: { ...content, summary }, manifest: content.manifest }
      : null;
  }

  #take(earlier: RecalledDependencies, sources: SourceTable, config: Config): void {
    for (const { content } of earlier.packages)
      if (content !== null) this.#contents.set(content.text.id('legacy'), content);
    const replacement = new SourceReplacement(config, sources);
    const home = joinPath(config.home, '');
    const same = new Set<SourceId>();
    for (const { original, actual } of earlier.sources)
      if (replacement.actualOf(original) === actual) same.add(original);
    for (const { summary, index } of recallLockPass(earlier, sources).packages()) {
      const { name, version, source } = summary.id;
      if (index === null || !same.has(source) || !index.path.startsWith(home)) continue;
      this.#summaries.set(keyOf(source, name, version), { summary, index });
    }
  }
}

function keyOf(source: SourceId, name: string, version: Version): string {
  return `${name} ${version.text} ${source.key}`;
}
