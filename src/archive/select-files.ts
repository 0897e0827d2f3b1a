/** Which files of a package go into its archive. Cargo Book: The Manifest Format, the exclude and include fields. */
import { TsregError, withContextAsync } from '../errors/error.ts';
import { toByteString } from '../files/byte-path.ts';
import { parentFolder } from '../files/path.ts';
import type { PackageManifest } from '../manifest/manifest.ts';
import type { Report } from '../report/report.ts';
import { IgnoreMatcher, parseIgnoreRules } from './ignore-pattern.ts';
import { listTracked } from './list-tracked.ts';
import type { PackageRepositories, PackageRepository } from './package-repository.ts';
import type { SourceFile } from './source-file.ts';
import { walkFolder } from './walk-folder.ts';

/** What the selection of files needs beside the manifest. */
export interface SelectFilesContext {
  readonly repositories: PackageRepositories;
  readonly report: Report;
}

/** The files of a package that are to be archived, before any is added or replaced. */
export interface Selection {
  readonly manifest: PackageManifest;
  /** The package's folder. Absolute. */
  readonly root: string;
  /** In the order in which they were found. */
  readonly files: readonly SourceFile[];
}

/**
 * Lists the files of a package: what git knows and does not ignore, where the manifest is tracked and has no
 * `include`; else what is on disk. `include` and `exclude` are applied, other packages inside are left out. Warnings
 * are reported as they come up. Throws in cargo's words for a pattern that is none, and what git says if it fails.
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

async function listFiles(
  manifest: PackageManifest,
  root: string,
  context: SelectFilesContext,
): Promise<readonly SourceFile[]> {
  const hasInclude = manifest.include.length > 0;
  const repository = hasInclude ? null : await trackingRepository(root, context.repositories);
  // Outside of git, names that begin with a dot are taken for tools' own files.
  const implied = hasInclude || repository !== null ? [] : ['.*'];
  const exclude = new IgnoreMatcher(parseIgnoreRules([...implied, ...manifest.exclude]));
  const include = new IgnoreMatcher(parseIgnoreRules(manifest.include));
  const isWanted = makeFilter(toByteString(root), { exclude, include: hasInclude ? include : null });
  const warn = (text: string) => context.report.warning(text);
  if (repository === null) return walkFolder(toByteString(root), { isPackageRoot: true, isWanted, warn });
  return listTracked(repository, { root, isWanted, warn, repositories: context.repositories });
}

/** The repository in which the package's manifest is tracked. */
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

/** `include` alone decides where it is given; it is about files, so that any folder may have some. */
function makeFilter(
  root: string,
  rules: { readonly exclude: IgnoreMatcher; readonly include: IgnoreMatcher | null },
): (path: string, isFolder: boolean) => boolean {
  const { exclude, include } = rules;
  const base = root.endsWith('/') ? root : `${root}/`;
  return (path, isFolder) => {
    if (path !== root && !path.startsWith(base)) return false;
    const relative = path.slice(base.length);
    if (relative === 'Cargo.toml' || relative === 'Cargo.lock') return true;
    if (include === null) return exclude.match(relative, isFolder) !== 'ignored';
    return isFolder || include.match(relative, false) === 'ignored';
  };
}
