/**
 * The index files of an upstream as clients see them: versions that the gates refuse are yanked, so that no client
 * selects them. A client that has one in `Cargo.lock` requests its download, and gets the reason. If all versions are
 * refused, the file is refused too: cargo would report only that they are yanked.
 */
import { createHash } from 'node:crypto';
import { BoundedCache } from '../shared/bounded-cache.ts';
import type { Clock } from '../shared/clock.ts';
import { GateRefusal } from '../shared/gate-refusal.ts';
import { Slots } from '../shared/slots.ts';
import { UpstreamProblem } from '../shared/upstream-problem.ts';
import { SingleFlight } from '../shared/single-flight.ts';
import { type MirroredLine, yankLines } from './check-index-file.ts';
import { describeCrateRefusal } from './describe-refusal.ts';
import type { FoundIndex, MirroredIndex } from './mirrored-index.ts';
import type { CrateGates } from './upstream-gates.ts';

/** An index file of the upstream. */
export interface ServedIndex {
  /** Changes with the content. */
  readonly etag: string;
  /** null if the gates refuse versions: the content then depends on the time and the gates too. */
  readonly changedAtMs: number | null;
  /** Bytes of the content. */
  readonly size: number;
  /** Returns the content; null if it has changed meanwhile. */
  load(): Promise<string | null>;
}

/** A file with its refused versions, as it is from `atMs` until before `untilMs`. */
interface GatedFile {
  readonly atMs: number;
  readonly untilMs: number;
  /** Why the whole file is refused; null if a version is served. */
  readonly refusal: string | null;
  /** Whether it is the file of the upstream. */
  readonly isUnchanged: boolean;
  readonly etag: string;
  /** Bytes. */
  readonly size: number;
}

/** Files that are read at a time; each is in memory then. The others wait. */
const MAX_CONCURRENT = 2;
/** Memory for `GatedFile`s. */
const MAX_CACHED_BYTES = 4 * 1024 * 1024;
const BYTES_PER_FILE = 256;

/** Applies the gates to index files. Files without a recent change, of crates that no gate names, are not even read. */
export class GatedIndex {
  readonly #files: Pick<MirroredIndex, 'bodyOf'>;
  readonly #clock: Clock;
  /** By name, `ETag` and time of the file of the upstream, and the rules of admins. */
  readonly #gated = new BoundedCache<GatedFile>(MAX_CACHED_BYTES);
  readonly #reads = new SingleFlight<GatedFile | null>();
  readonly #slots = new Slots(MAX_CONCURRENT, Number.POSITIVE_INFINITY);

  constructor({ files, clock }: { readonly files: Pick<MirroredIndex, 'bodyOf'>; readonly clock: Clock }) {
    this.#files = files;
    this.#clock = clock;
  }

  /**
   * Returns the file for clients; null if it is gone, `'changed'` if it changed meanwhile. `gates` are of its crate.
   * Throws `GateRefusal` if they refuse all versions.
   */
  async serve(file: FoundIndex, gates: CrateGates): Promise<ServedIndex | 'changed' | null> {
    const { etag, changedAtMs, size } = file.state;
    if (size === null) return null;
    const original = { etag, changedAtMs, size, load: () => this.#files.bodyOf(file) };
    if (!gates.mayRefuse(changedAtMs, this.#clock.now())) return original;
    const gated = await this.#gatedFile(file, gates);
    if (gated === null) return 'changed';
    if (gated.refusal !== null) throw new GateRefusal(gated.refusal);
    if (gated.isUnchanged) return original;
    return {
      etag: gated.etag,
      changedAtMs: null,
      size: gated.size,
      load: async () => {
        const body = await this.#files.bodyOf(file);
        return body === null ? null : yank(body, gates, { changedAtMs, nowMs: gated.atMs }).body;
      },
    };
  }

  /** Returns null if the file has changed since it was found. */
  async #gatedFile(file: FoundIndex, gates: CrateGates): Promise<GatedFile | null> {
    const { lowerCaseName, etag, changedAtMs } = file.state;
    const key = `${lowerCaseName} ${etag} ${changedAtMs} ${gates.key}`;
    const cached = this.#gated.get(key);
    const nowMs = this.#clock.now();
    if (cached !== null && cached.atMs <= nowMs && nowMs < cached.untilMs) return cached;
    const read = async (): Promise<GatedFile | null> => {
      const original = await this.#files.bodyOf(file);
      if (original === null) return null;
      const { body, untilMs, refusal } = yank(original, gates, { changedAtMs, nowMs });
      const gated = {
        atMs: nowMs,
        untilMs,
        refusal,
        isUnchanged: body === original,
        size: Buffer.byteLength(body),
        etag: `"${createHash('sha256').update(body).digest('hex').slice(0, 32)}"`,
      };
      this.#gated.set(key, gated, key.length + BYTES_PER_FILE);
      return gated;
    };
    return await this.#reads.run(key, () =>
      // The queue has no limit, so this error never occurs.
      this.#slots.run(read, () => new UpstreamProblem('too many index files are being read')),
    );
  }
}

/**
 * Returns an index file as it is served at `nowMs`, until when it stays the same, and why it is refused. `original` has
 * at least one line, as `checkIndexFile` guarantees: without lines, the refusal would name no crate.
 */
function yank(
  original: string,
  gates: CrateGates,
  { changedAtMs, nowMs }: { readonly changedAtMs: number; readonly nowMs: number },
): Pick<GatedFile, 'untilMs' | 'refusal'> & { readonly body: string } {
  let untilMs = Number.POSITIVE_INFINITY;
  let isServed = false;
  let crate = '';
  const body = yankLines(original, (line: MirroredLine) => {
    const reason = gates.reasonToYank({ ...line, receivedAtMs: changedAtMs }, nowMs);
    if (reason?.kind === 'too-young') untilMs = Math.min(untilMs, reason.untilMs);
    if (reason === null) isServed = true;
    crate = line.name;
    return reason !== null;
  });
  const firstAtMs = Number.isFinite(untilMs) ? untilMs : null;
  return { body, untilMs, refusal: isServed ? null : describeCrateRefusal(crate, firstAtMs) };
}
