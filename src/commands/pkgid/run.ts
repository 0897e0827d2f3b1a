/** `pkgid`: the full specification of a package in the lock file. Cargo Book: cargo pkgid. */
import type { Config } from '../../io/config/config.ts';
import { readLockFile } from '../../io/disk/read-lock-file.ts';
import { TsregError } from '../../core/errors/error.ts';
import { parseLockfile, type PathSources } from '../../core/lockfile/parse-lockfile.ts';
import { formatPackageId } from '../../core/package-id/package-id.ts';
import { queryPackageIdSpec } from '../../core/package-id/query-package-id-spec.ts';
import type { OperationContext } from '../../core/report/report.ts';
import { collectPathSources } from '../../core/resolve/path-packages.ts';
import type { Workspace } from '../../io/workspace/workspace.ts';
import { missingSpec } from '../shared/workspace/missing-values.ts';
import { lockFilePath } from '../shared/lock/lock-file.ts';
import { loadPathPackage } from '../shared/lock/load-path-package.ts';
import { workspacePatches } from '../shared/lock/workspace-patches.ts';
import { currentPackage, openCommandWorkspace } from '../shared/workspace/command-workspace.ts';
import { parseSpecOf } from '../shared/workspace/spec-options.ts';

/** The command-line options of `pkgid`. */
export interface PkgidOptions {
  readonly config: Config;
  /** As typed; null for the nearest manifest. */
  readonly manifestPath: string | null;
  /** As typed; null for the current package. */
  readonly spec: string | null;
  /** True for `-p` without a value, which fails with a list of the members. */
  readonly listsPackages: boolean;
}

/**
 * Returns the full specification of a package in `Cargo.lock`. Throws cargo's error if there is no lock file, or if
 * `spec` matches no package or several.
 */
export function pkgid(options: PkgidOptions, { report }: Pick<OperationContext, 'report'>): string {
  const { config, spec, listsPackages } = options;
  const { workspace, files, settings } = openCommandWorkspace(options, { report });
  if (listsPackages) throw missingSpec(workspace.members.map(({ summary }) => summary.id.name));
  const path = lockFilePath({ workspace, lockfilePath: settings.lockfilePath });
  const text = readLockFile(path);
  if (text === null) {
    const hint = `\`tsreg generate-lockfile\` writes \`${path}\``;
    throw new TsregError('a Cargo.lock must exist for this command', { code: 'not-found', hint });
  }
  // As in cargo, the lock file must exist and be valid even if only the current package is wanted.
  const pathSources = (): PathSources => pathSourcesOf(workspace, { config, report });
  const { packages } = parseLockfile(text, { path, sources: workspace.manifests.sources, pathSources });
  if (spec === null) return formatPackageId(currentPackage(workspace).summary.id, 'spec');
  const ids = packages.map(({ id }) => id);
  return formatPackageId(queryPackageIdSpec(parseSpecOf(ids, spec, { config, files }), ids), 'spec');
}

/** Returns the path packages that the lock file may name. */
function pathSourcesOf(
  workspace: Workspace,
  { config, report }: { readonly config: Config; readonly report: OperationContext['report'] },
): PathSources {
  const { members, rootManifest, manifests } = workspace;
  const patches = workspacePatches(workspace, { config, report });
  return collectPathSources({
    members: members.map(({ summary }) => summary),
    overriding: () => [...patches, ...rootManifest.replacements].map(({ dependency }) => dependency),
    pathPackage: (source) => loadPathPackage(source, { manifests, report }),
  });
}
