/** The path of dependencies that leads to a package, as messages show it. */
import { describePackage } from '../package-id/describe.ts';
import { comparePackageIds, type PackageId } from '../package-id/package-id.ts';
import { firstDeclaration } from './first-declaration.ts';
import type { LockedDependency } from './locked-dependency.ts';
import type { Node } from './node.ts';
import type { ParentEdge } from './state.ts';

/** A graph that knows dependents. */
export interface ParentGraph {
  parentsOf(node: Node): readonly ParentEdge[];
}

/** A step of a path from a package to one that depends on it. */
export interface PathStep {
  readonly id: PackageId;
  /** The dependency of this package that leads to the previous step; null in the first step. */
  readonly dependency: LockedDependency | null;
}

/** Returns ``package `x v1.0.0` `` and a line for each package on a shortest path to one without dependents. */
export function describePathTo(node: Node, graph: ParentGraph): string {
  return describePath(shortestPath(node, graph));
}

/** Like `describePathTo`, for a given path. */
export function describePath([first, ...dependents]: readonly PathStep[]): string {
  if (first === undefined) return '';
  let text = `package \`${describePackage(first.id)}\``;
  for (const { id, dependency } of dependents) {
    if (dependency === null) continue;
    text += `\n    ... which satisfies ${describeDependency(dependency)}of package \`${describePackage(id)}\``;
  }
  return text;
}

function describeDependency({ declared, locked }: LockedDependency): string {
  const lock = locked === null ? '' : `(locked to ${locked.text}) `;
  const { kind } = declared.source;
  if (kind === 'path' || kind === 'git') return `${kind} dependency \`${declared.nameInToml}\` ${lock}`;
  return `dependency \`${declared.nameInToml} = "${declared.req.text}"\` ${lock}`;
}

/** Searches breadth first, from `start` through its dependents, for a package that has none. */
function shortestPath(start: Node, graph: ParentGraph): readonly PathStep[] {
  const backLinks = new Map<
    Node,
    { readonly child: Node; readonly dependencies: readonly LockedDependency[] }
  >();
  const queue = [start];
  let last = start;
  // The loop body appends to the queue.
  for (const node of queue) {
    last = node;
    const edges = graph.parentsOf(node);
    if (edges.length === 0) break;
    const sorted = Array.from(edges).sort((a, b) => comparePackageIds(a.parent.id, b.parent.id));
    for (const { parent, dependencies } of sorted) {
      if (backLinks.has(parent)) continue;
      backLinks.set(parent, { child: node, dependencies });
      queue.push(parent);
    }
  }
  const steps: PathStep[] = [];
  let next = last;
  for (let link = backLinks.get(next); link !== undefined; link = backLinks.get(next)) {
    // In a cycle, `start` has a link too: each link is followed only once.
    backLinks.delete(next);
    steps.push({ id: next.id, dependency: firstDeclaration(link.dependencies) ?? null });
    next = link.child;
  }
  if (steps.every(({ id }) => id !== next.id)) steps.push({ id: next.id, dependency: null });
  return steps.reverse();
}
