/** Collects the packages of a graph for a bill of materials. */
import type { PackageEntry } from '../../core/document/document.ts';
import { present } from '../../core/errors/assert.ts';
import { TsregError } from '../../core/errors/error.ts';
import { fileName } from '../../core/files/path.ts';
import { describePackage } from '../../core/package-id/describe.ts';
import type { PackageId } from '../../core/package-id/package-id.ts';
import { isCratesIo } from '../../core/package-id/source-id.ts';
import { queryPackageIdSpec } from '../../core/package-id/query-package-id-spec.ts';
import { downloadUrl } from '../../core/protocol/download-url.ts';
import type { DependencyKind, Summary } from '../../core/summary/summary.ts';
import { featureOwner, type TreeGraph } from '../../core/tree/graph.ts';
import type { LoadedGraph } from '../shared/graph/describe-graph.ts';
import { readEntry } from '../shared/graph/package-entry.ts';
import type { SelectedGraph } from '../shared/graph/select-graph.ts';
import { hostOfThisMachine } from '../shared/version.ts';
import type { BillComponent, BillDependency, BillOfMaterials } from './bill-of-materials.ts';
import { declaredLicense } from './declared-license.ts';
import { commitUrl, packageUrl, withoutCredentials } from './package-url.ts';

/** A graph of built packages, and where it comes from. */
export interface CollectedGraph {
  readonly graph: LoadedGraph;
  readonly selection: SelectedGraph;
  readonly builtGraph: TreeGraph;
  /** Absolute path of the root folder of the workspace. */
  readonly root: string;
}

/** The address of `.crate` files on crates.io: `dl` in its `config.json`. */
const CRATES_IO_DOWNLOADS = 'https://static.crates.io/crates';
const KINDS: readonly DependencyKind[] = ['normal', 'build', 'dev'];

/**
 * Returns the selected packages and everything that they depend on, each package once. Throws `not-found` if a build
 * does not need a selected package.
 */
export function collect(
  { graph, selection, builtGraph, root }: CollectedGraph,
  created: Date | null,
): BillOfMaterials {
  const { packages } = graph.resolution;
  const ids = packages.map(({ id }) => id);
  const selected = new Set(selection.specs.map((spec) => queryPackageIdSpec(spec, ids).key));
  const roots = Array.from(ids.keys()).filter((index) => selected.has(present(ids[index], 'a package').key));
  const nodes = roots.map((selectedIndex) => {
    const builds = builtGraph.packageNodes((index) => index === selectedIndex);
    if (builds.length === 0) throw notBuilt(present(ids[selectedIndex], 'a root'));
    return builds;
  });
  const edges = edgesOf(builtGraph, nodes.flat());
  const order = Array.from(edges.keys()).sort((a, b) => a - b);
  const positions = new Map(order.map((index, position) => [index, position]));
  const runtime = reachedAtRuntime(edges, roots);
  const components = order.map((index): BillComponent => {
    const dependencies = Array.from(
      present(edges.get(index), 'the edges of a package'),
      ([to, kinds]): BillDependency => ({
        to: present(positions.get(to), 'a dependency'),
        kinds: KINDS.filter((kind) => kinds.has(kind)),
      }),
    );
    const view = present(graph.packages.get(index), 'a package of the graph');
    return {
      // The summary of a manifest has no checksum.
      ...describeSource(present(packages[index], 'a package').summary, root),
      ...describeManifest(readEntry(view)),
      isRuntime: runtime.has(index),
      dependencies: dependencies.sort((a, b) => a.to - b.to),
    };
  });
  return {
    workspace: fileName(root),
    roots: roots.map((index) => present(positions.get(index), 'a root')),
    components,
    targets: targetsOf(selection),
    created,
  };
}

/** Returns the targets of the build; null for all. Empty for this machine if rustc has no target for it. */
function targetsOf({ targets: { triples }, showsAllTargets }: SelectedGraph): readonly string[] | null {
  if (showsAllTargets) return null;
  const host = triples.length === 0 ? hostOfThisMachine() : null;
  return host === null ? triples : [host];
}

function notBuilt(id: PackageId): TsregError {
  return new TsregError(`\`${describePackage(id)}\` is in \`Cargo.lock\`, but this build does not need it`, {
    code: 'not-found',
    hint: 'to describe more of `Cargo.lock`, add `--all-features --target all --edges all`',
  });
}

/** For each package its dependencies, with the kinds of each. Packages by their index into the resolution. */
type Edges = ReadonlyMap<number, ReadonlyMap<number, ReadonlySet<DependencyKind>>>;

/** Returns the packages that the start nodes lead to, with the edges of all builds of a package together. */
function edgesOf(graph: TreeGraph, start: readonly number[]): Edges {
  const edges = new Map<number, Map<number, Set<DependencyKind>>>();
  const packageOf = (node: number): number => {
    const found = present(graph.nodes[node], 'a node');
    return (found.kind === 'package' ? found : featureOwner(graph.nodes, found)).package;
  };
  for (const node of graph.keepReachable(start)) {
    const index = packageOf(node);
    const targets = edges.get(index) ?? new Map<number, Set<DependencyKind>>();
    edges.set(index, targets);
    for (const kind of KINDS) {
      for (const target of graph.targets(node, kind)) {
        const to = packageOf(target);
        targets.set(to, (targets.get(to) ?? new Set()).add(kind));
      }
    }
  }
  return edges;
}

/** Returns the packages that normal dependencies lead to, the roots included. */
function reachedAtRuntime(edges: Edges, roots: readonly number[]): ReadonlySet<number> {
  const reached = new Set(roots);
  // The loop also visits the packages that it adds.
  for (const from of reached) {
    for (const [to, kinds] of present(edges.get(from), 'the edges of a package'))
      if (kinds.has('normal')) reached.add(to);
  }
  return reached;
}

function describeSource(
  { id, checksum }: Summary,
  root: string,
): Pick<BillComponent, 'name' | 'version' | 'purl' | 'checksum' | 'downloadUrl'> {
  const { name, source } = id;
  const version = id.version.text;
  const download =
    isCratesIo(source) && checksum !== null
      ? downloadUrl(CRATES_IO_DOWNLOADS, { name, version, checksum })
      : commitUrl(source);
  return { name, version, purl: packageUrl(id, root), checksum, downloadUrl: download };
}

function describeManifest(
  entry: PackageEntry,
): Pick<
  BillComponent,
  'isApplication' | 'license' | 'authors' | 'description' | 'homepage' | 'repository' | 'documentation'
> {
  return {
    isApplication: entry.targets.some(({ kind }) => kind.includes('bin')),
    license: declaredLicense(entry),
    authors: entry.authors.map((author) => author.trim()).filter((author) => author !== ''),
    description: entry.description?.trim().replaceAll(/\s+/g, ' ') ?? null,
    homepage: linkOf(entry.homepage),
    repository: linkOf(entry.repository),
    documentation: linkOf(entry.documentation),
  };
}

/** Returns an address of a manifest; null if it is not one that a reader of the document should follow. */
function linkOf(text: string | null): string | null {
  if (text === null || !URL.canParse(text)) return null;
  const url = new URL(text);
  return ['http:', 'https:', 'git:', 'ssh:'].includes(url.protocol) ? withoutCredentials(url.href) : null;
}
