/** The resolved graph as the document shows it. Cargo Book: cargo metadata. */
import { TsregError } from '../errors/error.ts';
import { describePackage } from '../package-id/describe.ts';
import { comparePlatforms } from '../platform/platform.ts';
import type { ResolvedEdge, Resolution } from '../resolve/resolution.ts';
import type { Dependency, DependencyKind } from '../summary/summary.ts';
import { stringText } from './json-text.ts';

/** One edge as printed. */
export interface GraphEdge {
  /** The name by which code refers to the dependency. */
  readonly name: string;
  /** Index into the packages of the resolution. */
  readonly to: number;
  /** `dep_kinds` as JSON text. */
  readonly kindsText: string;
}

/** One package as printed, with its edges by package id. */
export interface GraphNode {
  /** Index into the packages of the resolution. */
  readonly package: number;
  readonly edges: readonly GraphEdge[];
}

/** What the graph depends on beside the resolution. */
export interface GraphOptions {
  /** Indexes of the members into the packages of the resolution. */
  readonly members: readonly number[];
  /** Name of a package's library as code refers to it; null if it has no library. */
  libraryName(packageIndex: number): string | null;
  /** True if a declaration counts for one of the platforms that were asked for. */
  isActive(dependency: Dependency): boolean;
}

const KIND_ORDER: Readonly<Record<DependencyKind, number>> = { normal: 0, dev: 1, build: 2 };

/**
 * Everything that can be reached from the members over dependencies that are libraries, by package id.
 * Fails where one package depends on another under two names.
 */
export function buildGraph(resolution: Resolution, options: GraphOptions): readonly GraphNode[] {
  const nodes: (GraphNode | undefined)[] = new Array<GraphNode | undefined>(resolution.packages.length);
  // Depth first, as cargo goes: of several errors the first in this order is the one that is shown.
  const stack = [...options.members].reverse();
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (nodes[next] !== undefined) continue;
    const edges = nodeEdges(resolution, next, options);
    nodes[next] = { package: next, edges };
    for (let i = edges.length - 1; i >= 0; i -= 1) stack.push(edges[i]?.to ?? next);
  }
  return nodes.filter((node) => node !== undefined);
}

function nodeEdges(resolution: Resolution, from: number, options: GraphOptions): readonly GraphEdge[] {
  const edges: GraphEdge[] = [];
  for (const edge of resolution.packages[from]?.edges ?? []) {
    if (!edge.dependencies.some((dependency) => options.isActive(dependency))) continue;
    const to = resolution.packages[edge.to]?.replacement ?? edge.to;
    const library = options.libraryName(to);
    if (library === null) continue;
    const name = edgeName(resolution, { from, to, edge, library });
    edges.push({ name, to, kindsText: kindsText(edge.dependencies) });
  }
  return edges;
}

interface NamedEdge {
  readonly from: number;
  readonly to: number;
  readonly edge: ResolvedEdge;
  readonly library: string;
}

function edgeName(resolution: Resolution, { from, to, edge, library }: NamedEdge): string {
  // A package that depends on itself refers to its own library, however the dependency is called.
  if (from === to) return library;
  const nameOf = (dependency: Dependency): string =>
    dependency.renamed ? dependency.nameInToml.replaceAll('-', '_') : library;
  const first = edge.dependencies[0];
  const name = first === undefined ? library : nameOf(first);
  if (edge.dependencies.some((dependency) => nameOf(dependency) !== name)) {
    const [a, b] = [resolution.packages[from], resolution.packages[to]];
    throw new TsregError(
      `the crate \`${a === undefined ? '' : describePackage(a.id)}\` depends on crate ` +
        `\`${b === undefined ? '' : describePackage(b.id)}\` multiple times with different names`,
      { code: 'resolve' },
    );
  }
  return name;
}

function kindsText(dependencies: readonly Dependency[]): string {
  const only = dependencies.length === 1 ? dependencies[0] : undefined;
  if (only?.kind === 'normal' && only.platform === null) {
    return '[{"kind":null,"target":null}]';
  }
  const sorted = [...dependencies].sort(
    (a, b) => KIND_ORDER[a.kind] - KIND_ORDER[b.kind] || compareTargets(a, b),
  );
  return `[${sorted.map(kindText).join(',')}]`;
}

function kindText({ kind, platform }: Dependency): string {
  return `{"kind":${kind === 'normal' ? 'null' : `"${kind}"`},"target":${platform === null ? 'null' : stringText(platform.text)}}`;
}

function compareTargets(a: Dependency, b: Dependency): number {
  if (a.platform === null || b.platform === null)
    return Number(a.platform !== null) - Number(b.platform !== null);
  return comparePlatforms(a.platform, b.platform);
}
