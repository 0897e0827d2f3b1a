/** The git repositories that packages are in. Cargo Book: cargo-package(1). */
import { realpathSync } from 'node:fs';
import { toByteString } from '../files/byte-path.ts';
import { joinPath, relativePath, startsWithPath } from '../files/path.ts';
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

/** What a repository says of one package in it. */
export interface PackageRepository {
  readonly place: RepositoryPlace;
  /** null for a repository without files. */
  readonly tree: WorkTree | null;
  /** The package's folder below the top folder, as a byte string: empty at the top, else with a slash at the end. */
  readonly prefix: string;
  /** The same with links resolved and no slash; null where that is outside of the top folder. */
  readonly realFolder: string | null;
  /** True where a link stands between the top folder and the package, beyond which git does not look. */
  readonly isBehindLink: boolean;
  /** The manifest below the top folder, links resolved; null where it is outside. */
  readonly realManifest: string | null;
  /** True if a rule of `.gitignore` or its like names `realManifest`. */
  readonly manifestIsIgnored: boolean;
  /** The changes at some paths (below the top folder), each with what is below it. */
  changesAt(paths: readonly string[]): Promise<readonly StatusEntry[]>;
}

/** Which packages are packaged, and what else of their repositories will be asked for. */
export interface PackageRepositoriesOptions extends WorkTreeOptions {
  /** Folders of all packages. Absolute. */
  readonly packageRoots: readonly string[];
  /** Files whose changes matter wherever they are. Absolute; only a matter of speed. */
  readonly outsideFiles: readonly string[];
  /** The folder in which the program was started. Absolute. */
  readonly cwd: string;
}

/** Of the ids of a repository that cargo does not know as one. */
const SHA256_DIGITS = 64;

interface Group {
  readonly tree: Awaited<ReturnType<typeof readWorkTree>>;
  readonly ignored: ReadonlySet<string>;
  /** Paths whose changes `tree` has; empty for all. */
  readonly covered: readonly string[];
}

/** Repositories of packages, each read once for all of its packages, and when it is first asked for. */
export class PackageRepositories {
  readonly #options: PackageRepositoriesOptions;
  readonly #groups = new Map<string, Promise<Group>>();
  readonly #nested = new Map<string, ReturnType<typeof readWorkTree>>();
  readonly #submodules = new Map<string, ReturnType<typeof readSubmodules>>();
  readonly #hidesUntracked = new Map<string, Promise<boolean>>();

  constructor(options: PackageRepositoriesOptions) {
    this.#options = options;
  }

  /** How git is asked. */
  get git(): WorkTreeOptions {
    return this.#options;
  }

  /** The folder in which the program was started. */
  get cwd(): string {
    return this.#options.cwd;
  }

  /** The repository that the package in `packageRoot` is in; null if there is none. Throws if git cannot be asked. */
  async of(packageRoot: string): Promise<PackageRepository | null> {
    const place = findRepository(packageRoot);
    if (place === null) return null;
    let reading = this.#groups.get(place.root);
    if (reading === undefined) {
      reading = readGroup(place, packageRoot, this.#options);
      this.#groups.set(place.root, reading);
    }
    const group = await reading;
    if (group.tree === 'elsewhere') return null;
    const tree = group.tree === 'bare' ? null : group.tree;
    if (tree?.head?.length === SHA256_DIGITS) return null;
    const { ignored, covered } = group;
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
      manifestIsIgnored: realManifest !== null && ignored.has(realManifest),
      changesAt: async (paths) => {
        const isKnown = paths.every((path) => covered.some((known) => startsWithPath(path, known)));
        const changes = isKnown ? (tree?.changes ?? []) : await readChanges(place, paths, this.#options);
        return changesBelow(changes, paths.map(toByteString));
      },
    };
  }

  /** The submodules that `.gitmodules` names, whether they are checked out or not. */
  async submodules({ root, gitDir }: RepositoryPlace): ReturnType<typeof readSubmodules> {
    let reading = this.#submodules.get(root);
    if (reading === undefined) {
      reading = readSubmodules({ path: root, gitDir }, this.#options);
      this.#submodules.set(root, reading);
    }
    return reading;
  }

  /** True where git is set to say nothing of untracked files. */
  async hidesUntracked(place: RepositoryPlace): Promise<boolean> {
    let reading = this.#hidesUntracked.get(place.root);
    if (reading === undefined) {
      const setting = { key: 'status.showUntrackedFiles', type: 'text' } as const;
      reading = readSetting(place, setting, this.#options).then((value) => value === 'no');
      this.#hidesUntracked.set(place.root, reading);
    }
    return reading;
  }

  /** The repository whose files begin at `root`: a submodule, or one inside of another. null if there is none. */
  async nested(root: string): Promise<{ readonly place: RepositoryPlace; readonly tree: WorkTree } | null> {
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

async function readGroup(
  place: RepositoryPlace,
  packageRoot: string,
  options: PackageRepositoriesOptions,
): Promise<Group> {
  if (place.isBare) return { tree: 'bare', ignored: new Set(), covered: [] };
  const roots = [...new Set([packageRoot, ...options.packageRoots])];
  const members = roots.filter((root) => root === packageRoot || findRepository(root)?.root === place.root);
  const folders = members.flatMap((root) => pathBelow(root, place.root) ?? []);
  const paths = [commonFolder(folders)];
  const alsoChangesAt = options.outsideFiles.flatMap((file) => pathspecOf(file, place, options.cwd) ?? []);
  const manifests = members.flatMap((root) => pathBelow(manifestIn(root), place.root) ?? []);
  const ignoring = findIgnored(place, manifests, options);
  // What git says of the repository itself comes first.
  ignoring.catch(() => {});
  const tree = await readWorkTree(place, { paths: paths.map((path) => path || '.'), alsoChangesAt }, options);
  const ignored = typeof tree === 'string' ? new Set<string>() : await ignoring;
  return { tree, ignored, covered: [...paths, ...alsoChangesAt] };
}

/**
 * The path below the top folder at which cargo looks for changes of a file (absolute): where links lead to, and put
 * behind the path of the folder in which the program was started, if that is in the repository as well. null if the
 * file is not in the repository.
 */
export function pathspecOf(file: string, place: RepositoryPlace, cwd: string): string | null {
  const path = pathBelow(file, place.root);
  if (path === null || path === '') return null;
  const prefix = pathBelow(cwd, place.root) ?? '';
  return prefix === '' ? path : `${prefix}/${path}`;
}

/** The way from `folder` to `path`, links resolved; empty if they are one, null if `path` is elsewhere. */
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

/** The deepest folder that all are in; empty for the top one. */
function commonFolder(folders: readonly string[]): string {
  const [first = '', ...others] = folders;
  let common = first;
  while (!others.every((folder) => startsWithPath(folder, common))) {
    common = common.slice(0, Math.max(common.lastIndexOf('/'), 0));
  }
  return common;
}

/** The changes at some paths (byte strings). Where a whole folder is ignored, it is the path itself that is. */
function changesBelow(changes: readonly StatusEntry[], paths: readonly string[]): readonly StatusEntry[] {
  return changes.flatMap((entry) => {
    if (paths.some((path) => path === '' || entry.path === path || entry.path.startsWith(`${path}/`)))
      return entry;
    if (entry.kind !== 'ignored' || !entry.isFolder) return [];
    const inside = paths.filter((path) => path.startsWith(`${entry.path}/`));
    return inside.map((path) => ({ ...entry, path, isFolder: false }));
  });
}
