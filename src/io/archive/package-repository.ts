/** The git repositories that contain packages. Cargo Book: cargo-package(1). */
import { lstatSync, realpathSync } from 'node:fs';
import { toByteString, toNativePath } from '../../core/files/byte-path.ts';
import { joinPath, relativePath, startsWithPath } from '../../core/files/path.ts';
import { readSubmodules } from '../git/submodules.ts';
import {
  findIgnored,
  findRepository,
  readChanges,
  readSetting,
  readWorkTree,
  repositoryAt,
  type RepositoryPlace,
  type WorkTree,
  type WorkTreeOptions,
} from '../git/work-tree.ts';
import type { StatusEntry } from '../git/work-tree-listing.ts';
import { parentOf, prefixOf } from './parent-path.ts';

/** The state of a repository for one package in it. */
export interface PackageRepository {
  readonly place: RepositoryPlace;
  /** null for a bare repository. */
  readonly tree: WorkTree | null;
  /**
   * The package's folder relative to the top folder, as a byte string: empty at the top, else with a slash at the end.
   */
  readonly prefix: string;
  /** The same with links resolved and without the slash; null if that is outside the top folder. */
  readonly realFolder: string | null;
  /** True if a link is between the top folder and the package. git does not look behind it. */
  readonly isBehindLink: boolean;
  /** The manifest relative to the top folder, links resolved; null if it is outside. */
  readonly realManifest: string | null;
  /** True if an ignore rule matches `realManifest`. */
  readonly manifestIsIgnored: boolean;
  /** Returns the changes at and below `paths`, which are relative to the top folder. */
  changesAt(paths: readonly string[]): Promise<readonly StatusEntry[]>;
}

/** The packages to package, and other files whose changes may be requested. */
export interface PackageRepositoriesOptions extends WorkTreeOptions {
  /** Folders of all packages. Absolute. */
  readonly packageRoots: readonly string[];
  /** Other files whose changes matter. Absolute. They only save time. */
  readonly outsideFiles: readonly string[];
  /** The working folder of the program. Absolute. */
  readonly cwd: string;
}

/** The length of commit IDs in SHA-256 repositories, which cargo's git library does not open. */
const SHA256_DIGITS = 64;

/** A repository inside the folder of another one. */
export interface NestedRepository {
  readonly place: RepositoryPlace;
  readonly tree: WorkTree;
}

/** The state of a repository, for all packages in it. */
interface RepositoryState {
  /** The files at and below the deepest folder that contains all packages. A text means that there are none. */
  readonly tree: Awaited<ReturnType<typeof readWorkTree>>;
  /** Manifests of packages that an ignore rule matches. */
  readonly ignoredManifests: ReadonlySet<string>;
  /** Paths whose changes are in `tree`; an empty path stands for all. */
  readonly coveredPaths: readonly string[];
}

/** The repositories of packages. The first request reads a repository, for all of its packages. */
export class PackageRepositories {
  readonly #options: PackageRepositoriesOptions;
  // Each map is by top folder, and has promises so that simultaneous requests share one git process.
  readonly #states = new Map<string, Promise<RepositoryState>>();
  readonly #nested = new Map<string, ReturnType<typeof readWorkTree>>();
  readonly #submodules = new Map<string, ReturnType<typeof readSubmodules>>();
  readonly #hidesUntracked = new Map<string, Promise<boolean>>();

  constructor(options: PackageRepositoriesOptions) {
    this.#options = options;
  }

  /** The environment of git processes. */
  get git(): WorkTreeOptions {
    return this.#options;
  }

  /** The working folder of the program. Absolute. */
  get cwd(): string {
    return this.#options.cwd;
  }

  /** Returns the repository that contains the package in `packageRoot`; null if there is none. Throws if git fails. */
  async of(packageRoot: string): Promise<PackageRepository | null> {
    const place = findRepository(packageRoot);
    if (place === null) return null;
    let reading = this.#states.get(place.root);
    if (reading === undefined) {
      reading = readState(place, packageRoot, this.#options);
      this.#states.set(place.root, reading);
    }
    const state = await reading;
    if (state.tree === 'elsewhere') return null;
    const tree = state.tree === 'bare' ? null : state.tree;
    if (tree?.head?.length === SHA256_DIGITS) return null;
    const { ignoredManifests, coveredPaths } = state;
    const folder = relativePath(place.root, packageRoot);
    const realFolder = pathBelow(packageRoot, place.root);
    const realManifest = pathBelow(manifestIn(packageRoot), place.root);
    return {
      place,
      tree,
      prefix: folder === '' ? '' : `${toByteString(folder)}/`,
      realFolder,
      isBehindLink: realFolder !== folder,
      realManifest,
      manifestIsIgnored: realManifest !== null && ignoredManifests.has(realManifest),
      changesAt: async (paths) => {
        const isKnown = paths.every((path) =>
          coveredPaths.some((coveredPath) => startsWithPath(path, coveredPath)),
        );
        const changes = isKnown ? (tree?.changes ?? []) : await readChanges(place, paths, this.#options);
        return changesBelow(changes, { paths: paths.map(toByteString), root: place.root });
      },
    };
  }

  /** Returns the submodules in `.gitmodules`, whether they are checked out or not. */
  async submodules({ root, gitDir }: RepositoryPlace): ReturnType<typeof readSubmodules> {
    let reading = this.#submodules.get(root);
    if (reading === undefined) {
      reading = readSubmodules({ path: root, gitDir }, this.#options);
      this.#submodules.set(root, reading);
    }
    return reading;
  }

  /** Returns true if git is set to hide untracked files. */
  async hidesUntracked(place: RepositoryPlace): Promise<boolean> {
    let reading = this.#hidesUntracked.get(place.root);
    if (reading === undefined) {
      const setting = { key: 'status.showUntrackedFiles', type: 'text' } as const;
      reading = readSetting(place, setting, this.#options).then((value) => value === 'no');
      this.#hidesUntracked.set(place.root, reading);
    }
    return reading;
  }

  /**
   * Returns the repository whose top folder is `root`: a submodule or another nested repository. null if there is none.
   */
  async nested(root: string): Promise<NestedRepository | null> {
    const place = repositoryAt(root);
    if (place === null) return null;
    let reading = this.#nested.get(root);
    if (reading === undefined) {
      reading = readWorkTree(place, { paths: ['.'], alsoChangesAt: [] }, this.#options);
      this.#nested.set(root, reading);
    }
    const tree = await reading;
    return typeof tree === 'string' ? null : { place, tree };
  }
}

/** Reads the repository at `place` for all packages in it. `packageRoot` is one of them. */
async function readState(
  place: RepositoryPlace,
  packageRoot: string,
  options: PackageRepositoriesOptions,
): Promise<RepositoryState> {
  if (place.isBare) return { tree: 'bare', ignoredManifests: new Set(), coveredPaths: [] };
  const roots = [...new Set([packageRoot, ...options.packageRoots])];
  const members = roots.filter((root) => root === packageRoot || findRepository(root)?.root === place.root);
  const folders = members.flatMap((root) => pathBelow(root, place.root) ?? []);
  const paths = [commonFolder(folders)];
  const alsoChangesAt = options.outsideFiles.flatMap((file) => pathspecOf(file, place, options.cwd) ?? []);
  const manifests = members.flatMap((root) => pathBelow(manifestIn(root), place.root) ?? []);
  const findingIgnored = findIgnored(place, manifests, options);
  // An error of `readWorkTree` takes precedence.
  findingIgnored.catch(() => {});
  const tree = await readWorkTree(place, { paths: paths.map((path) => path || '.'), alsoChangesAt }, options);
  const ignoredManifests = typeof tree === 'string' ? new Set<string>() : await findingIgnored;
  return { tree, ignoredManifests, coveredPaths: [...paths, ...alsoChangesAt] };
}

/**
 * Returns the path, relative to the top folder, at which cargo looks for changes of a file (absolute). Links are
 * resolved. If the program was started inside the repository, cargo puts that folder's path in front. null if the file
 * is not in the repository.
 */
export function pathspecOf(file: string, place: RepositoryPlace, cwd: string): string | null {
  const path = pathBelow(file, place.root);
  if (path === null || path === '') return null;
  const prefix = pathBelow(cwd, place.root) ?? '';
  return prefix === '' ? path : `${prefix}/${path}`;
}

/** Returns the path relative to `folder`, links resolved; empty if both are the same, null if `path` is outside. */
export function pathBelow(path: string, folder: string): string | null {
  const real = realPath(path);
  const realFolder = realPath(folder);
  return startsWithPath(real, realFolder) ? relativePath(realFolder, real) : null;
}

function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

function manifestIn(folder: string): string {
  return joinPath(folder, 'Cargo.toml');
}

/** Returns the deepest folder that contains all `folders`; empty for the top one. */
function commonFolder(folders: readonly string[]): string {
  const [first = '', ...others] = folders;
  let common = first;
  while (!others.every((folder) => startsWithPath(folder, common))) {
    common = parentOf(common);
  }
  return common;
}

/**
 * Returns the changes at and below `paths` (byte strings, relative to `root`). A file or folder in an ignored folder
 * counts as ignored itself.
 */
function changesBelow(
  changes: readonly StatusEntry[],
  { paths, root }: { readonly paths: readonly string[]; readonly root: string },
): readonly StatusEntry[] {
  return changes.flatMap((entry) => {
    if (paths.some((path) => path === '' || entry.path === path || entry.path.startsWith(`${path}/`)))
      return entry;
    if (entry.kind !== 'ignored' || !entry.isFolder) return [];
    const pathsInFolder = paths.filter((path) => path.startsWith(`${entry.path}/`) && exists(root, path));
    return pathsInFolder.map((path) => ({ ...entry, path, isFolder: false }));
  });
}

/** Returns true if there is something at a path (a byte string) below `root`, even a link that leads nowhere. */
function exists(root: string, path: string): boolean {
  const absolute = toNativePath(toByteString(prefixOf(root)) + path);
  return lstatSync(absolute, { throwIfNoEntry: false }) !== undefined;
}
