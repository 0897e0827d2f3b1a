/** A loaded workspace. Cargo Book: Workspaces. */
import type { Warning } from '../errors/warning.ts';
import type { Manifest, PackageManifest } from '../manifest/manifest.ts';
import type { ManifestLoader } from './manifest-loader.ts';

/** Everything that the manifests of a workspace say. */
export interface Workspace {
  /** Absolute path of the root directory. */
  readonly root: string;
  /** The root's manifest, with `[patch]`, `[replace]` and profiles; for a package outside any workspace its own. */
  readonly rootManifest: Manifest;
  /** The manifest that the command was started on. */
  readonly currentManifest: Manifest;
  /** In discovery order, which is the order of `workspace_members`. */
  readonly members: readonly PackageManifest[];
  readonly defaultMembers: readonly PackageManifest[];
  /** True where no manifest has `[workspace]`: the only member is the current package. */
  readonly isImplicit: boolean;
  /** The resolver version in force. */
  readonly resolver: '1' | '2' | '3';
  /** Warnings that `metadata` prints, in order. */
  readonly warnings: readonly Warning[];
  /** Loads manifests of packages that are no members; those that were read already are not read again. */
  readonly manifests: ManifestLoader;
}
