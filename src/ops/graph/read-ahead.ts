/** Manifests of locked packages, read by a second thread while this one resolves. */
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { dirname, extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Config } from '../../config/config.ts';
import { readLockFile } from '../../disk/read-lock-file.ts';
import { type Stamp, stampHolds } from '../../disk/stamp.ts';
import { SourceTable } from '../../package-id/source-table.ts';
import { parseSourceUrl } from '../../package-id/source-url.ts';
import { indexPath } from '../../protocol/index-path.ts';
import { makeSharedLines, type SharedLines, takeSharedLine } from '../../sources/shared-lines.ts';
import { registryFolders } from '../../sources/registry-folders.ts';
import { SourceReplacement } from '../../sources/source-replacement.ts';
import type { FetchedPackage } from '../../sources/source.ts';
import type { Version } from '../../version/version.ts';
import type { Summary } from '../../summary/summary.ts';
import type { EarlierContent } from './earlier-packages.ts';
import { type ExpectedPackage, type ReadingOrder, type ReadManifests, sourceText } from './read-manifests.ts';
import { printedIds } from './workspace-view.ts';
import { madePackageJson } from '../../derived/package-json.ts';

declare const BUNDLE_FILE: string | undefined;

/** The thread's program, which a build has beside every other file of it; null where the sources run as they are. */
const PROGRAM =
  typeof BUNDLE_FILE === 'undefined'
    ? null
    : join(dirname(BUNDLE_FILE), `read-ahead-worker${extname(BUNDLE_FILE)}`);

/** To start a thread and load its program takes as long as to read this many manifests. */
const MIN_PACKAGES = 100;

/** As programs write them. What is written otherwise is not read ahead. */
const LOCKED = /^name = "([\w-]+)"\nversion = "([\w.+-]+)"\nsource = "((?:registry|sparse)\+[^"\\]+)"$/gm;

interface ReadContent {
  readonly manifest: Stamp;
  readonly libraryName: string | null;
  readonly head: Uint8Array;
  readonly tail: Uint8Array;
}

/**
 * A thread at work. Whatever it does not give is to be read as if there were none; what it gives is used only as long
 * as the file is the one that it read. Must be closed.
 */
export class ReadAhead {
  readonly #worker: Worker;
  readonly #claims: Int32Array;
  readonly #lines: SharedLines;
  /** By path of the index file and version. */
  readonly #lineIndexes: ReadonlyMap<string, number>;
  /** By path of the manifest. */
  readonly #indexes: ReadonlyMap<string, number>;
  readonly #answer: Promise<ReadManifests | null>;
  #hasAnswered = false;
  /** By source and path: packages of two registries may be in one folder, if both are replaced by a third. */
  readonly #contents = new Map<string, ReadContent>();

  /**
   * Starts to read what a lock file (absolute path) names; null if there is too little of it, or no second thread to be
   * had. `onStart` is called right before, `program` is the file that it runs.
   */
  static start(
    lockFile: string,
    config: Config,
    { onStart = () => {}, program = PROGRAM }: { onStart?: () => void; program?: string | null } = {},
  ): ReadAhead | null {
    if (program === null || availableParallelism() < 2) return null;
    const packages = expectedPackages(lockFile, config);
    if (packages.length < MIN_PACKAGES) return null;
    const claims = new Int32Array(new SharedArrayBuffer(packages.length * Int32Array.BYTES_PER_ELEMENT));
    const lines = makeSharedLines(packages.length);
    const order: ReadingOrder = { cargoHome: config.home, packages, claims, lines };
    onStart();
    try {
      return new ReadAhead(new Worker(program, { workerData: order }), order);
    } catch {
      return null;
    }
  }

  constructor(worker: Worker, { packages, claims, lines }: ReadingOrder) {
    this.#worker = worker;
    this.#claims = claims;
    this.#lines = lines;
    this.#lineIndexes = new Map(packages.map(({ index, version }, at) => [`${index}\0${version}`, at]));
    this.#indexes = new Map(packages.map(({ manifest }, index) => [manifest, index]));
    this.#answer = answerOf(worker);
    // Nobody waits for it who does not need what it reads.
    worker.unref();
  }

  /** True if the thread has not begun with the package in that folder; then it will not, and whoever asked reads it. */
  leaves(root: string): boolean {
    const index = this.#indexes.get(manifestIn(root));
    return index === undefined || Atomics.exchange(this.#claims, index, 1) === 0;
  }

  /** The line of a version in an index file, if the thread has looked it up; null if whoever asks is to read it. */
  line(path: string, version: Version): string | null {
    const index = this.#lineIndexes.get(`${path}\0${version.text}`);
    return index === undefined ? null : takeSharedLine(this.#lines, index);
  }

  /** Waits for everything that the thread has begun with. `sources` are those of the run that it is for. */
  async arrive(sources: SourceTable): Promise<void> {
    this.#worker.ref();
    const answer = await this.#answer;
    this.#hasAnswered = answer !== null;
    // Of several spellings of one URL the first that a run meets holds, and the thread has met those of the lock file alone.
    if (answer === null || !answer.sources.every((text) => isSpelledSo(text, sources))) return;
    const { packages, texts } = answer;
    let at = 0;
    for (const { source, headBytes, tailBytes, manifest, libraryName } of packages) {
      const head = texts.subarray(at, (at += headBytes));
      const tail = texts.subarray(at, (at += tailBytes));
      this.#contents.set(contentKey(source, manifest.path), { manifest, libraryName, head, tail });
    }
  }

  /** What the thread made of a package; null if it must be read. */
  content(summary: Summary, { root, manifest }: FetchedPackage): EarlierContent | null {
    const key = contentKey(sourceText(summary.id.source), manifestIn(root));
    const content = manifest === undefined ? this.#contents.get(key) : undefined;
    if (content === undefined || !stampHolds(content.manifest)) return null;
    const { libraryName, head, tail } = content;
    return {
      view: { text: madePackageJson(printedIds(summary.id), { head, tail }), summary, libraryName },
      manifest: content.manifest,
    };
  }

  /** Ends the thread, unless it has answered: then it ends by itself, and nobody waits for that. */
  close(): void {
    this.#claims.fill(1);
    if (this.#hasAnswered) this.#worker.unref();
    else void this.#worker.terminate();
  }
}

function contentKey(source: string, manifest: string): string {
  return `${source}\0${manifest}`;
}

function isSpelledSo(text: string, sources: SourceTable): boolean {
  return sourceText(parseSourceUrl(text, sources)) === text;
}

/** As whoever reads a package calls its manifest. */
function manifestIn(root: string): string {
  return `${root}/Cargo.toml`;
}

/** Absolute. */
interface Folders {
  /** Of unpacked packages. */
  readonly src: string;
  /** Of cached files of the index; null where it has none. */
  readonly index: string | null;
}

/** Packages of the registries in a lock file, where they are once they have been unpacked; none where anything is wrong. */
function expectedPackages(lockFile: string, config: Config): readonly ExpectedPackage[] {
  try {
    const text = readLockFile(lockFile) ?? '';
    const sources = new SourceTable();
    const replacement = new SourceReplacement(config, sources);
    const folders = new Map<string, Folders | null>();
    const folderOf = (url: string): Folders | null => {
      const { kind, ...actual } = replacement.actualOf(parseSourceUrl(url, sources));
      if (kind !== 'registry' && kind !== 'sparse-registry') return null;
      const { src, index } = registryFolders(config.home, { kind, ...actual });
      return { src, index: kind === 'registry' ? null : join(index, '.cache') };
    };
    const packages: ExpectedPackage[] = [];
    for (const [, name = '', version = '', source = ''] of text.matchAll(LOCKED)) {
      let folder = folders.get(source);
      if (folder === undefined) folders.set(source, (folder = folderOf(source)));
      if (folder === null) continue;
      const manifest = manifestIn(join(folder.src, `${name}-${version}`));
      const index = folder.index === null ? null : join(folder.index, indexPath(name));
      packages.push({ name, version, source, manifest, index });
    }
    return packages;
  } catch {
    return [];
  }
}

/** What a thread answers; null if it ends without an answer. */
async function answerOf(worker: Worker): Promise<ReadManifests | null> {
  try {
    const end = once(worker, 'exit').then(() => []);
    const [answer = null] = await Promise.race([once(worker, 'message'), end]);
    return answer;
  } catch {
    return null;
  }
}
