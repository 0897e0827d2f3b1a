/** Path sources and directory sources: folders of manifests that are read in place. */
import { TsregError } from '../../core/errors/error.ts';
import { parentFolder } from '../../core/files/path.ts';
import type { PackageManifest } from '../../core/manifest/manifest.ts';
import { describePackage } from '../../core/package-id/describe.ts';
import type { SourceId } from '../../core/package-id/source-id.ts';
import { UNKNOWN } from '../../core/resolve/problem.ts';
import type { Summary } from '../../core/summary/summary.ts';
import type { FolderPackages } from './folder-packages.ts';
import { type FetchedPackage, Source } from './source.ts';

/** The properties of a folder source. */
export interface FolderSourceOptions {
  readonly original: SourceId;
  readonly actual: SourceId;
  /** Reads the whole folder; throws with cargo's error chain. */
  readonly read: () => FolderPackages;
}

/**
 * A source that is read at its first use and then never changes. If it cannot be read, everything is UNKNOWN and `load`
 * rejects with the error. `Source` documents the methods.
 */
export class FolderSource extends Source {
  readonly #read: () => FolderPackages;
  #packages: FolderPackages | null = null;
  #isUnreadable = false;

  constructor(options: FolderSourceOptions) {
    super(options.original, options.actual);
    this.#read = options.read;
  }

  all(name: string): readonly Summary[] | typeof UNKNOWN {
    return this.#tryRead()?.summaries(name) ?? UNKNOWN;
  }

  load(): Promise<void> {
    return Promise.resolve().then(() => void this.#mustRead());
  }

  isDownloaded(): boolean {
    return true;
  }

  fetch(summaries: readonly Summary[]): Promise<readonly FetchedPackage[]> {
    return Promise.resolve().then(() => summaries.map(({ id }) => fetchedPackage(this.#find(id))));
  }

  similarNames(): Promise<readonly string[]> {
    return Promise.resolve().then(() => this.#mustRead().names);
  }

  /** Returns the manifest of a package. Throws `source` if the folder lacks it. */
  #find(id: Summary['id']): PackageManifest {
    const manifest = this.#mustRead().manifest(id);
    if (manifest !== null) return manifest;
    const isPath = this.actual.kind !== 'directory';
    const message = isPath
      ? `failed to find ${describePackage(id)} in path source`
      : `failed to find package with id: ${describePackage(id)}`;
    throw new TsregError(message, { code: 'source', isInternal: isPath });
  }

  /** Returns null if the folder cannot be read. */
  #tryRead(): FolderPackages | null {
    if (this.#packages !== null) return this.#packages;
    if (this.#isUnreadable) return null;
    try {
      return this.#mustRead();
    } catch {
      this.#isUnreadable = true;
      return null;
    }
  }

  #mustRead(): FolderPackages {
    this.#packages ??= this.#read();
    return this.#packages;
  }
}

/** Returns a package whose manifest is already loaded. */
export function fetchedPackage(manifest: PackageManifest): FetchedPackage {
  return { id: manifest.summary.id, root: parentFolder(manifest.path), manifest };
}
