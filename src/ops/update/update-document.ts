/** What changed in a lock file, for programs. */
import type { PackageId } from '../../package-id/package-id.ts';
import { formatUnpinnedUrl } from '../../package-id/source-url.ts';
import type { HeldBackPackage, HoldReason } from '../../resolve/held-back.ts';
import type { PackageChange } from '../../resolve/lock-changes.ts';

/** The document of `update --json`. */
export interface UpdateDocument {
  /** Of this form. */
  readonly version: 1;
  /** Absolute path of the lock file. */
  readonly lockfile: string;
  /** False if it was as it should be already, or if nothing was to be written. */
  readonly written: boolean;
  /** Sorted by name and source. */
  readonly changes: readonly ChangeEntry[];
  /** Packages of the new lock file of which there are newer versions, sorted. */
  readonly held_back: readonly HeldBackEntry[];
}

/** What a command on the lock file gives. */
export interface UpdateResult {
  /** Says what changed and what did not; takes time of its own. */
  readonly describe: () => Promise<UpdateDocument>;
}

/** One package that is not as it was. */
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

/** One package that is not the newest there is. */
export interface HeldBackEntry {
  readonly name: string;
  readonly version: string;
  readonly source: string | null;
  /** Newest first; of several that were not taken for the same kinds of reasons only the newest. */
  readonly newer: readonly NewerVersion[];
}

/** A version that was not taken. */
export interface NewerVersion {
  readonly version: string;
  readonly rust_version: string | null;
  /** Never empty. */
  readonly reasons: readonly HoldReasonEntry[];
}

/** Why a version was not taken. */
export type HoldReasonEntry =
  /** `name` `version` depends on the package and does not accept it. */
  | {
      readonly kind: 'requirement';
      readonly name: string;
      readonly version: string;
      readonly requirement: string;
    }
  /** It needs a newer Rust than the workspace supports. */
  | { readonly kind: 'rust-version'; readonly supported: string }
  /** It was published too recently; `minimum` is as configured: `7 days`. */
  | { readonly kind: 'publish-age'; readonly minimum: string }
  /** It is a pre-release, and nobody asks for one. */
  | { readonly kind: 'pre-release' }
  | { readonly kind: 'yanked' }
  /** It is not on disk, and the network was not to be used. */
  | { readonly kind: 'offline' }
  /** Another version was asked for with `--precise`. */
  | { readonly kind: 'precise' }
  /** The package was not to be updated. */
  | { readonly kind: 'lockfile' }
  /** It does not fit beside other packages. */
  | { readonly kind: 'conflict' };

/** What a document is made from. */
export interface UpdateFacts extends Pick<UpdateDocument, 'lockfile' | 'written'> {
  readonly changes: readonly PackageChange[];
  readonly heldBack: readonly HeldBackPackage[];
}

/** The document that says what changed. */
export function updateDocument({ lockfile, written, changes, heldBack }: UpdateFacts): UpdateDocument {
  return {
    version: 1,
    lockfile,
    written,
    changes: changes.flatMap((change) => changeEntry(change) ?? []),
    held_back: heldBack.map(({ id, newer }) => ({
      name: id.name,
      version: id.version.text,
      source: sourceText(id),
      newer: newer.map(({ summary, reasons }) => ({
        version: summary.id.version.text,
        rust_version: summary.rustVersion,
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
