/** The workspace that a command works on. Cargo Book: Workspaces. */
import type { Config } from '../config/config.ts';
import { registryIndex } from '../config/registry-index.ts';
import type { Files } from '../files/files.ts';
import { SourceTable } from '../package-id/source-table.ts';
import { findManifest, resolveManifestPath } from '../workspace/find-manifest.ts';
import { loadWorkspace } from '../workspace/load-workspace.ts';
import { ManifestLoader } from '../workspace/manifest-loader.ts';
import type { Workspace } from '../workspace/workspace.ts';

/** Absolute path of the manifest that a command is about: the one that was typed, or the nearest. */
export function chooseManifest(typed: string | null, config: Config, files: Files): string {
  return typed === null ? findManifest(config.cwd, files) : resolveManifestPath(typed, config.cwd, files);
}

/** A loader of manifests that knows the registries of a configuration. */
function makeManifestLoader(config: Config, files: Files, sources: SourceTable): ManifestLoader {
  return new ManifestLoader({
    files,
    sources,
    cargoHome: config.home,
    registry: (name) => registryIndex(config, name, sources),
  });
}

/** Loads and checks the workspace of the manifest at an absolute path. Throws with cargo's chain of causes. */
export function openWorkspace(manifestPath: string, config: Config, files: Files): Workspace {
  return loadWorkspace(manifestPath, makeManifestLoader(config, files, new SourceTable()));
}
