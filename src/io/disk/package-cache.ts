/** The folders in cargo's home that all cargo and tsreg processes on the machine share. Cargo Book: Cargo Home. */
import { closeSync, openSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { TsregError } from '../../core/errors/error.ts';
import { errnoOf } from './errno.ts';
import { acquireFileLock, CAN_LOCK, type FileLock, type LockContext, NO_LOCKING } from './file-lock.ts';
import { inputRecorder } from './input-recorder.ts';
import { makeFolders } from './make-folders.ts';

/**
 * Guards `registry` and `git` in cargo's home with cargo's own lock, `.package-cache`. cargo writes index caches and
 * `.crate` files in place, so only readers with the lock see them complete. Nothing there may be written without it.
 *
 * A machine without any means of locking uses separate folders, in which every file and folder appears by a rename, so
 * that no lock is needed.
 */
export class PackageCache {
  /** Cargo's home. */
  readonly home: string;
  /** The folder for packages if cargo's folders cannot be locked; has the same layout as `home`. */
  readonly ownHome: string;
  /**
   * The number of starts and ends of fetches of a git index, by key of its registry; absent before the first one. While it
   * stays the same, the index does.
   */
  readonly indexFetches = new Map<string, number>();
  readonly #context: LockContext;
  /** The number of calls of `hold` that have not ended. */
  #holders = 0;
  /** True if an attempt has shown that the machine cannot lock. */
  #cannotLock = false;
  /** The lock of all current holders; null while there are none. */
  #currentLock: Promise<HeldLock> | null = null;
  /** True if `#currentLock` is fulfilled. */
  #isHeld = false;
  /** The number of times that the last holder released the lock. */
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
   * The number of times the lock was held before; null while it is not held, or if locking is impossible. While the
   * number stays the same, nobody else changes anything.
   */
  get turn(): number | null {
    return this.#isHeld && !this.#cannotLock ? this.#turns : null;
  }

  /**
   * Runs `body` while the lock is held, with the folder in which `registry` and `git` may be written: `home`, or
   * `ownHome` if locking is impossible. Calls may nest and overlap: the first takes the lock, the last releases it.
   * Waiting for another process is reported once.
   */
  async hold<T>(body: (writableHome: string) => Promise<T>): Promise<T> {
    this.#holders += 1;
    inputRecorder()?.reject('packages or index files were written or may be written meanwhile');
    try {
      this.#currentLock ??= this.#acquire();
      const heldLock = await this.#currentLock;
      this.#isHeld = true;
      return await body(heldLock.writableHome);
    } finally {
      this.#holders -= 1;
      if (this.#holders === 0) await this.#release();
    }
  }

  /** Takes the lock, or chooses `ownHome` if the machine cannot lock. */
  async #acquire(): Promise<HeldLock> {
    const lock = this.#cannotLock ? NO_LOCKING : await this.#lock(join(this.home, '.package-cache'));
    if (lock !== NO_LOCKING) return { lock, writableHome: this.home };
    if (!this.#cannotLock) {
      this.#cannotLock = true;
      this.#context.report.verbose(
        'Locking',
        `${CAN_LOCK ? 'needs the program flock or perl' : 'is not possible on Windows'}; packages are kept in ${this.ownHome} instead of ${this.home}`,
      );
    }
    return { lock: null, writableHome: this.ownHome };
  }

  /** Returns null if this user cannot lock and cannot write, so that the caller only reads. */
  async #lock(path: string): Promise<FileLock | null | typeof NO_LOCKING> {
    // Only users with write access can change a home that is read-only here. A shared lock keeps them out.
    const mode = isReadOnly(path) ? 'shared' : 'exclusive';
    try {
      return await acquireFileLock(path, { mode, description: 'package cache' }, this.#context);
    } catch (error) {
      this.#context.signal.throwIfAborted();
      if (mode === 'shared') return null;
      throw new TsregError('failed to acquire package cache lock', { cause: error });
    }
  }

  /** Releases the lock after the last holder, even if taking it failed. */
  async #release(): Promise<void> {
    const heldLock = this.#currentLock;
    this.#currentLock = null;
    this.#isHeld = false;
    this.#turns += 1;
    if (heldLock === null) return;
    try {
      (await heldLock).lock?.release();
    } catch {
      // Acquiring failed, and the callers that waited for it received the error.
    }
  }
}

interface HeldLock {
  /** null if the machine or this user cannot lock. */
  readonly lock: FileLock | null;
  readonly writableHome: string;
}

/** Returns true if this user may not write the file. Creates it if possible. */
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
