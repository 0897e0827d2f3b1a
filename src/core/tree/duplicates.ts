/** Packages with more than one build. Cargo Book: cargo tree, `--duplicates`. */
import type { PackageNode, TreeGraph } from './graph.ts';

/**
 * Returns the package nodes of `nodeIndexes`, which are the shown ones, that share their name with another one of a
 * different version, source or set of features. Returns them sorted. The same package for another platform is not a duplicate.
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
    const found = { index, build: buildKey(node) };
    const sameName = byName.get(name);
    if (sameName === undefined) byName.set(name, [found]);
    else sameName.push(found);
  }
  const duplicates: number[] = [];
  for (const sameName of byName.values()) {
    const builds = new Set(sameName.map(({ build }) => build));
    if (builds.size > 1) duplicates.push(...sameName.map(({ index }) => index));
  }
  return graph.sorted(duplicates);
}

function buildKey({ package: index, features }: PackageNode): string {
  return `${index} ${features.join(',')}`;
}
