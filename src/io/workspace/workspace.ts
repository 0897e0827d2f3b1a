/** A loaded workspace. Cargo Book: Workspaces. */
import type { Warning } from '../../core/errors/warning.ts';
import type { Manifest, PackageManifest, Resolver } from '../../core/manifest/manifest.ts';
import type { ManifestLoader } from './manifest-loader.ts';

/** A workspace as its manifests describe it. */
export interface Workspace {
  /** Absolute path of the root directory. */
  readonly root: string;
  /**
   * The root's manifest, with `[patch]`, `[replace]` and profiles. For a package outside any workspace, its own
   * manifest.
   */
  readonly rootManifest: Manifest;
  /** The manifest that the command started with. */
  readonly currentManifest: Manifest;
  /** In discovery order, the order of `workspace_members`. */
  readonly members: readonly PackageManifest[];
  readonly defaultMembers: readonly PackageManifest[];
  /** True if no manifest has `[workspace]`. Then the only member is the current package. */
  readonly isImplicit: boolean;
  /** The resolver version in effect. */
  readonly resolver: Resolver;
  /** The warnings of `workspaceWarnings`, in order. */
  readonly warnings: readonly Warning[];
  /** Loads manifests of other packages. */
  readonly manifests: ManifestLoader;
}
