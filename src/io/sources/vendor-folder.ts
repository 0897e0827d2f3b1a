/** The folder that packages are vendored into. Cargo Book: cargo vendor. */
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  rmdirSync,
} from 'node:fs';
import { join } from 'node:path';
import { osError } from '../disk/errno.ts';
import { makeFolders } from '../disk/make-folders.ts';
import { TsregError } from '../../core/errors/error.ts';
import { describeErrno } from '../../core/errors/os-error-text.ts';
import { toByteString, toNativePath } from '../../core/files/byte-path.ts';
import { fileName, joinPath, parentFolder } from '../../core/files/path.ts';
import { pathPart } from '../../core/package-id/path-part.ts';
import { removeIfTemporary, temporaryFolderName } from './temporary-folder.ts';
import { CHECKSUM_FILE } from './vendored-files.ts';

/** The folder to vendor into, and whether to keep its content. */
export interface VendorFolderOptions {
  /** From the command line. */
  readonly path: string;
  /** Absolute folder that `path` is relative to. */
  readonly cwd: string;
  /** True to keep content that is not vendored again. */
  readonly keepsOthers: boolean;
}

/** The vendor folder. Each package appears in it complete, by a rename. Must be disposed of. */
export class VendorFolder {
  /** The path for messages: with links resolved if the folder existed, otherwise as on the command line. */
  readonly shown: string;
  readonly #path: string;
  readonly #wasThere: boolean;
  /** Names (byte strings) to remove at the end. */
  readonly #leftovers = new Set<string>();
  /** Absolute; null before the first call of `staging`. */
  #staging: string | null = null;
  /** Number of packages that were replaced. */
  #replaced = 0;

  /** Creates the folder if necessary and lists its content. Throws with cargo's message. */
  constructor({ path, cwd, keepsOthers }: VendorFolderOptions) {
    const absolute = joinPath(cwd, path);
    const resolvedPath = realPath(absolute);
    this.shown = resolvedPath ?? path;
    this.#path = resolvedPath ?? absolute;
    this.#wasThere = resolvedPath !== null;
    try {
      makeFolders(this.#path);
    } catch (error) {
      const hint =
        'the destination is not a folder, or is not writable: pass another one to `tsreg vendor DIR`';
      throw new TsregError(`failed to create directory \`${this.shown}\``, { cause: osError(error), hint });
    }
    for (const name of listNames(this.#path)) {
      const isTemporary = removeIfTemporary(this.#path, name);
      if (!isTemporary && !keepsOthers && !name.startsWith('.')) this.#leftovers.add(name);
    }
  }

  /** Returns the path of the package called `name`, for messages. */
  shownPath(name: string): string {
    return joinPath(this.shown, name);
  }

  /** Returns the absolute path of the folder called `name`. Throws if that is not a valid path part. */
  pathOf(name: string): string {
    return join(this.#path, pathPart(name));
  }

  /** Keeps the existing entry called `name`. */
  keep(name: string): void {
    this.#leftovers.delete(toByteString(name));
  }

  /** Keeps the folder at an absolute path if it is directly in this one. */
  keepFolder(path: string): void {
    const resolvedPath = realPath(path);
    if (resolvedPath !== null && parentFolder(resolvedPath) === this.#path) this.keep(fileName(resolvedPath));
  }

  /** Returns true if a package of that name was vendored before. */
  hasPackage(name: string): boolean {
    return existsSync(join(this.pathOf(name), CHECKSUM_FILE));
  }

  /** Returns the absolute folder for unfinished packages, and creates it at the first call. */
  staging(): string {
    if (this.#staging === null) {
      const path = join(this.#path, temporaryFolderName());
      try {
        mkdirSync(path);
      } catch (error) {
        throw new TsregError(`failed to create directory \`${path}\``, { cause: osError(error) });
      }
      this.#staging = path;
    }
    return this.#staging;
  }

  /** Moves a folder from the staging folder to `name`. If that fails, throws and keeps the old one. */
  put(stagedFolder: string, name: string): void {
    const path = this.pathOf(name);
    try {
      const old = lstatSync(path, { throwIfNoEntry: false });
      if (old === undefined) renameSync(stagedFolder, path);
      else if (old.isDirectory() || old.isSymbolicLink()) this.#replace(stagedFolder, path);
      else throw new TsregError(describeErrno('EEXIST'), { code: 'io' });
    } catch (error) {
      throw new TsregError(`failed to create directory \`${this.shownPath(name)}\``, {
        cause: osError(error),
      });
    }
  }

  /** Removes old content, except for packages that are still needed. */
  removeOthers(): void {
    for (const name of this.#leftovers) {
      const path = toNativePath(`${toByteString(this.#path)}/${name}`);
      try {
        rmSync(path, { recursive: true });
      } catch (error) {
        const shownPath = this.shownPath(path.toString());
        throw new TsregError(`failed to remove \`${shownPath}\``, { cause: osError(error) });
      }
    }
  }

  /** Removes the folder if this run created it. It must be empty. */
  removeIfCreated(): void {
    if (this.#wasThere) return;
    try {
      rmdirSync(this.#path);
    } catch (error) {
      throw new TsregError(`failed to remove directory \`${this.shown}\``, { cause: osError(error) });
    }
  }

  /** Removes the staging folder. */
  dispose(): void {
    if (this.#staging !== null) rmSync(this.#staging, { recursive: true, force: true });
    this.#staging = null;
  }

  /** Replaces the folder or link at `path`. Puts it back if that fails. */
  #replace(stagedFolder: string, path: string): void {
    this.#replaced += 1;
    const old = join(this.staging(), `replaced-${this.#replaced}`);
    renameSync(path, old);
    try {
      renameSync(stagedFolder, path);
    } catch (error) {
      renameSync(old, path);
      throw error;
    }
    rmSync(old, { recursive: true, force: true });
  }
}

function realPath(path: string): string | null {
  try {
    return realpathSync.native(path);
  } catch {
    return null;
  }
}

/** Returns the names in a folder as byte strings. */
function listNames(path: string): readonly string[] {
  try {
    return readdirSync(path, { encoding: 'latin1' });
  } catch (error) {
    throw osError(error);
  }
}
