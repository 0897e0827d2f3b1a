/** What an earlier run made of packages that are still as it read them. */
import type { Config } from '../../config/config.ts';
import { DamagedRecordError } from '../../derived/damaged-record-error.ts';
import {
  areOfLockFile,
  type RecalledContent,
  type RecalledDependencies,
  type RecalledDependency,
} from '../../derived/dependency-record.ts';
import type { DependencyOrigin, KeptPackage } from '../../derived/encode-dependencies.ts';
import { recallLockPass } from '../../derived/lock-pass.ts';
import type { PackageView, WorkspaceView } from '../../derived/package-view.ts';
import { isSameStamp, type Stamp, stampHolds } from '../../disk/stamp.ts';
import { TsregError } from '../../errors/error.ts';
import { joinPath } from '../../files/path.ts';
import { formatPackageId, type PackageId } from '../../package-id/package-id.ts';
import type { SourceId } from '../../package-id/source-id.ts';
import type { SourceTable } from '../../package-id/source-table.ts';
import type { FetchedPackage } from '../../sources/source.ts';
import type { RecordedPackages } from '../../sources/source-context.ts';
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
  readonly record: RecalledDependency;
  /** Where the record that stands by itself has it; negative where only the one that stands on it does. */
  readonly at: number;
}

/** Where more packages have come or gone since a record was made than one in so many, all of them are kept anew. */
const PACKAGES_PER_CHANGE = 4;

/** The packages that the last run on a workspace kept, whatever its lock file said. */
export class EarlierPackages implements RecordedPackages {
  /** By ids in the `legacy` form. */
  readonly #contents = new Map<string, RecalledContent>();
  /** By keys of ids without what their sources are pinned to. */
  readonly #summaries = new Map<string, EarlierSummary>();
  readonly #given = new Map<Summary, EarlierSummary>();
  /** Those of `#contents` whose sources are where they were. */
  readonly #inPlace = new Set<RecalledContent>();
  /** Those of `#contents` whose manifests were looked at. */
  readonly #unchanged = new Set<RecalledContent>();
  #whole: RecalledDependencies | null = null;

  /** `kept` is null where nothing that was kept may be used. */
  constructor(kept: KeptDependencies | null, { sources }: WorkspaceView, config: Config) {
    try {
      const earlier = kept?.recall() ?? null;
      if (earlier !== null) this.#take(earlier, sources, config);
    } catch (error) {
      // What is wrong with the configuration is told by whoever opens the sources.
      if (!(error instanceof DamagedRecordError || error instanceof TsregError)) throw error;
      this.#contents.clear();
      this.#inPlace.clear();
      this.#summaries.clear();
      this.#whole = null;
    }
  }

  /** A version as a file of an index below cargo's home has it; null if it must be read. */
  summary(source: SourceId, name: string, version: Version): Summary | null {
    const found = this.#summaries.get(keyOf(source, name, version));
    if (found === undefined || found.summary.id.source !== source || !stampHolds(found.index)) return null;
    this.#given.set(found.summary, found);
    return found.summary;
  }

  /** The file that a version was read from which `summary` gave; null for all others. */
  indexStamp(summary: Summary): Stamp | null {
    return this.#given.get(summary)?.index ?? null;
  }

  /**
   * The record that what these packages of a lock file add to may stand on, and those that it has; null where it has too
   * few, or is of the same lock file: then something else has changed, and it is of no more use.
   */
  recordOf(packages: readonly KeptPackage[], lockText: string): DependencyOrigin['base'] {
    if (this.#whole === null || areOfLockFile(this.#whole, Buffer.from(lockText))) return null;
    const indexes = new Map<KeptPackage, number>();
    for (const each of packages) {
      const found = this.#given.get(each.summary);
      if (found !== undefined && found.at >= 0 && isRecorded(each, found.record)) indexes.set(each, found.at);
    }
    const newCount = packages.length - indexes.size;
    const goneCount = this.#whole.packages.length - indexes.size;
    if ((newCount + goneCount) * PACKAGES_PER_CHANGE > packages.length) return null;
    return { identity: this.#whole.identity, indexes };
  }

  /** What is known of a package; null if it must be read. */
  content(summary: Summary, { id, root, manifest }: FetchedPackage): EarlierContent | null {
    const content = manifest === undefined ? this.#contentIn(root, id) : null;
    return content === null ? null : { view: { ...content, summary }, manifest: content.manifest };
  }

  /**
   * What is known of a package that this run had no use for, so that it is not lost for others; nobody has asked
   * whether it is still so.
   */
  unused(summary: Summary): KeptPackage['content'] {
    const content = this.#contents.get(formatPackageId(summary.id, 'legacy'));
    if (content === undefined || !this.#inPlace.has(content)) return null;
    const { manifest, archive } = content;
    return { manifest, archive, view: { ...content, summary } };
  }

  wasReadFrom(root: string, id: PackageId): boolean {
    return this.#contentIn(root, id) !== null;
  }

  #contentIn(root: string, id: PackageId): RecalledContent | null {
    const content = this.#contents.get(formatPackageId(id, 'legacy'));
    if (content === undefined || content.manifest.path !== joinPath(root, 'Cargo.toml')) return null;
    if (this.#unchanged.has(content)) return content;
    if (!stampHolds(content.manifest)) return null;
    this.#unchanged.add(content);
    return content;
  }

  #take(earlier: RecalledDependencies, sources: SourceTable, config: Config): void {
    for (const { content } of earlier.packages)
      if (content !== null) this.#contents.set(content.text.id('legacy'), content);
    const replacement = new SourceReplacement(config, sources);
    const home = joinPath(config.home, '');
    const same = new Set<SourceId>();
    for (const { original, actual } of earlier.sources)
      if (replacement.actualOf(original) === actual) same.add(original);
    const { base } = earlier;
    this.#whole = base?.record ?? earlier;
    for (const [place, { summary, ...record }] of recallLockPass(earlier, sources).packages().entries()) {
      const { index, content } = record;
      const { name, version, source } = summary.id;
      if (!same.has(source)) continue;
      if (content !== null) this.#inPlace.add(content);
      if (index === null || !index.path.startsWith(home)) continue;
      const at = base === null ? place : (base.order[place] ?? -1);
      this.#summaries.set(keyOf(source, name, version), { summary, index, record, at });
    }
  }
}

/** True if a record says of a package what is to be kept of it, or more than that. */
function isRecorded({ index, content }: KeptPackage, record: RecalledDependency): boolean {
  const before = record.content;
  return (
    index !== null &&
    record.index !== null &&
    isSameStamp(index, record.index) &&
    (content === null ||
      (before !== null &&
        content.view.text === before.text &&
        isSameStamp(content.manifest, before.manifest) &&
        content.archive?.folder === before.archive?.folder &&
        content.archive?.name === before.archive?.name))
  );
}

function keyOf(source: SourceId, name: string, version: Version): string {
  return `${name} ${version.text} ${source.key}`;
}
