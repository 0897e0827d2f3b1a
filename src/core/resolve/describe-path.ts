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

/** A step of a path: a package, and its dependency that leads to the previous step. */
export interface PathStep {
  readonly id: PackageId;
  readonly dependency: LockedDependency | null;
}

/** Returns ``package `x v1.0.0` `` and a line for each package on a shortest path to one without dependents. */
export function describePathTo(node: Node, graph: ParentGraph): string {
  return describePath(shortestPath(node, graph));
}

/** Like `describePathTo`, for a given path. */
export function describePath([first, ...rest]: readonly PathStep[]): string {
  if (first === undefined) return '';
  let text = `package \`${describePackage(first.id)}\``;
  for (const { id, dependency } of rest) {
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

function shortestPath(start: Node, graph: ParentGraph): readonly PathStep[] {
  const backLinks = new Map<
    Node,
    { readonly from: Node; readonly dependencies: readonly LockedDependency[] }
  >();
  const queue = [start];
  let last = start;
  for (const node of queue) {
    last = node;
    const edges = graph.parentsOf(node);
    if (edges.length === 0) break;
    const sorted = Array.from(edges).sort((a, b) => comparePackageIds(a.parent.id, b.parent.id));
    for (const { parent, dependencies } of sorted) {
      if (backLinks.has(parent)) continue;
      backLinks.set(parent, { from: node, dependencies });
      queue.push(parent);
    }
  }
  const steps: PathStep[] = [];
  let next = last;
  for (let link = backLinks.get(next); link !== undefined; link = backLinks.get(next)) {
    backLinks.delete(next);
    steps.push({ id: next.id, dependency: firstDeclaration(link.dependencies) ?? null });
    next = link.from;
  }
  if (steps.every(({ id }) => id !== next.id)) steps.push({ id: next.id, dependency: null });
  return steps.reverse();
}
