import type { ServerContext } from '../server-context.ts';
import { BoundedCache } from '../shared/bounded-cache.ts';
import { Slots } from '../shared/slots.ts';
import { TaskFailure } from '../shared/task-threads.ts';
import { UpstreamProblem } from '../shared/upstream-problem.ts';
import { CrateSources } from '../source/crate-sources.ts';
import { SourceProblem } from '../source/source-problem.ts';
import type { StatedLicense } from '../store/mirror-status.ts';
import type { CacheReader } from '../store/mirrored-crates.ts';
import type { DownloadableVersion } from '../store/values.ts';
import { type LicenseRefusal, type LicenseRules } from './license-rules.ts';

/** Memory for licenses: those of about 100,000 versions. */
const MAX_CACHED_CHARS = 16 * 1024 * 1024;
/** Characters of an entry besides its expression. */
const ENTRY_CHARS = 128;
/** Downloads that may wait for the license of their archive. */
const MAX_WAITING = 2000;
/** Pages that may wait for the license of an archive, and how long. */
const MAX_WAITING_PAGES = 32;
const MAX_PAGE_WAIT_MS = 10_000;

/** Applies the rules for licenses to cached archives of the upstream. Reads each archive once. */
export class LicenseGate {
  readonly #rules: LicenseRules;
  readonly #sources: CrateSources;
  /** By checksum. */
  readonly #licenses = new BoundedCache<StatedLicense>(MAX_CACHED_CHARS);
  /** One at a time, as `CrateSources` has one thread. */
  readonly #slots = new Slots(1, MAX_WAITING);
  /** One page at a time may wait among the downloads, which pages must not delay. */
  readonly #pageSlots = new Slots(1, MAX_WAITING_PAGES, { maxWaitMs: MAX_PAGE_WAIT_MS });
  readonly #abortController = new AbortController();

  constructor(rules: LicenseRules, context: Pick<ServerContext, 'blobs' | 'settings' | 'log'>) {
    this.#rules = rules;
    this.#sources = new CrateSources(context);
  }

  /** Returns why a version is not served, if its archive has been read; null otherwise. */
  knownReason({ checksum }: { readonly checksum: string }): LicenseRefusal | null {
    const license = this.#licenses.get(checksum);
    return license === null ? null : this.#rules.reasonToRefuse(license);
  }

  /**
   * Returns why a version is not served; null if it is. Pages name their `reader`, downloads pass null. Throws
   * `UpstreamProblem` if that cannot be determined now, and the reason of the reader's signal once that is aborted.
   */
  async reasonToRefuse(
    version: DownloadableVersion,
    reader: CacheReader | null,
  ): Promise<LicenseRefusal | null> {
    const known = this.#licenses.get(version.checksum);
    if (known !== null) return this.#rules.reasonToRefuse(known);
    const read = reader === null ? this.#readLicense(version) : this.#readForPage(version, reader);
    return this.#rules.reasonToRefuse(await read);
  }

  /** Aborts reads in progress. */
  close(): void {
    this.#abortController.abort();
  }

  #readForPage(version: DownloadableVersion, { signal, owner }: CacheReader): Promise<StatedLicense> {
    const read = (): Promise<StatedLicense> => {
      signal.throwIfAborted();
      return this.#readLicense(version);
    };
    return this.#pageSlots.run(read, () => unknownLicense(version), { owner });
  }

  async #readLicense(version: DownloadableVersion): Promise<StatedLicense> {
    const { checksum } = version;
    const problem = (): UpstreamProblem => unknownLicense(version);
    return this.#slots.run(async () => {
      // Another request may have read it while this one waited.
      const known = this.#licenses.get(checksum);
      if (known !== null) return known;
      try {
        const { signal } = this.#abortController;
        const license = await this.#sources.license(version, { signal, owner: 'mirror' });
        const size = ENTRY_CHARS + (license.kind === 'expression' ? license.text.length : 0);
        this.#licenses.set(checksum, license, size);
        return license;
      } catch (error) {
        const isTemporary = error instanceof SourceProblem || error instanceof TaskFailure;
        throw isTemporary ? problem() : error;
      }
    }, problem);
  }
}

function unknownLicense({ crate, version }: DownloadableVersion): UpstreamProblem {
  return new UpstreamProblem(
    `the license of crate \`${crate}\` version \`${version}\` cannot be read at the moment; try again later`,
  );
}
