/** What resolving asks of a lock file and its packages, as a part of their record. */
import type { PackageId } from '../package-id/package-id.ts';
import type { SourceTable } from '../package-id/source-table.ts';
import type { Summary } from '../summary/summary.ts';
import { RecordReader, type RecordWriter } from './record.ts';
import { SummaryReader, SummaryWriter } from './summary-record.ts';
import type { RecalledDependencies, RecalledDependency } from './dependency-record.ts';

/** A package that is not on a path of this machine. */
export interface LockedPackage {
  readonly summary: Summary;
}

/** A lock file that holds, and what it leads to. */
export interface LockPass<Package extends LockedPackage = LockedPackage> {
  /** True for the formats 1 and 2. */
  readonly mergesMasterBranch: boolean;
  /** Everything that the lock file names, sorted by package id. */
  readonly ids: readonly PackageId[];
  /** Edges of `ids`, as indexes into it. */
  readonly edges: readonly (readonly number[])[];
  /** In the order of the record. */
  readonly packages: readonly Package[];
}

/** Writes what `recallLockPass` reads. */
export function writeLockPass(pass: LockPass, out: RecordWriter): void {
  const summaries = new SummaryWriter(out);
  out.int(pass.mergesMasterBranch ? 1 : 0);
  out.list(pass.ids, (id) => summaries.packageId(id));
  out.list(pass.edges, (targets) => out.list(targets, (target) => out.int(target)));
  for (const { summary } of pass.packages) summaries.summary(summary);
}

/** As `LockPass`, with the packages left to be read when they are asked for. */
export interface RecalledLockPass extends Omit<LockPass, 'packages'> {
  /** To be called once. Throws `DamagedRecordError` if they are damaged. */
  readonly packages: () => readonly (LockedPackage & RecalledDependency)[];
}

/** What recalled packages were resolved from. Throws `DamagedRecordError` if it is damaged. */
export function recallLockPass(
  { packages, container }: RecalledDependencies,
  sources: SourceTable,
): RecalledLockPass {
  const input = new RecordReader(container, 'lock-pass');
  const summaries = new SummaryReader(input, sources);
  return {
    mergesMasterBranch: input.int() === 1,
    ids: input.list(() => summaries.packageId()),
    edges: input.list(() => input.list(() => input.int())),
    packages: () => packages.map((each) => ({ ...each, summary: summaries.summary() })),
  };
}
