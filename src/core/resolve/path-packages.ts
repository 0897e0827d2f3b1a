/** The packages in folders that a lock file names without their source. */
import type { PathSources } from '../lockfile/parse-lockfile.ts';
import type { SourceId } from '../package-id/source-id.ts';
import type { Dependency, Summary } from '../summary/summary.ts';

/** Inputs for finding path packages. */
export interface PathPackageContext {
  readonly members: readonly Summary[];
  /**
   * Returns dependencies of `[patch]` and `[replace]` entries. Like cargo, reads those of the configuration only now.
   */
  readonly overriding: () => readonly Dependency[];
  /** Returns the package in the folder of a path source; null if none can be loaded. */
  pathPackage(source: SourceId): Summary | null;
}

/**
 * Returns the path packages that a lock file may name: members, and packages reachable from them through paths. Of
 * two with the same name and version, the last one in cargo's order wins.
 */
export function collectPathSources(context: PathPackageContext): PathSources {
  const { members } = context;
  const pathSources = new Map<string, Map<string, SourceId>>();
  const visited = new Set<string>();
  const add = ({ id }: Summary): void => {
    visited.add(id.source.unpinnedKey);
    const versions = pathSources.get(id.name);
    if (versions === undefined) pathSources.set(id.name, new Map([[id.version.text, id.source]]));
    else versions.set(id.version.text, id.source);
  };
  // Depth first, as in cargo: the order decides which of two packages wins.
  const follow = (dependencies: readonly Dependency[]): void => {
    const stack = dependencies.toReversed();
    for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
      const { source } = next;
      if (source.kind !== 'path' || visited.has(source.unpinnedKey)) continue;
      const summary = context.pathPackage(source);
      if (summary === null) continue;
      add(summary);
      for (const dependency of summary.dependencies.toReversed()) stack.push(dependency);
    }
  };
  // Like cargo, adds all members before the packages that they lead to.
  const pathMembers = members.filter(({ id }) => id.source.kind === 'path');
  for (const member of pathMembers) add(member);
  for (const member of pathMembers) follow(member.dependencies);
  follow(context.overriding());
  return pathSources;
}
