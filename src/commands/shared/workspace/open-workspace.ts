/** The workspace that a command works on. Cargo Book: Workspaces. */
import type { Config } from '../../../io/config/config.ts';
import { unnamedRegistryIndex } from '../../../io/config/registry-index.ts';
import { checkOutputDirectories } from '../../../io/config/target-directory.ts';
import type { Files } from '../../../core/files/files.ts';
import type { SourceId } from '../../../core/package-id/source-id.ts';
import { SourceTable } from '../../../core/package-id/source-table.ts';
import { loadWorkspace } from '../../../io/workspace/load-workspace.ts';
import { ManifestLoader, type WorkspaceRoots } from '../../../io/workspace/manifest-loader.ts';
import type { Workspace } from '../../../io/workspace/workspace.ts';
import { findManifest, resolveManifestPath } from '../../../io/workspace/find-manifest.ts';

/** A workspace and its manifest readers. */
export interface OpenedWorkspace {
  readonly workspace: Workspace;
  /** Reads manifests of packages outside the workspace. */
  readonly packages: ManifestLoader;
  /** Registries that the workspace's manifests name, resolved with the configuration. */
  readonly registries: ReadonlyMap<string, SourceId>;
}

/** The files to read manifests from. */
export interface ManifestFiles {
  /** For the workspace and its path dependencies. */
  readonly workspace: Files;
  /** For unpacked packages. */
  readonly packages: Files;
  /** Known workspace roots of the operation. New roots are added, as in cargo. */
  readonly roots?: WorkspaceRoots;
  /** Table for package sources; a new one by default. */
  readonly sources?: SourceTable;
}

/** The manifest readers for a configuration. */
type Loaders = Pick<OpenedWorkspace, 'packages' | 'registries'> & {
  readonly manifests: ManifestLoader;
};

/** Loads and checks the workspace of the manifest at an absolute path. Throws with cargo's chain of causes. */
export function openWorkspace(manifestPath: string, config: Config, files: ManifestFiles): OpenedWorkspace {
  const { manifests, packages, registries } = createLoaders(config, files);
  // Like cargo, check these keys when the root is known, before reading the members.
  const checkRoot = (root: string): void => checkOutputDirectories(config, root);
  return { workspace: loadWorkspace(manifestPath, manifests, { checkRoot }), packages, registries };
}

/** Returns a reader for manifests, without opening a workspace. */
export function createManifestLoader(config: Config, files: ManifestFiles): ManifestLoader {
  return createLoaders(config, files).manifests;
}

/** Returns both manifest readers, and the registries that they resolve. */
function createLoaders(config: Config, files: ManifestFiles): Loaders {
  const { sources = new SourceTable() } = files;
  const registries = new Map<string, SourceId>();
  const registry = (name: string): SourceId => {
    const known = registries.get(name);
    if (known !== undefined) return known;
    const source = unnamedRegistryIndex(config, name, sources);
    registries.set(name, source);
    return source;
  };
  const manifests = new ManifestLoader({
    files: files.workspace,
    sources,
    cargoHome: config.home,
    registry,
    ...(files.roots === undefined ? {} : { roots: files.roots }),
  });
  // Unpacked packages are outside the workspace, so its `roots` do not apply to them.
  const packages = new ManifestLoader({ files: files.packages, sources, cargoHome: config.home, registry });
  return { manifests, packages, registries };
}

/** Returns the absolute path of the manifest at `typed`, or of the nearest one if it is null. */
export function chooseManifest(typed: string | null, config: Config, files: Files): string {
  return typed === null ? findManifest(config.cwd, files) : resolveManifestPath(typed, config.cwd, files);
}
