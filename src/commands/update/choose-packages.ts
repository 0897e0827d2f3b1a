/** Chooses the packages that `update` changes. Cargo Book: cargo update. */
import type { Config } from '../../io/config/config.ts';
import { asUsageError, withContext } from '../../core/errors/error.ts';
import type { PackageId } from '../../core/package-id/package-id.ts';
import { matchesPackageIdSpec } from '../../core/package-id/package-id-spec.ts';
import { queryPackageIdSpec } from '../../core/package-id/query-package-id-spec.ts';
import { isRegistry, type SourceId } from '../../core/package-id/source-id.ts';
import type { Report } from '../../core/report/report.ts';
import { packagesToUnlock } from '../../core/resolve/packages-to-unlock.ts';
import type { PreciseVersion, Previous } from '../../core/resolve/problem.ts';
import type { PackageCatalog } from '../../io/sources/catalog.ts';
import { parseVersion, type Version } from '../../core/version/version.ts';
import type { Workspace } from '../../io/workspace/workspace.ts';
import { parseSpecOf } from '../shared/workspace/spec-options.ts';

/** The packages to choose again, and the sources to refresh first. */
export interface Choices {
  /** Keys of packages. */
  readonly toUnlock: ReadonlySet<string>;
  readonly precise: readonly PreciseVersion[];
  /** The sources to refresh: those of the named packages, pinned to the commit of `--precise` if there is one. */
  readonly sources: readonly SourceId[];
}

/** The options of `update` that choose packages. */
export interface UpdateSelection {
  /** Package id specifications to update; empty for all packages. */
  readonly specs: readonly string[];
  /** The version or commit that the packages get; null for the newest. */
  readonly precise: string | null;
  /** True to also update all dependencies of the packages. */
  readonly recursive: boolean;
  /** Without specifications, true to change only what edits of the workspace require. */
  readonly workspace: boolean;
}

/** The inputs of the choice, besides the options and the lock file. */
export interface ChoiceContext {
  readonly config: Config;
  readonly workspace: Workspace;
  readonly catalog: PackageCatalog;
  readonly report: Report;
}

/** Returns the packages of the lock file that the options choose. Throws for the first invalid specification. */
export function choosePackages(
  previous: Previous,
  { specs, precise, recursive, workspace: isWorkspaceOnly }: UpdateSelection,
  { config, workspace: { members, manifests }, catalog, report }: ChoiceContext,
): Choices {
  const namedIds: PackageId[] = [];
  const preciseVersions: PreciseVersion[] = [];
  const sources: SourceId[] = [];
  for (const text of specs) {
    const spec = parseSpecOf(previous.packages, text, { config, files: config.files });
    const id = queryPackageIdSpec(spec, previous.packages);
    const patches = previous.unusedPatches.filter((patch) => matchesPackageIdSpec(spec, patch));
    namedIds.push(id, ...(patches.length === 1 ? patches : []));
    if (recursive) continue;
    const isFirstOfSource = !sources.some((source) => source.unpinnedKey === id.source.unpinnedKey);
    if (precise !== null && isRegistry(id.source)) {
      const { source, name, version } = id;
      const to = parsePrecise(precise);
      // Each source takes only the first precise version, and a directory source has no other versions.
      const hasChoice = catalog.sourceOf(source).actual.kind !== 'directory';
      if (isFirstOfSource && hasChoice)
        preciseVersions.push({ source, name, from: version, to, onYanked: warnOnce(name, to, report) });
    }
    sources.push(manifests.sources.withPrecise(id.source, precise));
  }
  const updatesAll = specs.length === 0 && !isWorkspaceOnly;
  const toUnlock = packagesToUnlock(previous, {
    named: updatesAll ? null : namedIds,
    isRecursive: recursive,
    members: members.map(({ summary }) => summary),
  });
  return { toUnlock, precise: preciseVersions, sources };
}

/** Throws cargo's usage error if `--precise` is not a version. */
function parsePrecise(text: string): Version {
  const problem = (): string =>
    text.startsWith('v')
      ? `the version provided, \`${text}\` is not a valid SemVer version\n\nhelp: try changing the version to \`${text.slice(1)}\``
      : `invalid version format for precise version \`${text}\``;
  return asUsageError(() => withContext(problem, () => parseVersion(text)));
}

/** Returns a function that warns about a yanked version on its first call. */
function warnOnce(name: string, version: Version, report: Report): () => void {
  let hasWarned = false;
  return () => {
    if (hasWarned) return;
    hasWarned = true;
    report.warning({
      title: `selected package \`${name}@${version.text}\` was yanked by the author`,
      isBold: false,
      remarks: [{ label: 'help', text: 'if possible, try a compatible non-yanked version' }],
    });
  };
}
