/** What resolving asks of a lock file and its packages, as a part of their record. */
import type { PackageId } from '../package-id/package-id.ts';
import type { SourceTable } from '../package-id/source-table.ts';
import type { Summary } from '../summary/summary.ts';
import { DamagedRecordError } from './damaged-record-error.ts';
import { RecordReader, type RecordWriter } from './record.ts';
import { SummaryReader, SummaryWriter } from './summary-record.ts';
import { inOrder, type RecalledDependencies, type RecalledDependency } from './dependency-record.ts';

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

/** Writes what `recallLockPass` reads, of packages those that are not taken from another record. */
export function writeLockPass(pass: LockPass, out: RecordWriter): void {
  const summaries = new SummaryWriter(out, { keepsNames: false });
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
export function recallLockPass(recalled: RecalledDependencies, sources: SourceTable): RecalledLockPass {
  const { packages, container } = recalled;
  const input = new RecordReader(container, 'lock-pass');
  const summaries = new SummaryReader(input, sources);
  return {
    mergesMasterBranch: input.int() === 1,
    ids: input.list(() => summaries.packageId()),
    edges: input.list(() => input.list(() => input.int())),
    packages: () => {
      const found = summariesOf(recalled, summaries, sources);
      return packages.map((each, index) => ({ ...each, summary: found[index] ?? missing() }));
    },
  };
}

function summariesOf(
  { packages, base }: RecalledDependencies,
  own: SummaryReader,
  sources: SourceTable,
): readonly Summary[] {
  if (base === null) return packages.map(() => own.summary());
  const based = recallLockPass(base.record, sources).packages();
  const ownCount = base.order.filter((at) => at < 0).length;
  return inOrder(
    base.order,
    based.map(({ summary }) => summary),
    Array.from({ length: ownCount }, () => own.summary()),
  );
}

function missing(): never {
  throw new DamagedRecordError('summaries');
}
