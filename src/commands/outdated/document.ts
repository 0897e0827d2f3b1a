/** The outdated packages as JSON. */
import type { PackageId } from '../../core/package-id/package-id.ts';
import { formatUnpinnedUrl } from '../../core/package-id/source-url.ts';
import type { Dependent, OutdatedPackage } from '../../core/resolve/outdated.ts';
import type { DependencyKind } from '../../core/summary/summary.ts';

/** The document of `outdated --json`. */
export interface OutdatedDocument {
  /** Version of this format. */
  readonly version: 1;
  /** Why `update` would fail, so that every `compatible` is null; null if it would not fail. */
  readonly update_error: string | null;
  /** Sorted by name and version. */
  readonly packages: readonly OutdatedEntry[];
}

/** A package that has a newer version. */
export interface OutdatedEntry {
  readonly name: string;
  /** As in the lock file: `registry+https://…` or `sparse+…`. */
  readonly source: string;
  readonly current: string;
  /**
   * The version after `update`; null if that removes this version, and the dependents need no higher one, or if
   * `update_error` is not null.
   */
  readonly compatible: string | null;
  /** The highest version that is not yanked; null if there is none. Pre-releases count only if `current` is one. */
  readonly latest: string | null;
  /** One entry for each declaration. Never empty. */
  readonly dependents: readonly DependentEntry[];
}

/** A declaration of a dependency. */
export interface DependentEntry {
  readonly name: string;
  readonly version: string;
  readonly workspace_member: boolean;
  readonly kind: DependencyKind;
  readonly requirement: string;
  /** The target or `cfg(…)` that needs the dependency; null for all. */
  readonly target: string | null;
}

/** Returns the document. `isMember` returns true for a member of the workspace. */
export function outdatedDocument(
  packages: readonly OutdatedPackage[],
  {
    updateError,
    isMember,
  }: { readonly updateError: string | null; readonly isMember: (id: PackageId) => boolean },
): OutdatedDocument {
  return {
    version: 1,
    update_error: updateError,
    packages: packages.map(({ id, compatible, latest, dependents }) => ({
      name: id.name,
      source: formatUnpinnedUrl(id.source, { encoded: true }),
      current: id.version.text,
      compatible: compatible?.text ?? null,
      latest: latest?.text ?? null,
      dependents: dependents.flatMap((dependent) => dependentEntries(dependent, isMember)),
    })),
  };
}

function dependentEntries(
  { id, dependencies }: Dependent,
  isMember: (id: PackageId) => boolean,
): readonly DependentEntry[] {
  return dependencies.map(({ kind, req, platform }) => ({
    name: id.name,
    version: id.version.text,
    workspace_member: isMember(id),
    kind,
    requirement: req.text,
    target: platform?.text ?? null,
  }));
}
