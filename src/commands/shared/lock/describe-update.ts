/** Describes the changes of an update, and why packages are not newer. Cargo Book: cargo update. */
import { findHeldBack, type HeldBackContext, type HeldBackPackage } from '../../../core/resolve/held-back.ts';
import { comparePackages } from '../../../core/resolve/compare-packages.ts';
import type { Previous } from '../../../core/resolve/problem.ts';
import type { Resolution } from '../../../core/resolve/resolution.ts';
import type { PackageCatalog } from '../../../io/sources/catalog.ts';
import type { SolvedLockPass } from './lock-pass.ts';
import { type UpdateDocument, updateDocument } from './update-document.ts';

/** A completed update. */
export interface CompletedUpdate extends Pick<UpdateDocument, 'lockfile' | 'written'> {
  readonly solved: Pick<SolvedLockPass, 'resolution' | 'problem'>;
  /** The graph of the previous lock file; null if there was none or if it was ignored. */
  readonly before: Previous | null;
  /** Keys of packages that the update unlocked; null for all. */
  readonly toUnlock: ReadonlySet<string> | null;
  readonly catalog: PackageCatalog;
}

/** Compares a lock file with the previous one and with the versions in the registries. May query the registries. */
export async function describeUpdate(update: CompletedUpdate): Promise<UpdateDocument> {
  const { solved, before, toUnlock, catalog, lockfile, written } = update;
  const { resolution, problem } = solved;
  const heldBack = await findAllHeldBack(resolution, catalog, {
    problem,
    table: catalog.table,
    toUnlock,
    before: new Set(before?.packages.map(({ key }) => key)),
  });
  return updateDocument({ lockfile, written, changes: comparePackages(resolution, before), heldBack });
}

/** Finds the packages that have newer versions. Loads the summaries that this needs. */
async function findAllHeldBack(
  resolution: Resolution,
  catalog: PackageCatalog,
  context: HeldBackContext,
): Promise<readonly HeldBackPackage[]> {
  for (;;) {
    const { packages, missingSummaries } = findHeldBack(resolution, context);
    if (missingSummaries.length === 0) return packages;
    await catalog.loader.load(missingSummaries);
  }
}
