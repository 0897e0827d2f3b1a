/** Which `.crate` files of a registry are on disk. Cargo Book: Cargo Home. */
import { readdirSync } from 'node:fs';
import { errnoOf } from '../disk/errno.ts';
import { joinPath } from '../files/path.ts';
import type { PackageCache } from '../disk/package-cache.ts';
import type { SourceId } from '../package-id/source-id.ts';
import type { PackageId } from '../package-id/package-id.ts';
import { parseVersion, type Version } from '../version/version.ts';
import { crateFileName } from './crate-file.ts';
import { hasCrate } from './package-presence.ts';
import { registryFolders } from './registry-folders.ts';
import type { SourceContext } from './source-context.ts';

const CRATE_SUFFIX = '.crate';

interface CrateFolder {
  readonly path: string;
  /** Names of files, sorted; null if it may be looked into and not listed. */
  readonly names: readonly string[] | null;
}

/**
 * The `.crate` files of one registry. A search without network asks for each version of each package that it
 * meets, and nearly all of them are not there: so the folders are listed once, when they are first asked for.
 */
export class StoredCrates {
  readonly #cache: PackageCache;
  readonly #source: SourceId;
  #folders: readonly CrateFolder[] | null = null;
  /** By name of the package, the versions whose files are listed; null where a folder cannot be listed. */
  readonly #listed = new Map<string, ReadonlySet<string> | null>();
  readonly #versions = new Map<string, readonly Version[] | null>();
  /** Answers, by folder and name of the file. */
  readonly #known = new Map<string, Map<string, boolean>>();

  /** `source` is the registry that packages really come from. */
  constructor(source: SourceId, { cache }: Pick<SourceContext, 'cache'>) {
    this.#cache = cache;
    this.#source = source;
  }

  /** Looks again at the next question; to be called when files may have been added. */
  forget(): void {
    this.#folders = null;
    this.#listed.clear();
    this.#versions.clear();
    this.#known.clear();
  }

  /** True if the archive of a package was there when the folders were listed and has anything in it. */
  has(id: Pick<PackageId, 'name' | 'version'>): boolean {
    const { name, version } = id;
    const file = crateFileName(id);
    if (this.#listedOf(name)?.has(version.text) === false) return false;
    return this.#listFolders().some(({ path }) => this.isIn(path, file));
  }

  /** As `has`, for a file of one folder, whether it was listed or not. */
  isIn(folder: string, file: string): boolean {
    let known = this.#known.get(folder);
    if (known === undefined) this.#known.set(folder, (known = new Map()));
    let isThere = known.get(file);
    if (isThere === undefined) known.set(file, (isThere = hasCrate(joinPath(folder, file))));
    return isThere;
  }

  /** The versions of a package that `has` may be true of; null if that cannot be listed. */
  versionsOf(name: string): readonly Version[] | null {
    let versions = this.#versions.get(name);
    if (versions === undefined) {
      const listed = this.#listedOf(name);
      // Files of packages whose name begins with this one's stand among them.
      versions = listed === null ? null : Array.from(listed).flatMap((text) => versionOrNone(text));
      this.#versions.set(name, versions);
    }
    return versions;
  }

  #listedOf(name: string): ReadonlySet<string> | null {
    let versions = this.#listed.get(name);
    if (versions === undefined) {
      versions = versionsIn(this.#listFolders(), name);
      this.#listed.set(name, versions);
    }
    return versions;
  }

  #listFolders(): readonly CrateFolder[] {
    return (this.#folders ??= [this.#cache.home, this.#cache.ownHome].map((home) =>
      listFolder(registryFolders(home, this.#source).cache),
    ));
  }
}

function versionOrNone(text: string): Version | [] {
  if (!/^[0-9]/.test(text)) return [];
  try {
    return parseVersion(text);
  } catch {
    return [];
  }
}

function versionsIn(folders: readonly CrateFolder[], name: string): ReadonlySet<string> | null {
  const versions = new Set<string>();
  const start = `${name}-`;
  for (const { names } of folders) {
    if (names === null) return null;
    for (let at = firstFrom(names, start); names[at]?.startsWith(start) === true; at += 1)
      versions.add((names[at] ?? '').slice(start.length, -CRATE_SUFFIX.length));
  }
  return versions;
}

/** The index of the first name that does not sort before `text`. */
function firstFrom(names: readonly string[], text: string): number {
  let [low, high] = [0, names.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((names[middle] ?? '') < text) low = middle + 1;
    else high = middle;
  }
  return low;
}

function listFolder(path: string): CrateFolder {
  try {
    return { path, names: readdirSync(path).sort((a, b) => (a < b ? -1 : 1)) };
  } catch (error) {
    return { path, names: errnoOf(error) === 'ENOENT' ? [] : null };
  }
}
