/** Reads the cache of an upstream for pages. Never sends a request, and changes nothing. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { present } from '../../core/errors/assert.ts';
import { comparePrecedence } from '../../core/version/compare-versions.ts';
import { parseVersion } from '../../core/version/version.ts';
import { BoundedCache } from '../shared/bounded-cache.ts';
import { SingleFlight } from '../shared/single-flight.ts';
import { Slots } from '../shared/slots.ts';
import { UpstreamProblem } from '../shared/upstream-problem.ts';
import { isPreRelease } from '../shared/version-text.ts';
import type { GateReason } from '../store/mirror-status.ts';
import type {
  CachedArchive,
  CacheReader,
  ListedMirroredCrate,
  MirroredCrate,
  MirroredVersion,
  MirrorList,
  MirrorListRequest,
} from '../store/mirrored-crates.ts';
import type { MirroredIndexState } from '../store/upstream-records.ts';
import type { DownloadableVersion, Page, PageRequest } from '../store/values.ts';
import { listLines, type PlacedLine } from './check-index-file.ts';
import type { UpstreamContext, UpstreamOptions } from './upstream-context.ts';
import type { CrateGates } from './upstream-gates.ts';

/** Memory for the lines of index files without their texts, and for texts. */
const MAX_CACHED_LINES_BYTES = 16 * 1024 * 1024;
const BYTES_PER_LINE = 400;
const MAX_CACHED_TEXT_CHARS = 8 * 1024 * 1024;
/** Index files to read at a time: each has up to 32 MiB. */
const READS_AT_ONCE = 2;
const MAX_WAITING = 64;
/**
 * Bytes of index files to read for one list; the rest of the list shows names alone. The largest of crates.io have 2
 * MiB.
 */
const MAX_LISTED_BYTES = 16 * 1024 * 1024;
/** Lists that wait for others, and how long. Reading `MAX_LISTED_BYTES` takes about half a second. */
const MAX_WAITING_LISTS = 32;
const MAX_LIST_WAIT_MS = 2000;

type CacheOptions = Pick<UpstreamOptions, 'client' | 'gates' | 'isOffline'>;

/** The cached crates of an upstream, except those whose names are used or reserved here. */
export class MirrorCache {
  readonly #context: UpstreamContext;
  readonly #options: CacheOptions;
  /** By name and `ETag`, highest version first. */
  readonly #lines = new BoundedCache<readonly PlacedLine[]>(MAX_CACHED_LINES_BYTES);
  readonly #scans = new SingleFlight<readonly PlacedLine[] | null>();
  /** The texts of lines, by name, version and checksum. */
  readonly #texts = new BoundedCache<string>(MAX_CACHED_TEXT_CHARS);
  readonly #slots = new Slots(READS_AT_ONCE, MAX_WAITING);
  /** One list at a time, so that other requests wait for one index file at most. */
  readonly #listSlots = new Slots(1, MAX_WAITING_LISTS, { maxWaitMs: MAX_LIST_WAIT_MS });

  constructor(context: UpstreamContext, options: CacheOptions) {
    this.#context = context;
    this.#options = options;
  }

  /** Finds a crate, whatever the case of `name` is. */
  async find(name: string): Promise<MirroredCrate | null> {
    if (!(await this.#mayHave(name))) return null;
    const state = await this.#stateOf(name);
    return state === null ? null : await this.#crateOf(state, await this.#linesOf(state));
  }

  /**
   * Returns where a crate that `find` does not find can come from: perhaps from the upstream, `'elsewhere'` if
   * certainly not, or `'blocked'` if the gates refuse all its versions.
   */
  async originOf(name: string): Promise<'upstream' | 'elsewhere' | 'blocked'> {
    const { isOffline, gates } = this.#options;
    if (isOffline || !(await this.#mayHave(name))) return 'elsewhere';
    return (await gates.of(name)).refusesAll ? 'blocked' : 'upstream';
  }

  /** Returns the index line of a version that `find` returned; null if the cache has changed meanwhile. */
  async lineOf({ name }: MirroredCrate, { version, checksum }: MirroredVersion): Promise<string | null> {
    const key = `${name} ${version} ${checksum}`;
    const cached = this.#texts.get(key);
    if (cached !== null) return cached;
    const state = await this.#stateOf(name);
    if (state === null) return null;
    const line = (await this.#linesOf(state))?.find((candidate) => candidate.version === version);
    const body = line === undefined ? null : await this.#read(state);
    if (body === null || line === undefined) return null;
    // A slice alone would keep the whole file in memory.
    const text = Buffer.from(body.slice(line.start, line.end)).toString();
    this.#texts.set(key, text, text.length);
    return text;
  }

  /**
   * Returns the archive of a version that `find` returned, if it is cached and the gates let clients download it.
   * Throws as `reasonToRefuse` does.
   */
  async findArchive(
    { name: crate }: MirroredCrate,
    { version, checksum, refusal }: MirroredVersion,
    reader: CacheReader,
  ): Promise<CachedArchive> {
    const { records, blobs } = this.#context;
    if (refusal !== null) return { kind: 'refused', reason: refusal };
    const cached = await records.findMirroredArchive(checksum);
    if (cached === null || (await blobs.stat(cached.blobKey)) === null) return { kind: 'not-cached' };
    const { size, blobKey, mirroredAtMs } = cached;
    const publishedAtMs = mirroredAtMs;
    const archive = { crate, version, checksum, size, blobKey, publishedAtMs, isEvictable: true };
    const reason = await this.reasonToRefuse(archive, reader);
    return reason === null ? { kind: 'found', archive } : { kind: 'refused', reason };
  }

  /**
   * Returns why clients must not download a cached archive, whose version has no `refusal`; null if they may. Throws
   * `UpstreamProblem` if that cannot be determined now, and the reason of the reader's signal once that is aborted.
   */
  async reasonToRefuse(archive: DownloadableVersion, reader: CacheReader): Promise<GateReason | null> {
    const gates = await this.#options.gates.of(archive.crate);
    return gates.reasonToRefuseArchive(archive, reader);
  }

  /** Lists crates by name. Throws `UpstreamProblem` if too many lists are being read. */
  async list(request: MirrorListRequest): Promise<MirrorList<ListedMirroredCrate>> {
    const upstream = this.#options.client.indexUrl;
    const { items, next } = await this.#context.records.listMirroredStates(upstream, request);
    return { items: await this.#listed(items), next };
  }

  /** Finds crates whose names contain `part`, as `searchMirroredStates` does. Throws as `list` does. */
  async search(part: string, page: PageRequest): Promise<Page<ListedMirroredCrate>> {
    const upstream = this.#options.client.indexUrl;
    const { items, total } = await this.#context.records.searchMirroredStates(upstream, part, page);
    return { items: await this.#listed(items), total };
  }

  /** Returns those of the names, in any case, whose index files are cached; in lower case. */
  async findNames(names: readonly string[]): Promise<ReadonlySet<string>> {
    const lowerCaseNames = [...new Set(names.map((name) => name.toLowerCase()))];
    return await this.#context.records.findMirroredNames(this.#options.client.indexUrl, lowerCaseNames);
  }

  /** Returns false if no crate of the upstream can have the name here. */
  async #mayHave(name: string): Promise<boolean> {
    return /^[A-Za-z0-9_-]{1,64}$/.test(name) && !(await this.#context.records.isLocalName(name));
  }

  /** Reads the index files of a list, but at most `MAX_LISTED_BYTES`, when it is its turn. */
  #listed(states: readonly MirroredIndexState[]): Promise<readonly ListedMirroredCrate[]> {
    return this.#listSlots.run(
      () => this.#readListed(states),
      () => new UpstreamProblem('too many lists of cached crates are being read'),
    );
  }

  async #readListed(states: readonly MirroredIndexState[]): Promise<readonly ListedMirroredCrate[]> {
    const listed: ListedMirroredCrate[] = [];
    let bytesLeft = MAX_LISTED_BYTES;
    // One after the other: each may have to read its index file.
    for (const state of states) {
      const isKnown = this.#lines.get(keyOf(state)) !== null;
      const bytes = isKnown ? 0 : (state.size ?? 0);
      // SQLite and the parser work on this thread.
      await nextTurn();
      const lines = bytes <= bytesLeft ? await this.#linesOf(state) : null;
      if (lines !== null) bytesLeft -= bytes;
      const { lowerCaseName, checkedAtMs } = state;
      const crate = await this.#crateOf(state, lines);
      listed.push({ name: crate?.name ?? lowerCaseName, checkedAtMs, crate });
    }
    return listed;
  }

  /** Returns the crate with these lines; null for null or no lines. */
  async #crateOf(
    state: MirroredIndexState,
    lines: readonly PlacedLine[] | null,
  ): Promise<MirroredCrate | null> {
    const first = lines?.[0];
    if (lines === null || first === undefined) return null;
    const gates = await this.#options.gates.of(first.name);
    const versions = lines.map((line) => this.#versionOf(line, { state, gates }));
    return { name: first.name, checkedAtMs: state.checkedAtMs, versions, shown: shownVersion(versions) };
  }

  #versionOf(
    line: PlacedLine,
    { state: { changedAtMs }, gates }: { readonly state: MirroredIndexState; readonly gates: CrateGates },
  ): MirroredVersion {
    const { version, checksum, isYanked, publishedAtMs, rustVersion } = line;
    const nowMs = this.#context.clock.now();
    const refusal = gates.knownReason({ ...line, receivedAtMs: changedAtMs }, nowMs);
    return { version, checksum, isYanked, publishedAtMs, rustVersion, refusal };
  }

  /** Returns null for a crate that is not cached, or whose index file was evicted. */
  async #stateOf(name: string): Promise<MirroredIndexState | null> {
    const key = { upstream: this.#options.client.indexUrl, lowerCaseName: name.toLowerCase() };
    const state = await this.#context.records.findMirroredState(key);
    return state === null || state.size === null || state.size === 0 ? null : state;
  }

  /** Returns the lines, highest version first; null if the file has changed. */
  async #linesOf(state: MirroredIndexState): Promise<readonly PlacedLine[] | null> {
    const key = keyOf(state);
    return (
      this.#lines.get(key) ??
      (await this.#scans.run(key, async () => {
        const body = await this.#read(state);
        if (body === null) return null;
        const lines = highestFirst(listLines(body));
        this.#lines.set(key, lines, lines.length * BYTES_PER_LINE);
        return lines;
      }))
    );
  }

  /** Returns the index file; null if it has changed. Throws `UpstreamProblem` if too many reads wait. */
  async #read(state: MirroredIndexState): Promise<string | null> {
    const file = await this.#slots.run(
      () => this.#context.records.findMirroredIndex(state),
      () => new UpstreamProblem('too many index files are being read'),
    );
    return file?.etag === state.etag ? file.body : null;
  }
}

/** Returns the key of the lines of an index file. */
function keyOf({ lowerCaseName, etag }: MirroredIndexState): string {
  return `${lowerCaseName} ${etag}`;
}

function highestFirst(lines: readonly PlacedLine[]): readonly PlacedLine[] {
  return lines
    .map((line) => ({ line, parsed: parseVersion(line.version) }))
    .sort((a, b) => comparePrecedence(b.parsed, a.parsed))
    .map(({ line }) => line);
}

/** Returns the version to show first, as `MirroredCrate.shown`. `versions` has at least one, highest first. */
function shownVersion(versions: readonly MirroredVersion[]): MirroredVersion {
  const selectable = versions.filter(({ isYanked, refusal }) => !isYanked && refusal === null);
  const stable = selectable.find(({ version }) => !isPreRelease(version));
  return stable ?? selectable[0] ?? present(versions[0], 'the first version of a cached crate');
}
