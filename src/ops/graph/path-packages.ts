/** The packages on paths that belong to a workspace without being its members. */
import type { PackageView, WholeView, WorkspaceView } from '../../derived/package-view.ts';
import type { SourceId } from '../../package-id/source-id.ts';
import type { Dependency } from '../../summary/summary.ts';

/**
 * A workspace with everything that its members and patches lead to over paths, in an order that they alone decide:
 * whoever reads the same manifests finds the same packages in the same order. What cannot be loaded is left out.
 */
export function withPathPackages(view: WorkspaceView): WholeView {
  const seen = new Set<SourceId>(view.members.map(({ summary }) => summary.id.source));
  const found: PackageView[] = [];
  const follow = (dependencies: readonly Dependency[]): void => {
    for (const { source } of dependencies) {
      if (source.kind !== 'path' || seen.has(source)) continue;
      seen.add(source);
      const each = view.pathPackage(source);
      if (each !== null) found.push(each);
    }
  };
  for (const { summary } of view.members) follow(summary.dependencies);
  follow(view.patches.map(({ dependency }) => dependency));
  // Grows while it is walked.
  for (const { summary } of found) follow(summary.dependencies);
  return { ...view, pathPackages: found };
}
