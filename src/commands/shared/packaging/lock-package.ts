/** The lock file in a package's archive. Cargo Book: cargo-package(1). */
import type { Config } from '../../../io/config/config.ts';
import { resolverSettings } from '../../../io/config/resolver-settings.ts';
import { readLockFile } from '../../../io/disk/read-lock-file.ts';
import { parentFolder } from '../../../core/files/path.ts';
import { encodeLockfile } from '../../../core/lockfile/encode-lockfile.ts';
import type { Lockfile } from '../../../core/lockfile/lockfile.ts';
import { parseLockfile } from '../../../core/lockfile/parse-lockfile.ts';
import type { PackageManifest } from '../../../core/manifest/manifest.ts';
import { describePackage, displayRegistryName } from '../../../core/package-id/describe.ts';
import { isCratesIo } from '../../../core/package-id/source-id.ts';
import type { OperationContext, Report } from '../../../core/report/report.ts';
import { addedPackageNotes } from '../../../core/resolve/added-packages.ts';
import { addConfigPatches } from '../../../io/sources/config-patches.ts';
import type { LocalRegistryWriter } from '../../../io/sources/write-local-registry.ts';
import type { Workspace } from '../../../io/workspace/workspace.ts';
import { type LockFilePlace, lockFilePath } from '../lock/lock-file.ts';
import { LockPass, type LockPassOptions } from '../lock/lock-pass.ts';

/** What determines the lock files of archives, besides the resolver's options. */
export interface ArchiveLockOptions extends LockFilePlace {
  /** The workspace that contains the package. Its lock file is only read. */
  readonly workspace: Workspace;
  readonly config: Config;
  /** Contains the packages of the workspace that were packed before; null if none is needed. */
  readonly localRegistry: Pick<LocalRegistryWriter, 'overlay' | 'checksums'> | null;
  /** True if packed packages may differ from published ones with the same version. */
  readonly isDryRun: boolean;
  /** True for `-v`: reports packages that are not in the workspace's lock file. */
  readonly isVerbose: boolean;
}

/** Inputs for the lock file of an archive besides the package. */
export interface LockPackageOptions
  extends Omit<LockPassOptions, 'incompatibleRustVersions' | 'workspace'>,
    ArchiveLockOptions {}

/**
 * Returns the text of `Cargo.lock` for a package that was prepared for publishing. Resolves it alone, with the versions
 * from the workspace's lock file if they fit. Warns about yanked packages. Throws with cargo's message if a dependency
 * is not in its registry.
 */
export async function lockPackage(
  prepared: PackageManifest,
  options: LockPackageOptions,
  { report }: OperationContext,
): Promise<string> {
  const { config, localRegistry, workspace, lockfilePath, isVerbose } = options;
  const { manifests } = workspace;
  const before = readWorkspaceLock(options, report);
  const catalog = options.catalog.fork(localRegistry?.overlay ?? null, report);
  const root = parentFolder(prepared.path);
  const { incompatibleRustVersions } = resolverSettings(config, (text) => report.warning(text));
  const pass = new LockPass(
    {
      ...options,
      // Without dependencies no version is chosen, so there is no need to start the compiler.
      incompatibleRustVersions:
        prepared.summary.dependencies.length === 0 ? 'allow' : incompatibleRustVersions,
      catalog,
      workspace: {
        members: [prepared],
        rootManifest: prepared,
        resolver: prepared.resolver ?? '1',
        manifests,
      },
      patches: () => addConfigPatches(prepared.patches, root, { config, sources: manifests.sources, report }),
    },
    report,
  );
  const { lockfile } = await pass.solve(before);
  // cargo reads the download settings here, although it downloads nothing.
  config.http();
  const packages = lockfile.packages.map(({ id }) => id);
  if (before !== null && isVerbose) {
    const compared = {
      before: before.packages.map(({ id }) => id),
      after: packages,
      root: prepared.summary.id,
    };
    for (const note of addedPackageNotes(compared)) report.note(note);
  }
  for (const id of await catalog.yankedAmong(packages)) {
    const registry = displayRegistryName(id.source);
    report.warning({
      title: `package \`${describePackage(id)}\` in Cargo.lock is yanked in registry \`${registry}\``,
      remarks: [{ label: 'help', text: 'consider updating to a version that is not yanked' }],
    });
  }
  return encodeLockfile(lockfile, readComments(lockFilePath({ workspace: { root }, lockfilePath })));
}

/** Returns the lock file of the workspace; null if there is none. Throws if it is invalid. */
function readWorkspaceLock(options: LockPackageOptions, report: Report): Lockfile | null {
  const { workspace, isDryRun, localRegistry } = options;
  const path = lockFilePath(options);
  const text = readLockFile(path);
  if (text === null) return null;
  const pass = new LockPass({ ...options, incompatibleRustVersions: null }, report);
  const context = { path, sources: workspace.manifests.sources, pathSources: () => pass.pathSources() };
  const lockfile = parseLockfile(text, context);
  return isDryRun && localRegistry !== null ? withPackedChecksums(lockfile, localRegistry) : lockfile;
}

/** Returns the lock file with the checksums of the new archives instead of those of published ones. */
function withPackedChecksums(
  lockfile: Lockfile,
  { overlay, checksums }: Pick<LocalRegistryWriter, 'overlay' | 'checksums'>,
): Lockfile {
  const { registry } = overlay;
  const packages = lockfile.packages.map((locked) => {
    const { name, version, source } = locked.id;
    const isFromRegistry =
      source.unpinnedKey === registry.unpinnedKey || (isCratesIo(registry) && isCratesIo(source));
    const checksum = isFromRegistry ? checksums.get(`${name} ${version.text}`) : undefined;
    return checksum === undefined ? locked : { ...locked, checksum };
  });
  return { ...lockfile, packages };
}

/** Reads the lock file, for its leading comments. Returns null if it cannot be read. */
function readComments(path: string): string | null {
  try {
    return readLockFile(path);
  } catch {
    return null;
  }
}
