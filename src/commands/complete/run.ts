/** `complete`: names that a shell may offer. It reports, fetches and writes nothing. */
import type { Config } from '../../io/config/config.ts';
import { registryNames } from '../../io/config/registry-tables.ts';
import { readLockFile } from '../../io/disk/read-lock-file.ts';
import { TsregError } from '../../core/errors/error.ts';
import { decodeRawLockfile } from '../../core/lockfile/raw-lockfile.ts';
import type { PackageManifest } from '../../core/manifest/manifest.ts';
import { CRATES_IO_NAME } from '../../core/package-id/crates-io.ts';
import { reportTo } from '../../core/report/report.ts';
import type { Workspace } from '../../io/workspace/workspace.ts';
import { lockFilePath } from '../shared/lock/lock-file.ts';
import { openCommandWorkspace } from '../shared/workspace/command-workspace.ts';

/** The kinds of names. */
export type NameKind = 'member' | 'locked' | 'feature' | 'registry' | 'target';

/** The options of `namesToComplete`. */
export interface CompleteOptions {
  readonly config: Config;
  /** As typed; null for the nearest manifest. */
  readonly manifestPath: string | null;
  /** Names of the members whose features are completed; the default members if there are none. */
  readonly packages: readonly string[];
}

const SILENT = reportTo({});

/** Returns the names of a kind, sorted, without duplicates. Throws if manifests or configuration are invalid. */
export async function namesToComplete(kind: NameKind, options: CompleteOptions): Promise<readonly string[]> {
  const names = await findNames(kind, options);
  return [...new Set(names)].toSorted();
}

/** Returns the names of a kind, unsorted. Opens the workspace only for kinds that need it. */
async function findNames(kind: NameKind, options: CompleteOptions): Promise<readonly string[]> {
  const open = () => openCommandWorkspace(options, { report: SILENT });
  switch (kind) {
    case 'target': {
      const { targetTriples } = await import('../../core/platform/target-table.ts');
      return [...targetTriples(), 'host-tuple'];
    }
    case 'registry':
      return [...registryNames(options.config), CRATES_IO_NAME];
    case 'feature':
      return featureNames(open().workspace, options.packages);
    case 'member':
      return open().workspace.members.map(nameOf);
    case 'locked': {
      const { workspace, settings } = open();
      const lockFile = lockFilePath({ workspace, lockfilePath: settings.lockfilePath });
      return [...workspace.members.map(nameOf), ...lockedNames(lockFile)];
    }
  }
}

function nameOf({ summary }: PackageManifest): string {
  return summary.id.name;
}

/**
 * Returns features in the form of `--features`: bare for the selected members, and `member/feature` for all if there
 * are several.
 */
function featureNames(
  { members, defaultMembers }: Workspace,
  packages: readonly string[],
): readonly string[] {
  const namedMembers = members.filter((member) => packages.includes(nameOf(member)));
  const selected = namedMembers.length === 0 ? defaultMembers : namedMembers;
  const qualified =
    members.length < 2 ? [] : members.flatMap((member) => featuresOf(member, `${nameOf(member)}/`));
  return [...selected.flatMap((member) => featuresOf(member, '')), ...qualified];
}

function featuresOf({ features }: PackageManifest, prefix: string): readonly string[] {
  return Array.from(features.keys(), (feature) => prefix + feature);
}

/** Returns the package names in the lock file; empty if it cannot be read. */
function lockedNames(lockFile: string): readonly string[] {
  try {
    return decodeRawLockfile(readLockFile(lockFile) ?? '').packages.map(({ name }) => name);
  } catch (error) {
    if (error instanceof TsregError) return [];
    throw error;
  }
}
