/** The lock file of a workspace: as it is, and as it is to be. Cargo Book: Cargo.toml vs Cargo.lock. */
import { readLockFile } from '../../disk/read-lock-file.ts';
import { replaceLockFile } from '../../disk/replace-lock-file.ts';
import type { LockContext } from '../../disk/file-lock.ts';
import { joinPath } from '../../files/path.ts';
import type { Lockfile } from '../../lockfile/lockfile.ts';
import { type LockfileContext, parseLockfile } from '../../lockfile/parse-lockfile.ts';
import { planLockfileWrite } from '../../lockfile/plan-write.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { LockPass } from './lock-pass.ts';

/** Where the lock file of a workspace is. */
export interface LockFilePlace {
  readonly workspace: Pick<Workspace, 'root'>;
  /** A lock file instead of the workspace's own; absolute. */
  readonly lockfilePath: string | null;
}

/** The absolute path of the lock file of a workspace, whether or not there is one. */
export function lockFilePath({ workspace, lockfilePath }: LockFilePlace): string {
  return lockfilePath ?? joinPath(workspace.root, 'Cargo.lock');
}

/** Which lock file it is, and what may be done to it. */
export interface LockFileOptions extends LockFilePlace {
  readonly workspace: Pick<Workspace, 'root' | 'manifests'>;
  readonly pass: Pick<LockPass, 'pathSources' | 'defaultVersion'>;
  /** `--locked` or `--frozen` as it was passed; null if the lock file may change. */
  readonly lockedFlag: string | null;
}

/** A lock file as it was found. */
export interface FoundLockFile {
  /** null if there is none. */
  readonly text: string | null;
  readonly lockfile: Lockfile | null;
}

/** `Cargo.lock` of a workspace. */
export class LockFile {
  readonly #options: LockFileOptions;
  /** Absolute. */
  readonly path: string;
  #knownContext: LockfileContext | null = null;

  constructor(options: LockFileOptions) {
    this.#options = options;
    this.path = lockFilePath(options);
  }

  /** Reads it. Throws where it cannot be read or understood. */
  read(): FoundLockFile {
    const text = this.readText();
    if (text !== null) return { text, lockfile: parseLockfile(text, this.#context()) };
    this.#options.workspace.manifests.sources.markManifestsRead();
    return { text, lockfile: null };
  }

  /** Its text; null if there is none. */
  readText(): string | null {
    return readLockFile(this.path);
  }

  /** The text to be written in the place of `original`; null if that stays. Throws where a flag forbids it. */
  plan(lockfile: Lockfile, original: string | null): string | null {
    const { pass, lockedFlag } = this.#options;
    const { defaultVersion } = pass;
    return planLockfileWrite(lockfile, { ...this.#context(), original, defaultVersion, lockedFlag });
  }

  /** Writes `text`, unless the file is not `original` any more: then the answer is false. */
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
