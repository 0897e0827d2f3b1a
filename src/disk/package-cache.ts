/** The folders under cargo's home that every cargo and tsreg on the machine shares. Cargo Book: Cargo Home. */
import { closeSync, openSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { TsregError } from '../errors/error.ts';
import { errnoOf } from './errno.ts';
import { acquireFileLock, CAN_LOCK, type FileLock, type LockContext, NO_LOCKING } from './file-lock.ts';
import { inputRecorder } from './input-recorder.ts';
import { makeFolders } from './make-folders.ts';

/**
 * Guards `registry` and `git` under cargo's home by the lock that cargo takes, `.package-cache`. What
 * cargo writes in place (index caches, `.crate` files) is only whole for readers who hold it, and nothing
 * there may be written without it.
 *
 * A machine without any means of locking gets folders of its own, in which every file and folder appears
 * by a rename, so that no lock is needed.
 */
export class PackageCache {
  /** Cargo's home. */
  readonly home: string;
  /** Where tsreg keeps packages if it cannot lock cargo's folders; has the same layout as `home`. */
  readonly ownHome: string;
  /** Keys of registries whose git index was fetched: that is done once in an operation. */
  readonly fetchedIndexes = new Set<string>();
  readonly #context: LockContext;
  #holders = 0;
  #lockless = false;
  #held: Promise<HeldLock> | null = null;
  #isHeld = false;
  #turns = 0;

  constructor(home: string, context: LockContext) {
    this.home = home;
    this.ownHome = join(home, 'tsreg', 'unshared');
    this.#context = context;
  }

  /** True while some `body` of `hold` runs. */
  get isHeld(): boolean {
    return this.#isHeld;
  }

  /**
   * How often the lock was taken before this time; null while it is not held, or cannot be. In one turn nobody else changes
   * anything.
   */
  get turn(): number | null {
    return this.#isHeld && !this.#lockless ? this.#turns : null;
  }

  /**
   * Runs `body` while the lock is held and gives it the folder under which `registry` and `git` may be
   * written: `home`, or `ownHome` where locks are impossible. Calls may nest and overlap; the first one
   * takes the lock, the last one gives it back. Waiting for another process is said once.
   */
  async hold<T>(body: (writableHome: string) => Promise<T>): Promise<T> {
    this.#holders += 1;
    inputRecorder()?.reject('packages or index files were written or may be written meanwhile');
    try {
      this.#held ??= this.#acquire();
      const held = await this.#held;
      this.#isHeld = true;
      return await body(held.writableHome);
    } finally {
      this.#holders -= 1;
      if (this.#holders === 0) await this.#giveBack();
    }
  }

  async #acquire(): Promise<HeldLock> {
    const lock = this.#lockless ? NO_LOCKING : await this.#lock(join(this.home, '.package-cache'));
    if (lock !== NO_LOCKING) return { lock, writableHome: this.home };
    if (!this.#lockless) {
      this.#lockless = true;
      this.#context.report.verbose(
        'Locking',
        `${CAN_LOCK ? 'needs the program flock or perl' : 'is not possible on Windows'}; packages are kept in ${this.ownHome} instead of ${this.home}`,
      );
    }
    return { lock: null, writableHome: this.ownHome };
  }

  async #lock(path: string): Promise<FileLock | null | typeof NO_LOCKING> {
    // Nobody can write below a home that only may be read, but one who may can: a shared lock keeps it still.
    const mode = isReadOnly(path) ? 'shared' : 'exclusive';
    try {
      return await acquireFileLock(path, { mode, description: 'package cache' }, this.#context);
    } catch (error) {
      this.#context.signal.throwIfAborted();
      if (mode === 'shared') return null;
      throw new TsregError('failed to acquire package cache lock', { cause: error });
    }
  }

  async #giveBack(): Promise<void> {
    const held = this.#held;
    this.#held = null;
    this.#isHeld = false;
    this.#turns += 1;
    if (held === null) return;
    try {
      (await held).lock?.release();
    } catch {
      // Acquiring failed, and whoever waited for it was told.
    }
  }
}

interface HeldLock {
  readonly lock: FileLock | null;
  readonly writableHome: string;
}

function isReadOnly(path: string): boolean {
  try {
    makeFolders(dirname(path));
    closeSync(openSync(path, 'a+'));
    return false;
  } catch (error) {
    const errno = errnoOf(error);
    return errno === 'EACCES' || errno === 'EROFS' || errno === 'EPERM';
  }
}
