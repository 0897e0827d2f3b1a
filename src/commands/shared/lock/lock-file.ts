/** Reads, compares and replaces the lock file of a workspace. Cargo Book: Cargo.toml vs Cargo.lock. */
import { readLockFile } from '../../../io/disk/read-lock-file.ts';
import { replaceLockFile } from '../../../io/disk/replace-lock-file.ts';
import type { LockContext } from '../../../io/disk/file-lock.ts';
import { joinPath } from '../../../core/files/path.ts';
import type { Lockfile } from '../../../core/lockfile/lockfile.ts';
import { type LockfileContext, parseLockfile } from '../../../core/lockfile/parse-lockfile.ts';
import { planLockfileWrite } from '../../../core/lockfile/plan-write.ts';
import type { Workspace } from '../../../io/workspace/workspace.ts';
import type { LockPass } from './lock-pass.ts';

/** The location of a workspace's lock file. */
export interface LockFilePlace {
  readonly workspace: Pick<Workspace, 'root'>;
  /** Absolute path of a lock file to use instead of the workspace's; null for none. */
  readonly lockfilePath: string | null;
}

/** Returns the absolute path of a workspace's lock file, whether or not the file exists. */
export function lockFilePath({ workspace, lockfilePath }: LockFilePlace): string {
  return lockfilePath ?? joinPath(workspace.root, 'Cargo.lock');
}

/** The location of a lock file, and whether it may change. */
export interface LockFileOptions extends LockFilePlace {
  readonly workspace: Pick<Workspace, 'root' | 'manifests'>;
  readonly pass: Pick<LockPass, 'pathSources' | 'defaultVersion'>;
  /** `--locked` or `--frozen` as it was passed; null if the lock file may change. */
  readonly lockedFlag: string | null;
}

/** The content of a lock file, as text and parsed. Both are null if the file does not exist. */
export interface LockFileContent {
  readonly text: string | null;
  readonly lockfile: Lockfile | null;
}

/** The `Cargo.lock` of a workspace. */
export class LockFile {
  readonly #options: LockFileOptions;
  /** Absolute. */
  readonly path: string;
  #knownContext: LockfileContext | null = null;

  constructor(options: LockFileOptions) {
    this.#options = options;
    this.path = lockFilePath(options);
  }

  /** Reads and parses the file. Throws if it cannot be read or parsed. */
  read(): LockFileContent {
    const text = this.readText();
    if (text !== null) return { text, lockfile: parseLockfile(text, this.#context()) };
    // Parsing does this too. It decides how messages name the registries of manifests that are read later.
    this.#options.workspace.manifests.sources.markManifestsRead();
    return { text, lockfile: null };
  }

  /** Returns the text of the file; null if it does not exist. */
  readText(): string | null {
    return readLockFile(this.path);
  }

  /**
   * Returns the text that replaces `original`; null if `original` stays. `original` is null if there is no file. Throws
   * `lockfile` if a flag forbids the change.
   */
  plan(lockfile: Lockfile, original: string | null): string | null {
    const { pass, lockedFlag } = this.#options;
    const { defaultVersion } = pass;
    return planLockfileWrite(lockfile, { ...this.#context(), original, defaultVersion, lockedFlag });
  }

  /** Writes `text` and returns true, unless the file is not `original`. `original` is null if there was no file. */
  replace(original: string | null, text: string, context: LockContext): Promise<boolean> {
    return replaceLockFile(this.path, { from: original, to: text }, context);
  }

  #context(): LockfileContext {
    const { workspace, pass } = this.#options;
    this.#knownContext ??= {
      path: this.path,
      sources: workspace.manifests.sources,
      pathSources: () => pass.pathSources(),
    };
    return this.#knownContext;
  }
}
