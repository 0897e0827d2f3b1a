/** The state of a package's repository. Cargo Book: cargo-package(1), `.cargo_vcs_info.json`. */
import { TsregError } from '../../core/errors/error.ts';
import { fromByteString, toByteString } from '../../core/files/byte-path.ts';
import { relativePath } from '../../core/files/path.ts';
import { readSetting } from '../git/work-tree.ts';
import type { Report } from '../../core/report/report.ts';
import { findChangedFiles } from './changed-files.ts';
import type { PackageRepositories, PackageRepository } from './package-repository.ts';
import { parentOf } from './parent-path.ts';
import type { Selection } from './select-files.ts';
import { checkSubmoduleFolders } from './submodules-of.ts';

/** Content of `.cargo_vcs_info.json`, with keys in the written order. */
export interface VcsInfo {
  readonly git: {
    /** The commit that is checked out. */
    readonly sha1: string;
    /** Present only if there are uncommitted changes. */
    readonly dirty?: true;
  };
  /**
   * The package's folder relative to the top of the repository, links resolved; empty at the top. Absolute if the
   * manifest is really outside the repository.
   */
  readonly path_in_vcs: string;
}

/** Inputs for the check of a repository, in addition to the selected files. */
export interface CheckRepositoryOptions {
  readonly repositories: PackageRepositories;
  /** The workspace's manifest, absolute. A change in it counts for every member. */
  readonly workspaceManifest: string;
  /** `--allow-dirty`. */
  readonly allowDirty: boolean;
  /** `-v`: explain why there is nothing to check. */
  readonly isVerbose: boolean;
  readonly report: Report;
}

/**
 * Checks that the selected files match the commit, and returns their origin. Returns null without a repository or
 * commit, or if the manifest is ignored. Throws `git` with a list of changed files, unless changes are allowed.
 */
export async function checkRepository(
  selection: Selection,
  options: CheckRepositoryOptions,
): Promise<VcsInfo | null> {
  const { root, manifest } = selection;
  const { repositories, report } = options;
  const repository = await repositories.of(root);
  const explain = (reason: string) => {
    if (options.isVerbose) report.warning(reason);
  };
  if (repository === null) {
    explain(`no (git) VCS found for \`${root}\``);
    return null;
  }
  const { tree, place, realManifest } = repository;
  if (tree === null) return null;
  if (repository.manifestIsIgnored) {
    explain(
      `found (git) Cargo.toml ignored at \`${realManifest ?? manifest.path}\` in workdir \`${place.root}\``,
    );
    return null;
  }
  await warnOfLinkTexts(selection, repository, options);
  await checkSubmoduleFolders(place, repositories);
  const changed = await findChangedFiles(selection, repository, options);
  if (changed.length > 0 && !options.allowDirty) throw dirtyError(changed, repositories.cwd);
  if (tree.head === null) return null;
  return {
    git: changed.length > 0 ? { sha1: tree.head, dirty: true } : { sha1: tree.head },
    path_in_vcs: realManifest === null ? root : parentOf(realManifest),
  };
}

/** Returns cargo's error with the changed files, relative to `cwd` and sorted by their bytes. */
function dirtyError(paths: readonly string[], cwd: string): TsregError {
  const shownPaths = paths
    .map((path) => toByteString(relativePath(cwd, path)))
    .sort()
    .map(fromByteString);
  return new TsregError(
    `${shownPaths.length} files in the working directory contain changes that were not yet committed into git:\n\n` +
      `${shownPaths.join('\n')}\n\n` +
      'to proceed despite this and include the uncommitted changes, pass the `--allow-dirty` flag',
    { code: 'git' },
  );
}

/** Warns if git is set to write the texts of links into files, and a selected file may be one. */
async function warnOfLinkTexts(
  selection: Selection,
  { place }: PackageRepository,
  { repositories, report }: CheckRepositoryOptions,
): Promise<void> {
  if (!selection.files.some(({ mayBeLinkText }) => mayBeLinkText)) return;
  const setting = { key: 'core.symlinks', type: 'bool' } as const;
  if ((await readSetting(place, setting, repositories.git)) !== 'false') return;
  report.warning({
    title: `found symbolic links that may be checked out as regular files for git repo at \`${place.root}/\``,
    remarks: [
      {
        label: 'note',
        text: 'this might cause the `.crate` file to include incorrect or incomplete files',
      },
      { label: 'help', text: 'to avoid this, set the Git config `core.symlinks` to `true`' },
    ],
  });
}
