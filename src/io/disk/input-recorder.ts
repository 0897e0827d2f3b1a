/** Collects the observed inputs of a run, so that its result can be reused while they are unchanged. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Kind } from '../../core/files/files.ts';
import { type FileFingerprint, isSafeToCache, MTIME_GRANULARITY_MS } from './fingerprint.ts';
import { parentFolder } from '../../core/files/path.ts';

/** The observed inputs of a run. Every path is absolute. */
export interface StoredInputs {
  /** Contents of files that people edit; null for an absent one. */
  readonly contents: Iterable<readonly [path: string, content: Uint8Array | null]>;
  /** Folders as `listingText`; null for an absent one. */
  readonly listings: Iterable<readonly [path: string, text: string | null]>;
  /** Kinds of paths, links followed; null for an absent one. */
  readonly kinds: Iterable<readonly [path: string, kind: Kind | null]>;
  /** Whether paths exist, links followed. */
  readonly presences: Iterable<readonly [path: string, isThere: boolean]>;
  /** Paths with all links resolved; null for a path that leads nowhere. */
  readonly realPaths: Iterable<readonly [path: string, target: string | null]>;
  /** Files that are only replaced as a whole: packages and index files in `CARGO_HOME`. */
  readonly fingerprints: Iterable<FileFingerprint>;
}

/** The start of a run, by the clock of file times, which can be set, and by one that cannot. */
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
  /** Files that are only replaced as a whole. Their fingerprints are taken at the end of the run. */
  readonly wholeFiles = new Set<string>();
  /** Those fingerprints of `wholeFiles` that come from cached inputs. */
  readonly fingerprints = new Map<string, FileFingerprint>();
  readonly #immutableFolders = new Set<string>();
  readonly #afterRun: (() => void)[] = [];
  readonly #start: RunStart;
  #rejection: string | null = null;

  /** Starts a run, or a part of `run`. */
  constructor(run?: InputRecorder) {
    this.#start = run === undefined ? { wallMs: Date.now(), steadyMs: performance.now() } : run.#start;
  }

  /** The reason why the result must not be reused; null if it may be. */
  get rejection(): string | null {
    return this.#rejection;
  }

  /** Returns true if a file last changed before the run started, so the run only read its present state. */
  isSafeToCache(fingerprint: FileFingerprint): boolean {
    const { wallMs, steadyMs } = this.#start;
    // How much the clock of file times was set back meanwhile. Then, new files could look old.
    const setBackMs = performance.now() - steadyMs - (Date.now() - wallMs);
    return setBackMs < MTIME_GRANULARITY_MS && isSafeToCache(fingerprint, wallMs);
  }

  /** Adds the inputs of a part of the run. The part must not have used `addStored`: its fingerprints are not added. */
  add(part: InputRecorder): void {
    if (part.#rejection !== null) this.reject(part.#rejection);
    this.#addAll(part);
    for (const path of part.wholeFiles) this.wholeFiles.add(path);
  }

  /** Adds the inputs of an earlier run whose result is part of this one. */
  addStored({ fingerprints, ...inputs }: StoredInputs): void {
    this.#addAll(inputs);
    for (const fingerprint of fingerprints) {
      const [path] = fingerprint;
      this.wholeFiles.add(path);
      this.fingerprints.set(path, fingerprint);
    }
  }

  #addAll({ contents, listings, kinds, presences, realPaths }: Omit<StoredInputs, 'fingerprints'>): void {
    for (const [path, content] of contents) this.#note(this.contents, path, content);
    for (const [path, text] of listings) this.#note(this.listings, path, text);
    for (const [path, kind] of kinds) this.#note(this.kinds, path, kind);
    for (const [path, isThere] of presences) this.#note(this.presences, path, isThere);
    for (const [path, target] of realPaths) this.realPath(path, target);
  }

  /** Adds an input. A run that saw two states of it must not be reused for either. */
  #note<T extends InputState>(states: Map<string, T>, path: string, state: T): void {
    const firstState = states.get(path);
    if (firstState === undefined) states.set(path, state);
    else if (!isSame(firstState, state)) this.reject(`\`${path}\` changed during the run`);
  }

  /** Schedules `work` for when the run is over and its output is written. */
  afterRun(work: () => void): void {
    this.#afterRun.push(work);
  }

  /** Runs the scheduled work. Call it when the run is over and its output is written. */
  endRun(): void {
    for (const work of this.#afterRun.splice(0)) work();
  }

  /** Marks the result as dependent on more than files: the network, another program, or a file this run wrote. */
  reject(reason: string): void {
    this.#rejection ??= reason;
  }

  /**
   * Adds a package or checkout that is never edited, and `mark`, the file that marks it as complete. From now on, only
   * the contents of files in the folder count, by fingerprint.
   */
  immutableFolder(folder: string, mark: string): void {
    this.#immutableFolders.add(folder);
    this.wholeFiles.add(mark);
  }

  /** Adds the content of a file; null if it does not exist. */
  content(path: string, content: Uint8Array | null): void {
    if (!this.#isImmutable(path)) this.#note(this.contents, path, content);
    else if (content !== null) this.wholeFiles.add(path);
  }

  /** Adds the entries of a folder, as `listingText`; null if it does not exist. */
  listing(path: string, text: string | null): void {
    if (!this.#isImmutable(path)) this.#note(this.listings, path, text);
  }

  /** Adds the kind of a path, links followed; null if it does not exist. */
  kind(path: string, kind: Kind | null): void {
    if (!this.#isImmutable(path)) this.#note(this.kinds, path, kind);
  }

  /** Adds whether a path exists, links followed. */
  presence(path: string, isThere: boolean): void {
    if (!this.#isImmutable(path)) this.#note(this.presences, path, isThere);
  }

  /** Adds a path with all links resolved; null if it leads nowhere. */
  realPath(path: string, target: string | null): void {
    this.#note(this.realPaths, path, target);
  }

  /** Returns true for an immutable folder and the paths in it. */
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

type InputState = Uint8Array | string | boolean | null;

function isSame(a: InputState, b: InputState): boolean {
  if (!(a instanceof Uint8Array) || !(b instanceof Uint8Array)) return a === b;
  return a === b || Buffer.compare(a, b) === 0;
}

const currentRecorder = new AsyncLocalStorage<InputRecorder>();

/** Runs `body`, and adds everything it reads through this folder's functions to `recorder`. */
export function recordingInputs<T>(recorder: InputRecorder, body: () => T): T {
  return currentRecorder.run(recorder, body);
}

/** Returns the recorder of the current run, if there is one. */
export function inputRecorder(): InputRecorder | undefined {
  return currentRecorder.getStore();
}
