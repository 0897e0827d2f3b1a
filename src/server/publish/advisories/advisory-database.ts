import { TsregError } from '../../../core/errors/error.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Log } from '../../shared/log.ts';
import { reasonOf } from '../../shared/reason-of.ts';
import type { Advisories, Advisory, AdvisoryState } from '../../store/advisories.ts';
import { type AdvisoryFolder, type FolderLimits, hasChanged, readAdvisoryFolder } from './advisory-folder.ts';
import { AdvisoryIndex } from './advisory-index.ts';

/** Services that a database needs. */
export interface DatabaseServices {
  readonly clock: Clock;
  readonly log: Log;
}

/** Minimum time between two checks of the folder. */
const CHECK_EVERY_MS = 60_000;
/** Interval at which the timer looks whether a check is due. */
const TIMER_MS = CHECK_EVERY_MS / 4;
/** RustSec has about 1,000 advisories. GitHub has 25,000 for all languages, and many more that nobody has reviewed. */
const LIMITS: FolderLimits = { maxFiles: 100_000, maxFolders: 100_000 };

/**
 * The advisories in a folder. A timer and lookups start a check in the background, at most once a minute: if the folder
 * has changed, it is read again. Without the timer, the first lookups after a quiet time would use old advisories.
 */
export class AdvisoryDatabase implements Advisories {
  readonly #folder: string;
  readonly #services: DatabaseServices;
  #content: AdvisoryFolder;
  #index: AdvisoryIndex;
  #readAtMs: number;
  #checkedAtMs: number;
  readonly #timer: NodeJS.Timeout;
  /** Why the last check failed; null if it did not. */
  #failure: string | null = null;
  /** The check in progress; null if there is none. */
  #check: Promise<void> | null = null;

  /** Reads the folder. Throws `usage` if that fails. */
  static async open(folder: string, services: DatabaseServices): Promise<AdvisoryDatabase> {
    try {
      return new AdvisoryDatabase(folder, await readAdvisoryFolder(folder, LIMITS), services);
    } catch (error) {
      throw new TsregError(`cannot read the advisories in \`${folder}\``, { code: 'usage', cause: error });
    }
  }

  private constructor(folder: string, content: AdvisoryFolder, services: DatabaseServices) {
    this.#folder = folder;
    this.#services = services;
    this.#content = content;
    this.#index = new AdvisoryIndex(content.advisories);
    this.#readAtMs = services.clock.now();
    this.#checkedAtMs = this.#readAtMs;
    this.#timer = setInterval(() => this.#checkIfDue(), TIMER_MS).unref();
    this.#logRead();
  }

  get state(): AdvisoryState {
    const { brokenFiles, isTruncated } = this.#content;
    const advisories = this.#index.size;
    const readAtMs = this.#readAtMs;
    return { folder: this.#folder, advisories, brokenFiles, isTruncated, readAtMs, failure: this.#failure };
  }

  get crates(): readonly string[] {
    this.#checkIfDue();
    return this.#index.crates;
  }

  of(crate: string, version: string): readonly Advisory[] {
    this.#checkIfDue();
    return this.#index.of(crate, version);
  }

  /** Stops the timer, and waits for the check in progress, if there is one. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#check;
  }

  #checkIfDue(): void {
    const nowMs = this.#services.clock.now();
    if (this.#check !== null || nowMs < this.#checkedAtMs + CHECK_EVERY_MS) return;
    this.#checkedAtMs = nowMs;
    this.#check = this.#refresh().finally(() => {
      this.#check = null;
    });
  }

  /** Reads the folder again if it has changed. Keeps the known advisories if that fails. Never rejects. */
  async #refresh(): Promise<void> {
    try {
      if (await hasChanged(this.#content.fingerprint)) await this.#readAgain();
      this.#failure = null;
    } catch (error) {
      const reason = reasonOf(error);
      // Not at each check while the reason is the same.
      if (reason !== this.#failure)
        this.#services.log.warning('advisories-not-read', { folder: this.#folder, reason });
      this.#failure = reason;
    }
  }

  /** Reads the folder. Throws if that fails, or if all advisories are gone. */
  async #readAgain(): Promise<void> {
    const content = await readAdvisoryFolder(this.#folder, LIMITS);
    const index = new AdvisoryIndex(content.advisories);
    // For example, the volume is not mounted, or `git clone` has not finished.
    if (index.size === 0 && this.#index.size > 0) throw new Error('the folder no longer has any advisory');
    this.#content = content;
    this.#index = index;
    this.#readAtMs = this.#services.clock.now();
    this.#logRead();
  }

  #logRead(): void {
    const { log } = this.#services;
    const { folder, advisories, brokenFiles, isTruncated } = this.state;
    log.info('advisories-read', { folder, advisories });
    if (advisories === 0) log.warning('advisories-missing', { folder });
    if (brokenFiles > 0) log.warning('advisories-broken', { folder, files: brokenFiles });
    if (isTruncated) log.warning('advisories-too-many', { folder });
  }
}
