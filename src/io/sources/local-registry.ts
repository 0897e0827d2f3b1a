/** Local registries: an index and `.crate` files in one folder. Cargo Book: Source Replacement. */
import { osError } from '../disk/errno.ts';
import { TsregError } from '../../core/errors/error.ts';
import type { Files } from '../../core/files/files.ts';
import type { SourceId } from '../../core/package-id/source-id.ts';
import { indexPath } from '../../core/protocol/index-path.ts';
import { ABSENT, type RejectedVersion, UNKNOWN } from '../../core/resolve/problem.ts';
import type { Summary } from '../../core/summary/summary.ts';
import type { Version } from '../../core/version/version.ts';
import { crateFileName } from './crate-file.ts';
import { type IndexFile, splitIndexFile } from './index-cache.ts';
import { decodeIndexFile, IndexSummaries } from './index-summaries.ts';
import { folderOf } from './path-source.ts';
import { similarIndexNames } from './similar-index-names.ts';
import { type FetchedPackage, Source } from './source.ts';
import type { SourceContext } from './source-context.ts';
import { unpackLocalCrate } from './unpack-local-crate.ts';

/** The revision of local index files: it is not used, because they are not cached. */
const NO_REVISION = '';

/**
 * A registry in a folder. Its index is read in place; packages are unpacked under cargo's home. `Source` documents the
 * methods.
 */
export class LocalRegistry extends Source {
  readonly #root: string;
  readonly #context: SourceContext;
  readonly #byName = new Map<string, IndexSummaries>();
  /** Whether the folders exist; null before the first check. */
  #isThere: boolean | null = null;

  constructor(original: SourceId, actual: SourceId, context: SourceContext) {
    super(original, actual);
    this.#root = folderOf(actual);
    this.#context = context;
  }

  all(name: string, accepts?: (version: Version) => boolean): readonly Summary[] | typeof UNKNOWN {
    return this.#tryRead(name)?.all(accepts) ?? UNKNOWN;
  }

  override exact(name: string, version: Version): Summary | typeof ABSENT | typeof UNKNOWN {
    const summaries = this.#tryRead(name);
    return summaries === null ? UNKNOWN : (summaries.exact(version) ?? ABSENT);
  }

  override rejected(name: string): readonly RejectedVersion[] {
    return this.#tryRead(name)?.rejected ?? [];
  }

  load(names: readonly string[]): Promise<void> {
    return Promise.resolve().then(() => {
      this.#checkFolders();
      for (const name of names) this.#mustRead(name);
    });
  }

  isDownloaded(): boolean {
    return true;
  }

  async fetch(summaries: readonly Summary[]): Promise<readonly FetchedPackage[]> {
    const fetched: FetchedPackage[] = [];
    const registry = { source: this.actual, folder: this.#root };
    for (const summary of summaries) {
      const archive = { folder: this.#root, name: crateFileName(summary.id) };
      const root = await unpackLocalCrate(summary, registry, this.#context);
      fetched.push({ id: summary.id, root, archive });
    }
    return fetched;
  }

  similarNames(name: string): Promise<readonly string[]> {
    const { original, actual } = this;
    return similarIndexNames(name, (other) =>
      Promise.resolve().then(() => {
        const { sources } = this.#context;
        return decodeIndexFile(this.#indexFile(other), { from: { original, actual }, sources });
      }),
    );
  }

  /** Reads an index file; null if there is none. */
  #indexFile(name: string): IndexFile | null {
    const bytes = readIndexFile(`${this.#root}/index/${indexPath(name)}`, this.#context.files);
    return bytes === null ? null : splitIndexFile(bytes, NO_REVISION);
  }

  /** Throws `source` unless the registry's folders exist. */
  #checkFolders(): void {
    const index = `${this.#root}/index`;
    const isDirectory = (path: string): boolean => this.#context.files.kind(path) === 'directory';
    if (!isDirectory(this.#root))
      throw notADirectory(`local registry path is not a directory: ${this.#root}`);
    if (!isDirectory(index)) throw notADirectory(`local registry index path is not a directory: ${index}`);
  }

  /** Like `#mustRead`; null if the index file or the folders cannot be read. */
  #tryRead(name: string): IndexSummaries | null {
    if (this.#isThere === false) return null;
    try {
      if (this.#isThere === null) this.#checkFolders();
      this.#isThere = true;
      return this.#mustRead(name);
    } catch {
      // `load` throws the error again. If the folders exist, other files may still be readable.
      this.#isThere ??= false;
      return null;
    }
  }

  /** Returns the index data of a package, which is read once. Throws `source` if the index file cannot be read. */
  #mustRead(name: string): IndexSummaries {
    let summaries = this.#byName.get(name);
    if (summaries === undefined) {
      const file = this.#indexFile(name);
      const { original, actual } = this;
      const { sources } = this.#context;
      summaries = new IndexSummaries(file, { name, from: { original, actual }, sources });
      this.#byName.set(name, summaries);
    }
    return summaries;
  }
}

function readIndexFile(path: string, files: Files): Buffer | null {
  try {
    const bytes = files.read(path);
    return bytes === null ? null : Buffer.from(bytes);
  } catch (error) {
    throw new TsregError(`failed to read \`${path}\``, { cause: osError(error) });
  }
}

function notADirectory(message: string): TsregError {
  return new TsregError(message, { code: 'source' });
}
