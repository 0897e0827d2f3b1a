import { TsregError } from '../../../core/errors/error.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Log } from '../../shared/log.ts';
import { reasonOf } from '../../shared/reason-of.ts';
import type { Advisories, Advisory, AdvisoryState } from '../../store/advisories.ts';
import { type AdvisoryFolder, hasChanged, readAdvisoryFolder } from './advisory-folder.ts';
import { AdvisoryIndex } from './advisory-index.ts';

/** Services that a database needs. */
export interface DatabaseServices {
  readonly clock: Clock;
  readonly log: Log;
}

/** Minimum time between two looks at the folder. */
const LOOK_EVERY_MS = 60_000;
/** RustSec has about 1,000 advisories, GitHub 25,000 for all languages. */
const LIMITS = { maxFiles: 100_000 };

/**
 * The advisories in a folder. A lookup also looks in the background whether the folder has changed, at most once a
 * minute, and then reads it again.
 */
export class AdvisoryDatabase implements Advisories {
  readonly #folder: string;
  readonly #services: DatabaseServices;
  #read: AdvisoryFolder;
  #index: AdvisoryIndex;
  #readAtMs: number;
  #lookedAtMs: number;
  /** The look in progress; null if there is none. */
  #look: Promise<void> | null = null;

  /** Reads the folder. Throws `usage` if that fails. */
  static async open(folder: string, services: DatabaseServices): Promise<AdvisoryDatabase> {
    try {
      return new AdvisoryDatabase(folder, await readAdvisoryFolder(folder, LIMITS), services);
    } catch (error) {
      throw new TsregError(`cannot read the advisories in \`${folder}\``, { code: 'usage', cause: error });
    }
  }

  private constructor(folder: string, read: AdvisoryFolder, services: DatabaseServices) {
    this.#folder = folder;
    this.#services = services;
    this.#read = read;
    this.#index = new AdvisoryIndex(read.advisories);
    this.#readAtMs = services.clock.now();
    this.#lookedAtMs = this.#readAtMs;
    this.#logRead();
  }

  get state(): AdvisoryState {
    const { brokenFiles, isTruncated } = this.#read;
    const advisories = this.#index.size;
    return { folder: this.#folder, advisories, brokenFiles, isTruncated, readAtMs: this.#readAtMs };
  }

  get crates(): readonly string[] {
    this.#lookIfDue();
    return this.#index.crates;
  }

  of(crate: string, version: string): readonly Advisory[] {
    this.#lookIfDue();
    return this.#index.of(crate, version);
  }

  /** Waits for the look in progress, if there is one. */
  async close(): Promise<void> {
    await this.#look;
  }

  #lookIfDue(): void {
    const nowMs = this.#services.clock.now();
    if (this.#look !== null || nowMs < this.#lookedAtMs + LOOK_EVERY_MS) return;
    this.#lookedAtMs = nowMs;
    this.#look = this.#refresh().finally(() => {
      this.#look = null;
    });
  }

  /** Reads the folder again if it has changed. Keeps the known advisories if that fails. Never rejects. */
  async #refresh(): Promise<void> {
    try {
      if (!(await hasChanged(this.#read.fingerprint))) return;
      this.#read = await readAdvisoryFolder(this.#folder, LIMITS);
      this.#index = new AdvisoryIndex(this.#read.advisories);
      this.#readAtMs = this.#services.clock.now();
      this.#logRead();
    } catch (error) {
      this.#services.log.warning('advisories-not-read', { folder: this.#folder, reason: reasonOf(error) });
    }
  }

  #logRead(): void {
    const { log } = this.#services;
    const { folder, advisories, brokenFiles, isTruncated } = this.state;
    log.info('advisories-read', { folder, advisories });
    if (brokenFiles > 0) log.warning('advisories-broken', { folder, files: brokenFiles });
    if (isTruncated) log.warning('advisories-too-many', { folder });
  }
}
