/** The index files of an upstream as clients see them: without the versions that the gates refuse. */
import { createHash } from 'node:crypto';
import { BoundedCache } from '../shared/bounded-cache.ts';
import type { Clock } from '../shared/clock.ts';
import { Slots } from '../shared/slots.ts';
import { UpstreamProblem } from '../shared/upstream-problem.ts';
import { SingleFlight } from '../shared/single-flight.ts';
import { type MirroredLine, selectLines } from './check-index-file.ts';
import type { FoundIndex, MirroredIndex } from './mirrored-index.ts';
import type { UpstreamGates } from './upstream-gates.ts';

/** An index file of the upstream. */
export interface ServedIndex {
  /** Changes with the content. */
  readonly etag: string;
  /** null if versions are left out: the content then depends on the time and the gates too. */
  readonly changedAtMs: number | null;
  /** Bytes of the content. */
  readonly size: number;
  /** Returns the content; null if it has changed meanwhile. */
  load(): Promise<string | null>;
}

/** A file without the refused versions, as it is from `atMs` until before `untilMs`. */
interface FilteredFile {
  readonly atMs: number;
  readonly untilMs: number;
  readonly isWhole: boolean;
  readonly etag: string;
  /** Bytes; 0 if no version is left. */
  readonly size: number;
}

/** Files that are filtered at a time; each is in memory then. The others wait. */
const MAX_CONCURRENT = 2;
/** Memory for `FilteredFile`s. */
const MAX_CACHED_BYTES = 4 * 1024 * 1024;
const BYTES_PER_FILE = 256;

/** Applies the gates to index files. Files without a recent change, of crates that no gate names, are not even read. */
export class GatedIndex {
  readonly #gates: UpstreamGates;
  readonly #files: Pick<MirroredIndex, 'bodyOf'>;
  readonly #clock: Clock;
  /** By name, `ETag` and time of the whole file. */
  readonly #filtered = new BoundedCache<FilteredFile>(MAX_CACHED_BYTES);
  readonly #filtering = new SingleFlight<FilteredFile | null>();
  readonly #slots = new Slots(MAX_CONCURRENT, Number.POSITIVE_INFINITY);

  constructor(
    gates: UpstreamGates,
    { files, clock }: { readonly files: Pick<MirroredIndex, 'bodyOf'>; readonly clock: Clock },
  ) {
    this.#gates = gates;
    this.#files = files;
    this.#clock = clock;
  }

  /** Returns the file for clients; null if it is gone or has no version left, `'changed'` if it changed meanwhile. */
  async serve(file: FoundIndex): Promise<ServedIndex | 'changed' | null> {
    const { lowerCaseName, etag, changedAtMs, size } = file.state;
    if (size === null) return null;
    const whole = { etag, changedAtMs, size, load: () => this.#files.bodyOf(file) };
    if (!this.#gates.mayRefuse(lowerCaseName, changedAtMs, this.#clock.now())) return whole;
    const filtered = await this.#filteredFile(file);
    if (filtered === null) return 'changed';
    if (filtered.isWhole) return whole;
    if (filtered.size === 0) return null;
    return {
      etag: filtered.etag,
      changedAtMs: null,
      size: filtered.size,
      load: async () => {
        const body = await this.#files.bodyOf(file);
        return body === null ? null : this.#filter(body, { changedAtMs, nowMs: filtered.atMs }).body;
      },
    };
  }

  /** Returns null if the file has changed since it was found. */
  async #filteredFile(file: FoundIndex): Promise<FilteredFile | null> {
    const { lowerCaseName, etag, changedAtMs } = file.state;
    const key = `${lowerCaseName} ${etag} ${changedAtMs}`;
    const cached = this.#filtered.get(key);
    const nowMs = this.#clock.now();
    if (cached !== null && cached.atMs <= nowMs && nowMs < cached.untilMs) return cached;
    const filter = async (): Promise<FilteredFile | null> => {
      const whole = await this.#files.bodyOf(file);
      if (whole === null) return null;
      const { body, untilMs } = this.#filter(whole, { changedAtMs, nowMs });
      const filtered = {
        atMs: nowMs,
        untilMs,
        isWhole: body === whole,
        size: Buffer.byteLength(body),
        etag: `"${createHash('sha256').update(body).digest('hex').slice(0, 32)}"`,
      };
      this.#filtered.set(key, filtered, key.length + BYTES_PER_FILE);
      return filtered;
    };
    return await this.#filtering.run(key, () =>
      this.#slots.run(filter, () => new UpstreamProblem('too many index files are being read')),
    );
  }

  /** Returns the part of an index file that is served at `nowMs`, and until when it stays the same. */
  #filter(
    whole: string,
    { changedAtMs, nowMs }: { readonly changedAtMs: number; readonly nowMs: number },
  ): { readonly body: string; readonly untilMs: number } {
    let untilMs = Number.POSITIVE_INFINITY;
    const body = selectLines(whole, (line: MirroredLine) => {
      const reason = this.#gates.reasonToHide({ ...line, receivedAtMs: changedAtMs }, nowMs);
      if (reason?.kind === 'too-young') untilMs = Math.min(untilMs, reason.untilMs);
      return reason === null;
    });
    return { body, untilMs };
  }
}
