/** Packages with more than one build. Cargo Book: cargo tree, `--duplicates`. */
import type { PackageNode, TreeGraph } from './graph.ts';

/**
 * Returns the package nodes of `nodeIndexes` that share their name with another one of a different version, source or
 * set of features, sorted. The same package for another platform is not a duplicate.
 */
export function findDuplicates(
  graph: TreeGraph,
  nodeIndexes: ReadonlySet<number>,
  nameOf: (packageIndex: number) => string,
): readonly number[] {
  const byName = new Map<string, number[]>();
  for (const index of nodeIndexes) {
    const node = graph.nodes[index];
    if (node?.kind !== 'package') continue;
    const name = nameOf(node.package);
    const sameName = byName.get(name);
    if (sameName === undefined) byName.set(name, [index]);
    else sameName.push(index);
  }
  const duplicates: number[] = [];
  for (const indexes of byName.values()) {
    const builds = new Set<string>();
    for (const index of indexes) {
      const node = graph.nodes[index];
      if (node?.kind === 'package') builds.add(buildKey(node));
    }
    if (builds.size > 1) duplicates.push(...indexes);
  }
  return graph.sorted(duplicates);
}

function buildKey({ package: index, features }: PackageNode): string {
  return `${index} ${features.join(',')}`;
}
