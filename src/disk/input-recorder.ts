/** Notes what a run reads, so that its result can be reused as long as all of that is unchanged. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Kind } from '../files/files.ts';
import { type FileFingerprint, isSettled, MTIME_GRANULARITY_MS } from './fingerprint.ts';
import { parentFolder } from '../files/path.ts';

/** What a run read. Every path is absolute. */
export interface StoredInputs {
  /** The content of files that people edit; null for one that was absent. */
  readonly contents: Iterable<readonly [path: string, content: Uint8Array | null]>;
  /** Folders by `listingText`; null for one that was absent. */
  readonly listings: Iterable<readonly [path: string, text: string | null]>;
  /** What was found at a path, links followed; null for nothing. */
  readonly kinds: Iterable<readonly [path: string, kind: Kind | null]>;
  /** Whether anything was found at a path, links followed. */
  readonly presences: Iterable<readonly [path: string, isThere: boolean]>;
  /** Where a path leads once its links are followed; null where it leads nowhere. */
  readonly realPaths: Iterable<readonly [path: string, target: string | null]>;
  /** Files that are only ever written whole: packages and index files under `CARGO_HOME`. */
  readonly fingerprints: Iterable<FileFingerprint>;
}

/** When a run began, by the clock that files are dated by, which can be set, and by one that cannot. */
interface RunStart {
  readonly wallMs: number;
  readonly steadyMs: number;
}

/** Collects the inputs of one run. */
export class InputRecorder {
  readonly contents = new Map<string, Uint8Array | null>();
  readonly listings = new Map<string, string | null>();
  readonly kinds = new Map<string, Kind | null>();
  readonly presences = new Map<string, boolean>();
  readonly realPaths = new Map<string, string | null>();
  /** Files that are only ever written whole; fingerprints are taken when the run is over. */
  readonly wholeFiles = new Set<string>();
  /** Of those, the ones that were looked at in this run. */
  readonly fingerprints = new Map<string, FileFingerprint>();
  readonly #immutableFolders = new Set<string>();
  readonly #afterRun: (() => void)[] = [];
  readonly #start: RunStart;
  #rejection: string | null = null;

  /** Of a run that begins now, or of a part of the run of `whole`. */
  constructor(whole?: InputRecorder) {
    this.#start = whole === undefined ? { wallMs: Date.now(), steadyMs: performance.now() } : whole.#start;
  }

  /** Why the result must not be reused; null if it may be. */
  get rejection(): string | null {
    return this.#rejection;
  }

  /** True if a file was last changed before the run began: then all that the run read of it is of its present state. */
  isSettled(fingerprint: FileFingerprint): boolean {
    const { wallMs, steadyMs } = this.#start;
    const setBackMs = performance.now() - steadyMs - (Date.now() - wallMs);
    return setBackMs < MTIME_GRANULARITY_MS && isSettled(fingerprint, wallMs);
  }

  /** Adds what a part of the run read. */
  add(part: InputRecorder): void {
    if (part.#rejection !== null) this.reject(part.#rejection);
    this.#addAll(part);
    for (const path of part.wholeFiles) this.wholeFiles.add(path);
  }

  /** Adds what an earlier run read whose result is used for a part of this one. */
  addStored({ fingerprints, ...inputs }: StoredInputs): void {
    this.#addAll(inputs);
    for (const each of fingerprints) {
      const [path] = each;
      this.wholeFiles.add(path);
      this.fingerprints.set(path, each);
    }
  }

  #addAll({ contents, listings, kinds, presences, realPaths }: Omit<StoredInputs, 'fingerprints'>): void {
    for (const [path, content] of contents) this.#note(this.contents, path, content);
    for (const [path, text] of listings) this.#note(this.listings, path, text);
    for (const [path, kind] of kinds) this.#note(this.kinds, path, kind);
    for (const [path, isThere] of presences) this.#note(this.presences, path, isThere);
    for (const [path, target] of realPaths) this.realPath(path, target);
  }

  /** Notes what was found. What the run has seen in two states must not be reused for either of them. */
  #note<T extends Uint8Array | string | boolean | null>(seen: Map<string, T>, path: string, found: T): void {
    const before = seen.get(path);
    if (before === undefined) seen.set(path, found);
    else if (!isSame(before, found)) this.reject(`\`${path}\` changed during the run`);
  }

  /** Does `work` once the run is over and its output is written. */
  afterRun(work: () => void): void {
    this.#afterRun.push(work);
  }

  /** To be called when the run is over and its output is written. */
  endRun(): void {
    for (const work of this.#afterRun.splice(0)) work();
  }

  /** Notes that the result depends on more than files: the network, another program, or a file this run wrote. */
  reject(reason: string): void {
    this.#rejection ??= reason;
  }

  /**
   * Notes a package or checkout that nobody edits, and the file that says it is complete. Of what is read below the
   * folder from now on only manifests count.
   */
  immutableFolder(folder: string, mark: string): void {
    this.#immutableFolders.add(folder);
    this.wholeFiles.add(mark);
  }

  /** Notes the content of a file. */
  content(path: string, content: Uint8Array | null): void {
    if (!this.#isImmutable(path)) this.#note(this.contents, path, content);
    else if (content !== null) this.wholeFiles.add(path);
  }

  /** Notes a folder's entries, as `listingText` has them. */
  listing(path: string, text: string | null): void {
    if (!this.#isImmutable(path)) this.#note(this.listings, path, text);
  }

  /** Notes what is at a path. */
  kind(path: string, kind: Kind | null): void {
    if (!this.#isImmutable(path)) this.#note(this.kinds, path, kind);
  }

  /** Notes whether anything is at a path. */
  presence(path: string, isThere: boolean): void {
    if (!this.#isImmutable(path)) this.#note(this.presences, path, isThere);
  }

  /** Notes where a path leads. */
  realPath(path: string, target: string | null): void {
    this.#note(this.realPaths, path, target);
  }

  #isImmutable(path: string): boolean {
    if (this.#immutableFolders.size === 0) return false;
    for (let folder = path; ; ) {
      if (this.#immutableFolders.has(folder)) return true;
      const parent = parentFolder(folder);
      if (parent === folder || parent === '') return false;
      folder = parent;
    }
  }
}

function isSame(one: Uint8Array | string | boolean | null, other: typeof one): boolean {
  if (!(one instanceof Uint8Array) || !(other instanceof Uint8Array)) return one === other;
  return one === other || Buffer.compare(one, other) === 0;
}

const current = new AsyncLocalStorage<InputRecorder>();

/** Runs `body`; everything that it reads through this folder is noted in `recorder`. */
export function recordingInputs<T>(recorder: InputRecorder, body: () => T): T {
  return current.run(recorder, body);
}

/** The recorder of the current run, if there is one. */
export function inputRecorder(): InputRecorder | undefined {
  return current.getStore();
}
