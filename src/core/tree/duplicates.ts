/** Packages with more than one build. Cargo Book: cargo tree, `--duplicates`. */
import type { PackageNode, TreeGraph } from './graph.ts';

/**
 * Returns the duplicates among the shown nodes `nodeIndexes`, sorted: packages whose name another package of a different
 * version, source or set of features has. The same package for another platform is not a duplicate.
 */
export function findDuplicates(
  graph: TreeGraph,
  nodeIndexes: ReadonlySet<number>,
  nameOf: (packageIndex: number) => string,
): readonly number[] {
  const byName = new Map<string, { index: number; build: string }[]>();
  for (const index of nodeIndexes) {
    const node = graph.nodes[index];
    if (node?.kind !== 'package') continue;
    const name = nameOf(node.package);
    const entry = { index, build: buildKey(node) };
    const sameName = byName.get(name);
    if (sameName === undefined) byName.set(name, [entry]);
    else sameName.push(entry);
  }
  const duplicates: number[] = [];
  for (const sameName of byName.values()) {
    const builds = new Set(sameName.map(({ build }) => build));
    if (builds.size > 1) duplicates.push(...sameName.map(({ index }) => index));
  }
  return graph.sorted(duplicates);
}

/** Returns a key that is equal for builds of one package with the same features. */
function buildKey({ package: index, features }: PackageNode): string {
  return `${index} ${features.join(',')}`;
}
