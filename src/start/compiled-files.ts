/**
 * Files of the program, and what V8 made of their text in an earlier run: to compile them is a quarter of a short run.
 * Releases of Node that can do this themselves keep what the first run needed, and no other; a run takes a tenth longer
 * with that. Nothing here can fail a run.
 */
import { isAscii } from 'node:buffer';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { constants, Script } from 'node:vm';
import { underOwnFlags } from './v8-flags.ts';

/** Where files are, and where what V8 makes of them is kept. */
export interface CompiledFilesOptions {
  /** The folder of the program's files, absolute. */
  readonly folder: string;
  /** The folder for what is kept, absolute; made where it is missing. Not used where another user may write. */
  readonly keepIn: string;
  /** Is it made where the folder above is missing, too? */
  readonly makesParents: boolean;
  /** One line: what is kept counts only under the engine that it was made by. */
  readonly engine: string;
  /** Part of the names of kept files, so that those who share the folder do not take turns in replacing them. */
  readonly build: string;
  /** For what is in none of `names`; its paths are relative to `folder`. */
  readonly require: NodeJS.Require;
  /** Called before the first file of the program is loaded that is in none of `names`. */
  readonly beforeOthers: () => void;
  /** The files that are kept, without `.cjs`. */
  readonly names: readonly string[];
  /** Those of them that every run reads, however short. */
  readonly common: readonly string[];
}

interface Kept {
  /** What the program did while this was made. */
  readonly uses: ReadonlySet<string>;
  readonly code: Buffer;
}

interface LoadedFile {
  readonly module: NodeJS.Module;
  /** The text as V8 has it in any case. */
  readonly text: string;
  readonly script: Script;
  /** What the program did while what is kept was made; null if it was not taken. */
  readonly uses: ReadonlySet<string> | null;
}

const BEFORE = '(function (exports, require, module, __filename, __dirname) {';
const BEHIND = '\n})';
const NEWLINE = 0x0a;

/** As much as no file of the program comes to: others are not read at all. */
const MAX_BYTES = 64 * 1024 * 1024;
const DAY_MS = 24 * 60 * 60 * 1000;
/** Files that were not used for this long are removed. */
const MAX_AGE_MS = 30 * DAY_MS;
/** How often a used file is marked as used. */
const MARK_INTERVAL_MS = DAY_MS;

/** Loads files of the program; what is new of them is kept by `keep`. */
export class CompiledFiles {
  readonly #options: CompiledFilesOptions;
  readonly #head: Buffer;
  readonly #loaded = new Map<string, LoadedFile>();
  readonly #uses = new Set<string>();
  #isLong = false;
  #hasOthers = false;

  constructor(options: CompiledFilesOptions) {
    this.#options = options;
    this.#head = Buffer.from(`compiled for ${options.engine}\n`);
    for (const name of options.names) this.#offer(name);
  }

  /** The exports of a file that is one of `names`. */
  load(name: string): unknown {
    return (this.#loaded.get(name) ?? underOwnFlags(() => this.#read(name))).module.exports;
  }

  /**
   * Says what the program is about to do, in a few words that are none of the user's. V8 compiles a function when it is
   * first called, so each new use gives it more to keep.
   */
  noteUse(use: string): void {
    this.#uses.add(use);
  }

  /**
   * To be called before work that takes long. What V8 makes of common files from here on is not kept: runs without such
   * work would have to read it every time. What there is by now of those of which nothing is kept is, for no use in
   * particular, but not in a first run, which has enough to do.
   */
  beginLongWork(): void {
    if (this.#isLong) return;
    if (existsSync(this.#options.keepIn)) {
      for (const [name, file] of this.#loaded)
        if (file.uses === null && this.#isCommon(name)) this.#write(name, file, new Set());
    }
    this.noteUse(`${[...this.#uses].join(' ')} at length`);
    this.#isLong = true;
  }

  /** Keeps what is new. To be called when all else is done. */
  keep(): void {
    for (const [name, file] of this.#loaded) {
      const known = file.uses;
      const hasNews = known === null || [...this.#uses].some((use) => !known.has(use));
      if (!hasNews || (this.#isLong && this.#isCommon(name))) continue;
      underOwnFlags(() => this.#write(name, file, this.#uses));
    }
  }

  /**
   * Node's own `require`, which others of the program's files have, is to take this file from here as well: when it asks
   * for what the file exports, since most runs need few of the files.
   */
  #offer(name: string): void {
    const { require } = this.#options;
    const filename = this.#filenameOf(name);
    const module = moduleOf(filename, require);
    Object.defineProperty(module, 'exports', { get: () => this.load(name) });
    require.cache[filename] = module;
  }

  #filenameOf(name: string): string {
    return join(this.#options.folder, `${name}.cjs`);
  }

  #isCommon(name: string): boolean {
    return this.#options.common.includes(name);
  }

  #read(name: string): LoadedFile {
    const { folder, require } = this.#options;
    const filename = this.#filenameOf(name);
    const source = readFileSync(filename);
    const kept = this.#readKept(name, source);
    // Other texts take V8 longer to read.
    const text = BEFORE + source.toString(isAscii(source) ? 'latin1' : 'utf8') + BEHIND;
    const script = new Script(text, {
      filename,
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
      ...(kept === null ? {} : { cachedData: kept.code }),
    });
    const module = moduleOf(filename, require);
    const uses = script.cachedDataRejected === true ? null : (kept?.uses ?? null);
    const file = { module, text, script, uses };
    // Before it runs: what it loads may ask for it again, by Node's own `require` as well.
    this.#loaded.set(name, file);
    require.cache[filename] = module;
    const run: unknown = script.runInThisContext();
    if (typeof run === 'function') run(module.exports, this.#require, module, filename, folder);
    return file;
  }

  readonly #require = (id: string): unknown => {
    const name = /^\.\/(.*)\.cjs$/.exec(id)?.[1];
    if (name !== undefined && this.#options.names.includes(name)) return this.load(name);
    const isFirst = name !== undefined && !this.#hasOthers;
    if (isFirst) this.#hasOthers = true;
    // Node keeps what it compiles in a folder for each set of flags.
    return underOwnFlags(() => {
      if (isFirst) this.#options.beforeOthers();
      return this.#options.require(id);
    });
  };

  /**
   * What is kept of a file, null unless it is about this text and whole. V8 itself compares no more than the length of the
   * text, and believes every byte of the code: a damaged one ends the process. So the text is kept as well, and the code
   * twice, since bytes are compared much faster than summed up.
   */
  #readKept(name: string, source: Buffer): Kept | null {
    const path = this.#pathOf(name);
    try {
      if (!isOnlyOurs(statSync(this.#options.keepIn))) return null;
      const stats = statSync(path);
      if (!isOnlyOurs(stats) || !stats.isFile() || stats.size > MAX_BYTES) return null;
      const bytes = readFileSync(path);
      markAsUsed(path, stats);
      const sourceAt = this.#head.length;
      const usesAt = sourceAt + source.length;
      if (this.#head.compare(bytes, 0, sourceAt) !== 0) return null;
      if (source.compare(bytes, sourceAt, usesAt) !== 0) return null;
      const codeAt = bytes.indexOf(NEWLINE, usesAt) + 1;
      const copyAt = (codeAt + bytes.length) / 2;
      if (codeAt === 0 || !Number.isInteger(copyAt)) return null;
      const code = bytes.subarray(codeAt, copyAt);
      if (code.compare(bytes, copyAt) !== 0) return null;
      const uses = bytes.toString('latin1', usesAt, codeAt - 1).split(',');
      return { uses: new Set(uses.filter((use) => use !== '')), code };
    } catch {
      return null;
    }
  }

  #write(name: string, { text, script, uses: known }: LoadedFile, newUses: ReadonlySet<string>): void {
    const { keepIn, makesParents } = this.#options;
    const path = this.#pathOf(name);
    const temporary = `${path}.${process.pid}.tmp`;
    try {
      if (!existsSync(keepIn)) makeFolder(keepIn, makesParents);
      if (!isOnlyOurs(statSync(keepIn))) return;
      // The first of the writes is the cheap one: where nothing may be written, nothing need be made.
      writeFileSync(temporary, this.#head, { flag: 'wx', mode: 0o600 });
      const uses = new Set([...(known ?? []), ...newUses]);
      const code = script.createCachedData();
      const source = Buffer.from(text.slice(BEFORE.length, -BEHIND.length));
      const rest = [source, Buffer.from(`${[...uses].join(',')}\n`), code, code];
      writeFileSync(temporary, Buffer.concat(rest), { flag: 'a' });
      renameSync(temporary, path);
      removeUnused(keepIn);
    } catch {
      removeQuietly(temporary);
    }
  }

  #pathOf(name: string): string {
    return join(this.#options.keepIn, `${name}-${this.#options.build}.compiled`);
  }
}

/** A module as Node has it, for a file that is about to run. */
function moduleOf(filename: string, require: NodeJS.Require): NodeJS.Module {
  return {
    id: filename,
    path: dirname(filename),
    exports: {},
    filename,
    loaded: true,
    children: [],
    paths: [],
    parent: null,
    isPreloading: false,
    require,
  };
}

/** True for what belongs to the user of this process, who alone may write it. */
function isOnlyOurs({ uid, mode }: Stats): boolean {
  return uid === process.getuid?.() && (mode & 0o022) === 0;
}

/** As `makeFolders` of `src/disk`, which is not loaded yet: Node's own way never ends in `/proc`. */
function makeFolder(path: string, makesParents: boolean): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (!makesParents || existsSync(dirname(path))) throw error;
    makeFolder(dirname(path), makesParents);
    mkdirSync(path, { mode: 0o700 });
  }
}

function markAsUsed(path: string, { mtimeMs }: Stats): void {
  const nowMs = Date.now();
  if (nowMs - mtimeMs < MARK_INTERVAL_MS) return;
  try {
    utimesSync(path, nowMs / 1000, nowMs / 1000);
  } catch {
    // It may be read, and that is enough.
  }
}

function removeUnused(folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats !== undefined && Date.now() - stats.mtimeMs > MAX_AGE_MS) removeQuietly(path);
  }
}

function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // What may not be removed stays, and nothing depends on it.
  }
}
