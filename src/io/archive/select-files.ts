/** The files of a package for its archive. Cargo Book: The Manifest Format, the exclude and include fields. */
import { TsregError, withContextAsync } from '../../core/errors/error.ts';
import { toByteString } from '../../core/files/byte-path.ts';
import { parentFolder } from '../../core/files/path.ts';
import type { PackageManifest } from '../../core/manifest/manifest.ts';
import type { Report } from '../../core/report/report.ts';
import { IgnoreMatcher, parseIgnoreRules, type PathKind } from './ignore-pattern.ts';
import { listTracked } from './list-tracked.ts';
import type { PackageRepositories, PackageRepository } from './package-repository.ts';
import { prefixOf } from './parent-path.ts';
import type { SourceFile } from './source-file.ts';
import { walkFolder } from './walk-folder.ts';

/** Inputs for the selection of files, in addition to the manifest. */
export interface SelectFilesContext {
  readonly repositories: PackageRepositories;
  readonly report: Report;
}

/** The files of a package to archive, before any is added or replaced. */
export interface Selection {
  readonly manifest: PackageManifest;
  /** The package's folder. Absolute. */
  readonly root: string;
  /** In the order in which they were found. */
  readonly files: readonly SourceFile[];
}

/**
 * Selects the files of a package. If git tracks the manifest and it has no `include`, these are the files that git does
 * not ignore; else those on disk. Applies `include` and `exclude`, and leaves out nested packages. Reports warnings as
 * they occur. Throws in cargo's words for an invalid pattern, and git's error if it fails.
 */
export async function selectFiles(
  manifest: PackageManifest,
  context: SelectFilesContext,
): Promise<Selection> {
  const root = parentFolder(manifest.path);
  if (manifest.include.length > 0 && manifest.exclude.length > 0)
    context.report.warning(
      'both package.include and package.exclude are specified; the exclude list will be ignored',
    );
  const files = await withContextAsync(`failed to determine list of files in ${root}`, () =>
    listFiles(manifest, root, context),
  );
  return { manifest, root, files };
}

/** Lists the files that `selectFiles` returns. */
async function listFiles(
  manifest: PackageManifest,
  root: string,
  context: SelectFilesContext,
): Promise<readonly SourceFile[]> {
  const hasInclude = manifest.include.length > 0;
  const repository = hasInclude ? null : await trackingRepository(root, context.repositories);
  // Outside git, cargo treats names that begin with a dot as private files of tools.
  const impliedExclude = hasInclude || repository !== null ? [] : ['.*'];
  const exclude = new IgnoreMatcher(parseIgnoreRules([...impliedExclude, ...manifest.exclude]));
  const include = new IgnoreMatcher(parseIgnoreRules(manifest.include));
  const isWanted = makeFilter(toByteString(root), { exclude, include: hasInclude ? include : null });
  const warn = (text: string) => context.report.warning(text);
  if (repository === null) return walkFolder(toByteString(root), { isPackageRoot: true, isWanted, warn });
  return listTracked(repository, { root, isWanted, warn, repositories: context.repositories });
}

/** Returns the repository that tracks the package's manifest; null if there is none. */
async function trackingRepository(
  root: string,
  repositories: PackageRepositories,
): Promise<PackageRepository | null> {
  const repository = await repositories.of(root);
  if (repository === null) return null;
  const { tree, place, realFolder } = repository;
  if (tree === null)
    throw new TsregError(`did not expect repo at ${place.gitDir} to be bare`, { code: 'git' });
  if (realFolder === null) return null;
  const manifest = toByteString(realFolder === '' ? 'Cargo.toml' : `${realFolder}/Cargo.toml`);
  return tree.index.some(({ path }) => path === manifest) ? repository : null;
}

/**
 * Returns the filter for paths, as in `WalkOptions`. `root` is a byte string. If given, `include` alone decides. It
 * applies to files, so any folder may contain some.
 */
function makeFilter(
  root: string,
  rules: { readonly exclude: IgnoreMatcher; readonly include: IgnoreMatcher | null },
): (path: string, kind: PathKind) => boolean {
  const { exclude, include } = rules;
  const base = prefixOf(root);
  return (path, kind) => {
    if (path !== root && !path.startsWith(base)) return false;
    const relative = path.slice(base.length);
    if (relative === 'Cargo.toml' || relative === 'Cargo.lock') return true;
    if (include === null) return !matches(exclude, relative, kind);
    return kind === 'folder' || matches(include, relative, kind);
  };
}

/** Returns true if `rules` match. The verdict is then `ignored`, git's word, although `include` keeps such files. */
function matches(rules: IgnoreMatcher, path: string, kind: PathKind): boolean {
  return rules.match(path, kind) === 'ignored';
}
