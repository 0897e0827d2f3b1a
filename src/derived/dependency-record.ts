/** The packages of a lock file that come from registries and repositories: as far as the document prints them. */
import type { PlacedFile } from '../disk/folder-listings.ts';
import type { Stamp } from '../disk/stamp.ts';
import type { SourceId } from '../package-id/source-id.ts';
import type { SourceTable } from '../package-id/source-table.ts';
import { Container } from './container.ts';
import { DamagedRecordError } from './damaged-record-error.ts';
import { type FindRegistry, readRegistries } from './named-registries.ts';
import type { PrintedPackage } from './package-view.ts';
import { PrintedReader } from './printed-record.ts';
import { RecordReader } from './record.ts';
import type { RecordFile } from './record-file.ts';
import { SourceReader } from './source-record.ts';
import { readStamp } from './stamp-record.ts';

/** A lock file that holds, and its packages. */
export interface RecalledDependencies {
  /** Sources that the lock file names, and where their packages really come from. */
  readonly sources: readonly RecalledSource[];
  /** All packages that are not on a path of this machine. */
  readonly packages: readonly RecalledDependency[];
  /** Another one for each record. */
  readonly identity: string;
  /** The file, for `recallLockPass`. */
  readonly container: Container;
  /** The record that this one stands on; null where it stands by itself. */
  readonly base: RecordBase | null;
}

/** A record that most packages of another one are taken from. */
export interface RecordBase {
  readonly record: RecalledDependencies;
  /** The packages in order: indexes into those of `record`, or from -1 down into those that the other one has itself. */
  readonly order: readonly number[];
}

/** What is kept of one source. */
export interface RecalledSource {
  readonly original: SourceId;
  readonly actual: SourceId;
  /** Files that are as they were as long as the source need not be asked. */
  readonly files: readonly Stamp[];
}

/** What is kept of one package. */
export interface RecalledDependency {
  /** The file of the index that its summary was read from; null where there is no index. */
  readonly index: Stamp | null;
  /** What was read of the package itself; null if that was not needed. */
  readonly content: RecalledContent | null;
}

/** What is kept of an unpacked package. */
export interface RecalledContent extends PrintedPackage, PackagePresence {
  /** Name of its library as code refers to it; null if it has none. */
  readonly libraryName: string | null;
}

/** What tells that a package is on disk as it was. */
export interface PackagePresence {
  readonly manifest: Stamp;
  /** The archive that it was unpacked from; null where there is none. */
  readonly archive: PlacedFile | null;
}

/** What a record is held against. */
export interface DependencyCheck {
  /** Absolute path of the workspace's root. */
  readonly root: string;
  readonly sources: SourceTable;
  readonly registry: FindRegistry;
}

/**
 * Reads a record, without its summaries, whatever lock file it was made of: its packages hold one by one. null if it is
 * of another format, or was made with other registries. Throws `DamagedRecordError` if it is damaged.
 */
export function recallDependencies(file: RecordFile, check: DependencyCheck): RecalledDependencies | null {
  return recall(file, null, check);
}

/** As `recallDependencies`, of a record that stands on another one; null as well if that is not `base`. */
export function recallChanges(
  file: RecordFile,
  base: RecalledDependencies,
  check: DependencyCheck,
): RecalledDependencies | null {
  return recall(file, base, check);
}

/** True if they are those of this lock file. Throws `DamagedRecordError`. */
export function areOfLockFile({ container }: RecalledDependencies, lockFile: Uint8Array): boolean {
  return container.text('lock').equals(lockFile);
}

function recall(
  file: RecordFile,
  record: RecalledDependencies | null,
  check: DependencyCheck,
): RecalledDependencies | null {
  const container = Container.open(file);
  if (container === null) return null;
  const input = new RecordReader(container, 'outline');
  if (input.string() !== check.root || input.optionalString() !== (record?.identity ?? null)) return null;
  const ids = new SourceReader(input, check.sources);
  if (readRegistries(input, ids, check) === null) return null;
  const sources = input.list(() => ({
    original: ids.read(),
    actual: ids.read(),
    files: input.list(() => readStamp(input) ?? damaged('source')),
  }));
  const order = input.intList();
  const printed = new PrintedReader(input, container.text('texts'));
  const own = input.list((): RecalledDependency => {
    const index = readStamp(input);
    const manifest = readStamp(input);
    if (manifest === null) return { index, content: null };
    const folder = input.optionalString();
    const archive = folder === null ? null : { folder, name: input.string() };
    const libraryName = input.optionalString();
    const { text } = printed.read();
    return { index, content: { manifest, archive, libraryName, text } };
  });
  const { identity } = container;
  if (record === null) return { sources, packages: own, identity, container, base: null };
  const packages = inOrder(order, record.packages, own);
  return { sources, packages, identity, container, base: { record, order } };
}

/** What stands at these places, as `RecordBase.order` has them. Throws `DamagedRecordError` where nothing does. */
export function inOrder<T>(order: readonly number[], based: readonly T[], own: readonly T[]): readonly T[] {
  return order.map((at) => (at < 0 ? own[-1 - at] : based[at]) ?? damaged('order'));
}

function damaged(what: string): never {
  throw new DamagedRecordError(what);
}
