/** The workspace that a command works on. Cargo Book: Workspaces. */
import type { Config } from '../../config/config.ts';
import { unnamedRegistryIndex } from '../../config/registry-index.ts';
import { checkOutputDirectories } from '../../config/target-directory.ts';
import type { Files } from '../../files/files.ts';
import type { SourceId } from '../../package-id/source-id.ts';
import { SourceTable } from '../../package-id/source-table.ts';
import { loadWorkspace } from '../../workspace/load-workspace.ts';
import { ManifestLoader, type WorkspaceRoots } from '../../workspace/manifest-loader.ts';
import type { Workspace } from '../../workspace/workspace.ts';

/** A workspace and how its manifests were read. */
export interface OpenedWorkspace {
  readonly workspace: Workspace;
  /** Reads manifests of packages that do not belong to the workspace. */
  readonly packages: ManifestLoader;
  /** Registries that manifests of the workspace named, as configuration resolves them. */
  readonly registries: ReadonlyMap<string, SourceId>;
}

/** Where manifests are read. */
export interface ManifestFiles {
  /** For the workspace and the packages on its paths. */
  readonly workspace: Files;
  /** For what is asked because of one manifest of these alone; `workspace` unless given. */
  readonly manifest?: (path: string) => Files;
  /** For unpacked packages. */
  readonly packages: Files;
  /** Roots that workspaces of the same operation have, to which this one's are added: cargo remembers them. */
  readonly roots?: WorkspaceRoots;
  /** Where their sources are; a table of their own unless given. */
  readonly sources?: SourceTable;
}

/** What reads manifests as configuration has it. */
type Loaders = Pick<OpenedWorkspace, 'packages' | 'registries'> & {
  readonly manifests: ManifestLoader;
};

/** Loads and checks the workspace of the manifest at an absolute path. Throws with cargo's chain of causes. */
export function openWorkspace(manifestPath: string, config: Config, files: ManifestFiles): OpenedWorkspace {
  const { manifests, packages, registries } = createLoaders(config, files);
  // cargo reads these keys as soon as it knows the root: what is wrong with them is told before the members are read.
  const checkRoot = (root: string): void => checkOutputDirectories(config, root);
  return { workspace: loadWorkspace(manifestPath, manifests, { checkRoot }), packages, registries };
}

/** What reads manifests without the workspace around them. */
export function createManifestLoader(config: Config, files: ManifestFiles): ManifestLoader {
  return createLoaders(config, files).manifests;
}

/** As `createManifestLoader`, with all that there is. */
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
    ...(files.manifest === undefined ? {} : { filesOf: files.manifest }),
    ...(files.roots === undefined ? {} : { roots: files.roots }),
  });
  const packages = new ManifestLoader({ files: files.packages, sources, cargoHome: config.home, registry });
  return { manifests, packages, registries };
}
