/** The changes of a lock file as JSON. */
import type { PackageId } from '../../../core/package-id/package-id.ts';
import { formatUnpinnedUrl } from '../../../core/package-id/source-url.ts';
import type { HeldBackPackage, HoldReason } from '../../../core/resolve/held-back.ts';
import type { PackageChange } from '../../../core/resolve/compare-packages.ts';

/** The document of `update --json`. */
export interface UpdateDocument {
  /** Version of this format. */
  readonly version: 1;
  /** Absolute path of the lock file. */
  readonly lockfile: string;
  /** False if the file was already up to date, or for a dry run. */
  readonly written: boolean;
  /** Sorted by name and source. */
  readonly changes: readonly ChangeEntry[];
  /** Packages of the new lock file that have newer versions, sorted. */
  readonly heldBack: readonly HeldBackEntry[];
}

/** The result of a command on the lock file. */
export interface UpdateResult {
  /** Describes the changes. May query registries, so call it only if the document is needed. */
  readonly describe: () => Promise<UpdateDocument>;
}

/** A package that changed. */
export interface ChangeEntry {
  readonly kind: 'added' | 'removed' | 'upgraded' | 'downgraded';
  readonly name: string;
  /** As in the lock file, without a commit: `registry+https://…`, `sparse+…`, `git+…`; null for a folder. */
  readonly source: string | null;
  /** null if it is added. */
  readonly from: LockedVersion | null;
  /** null if it is removed. */
  readonly to: LockedVersion | null;
}

/** A version in a lock file. */
export interface LockedVersion {
  readonly version: string;
  /** The commit of a package from a git repository; null for all others. */
  readonly commit: string | null;
}

/** A package that has newer versions. */
export interface HeldBackEntry {
  readonly name: string;
  readonly version: string;
  readonly source: string | null;
  /** Newest first. Of several versions with the same kinds of reasons, only the newest. */
  readonly newer: readonly NewerVersion[];
}

/** A newer version that was not chosen. */
export interface NewerVersion {
  readonly version: string;
  readonly rustVersion: string | null;
  /** Never empty. */
  readonly reasons: readonly HoldReasonEntry[];
}

/** A reason why a version was not chosen. */
export type HoldReasonEntry =
  /** The package `name` `version` depends on this one and does not accept the version. */
  | {
      readonly kind: 'requirement';
      readonly name: string;
      readonly version: string;
      readonly requirement: string;
    }
  /** The version needs a newer Rust than the workspace supports. */
  | { readonly kind: 'rust-version'; readonly supported: string }
  /** The version was published too recently; `minimum` is as configured, such as `7 days`. */
  | { readonly kind: 'publish-age'; readonly minimum: string }
  /** The version is a pre-release, and a requirement does not allow it. */
  | { readonly kind: 'pre-release' }
  | { readonly kind: 'yanked' }
  /** The version is not on disk, and the network is off. */
  | { readonly kind: 'offline' }
  /** `--precise` selects another version. */
  | { readonly kind: 'precise' }
  /** The run does not update the package. */
  | { readonly kind: 'lockfile' }
  /** The version conflicts with another chosen package. */
  | { readonly kind: 'conflict' };

/** The inputs of `updateDocument`. */
export interface UpdateFacts extends Pick<UpdateDocument, 'lockfile' | 'written'> {
  readonly changes: readonly PackageChange[];
  readonly heldBack: readonly HeldBackPackage[];
}

/** Makes the document of an update. */
export function updateDocument({ lockfile, written, changes, heldBack }: UpdateFacts): UpdateDocument {
  return {
    version: 1,
    lockfile,
    written,
    changes: changes.flatMap((change) => changeEntry(change) ?? []),
    heldBack: heldBack.map(({ id, newer }) => ({
      name: id.name,
      version: id.version.text,
      source: sourceText(id),
      newer: newer.map(({ summary, reasons }) => ({
        version: summary.id.version.text,
        rustVersion: summary.rustVersion,
        reasons: reasons.map(reasonEntry),
      })),
    })),
  };
}

function changeEntry({ kind, id, from }: PackageChange): ChangeEntry | null {
  if (kind === 'unchanged') return null;
  const before = kind === 'removed' ? id : from;
  return {
    kind,
    name: id.name,
    source: sourceText(id),
    from: before === null ? null : lockedVersion(before),
    to: kind === 'removed' ? null : lockedVersion(id),
  };
}

function lockedVersion({ version, source }: PackageId): LockedVersion {
  return { version: version.text, commit: source.precise };
}

function sourceText({ source }: PackageId): string | null {
  return source.kind === 'path' ? null : formatUnpinnedUrl(source, { encoded: true });
}

function reasonEntry(reason: HoldReason): HoldReasonEntry {
  switch (reason.kind) {
    case 'requirement': {
      const { of, requirement } = reason;
      return { kind: reason.kind, name: of.name, version: of.version.text, requirement };
    }
    case 'rust-version':
      return { kind: reason.kind, supported: reason.supported.text };
    default:
      return reason;
  }
}
