/** The lock file that goes into a package's archive. Cargo Book: cargo-package(1). */
import type { Config } from '../../config/config.ts';
import { resolverSettings } from '../../config/resolver-settings.ts';
import { readLockFile } from '../../disk/read-lock-file.ts';
import { parentFolder } from '../../files/path.ts';
import { encodeLockfile } from '../../lockfile/encode-lockfile.ts';
import type { Lockfile } from '../../lockfile/lockfile.ts';
import { parseLockfile } from '../../lockfile/parse-lockfile.ts';
import type { PackageManifest } from '../../manifest/manifest.ts';
import { describePackage, displayRegistryName } from '../../package-id/describe.ts';
import { isCratesIo } from '../../package-id/source-id.ts';
import type { OperationContext, Report } from '../../report/report.ts';
import { addedPackageNotes } from '../../resolve/added-packages.ts';
import { addConfigPatches } from '../../sources/config-patches.ts';
import type { LocalRegistryWriter } from '../../sources/write-local-registry.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { type LockFilePlace, lockFilePath } from '../lock/lock-file.ts';
import { LockPass, type LockPassOptions } from '../lock/lock-pass.ts';

/** What the lock file of an archive depends on beside the package. */
export interface LockPackageOptions extends Omit<LockPassOptions, 'incompatibleRustVersions'>, LockFilePlace {
  /** The workspace that the package was loaded from. Its lock file is read, and left as it is. */
  readonly workspace: Workspace;
  readonly config: Config;
  /** Packages of the workspace that were made before; null where none is needed. */
  readonly made: Pick<LocalRegistryWriter, 'overlay' | 'checksums'> | null;
  /** True if packages that were made may differ from published ones of the same version. */
  readonly isDryRun: boolean;
  /** True with `-v`: then it is told what the workspace's lock file does not have. */
  readonly isVerbose: boolean;
}

/**
 * The text of `Cargo.lock` for a package that was prepared for publishing: it is resolved on its own, with the
 * versions of the workspace's lock file where they fit. Warns of yanked packages. Throws with cargo's explanation
 * where a dependency is not in its registry.
 */
export async function lockPackage(
  prepared: PackageManifest,
  options: LockPackageOptions,
  { report }: OperationContext,
): Promise<string> {
  const { config, made, workspace, lockfilePath, isVerbose } = options;
  const { manifests } = workspace;
  const before = readWorkspaceLock(options, report);
  const catalog = options.catalog.again(made?.overlay ?? null, report);
  const root = parentFolder(prepared.path);
  const { incompatibleRustVersions } = resolverSettings(config, (text) => report.warning(text));
  const pass = new LockPass(
    {
      ...options,
      // Where no version is chosen, the compiler need not be asked.
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
  // cargo reads how to download here, though nothing is downloaded.
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

function readWorkspaceLock(options: LockPackageOptions, report: Report): Lockfile | null {
  const { workspace, isDryRun, made } = options;
  const path = lockFilePath(options);
  const text = readLockFile(path);
  if (text === null) return null;
  const pass = new LockPass({ ...options, incompatibleRustVersions: null }, report);
  const context = { path, sources: workspace.manifests.sources, pathSources: () => pass.pathSources() };
  const lockfile = parseLockfile(text, context);
  return isDryRun && made !== null ? withMadeChecksums(lockfile, made) : lockfile;
}

/** The lock file as if packages that were made now had always been the published ones. */
function withMadeChecksums(
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

/** The file whose first comments are kept; one that cannot be read has none. */
function readComments(path: string): string | null {
  try {
    return readLockFile(path);
  } catch {
    return null;
  }
}
