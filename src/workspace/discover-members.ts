import { TsregError, withContext } from '../errors/error.ts';
import { joinPath, normalizePath, parentFolder, pathsEqual, startsWithPath } from '../files/path.ts';
import type { Manifest, WorkspaceConfig } from '../manifest/manifest.ts';
import { sourcePath } from '../package-id/source-id.ts';
import type { ManifestLoader } from './manifest-loader.ts';
import { expandMembers, isExcluded, type NamedMember } from './member-patterns.ts';

/** A root and the manifest that the command was started on. */
export interface WorkspaceStart {
  readonly rootManifest: Manifest;
  /** The root's `[workspace]`. */
  readonly config: WorkspaceConfig;
  readonly currentManifest: Manifest;
  readonly manifests: ManifestLoader;
}

/** Paths of manifests, in the order in which they were found; the root of a virtual workspace is among them. */
export interface FoundMembers {
  readonly members: ReadonlySet<string>;
  readonly defaultMembers: readonly string[];
}

/**
 * Finds the members of a workspace: what `members` names, then the root, each followed by its path
 * dependencies, depth first. Throws with cargo's chain of causes. Cargo Book: Workspaces.
 */
export function discoverMembers(start: WorkspaceStart): FoundMembers {
  const { rootManifest, config, currentManifest, manifests } = start;
  const rootPath = rootManifest.path;
  const folder = parentFolder(rootPath);
  const named = expandMembers(config.members ?? [], folder, manifests.files);
  const asksForDefaults = config.defaultMembers !== null && rootPath === currentManifest.path;
  const namedDefaults = asksForDefaults
    ? expandMembers(config.defaultMembers, folder, manifests.files)
    : null;

  const members = new Set<string>();
  for (const { path, pattern } of named) {
    withContext(
      () =>
        `failed to load manifest for workspace member \`${path}\`\n` +
        `referenced${via(pattern)} by workspace at \`${rootPath}\``,
      () => visit(joinPath(path, 'Cargo.toml'), false),
    );
  }
  visit(rootPath, false);
  return { members, defaultMembers: chooseDefaults() };

  function visit(typedPath: string, isPathDependency: boolean): void {
    const path = normalizePath(typedPath);
    if (members.has(path)) return;
    const isOutside = isPathDependency && !startsWithPath(parentFolder(path), folder);
    if (isOutside && manifests.findRoot(path) !== rootPath) return;
    if (isExcluded(path, folder, config)) return;
    members.add(path);
    const manifest = manifests.load(path);
    if (manifest.kind === 'virtual') return;
    for (const { name, source } of manifest.summary.dependencies) {
      const dependencyFolder = source.kind === 'path' ? sourcePath(source) : null;
      if (dependencyFolder === null) continue;
      withContext(
        () => `failed to load manifest for dependency \`${name}\``,
        () => visit(joinPath(dependencyFolder, 'Cargo.toml'), true),
      );
    }
  }

  function chooseDefaults(): string[] {
    if (namedDefaults !== null) return namedDefaults.flatMap(defaultMember);
    return currentManifest.kind === 'virtual' ? [...members] : [currentManifest.path];
  }

  function defaultMember({ path, pattern }: NamedMember): string[] {
    const normalized = normalizePath(path);
    const manifestPath = joinPath(normalized, 'Cargo.toml');
    if (members.has(manifestPath)) return [manifestPath];
    // What `exclude` takes away may still be listed, if `members` names it as well.
    const isTakenAway =
      named.some((member) => pathsEqual(member.path, normalized)) && isExcluded(normalized, folder, config);
    if (isTakenAway) return [];
    throw new TsregError(
      `package \`${path}\` is listed in default-members${via(pattern)} but is not a member\n` +
        `for workspace at \`${rootPath}\`.`,
      { code: 'workspace' },
    );
  }
}

function via(pattern: string | null): string {
  return pattern === null ? '' : ` via \`${pattern}\``;
}
