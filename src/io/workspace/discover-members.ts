/** The members of a workspace. Cargo Book: Workspaces, The members and exclude fields. */
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
export interface MemberPaths {
  readonly members: ReadonlySet<string>;
  readonly defaultMembers: readonly string[];
}

/**
 * Finds the members of a workspace: those that `members` names, then the root. Path dependencies follow their
 * dependent, depth first. Throws with cargo's chain of causes.
 */
export function discoverMembers(start: WorkspaceStart): MemberPaths {
  const { rootManifest, config, currentManifest, manifests } = start;
  const folder = parentFolder(rootManifest.path);
  const namedMembers = expandMembers(config.members ?? [], folder, manifests.files);
  // cargo expands these patterns before it loads members, so their errors come first.
  const namedDefaults =
    config.defaultMembers !== null && rootManifest.path === currentManifest.path
      ? expandMembers(config.defaultMembers, folder, manifests.files)
      : null;
  const discovery = new MemberDiscovery(start, namedMembers);
  discovery.addAll();
  const { members } = discovery;
  if (namedDefaults !== null) {
    const defaultMembers = namedDefaults.flatMap((member) => discovery.defaultMembersAt(member));
    return { members, defaultMembers };
  }
  return {
    members,
    defaultMembers: currentManifest.kind === 'virtual' ? [...members] : [currentManifest.path],
  };
}

/** Collects the members of one workspace. */
class MemberDiscovery {
  /** Paths of manifests, in discovery order. */
  readonly members = new Set<string>();
  readonly #rootPath: string;
  /** The folder of the root manifest. */
  readonly #folder: string;
  readonly #config: WorkspaceConfig;
  readonly #manifests: ManifestLoader;
  readonly #namedMembers: readonly NamedMember[];

  /** `namedMembers` are the folders that `members` names. */
  constructor({ rootManifest, config, manifests }: WorkspaceStart, namedMembers: readonly NamedMember[]) {
    this.#rootPath = rootManifest.path;
    this.#folder = parentFolder(rootManifest.path);
    this.#config = config;
    this.#manifests = manifests;
    this.#namedMembers = namedMembers;
  }

  /** Adds all members. */
  addAll(): void {
    for (const { path, pattern } of this.#namedMembers) {
      withContext(
        () =>
          `failed to load manifest for workspace member \`${path}\`\n` +
          `referenced${viaPattern(pattern)} by workspace at \`${this.#rootPath}\``,
        () => this.#addWithDependencies(joinPath(path, 'Cargo.toml')),
      );
    }
    this.#addWithDependencies(this.#rootPath);
  }

  /** Returns the manifest of a folder that `default-members` names; empty if `exclude` takes it away. */
  defaultMembersAt({ path, pattern }: NamedMember): readonly string[] {
    const folder = normalizePath(path);
    const manifestPath = joinPath(folder, 'Cargo.toml');
    if (this.members.has(manifestPath)) return [manifestPath];
    // `default-members` may list an excluded package if `members` names it as well.
    const isNamed = this.#namedMembers.some((member) => pathsEqual(member.path, folder));
    if (isNamed && isExcluded(folder, this.#folder, this.#config)) return [];
    throw new TsregError(
      `package \`${path}\` is listed in default-members${viaPattern(pattern)} but is not a member\n` +
        `for workspace at \`${this.#rootPath}\`.`,
      { code: 'workspace' },
    );
  }

  /** Adds a manifest and everything that its path dependencies lead to. */
  #addWithDependencies(manifestPath: string): void {
    // The path dependencies on the way to the current one. A chain can be too long for recursion.
    const trail: { readonly unvisited: Iterator<PathDependency>; current: string }[] = [];
    const enter = (manifest: Manifest | null): void => {
      const dependencies = pathDependenciesOf(manifest);
      if (dependencies.length > 0) trail.push({ unvisited: dependencies.values(), current: '' });
    };
    try {
      enter(this.#addNamed(normalizePath(manifestPath)));
      for (let last = trail.at(-1); last !== undefined; last = trail.at(-1)) {
        const next = last.unvisited.next();
        if (next.done === true) {
          trail.pop();
          continue;
        }
        last.current = next.value.name;
        enter(this.#addDependency(normalizePath(joinPath(next.value.folder, 'Cargo.toml'))));
      }
    } catch (error) {
      // The dependency nearest to the error is its direct context.
      throw trail.reduceRight(
        (cause: unknown, { current }) =>
          new TsregError(`failed to load manifest for dependency \`${current}\``, { cause }),
        error,
      );
    }
  }

  /** Like `#addNamed`. Outside the root's folder, adds only packages that point to this root. */
  #addDependency(path: string): Manifest | null {
    if (this.members.has(path)) return null;
    const isOutside = !startsWithPath(parentFolder(path), this.#folder);
    if (isOutside && this.#manifests.findRoot(path) !== this.#rootPath) return null;
    return this.#addNamed(path);
  }

  /** Adds the manifest at a path and returns it. Returns null if it already is a member or is excluded. */
  #addNamed(path: string): Manifest | null {
    if (this.members.has(path) || isExcluded(path, this.#folder, this.#config)) return null;
    this.members.add(path);
    return this.#manifests.load(path);
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

/** Returns the part of an error that names the pattern of a member. */
function viaPattern(pattern: string | null): string {
  return pattern === null ? '' : ` via \`${pattern}\``;
}
