/** Reads manifests and finds their workspace roots. Cargo Book: Workspaces. */
import { osError } from '../disk/errno.ts';
import { TsregError, withContext } from '../../core/errors/error.ts';
import { describeErrno } from '../../core/errors/os-error-text.ts';
import type { Files } from '../../core/files/files.ts';
import { fileName, joinPath, normalizePath, parentFolder, rootOfPath } from '../../core/files/path.ts';
import type { InheritanceRoot } from '../../core/manifest/inheritable-fields.ts';
import type { Manifest, PackageManifest, WorkspaceConfig } from '../../core/manifest/manifest.ts';
import { parseManifest } from '../../core/manifest/parse-manifest.ts';
import { displaySource } from '../../core/package-id/describe.ts';
import { isRegistry, sourcePath, type SourceId } from '../../core/package-id/source-id.ts';
import type { SourceTable } from '../../core/package-id/source-table.ts';
import { ParseCache } from '../../core/summary/parse-cache.ts';
import { ancestors } from './find-manifest.ts';
import { expandMembers, isExcluded } from './member-patterns.ts';

/** The `[workspace]` tables of workspace roots, by folder. */
export type WorkspaceRoots = Map<string, WorkspaceConfig>;

/** The inputs of a loader. */
export interface ManifestLoaderOptions {
  readonly files: Files;
  readonly sources: SourceTable;
  /** Returns the source of a registry in the configuration. Throws if there is none. */
  readonly registry: (name: string) => SourceId;
  /** Absolute path of `CARGO_HOME`. The search for a workspace root does not go above it. */
  readonly cargoHome: string;
  /** Roots that are already known. The loader adds those that it finds. */
  readonly roots?: WorkspaceRoots;
  /** A parse cache to share between several loaders. */
  readonly parsed?: ParseCache;
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * A loader of manifests that knows which of them are workspace roots. It caches all manifests except those from
 * registries.
 */
export class ManifestLoader {
  readonly files: Files;
  readonly sources: SourceTable;
  readonly #registry: (name: string) => SourceId;
  readonly #cargoHome: string;
  /** By path and source. */
  readonly #manifests = new Map<string, Manifest>();
  /** The roots found so far. Like cargo, the loader checks these before it searches the disk. */
  readonly #roots: WorkspaceRoots;
  /** Keys of manifests that are being loaded, to detect a manifest that inherits from itself. */
  readonly #loading = new Set<string>();
  readonly #parsed: ParseCache;

  constructor({
    files,
    sources,
    registry,
    cargoHome,
    roots = new Map(),
    parsed = new ParseCache(),
  }: ManifestLoaderOptions) {
    this.files = files;
    this.sources = sources;
    this.#registry = registry;
    this.#cargoHome = cargoHome;
    this.#roots = roots;
    this.#parsed = parsed;
  }

  /**
   * Returns the manifest at an absolute path. `source` is the source of its package; default: the folder of the
   * manifest. Throws with cargo's chain of causes.
   */
  load(path: string, source: SourceId = this.sources.forPath(parentFolder(path))): Manifest {
    const key = `${path}\n${source.key}`;
    const cached = this.#manifests.get(key);
    if (cached !== undefined) return cached;
    if (this.#loading.has(key)) {
      throw new TsregError(`manifest \`${path}\` inherits from itself`, { code: 'workspace' });
    }
    this.#loading.add(key);
    try {
      const manifest = parseManifest(this.#readText(path), {
        path,
        source,
        sources: this.sources,
        files: this.files,
        registry: this.#registry,
        inheritFrom: (pointer) => this.inheritanceRoot(path, pointer),
        parsed: this.#parsed,
      });
      // A manifest from a registry is requested only once, and there can be thousands of them.
      if (!isRegistry(source)) this.#manifests.set(key, manifest);
      if (manifest.workspace.kind === 'root') this.#roots.set(parentFolder(path), manifest.workspace.config);
      return manifest;
    } finally {
      this.#loading.delete(key);
    }
  }

  /** Returns the manifest of a package, like `load`. Throws `manifest` if it is virtual. */
  loadPackage(path: string, source?: SourceId): PackageManifest {
    const manifest = source === undefined ? this.load(path) : this.load(path, source);
    if (manifest.kind === 'package') return manifest;
    throw new TsregError(`found a virtual manifest at \`${path}\` instead of a package manifest`, {
      code: 'manifest',
    });
  }

  /** Returns the manifest of the package of a path source. Throws with cargo's chain of causes. */
  loadPathSource(source: SourceId): PackageManifest {
    return withContext(
      () => `unable to update ${displaySource(source)}`,
      () => {
        const folder = sourcePath(source);
        if (folder === null)
          throw new TsregError(`${displaySource(source)} is not a folder`, { code: 'bug' });
        return this.loadPackage(joinPath(folder, 'Cargo.toml'), source);
      },
    );
  }

  /** Returns all manifests loaded so far, except those from registries, in the order of loading. */
  loaded(): Iterable<Manifest> {
    return this.#manifests.values();
  }

  /**
   * Returns the path of the workspace root for the manifest at `path`: the manifest itself, the one that it points to,
   * or the nearest one above that does not exclude it. Returns null if there is none.
   */
  findRoot(path: string): string | null {
    return this.#rootAccordingTo(path, path) ?? this.#rootAbove(path);
  }

  /**
   * Returns the same as `findRoot` if that root names the package at `path` in `members`, or is that package. Returns
   * null if only the whole workspace can tell: for members found through path dependencies, and with `default-members`.
   */
  findNamingRoot(path: string): string | null {
    const { workspace } = this.load(path);
    if (workspace.kind === 'root') return workspace.config.defaultMembers === null ? path : null;
    const rootAt = (candidate: string): string | null => (this.#names(candidate, path) ? candidate : null);
    return workspace.root === null
      ? this.#rootAbove(path, rootAt)
      : rootAt(pointedManifest(path, workspace.root));
  }

  /** Returns true if the manifest at `candidate` is a root and is, or names in `members`, the package at `path`. */
  #names(candidate: string, path: string): boolean {
    const { workspace } = this.load(candidate);
    if (workspace.kind !== 'root') return false;
    const { config } = workspace;
    const root = parentFolder(candidate);
    if (isExcluded(path, root, config)) return false;
    if (path === candidate) return true;
    try {
      const namedMembers = expandMembers(config.members ?? [], root, this.files);
      return namedMembers.some((member) => normalizePath(member.path) === parentFolder(path));
    } catch (error) {
      if (error instanceof TsregError && error.code !== 'bug') return false;
      throw error;
    }
  }

  /**
   * Returns the root from which the manifest at `path` inherits: the one that `pointer` leads to, else the one above.
   * Throws `workspace` with cargo's message if there is none.
   */
  inheritanceRoot(path: string, pointer: string | null): InheritanceRoot {
    const rootPath = pointer === null ? this.#rootAbove(path) : pointedManifest(path, pointer);
    if (rootPath === null) throw new TsregError('failed to find a workspace root', { code: 'workspace' });
    const folder = parentFolder(rootPath);
    const config = this.#roots.get(folder);
    if (config !== undefined) return { folder, config };
    const root = this.load(rootPath).workspace;
    if (root.kind !== 'root') throw notARoot(rootPath);
    return { folder, config: root.config };
  }

  /**
   * Returns the nearest root above the manifest at `path`; null if there is none. `rootAt` returns the root that a
   * manifest above leads to; null to go on.
   */
  #rootAbove(
    path: string,
    rootAt = (candidate: string): string | null => this.#rootAccordingTo(candidate, path),
  ): string | null {
    for (const folder of ancestors(parentFolder(path))) {
      const config = this.#roots.get(folder);
      if (config !== undefined && !isExcluded(path, folder, config)) return joinPath(folder, 'Cargo.toml');
    }
    for (const candidate of this.#manifestsAbove(path)) {
      const root = withContext(
        () =>
          `failed searching for potential workspace\npackage manifest: \`${path}\`\n` +
          `invalid potential workspace manifest: \`${candidate}\`\n\n` +
          'help: to avoid searching for a non-existent workspace, add `[workspace]` to the package manifest',
        () => rootAt(candidate),
      );
      if (root !== null) return root;
    }
    return null;
  }

  /** Returns the root that the manifest at `candidate` names for the manifest at `path`; null if it names none. */
  #rootAccordingTo(candidate: string, path: string): string | null {
    const { workspace } = this.load(candidate);
    if (workspace.kind === 'root') {
      return isExcluded(path, parentFolder(candidate), workspace.config) ? null : candidate;
    }
    return workspace.root === null ? null : pointedManifest(candidate, workspace.root);
  }

  /** Yields the manifests above the package of the manifest at `path` that may be its root, nearest first. */
  *#manifestsAbove(path: string): Generator<string> {
    const folder = parentFolder(path);
    if (folder === rootOfPath(folder)) return;
    let below: string | null = null;
    for (const above of ancestors(parentFolder(folder))) {
      // A package in `target/package` or in `CARGO_HOME` is independent of the workspaces above it.
      if (isTargetPackage(above) || below === this.#cargoHome) return;
      below = above;
      const manifest = joinPath(above, 'Cargo.toml');
      if (this.files.exists(manifest)) yield manifest;
    }
  }

  /** Returns the text of the manifest. Throws with cargo's chain of causes. */
  #readText(path: string): string {
    const bytes = withContext(`failed to read \`${path}\``, () => {
      let content: Uint8Array | null;
      try {
        content = this.files.read(path);
      } catch (error) {
        throw osError(error);
      }
      if (content === null) throw new TsregError(describeErrno('ENOENT'), { code: 'not-found' });
      return content;
    });
    try {
      return UTF8.decode(bytes);
    } catch {
      throw new TsregError(`path at \`${path}\` was not valid utf-8`, { code: 'manifest' });
    }
  }
}

/** Returns the error about a manifest that should be a workspace root and is not. */
export function notARoot(path: string): TsregError {
  return new TsregError(`root of a workspace inferred but wasn't a root: ${path}`, { code: 'workspace' });
}

/** Returns true for the folder in which packages are built before they are published. */
function isTargetPackage(folder: string): boolean {
  return fileName(folder) === 'package' && fileName(parentFolder(folder)) === 'target';
}

/** Returns the manifest that `package.workspace = "POINTER"` in the manifest `from` points to. */
function pointedManifest(from: string, pointer: string): string {
  return normalizePath(joinPath(joinPath(parentFolder(from), pointer), 'Cargo.toml'));
}
