/** What an earlier run made of packages that are still on disk as it read them. */
import { DamagedRecordError } from '../../derived/damaged-record-error.ts';
import {
  type DependencyCheck,
  type RecalledContent,
  recallContents,
} from '../../derived/dependency-record.ts';
import type { PackageView } from '../../derived/package-view.ts';
import type { RecordStore } from '../../derived/store.ts';
import { type Stamp, stampHolds } from '../../disk/stamp.ts';
import { formatPackageId } from '../../package-id/package-id.ts';
import type { FetchedPackage } from '../../sources/source.ts';
import type { Summary } from '../../summary/summary.ts';

/** A package that need not be read again. */
export interface EarlierContent {
  readonly view: PackageView;
  readonly manifest: Stamp;
}

/** The packages that the last run on a workspace kept, whatever its lock file said. */
export class EarlierContents {
  readonly #contents: ReadonlyMap<string, RecalledContent>;

  /** `store` is null where nothing that was kept may be used. */
  constructor(store: RecordStore | null, check: Omit<DependencyCheck, 'lockFile'>) {
    const file = store?.read('dependencies', check.root) ?? null;
    this.#contents = file === null ? new Map() : readContents(file, check);
  }

  /** What is known of a package; null if it must be read. */
  find(summary: Summary, { id, root, manifest }: FetchedPackage): EarlierContent | null {
    const content = manifest === undefined ? this.#contents.get(formatPackageId(id, 'legacy')) : undefined;
    if (content === undefined || content.manifest.path !== `${root}/Cargo.toml`) return null;
    return stampHolds(content.manifest)
      ? { view: { ...content, summary }, manifest: content.manifest }
      : null;
  }
}

function readContents(
  file: Uint8Array,
  check: Omit<DependencyCheck, 'lockFile'>,
): ReadonlyMap<string, RecalledContent> {
  try {
    return recallContents(file, check);
  } catch (error) {
    if (error instanceof DamagedRecordError) return new Map();
    throw error;
  }
}
