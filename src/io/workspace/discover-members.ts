import { TsregError, withContext } from '../../core/errors/error.ts';
import { joinPath, normalizePath, parentFolder, pathsEqual, startsWithPath } from '../../core/files/path.ts';
import type { Manifest, WorkspaceConfig } from '../../core/manifest/manifest.ts';
import { sourcePath } from '../../core/package-id/source-id.ts';
import type { ManifestLoader } from './manifest-loader.ts';
import { expandMembers, isExcluded, type NamedMember } from './member-patterns.ts';

/** A workspace root and the manifest that the command started with. */
export interface WorkspaceStart {
  readonly rootManifest: Manifest;
  /** The `[workspace]` table of the root. */
  readonly config: WorkspaceConfig;
  readonly currentManifest: Manifest;
  readonly manifests: ManifestLoader;
}

/** Paths of manifests in discovery order, including the root of a virtual workspace. */
export interface FoundMembers {
  readonly members: ReadonlySet<string>;
  readonly defaultMembers: readonly string[];
}

/**
 * Finds the members of a workspace: those that `members` names, then the root. Path dependencies follow their
 * dependent, depth first. Throws with cargo's chain of causes. Cargo Book: Workspaces.
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
      () => visit(joinPath(path, 'Cargo.toml')),
    );
  }
  visit(rootPath);
  return { members, defaultMembers: chooseDefaults() };

  /** Adds a manifest and everything that its path dependencies lead to, in chains of any length. */
  function visit(typedPath: string): void {
    const trail: { readonly rest: Iterator<PathDependency>; followed: string }[] = [];
    const enter = (path: string, isPathDependency: boolean): void => {
      const dependencies = pathDependenciesOf(makeMember(path, isPathDependency));
      if (dependencies.length > 0) trail.push({ rest: dependencies.values(), followed: '' });
    };
    try {
      enter(typedPath, false);
      for (let last = trail.at(-1); last !== undefined; last = trail.at(-1)) {
        const next = last.rest.next();
        if (next.done === true) {
          trail.pop();
          continue;
        }
        last.followed = next.value.name;
        enter(joinPath(next.value.folder, 'Cargo.toml'), true);
      }
    } catch (error) {
      throw trail.reduceRight(
        (cause: unknown, { followed }) =>
          new TsregError(`failed to load manifest for dependency \`${followed}\``, { cause }),
        error,
      );
    }
  }

  /**
   * Adds the manifest at a path to the members and returns it. Returns null if it already is a member or must not be
   * one.
   */
  function makeMember(typedPath: string, isPathDependency: boolean): Manifest | null {
    const path = normalizePath(typedPath);
    if (members.has(path)) return null;
    const isOutside = isPathDependency && !startsWithPath(parentFolder(path), folder);
    if (isOutside && manifests.findRoot(path) !== rootPath) return null;
    if (isExcluded(path, folder, config)) return null;
    members.add(path);
    return manifests.load(path);
  }

  function chooseDefaults(): string[] {
    if (namedDefaults !== null) return namedDefaults.flatMap(defaultMember);
    return currentManifest.kind === 'virtual' ? [...members] : [currentManifest.path];
  }

  function defaultMember({ path, pattern }: NamedMember): string[] {
    const normalized = normalizePath(path);
    const manifestPath = joinPath(normalized, 'Cargo.toml');
    if (members.has(manifestPath)) return [manifestPath];
    // `default-members` may list an excluded package if `members` names it as well.
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

interface PathDependency {
  readonly name: string;
  readonly folder: string;
}

function pathDependenciesOf(manifest: Manifest | null): readonly PathDependency[] {
  if (manifest === null || manifest.kind === 'virtual') return [];
  return manifest.summary.dependencies.flatMap(({ name, source }) => {
    const folder = source.kind === 'path' ? sourcePath(source) : null;
    return folder === null ? [] : [{ name, folder }];
  });
}

function via(pattern: string | null): string {
  return pattern === null ? '' : ` via \`${pattern}\``;
}
