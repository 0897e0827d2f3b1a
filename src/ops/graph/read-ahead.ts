/** Manifests of locked packages, read by a second thread while this one resolves. */
import type { Config } from '../../config/config.ts';
import { type Stamp, stampHolds } from '../../disk/stamp.ts';
import type { SourceTable } from '../../package-id/source-table.ts';
import { parseSourceUrl } from '../../package-id/source-url.ts';
import { makeSharedLines, type SharedLines, takeSharedLine } from '../../sources/shared-lines.ts';
import type { FetchedPackage } from '../../sources/source.ts';
import type { Version } from '../../version/version.ts';
import type { Summary } from '../../summary/summary.ts';
import type { EarlierContent } from './earlier-packages.ts';
import { type Claims, isFound, makeClaims, takeClaim } from './claims.ts';
import type { ReadAheadThread } from './read-ahead-thread.ts';
import { type ExpectedPackage, manifestIn, sourceText } from './read-manifests.ts';
import { printedIds } from './workspace-view.ts';
import { madePackageJson } from '../../derived/package-json.ts';

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
  readonly #thread: ReadAheadThread;
  readonly #claims: Claims;
  readonly #lines: SharedLines;
  /** By path of the index file and version. */
  readonly #lineIndexes: ReadonlyMap<string, number>;
  /** By path of the package. */
  readonly #indexes: ReadonlyMap<string, number>;
  /** By path of the archive. */
  readonly #archives: ReadonlyMap<string, number>;
  /** By source and path: packages of two registries may be in one folder, if both are replaced by a third. */
  readonly #contents = new Map<string, ReadContent>();

  /** Gives a thread that was just started its order. */
  constructor(thread: ReadAheadThread, packages: readonly ExpectedPackage[], { home }: Pick<Config, 'home'>) {
    this.#thread = thread;
    this.#claims = makeClaims(packages.length);
    this.#lines = makeSharedLines(packages.length);
    this.#lineIndexes = new Map(packages.map(({ index, version }, at) => [`${index}\0${version}`, at]));
    this.#indexes = new Map(packages.map(({ root }, index) => [root, index]));
    this.#archives = new Map(packages.map(({ archive }, index) => [archive, index]));
    thread.order({ cargoHome: home, packages, claims: this.#claims, lines: this.#lines });
  }

  /** True if the thread has not begun with the package in that folder; then it will not, and whoever asked reads it. */
  leaves(root: string): boolean {
    const index = this.#indexes.get(root);
    return index === undefined || takeClaim(this.#claims, index);
  }

  /** True if the thread has found that archive, and its package unpacked; false where that is to be asked. */
  hasFound(archive: string): boolean {
    const index = this.#archives.get(archive);
    return index !== undefined && isFound(this.#claims, index);
  }

  /** The line of a version in an index file, if the thread has looked it up; null if whoever asks is to read it. */
  line(path: string, version: Version): string | null {
    const index = this.#lineIndexes.get(`${path}\0${version.text}`);
    return index === undefined ? null : takeSharedLine(this.#lines, index);
  }

  /** Waits for everything that the thread has begun with. `sources` are those of the run that it is for. */
  async arrive(sources: SourceTable): Promise<void> {
    const answer = await this.#thread.answer();
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

  /** Ends the thread, if it has anything left to do. */
  close(): void {
    this.#thread.close();
  }
}

function contentKey(source: string, manifest: string): string {
  return `${source}\0${manifest}`;
}

function isSpelledSo(text: string, sources: SourceTable): boolean {
  return sourceText(parseSourceUrl(text, sources)) === text;
}
