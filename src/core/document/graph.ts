/** The resolved graph as in the document. Cargo Book: cargo metadata. */
import { present } from '../errors/assert.ts';
import { TsregError } from '../errors/error.ts';
import { describePackage } from '../package-id/describe.ts';
import { comparePlatforms } from '../platform/platform.ts';
import { KIND_ORDER, type ResolvedEdge, type Resolution } from '../resolve/resolution.ts';
import type { Dependency } from '../summary/summary.ts';
import { stringText } from './json-text.ts';

/** One edge as printed. */
export interface GraphEdge {
  /** The name of the dependency in code. */
  readonly name: string;
  /** Index into the packages of the resolution. */
  readonly to: number;
  /** `dep_kinds` as JSON text. */
  readonly kindsText: string;
}

/** One package as printed, with its edges sorted by package ID. */
export interface GraphNode {
  /** Index into the packages of the resolution. */
  readonly package: number;
  readonly edges: readonly GraphEdge[];
}

/** The inputs of the graph in addition to the resolution. */
export interface GraphOptions {
  /** Indexes of the members into the packages of the resolution. */
  readonly members: readonly number[];
  /** Returns the name of a package's library in code; null if it has no library. */
  libraryName(packageIndex: number): string | null;
  /** Returns true if a declaration applies to one of the requested platforms. */
  isActive(dependency: Dependency): boolean;
}

/**
 * Returns everything that the members reach through dependencies with a library, sorted by package ID. Throws `resolve`
 * if one package depends on another under two names.
 */
export function buildGraph(resolution: Resolution, options: GraphOptions): readonly GraphNode[] {
  const nodes: (GraphNode | undefined)[] = new Array<GraphNode | undefined>(resolution.packages.length);
  // Depth first like cargo: of several errors the first in this order is reported.
  const stack = [...options.members].reverse();
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    if (nodes[next] !== undefined) continue;
    const edges = nodeEdges(resolution, next, options);
    nodes[next] = { package: next, edges };
    for (const { to } of edges.toReversed()) stack.push(to);
  }
  return nodes.filter((node) => node !== undefined);
}

/** Returns the active edges of a package to packages with a library. */
function nodeEdges(resolution: Resolution, from: number, options: GraphOptions): readonly GraphEdge[] {
  const edges: GraphEdge[] = [];
  for (const edge of present(resolution.packages[from], 'a package of the resolution').edges) {
    if (!edge.dependencies.some((dependency) => options.isActive(dependency))) continue;
    const to = resolution.packages[edge.to]?.replacement ?? edge.to;
    const library = options.libraryName(to);
    if (library === null) continue;
    const name = edgeName(resolution, { from, to, edge, library });
    // As in cargo, `dep_kinds` lists the inactive declarations of an active edge too.
    edges.push({ name, to, kindsText: kindsText(edge.dependencies) });
  }
  return edges;
}

/** An edge, and the name of the library of its target. */
interface NamedEdge {
  readonly from: number;
  readonly to: number;
  readonly edge: ResolvedEdge;
  readonly library: string;
}

/** Returns the name of a dependency in code. Throws `resolve` if it has several. */
function edgeName(resolution: Resolution, { from, to, edge, library }: NamedEdge): string {
  // A package that depends on itself uses the name of its own library, whatever the name of the dependency.
  if (from === to) return library;
  const nameOf = (dependency: Dependency): string =>
    dependency.renamed ? dependency.nameInToml.replaceAll('-', '_') : library;
  const first = edge.dependencies[0];
  const name = first === undefined ? library : nameOf(first);
  if (edge.dependencies.some((dependency) => nameOf(dependency) !== name)) {
    const describe = (index: number): string =>
      describePackage(present(resolution.packages[index], 'a package of the resolution').id);
    throw new TsregError(
      `the crate \`${describe(from)}\` depends on crate \`${describe(to)}\` multiple times with different names`,
      { code: 'resolve' },
    );
  }
  return name;
}

/** Returns `dep_kinds` as JSON text, sorted by kind and platform. */
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
  const target = platform === null ? 'null' : stringText(platform.text);
  return `{"kind":${kind === 'normal' ? 'null' : `"${kind}"`},"target":${target}}`;
}

function compareTargets(a: Dependency, b: Dependency): number {
  if (a.platform === null || b.platform === null)
    return Number(a.platform !== null) - Number(b.platform !== null);
  return comparePlatforms(a.platform, b.platform);
}
