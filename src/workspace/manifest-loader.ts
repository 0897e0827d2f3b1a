import { osError } from '../disk/errno.ts';
import { TsregError, withContext } from '../errors/error.ts';
import { describeErrno } from '../errors/os-error-text.ts';
import type { Files } from '../files/files.ts';
import { fileName, joinPath, normalizePath, parentFolder, rootOfPath } from '../files/path.ts';
import type { InheritanceRoot } from '../manifest/inheritable-fields.ts';
import type { Manifest, PackageManifest, WorkspaceConfig } from '../manifest/manifest.ts';
import { parseManifest } from '../manifest/parse-manifest.ts';
import { displaySource } from '../package-id/describe.ts';
import { isRegistry, sourcePath, type SourceId } from '../package-id/source-id.ts';
import type { SourceTable } from '../package-id/source-table.ts';
import { ParsedTexts } from '../summary/parsed-texts.ts';
import { ancestors } from './find-manifest.ts';
import { expandMembers, isExcluded } from './member-patterns.ts';

/** What the roots of workspaces say, by their folders. */
export type WorkspaceRoots = Map<string, WorkspaceConfig>;

/** What a loader works with. */
export interface ManifestLoaderOptions {
  readonly files: Files;
  /** For what is asked because of the manifest at a path alone, itself included; `files` unless given. */
  readonly filesOf?: (path: string) => Files;
  readonly sources: SourceTable;
  /** The source of a registry that config names; throws where there is none. */
  readonly registry: (name: string) => SourceId;
  /** Absolute path of `CARGO_HOME`: no workspace root is looked for above it. */
  readonly cargoHome: string;
  /** Roots that are known already; those that are met are added. */
  readonly roots?: WorkspaceRoots;
  /** For who has several loaders. */
  readonly parsed?: ParsedTexts;
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Reads manifests, each that is not from a registry once, and knows which of them are workspace roots. */
export class ManifestLoader {
  readonly files: Files;
  readonly sources: SourceTable;
  readonly #filesOf: (path: string) => Files;
  readonly #registry: (name: string) => SourceId;
  readonly #cargoHome: string;
  readonly #manifests = new Map<string, Manifest>();
  /** Folders of the roots met so far. cargo asks these before it looks at the disk. */
  readonly #roots: WorkspaceRoots;
  readonly #loading = new Set<string>();
  readonly #parsed: ParsedTexts;

  constructor({
    files,
    filesOf = () => files,
    sources,
    registry,
    cargoHome,
    roots = new Map(),
    parsed = new ParsedTexts(),
  }: ManifestLoaderOptions) {
    this.files = files;
    this.#filesOf = filesOf;
    this.sources = sources;
    this.#registry = registry;
    this.#cargoHome = cargoHome;
    this.#roots = roots;
    this.#parsed = parsed;
  }

  /**
   * The manifest at an absolute path. `source` is where its package comes from; left out, the folder
   * it stands in. Throws with cargo's chain of causes.
   */
  load(path: string, source: SourceId = this.sources.forPath(parentFolder(path))): Manifest {
    const key = `${path}\n${source.key}`;
    const known = this.#manifests.get(key);
    if (known !== undefined) return known;
    if (this.#loading.has(key)) {
      throw new TsregError(`manifest \`${path}\` inherits from itself`, { code: 'workspace' });
    }
    this.#loading.add(key);
    try {
      const manifest = parseManifest(this.#readText(path), {
        path,
        source,
        sources: this.sources,
        files: this.#filesOf(path),
        registry: this.#registry,
        inheritFrom: (pointer) => this.inheritanceRoot(path, pointer),
        parsed: this.#parsed,
      });
      // Nobody asks twice for what comes from a registry, and there can be thousands.
      if (!isRegistry(source)) this.#manifests.set(key, manifest);
      if (manifest.workspace.kind === 'root') this.#roots.set(parentFolder(path), manifest.workspace.config);
      return manifest;
    } finally {
      this.#loading.delete(key);
    }
  }

  /** As `load`, for a manifest that must be a package's. */
  loadPackage(path: string, source?: SourceId): PackageManifest {
    const manifest = source === undefined ? this.load(path) : this.load(path, source);
    if (manifest.kind === 'package') return manifest;
    throw new TsregError(`found a virtual manifest at \`${path}\` instead of a package manifest`, {
      code: 'manifest',
    });
  }

  /** The one package of a path source. Throws with cargo's chain of causes. */
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

  /** Every manifest that was loaded so far, but those from registries. */
  loaded(): Iterable<Manifest> {
    return this.#manifests.values();
  }

  /**
   * The path of the manifest that the workspace of the manifest at `path` has as its root: itself, the
   * one it points at, or the nearest one above that does not exclude it. null if there is none.
   */
  findRoot(path: string): string | null {
    return this.#rootAccordingTo(path, path) ?? this.#rootAbove(path);
  }

  /**
   * As `findRoot`, for a root that names the package at `path` among its members, or is that package. null where the
   * whole workspace must be read to know: members that only path dependencies lead to, `default-members`.
   */
  findNamingRoot(path: string): string | null {
    const { workspace } = this.load(path);
    if (workspace.kind === 'root') return workspace.config.defaultMembers === null ? path : null;
    const accept = (candidate: string): string | null => (this.#names(candidate, path) ? candidate : null);
    return workspace.root === null
      ? this.#rootAbove(path, accept)
      : accept(pointedManifest(path, workspace.root));
  }

  /** True if the manifest at `candidate` is a root that has the package at `path` among its `members`. */
  #names(candidate: string, path: string): boolean {
    const { workspace } = this.load(candidate);
    if (workspace.kind !== 'root') return false;
    const { config } = workspace;
    const root = parentFolder(candidate);
    if (isExcluded(path, root, config)) return false;
    if (path === candidate) return true;
    try {
      const named = expandMembers(config.members ?? [], root, this.files);
      return named.some((member) => normalizePath(member.path) === parentFolder(path));
    } catch (error) {
      if (error instanceof TsregError && error.code !== 'bug') return false;
      throw error;
    }
  }

  /**
   * What the manifest at `path` inherits from: the workspace that `pointer` leads to, else the one above. Throws in
   * cargo's words where there is none.
   */
  inheritanceRoot(path: string, pointer: string | null): InheritanceRoot {
    const rootPath = pointer === null ? this.#rootAbove(path) : pointedManifest(path, pointer);
    if (rootPath === null) throw new TsregError('failed to find a workspace root', { code: 'workspace' });
    const folder = parentFolder(rootPath);
    const known = this.#roots.get(folder);
    if (known !== undefined) return { folder, config: known };
    const root = this.load(rootPath).workspace;
    if (root.kind !== 'root') throw notARoot(rootPath);
    return { folder, config: root.config };
  }

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

  /** The root that the manifest at `candidate` names for the one at `path`. */
  #rootAccordingTo(candidate: string, path: string): string | null {
    const { workspace } = this.load(candidate);
    if (workspace.kind === 'root') {
      return isExcluded(path, parentFolder(candidate), workspace.config) ? null : candidate;
    }
    return workspace.root === null ? null : pointedManifest(candidate, workspace.root);
  }

  *#manifestsAbove(path: string): Generator<string> {
    const folder = parentFolder(path);
    if (folder === rootOfPath(folder)) return;
    let below: string | null = null;
    for (const above of ancestors(parentFolder(folder))) {
      // A packaged crate under `target/package` is on its own; so is what lies in CARGO_HOME.
      if (isTargetPackage(above) || below === this.#cargoHome) return;
      below = above;
      const manifest = joinPath(above, 'Cargo.toml');
      if (this.files.exists(manifest)) yield manifest;
    }
  }

  #readText(path: string): string {
    const bytes = withContext(`failed to read \`${path}\``, () => {
      let content: Uint8Array | null;
      try {
        content = this.#filesOf(path).read(path);
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

/** A manifest that was taken for a workspace root and is none. */
export function notARoot(path: string): TsregError {
  return new TsregError(`root of a workspace inferred but wasn't a root: ${path}`, { code: 'workspace' });
}

/** The folder in which packages are built before they are published. */
function isTargetPackage(folder: string): boolean {
  return fileName(folder) === 'package' && fileName(parentFolder(folder)) === 'target';
}

function pointedManifest(from: string, pointer: string): string {
  return normalizePath(joinPath(joinPath(parentFolder(from), pointer), 'Cargo.toml'));
}
