/** The packages that feature resolution starts from. */
import type { FeatureRoot } from '../../../core/resolve/feature-resolver.ts';
import type { Root } from '../../../core/resolve/problem.ts';
import type { Resolution } from '../../../core/resolve/resolution.ts';

/** Returns members, by their index into the resolution. Leaves out those that the resolution does not contain. */
export function rootsInGraph(roots: readonly Root[], { packages }: Resolution): readonly FeatureRoot[] {
  const indexes = new Map(packages.map(({ id }, index) => [id.key, index]));
  return roots.flatMap(({ summary, requested }) => {
    const index = indexes.get(summary.id.key);
    return index === undefined ? [] : { package: index, requested };
  });
}
