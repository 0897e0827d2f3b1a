/**
 * Packages to read because they decide what their dependencies are built for. Cargo Book: Feature resolver version 2.
 */
import { present } from '../../../core/errors/assert.ts';
import type { PackageView, WorkspaceView } from './package-view.ts';
import { selectFeatures } from '../../../core/resolve/cli-features.ts';
import { type FeatureRoot, resolveFeatures } from '../../../core/resolve/feature-resolver.ts';
import type { RequestedFeatures } from '../../../core/resolve/problem.ts';
import type { Resolution } from '../../../core/resolve/resolution.ts';
import type { PlatformFilter } from '../platform/platform-filter.ts';
import { rootsInGraph } from './roots-in-graph.ts';
import { ShownPackages } from './shown-packages.ts';

/** The inputs that decide for which packages feature resolution must know whether they are procedural macros. */
export interface FeatureInputs {
  readonly view: WorkspaceView;
  readonly requested: RequestedFeatures;
  readonly platforms: PlatformFilter;
}

/**
 * Returns the index of the first package that is not in `packages`, although feature resolution must know whether it is
 * a procedural macro; null if there is none. Such a package is reachable on one platform but used only on another: the
 * features of all platforms are resolved together.
 */
export function unreadMacro(
  resolution: Resolution,
  packages: ReadonlyMap<number, PackageView>,
  { view, requested, platforms }: FeatureInputs,
): number | null {
  const macros = new ShownPackages(packages, 'spec');
  let unread: number | null = null;
  resolveFeatures(resolution, {
    roots: featureRoots(resolution, view, requested),
    separatesHost: true,
    ignoresDev: false,
    isUsed: (dependency, builtFor) =>
      builtFor === 'host' ? platforms.isUsedOnHost(dependency) : platforms.isRequested(dependency),
    isProcMacro: (index) => macros.isProcMacro(index),
    isProcMacroLibrary: (index) => {
      if (!packages.has(index)) unread ??= index;
      return macros.isProcMacroLibrary(index);
    },
  });
  return unread;
}

/** Returns the members, by their index into the resolution, with the features requested from each. */
function featureRoots(
  resolution: Resolution,
  { members, current }: WorkspaceView,
  requested: RequestedFeatures,
): readonly FeatureRoot[] {
  const summaries = members.map(({ summary }) => summary);
  const roots = selectFeatures(requested, {
    members: summaries,
    current: current === null ? null : present(summaries[current], 'the current package'),
    isForAllMembers: true,
  });
  return rootsInGraph(roots, resolution);
}
