/** Builder of the graph that `tree` shows, from resolved packages and features. Cargo Book: cargo tree. */
import { present } from '../errors/assert.ts';
import { compareBytes } from '../files/compare-bytes.ts';
import type { BuiltFor, FeatureRoot, ResolvedFeatures } from '../resolve/feature-resolver.ts';
import { KIND_ORDER, type Resolution } from '../resolve/resolution.ts';
import type { Dependency, DependencyKind } from '../summary/summary.ts';
import { addCommandLineFeatures, addFeature, addInnerFeatures, DependencyNames } from './feature-nodes.ts';
import { HOST, TreeGraph } from './graph.ts';
import { visitDepthFirst } from './visit-depth-first.ts';

/** The inputs of the graph in addition to the resolution. */
export interface GraphOptions {
  /** The packages where the graph starts. */
  readonly roots: readonly FeatureRoot[];
  readonly features: ResolvedFeatures;
  /** The kinds of dependencies to follow. */
  readonly kinds: ReadonlySet<DependencyKind>;
  /** The number of requested targets; 0 if everything is built for the host. */
  readonly targetCount: number;
  /** True if there are feature nodes between packages. */
  readonly showsFeatures: boolean;
  /** True if procedural macros are hidden. */
  readonly hidesProcMacros: boolean;
  /** Returns true if a declaration is used on a platform: the index of a target, or `HOST`. */
  readonly isUsed: (dependency: Dependency, target: number) => boolean;
  /** Returns true for a package with any target that is a procedural macro, even an example. */
  readonly isProcMacro: (packageIndex: number) => boolean;
}

/** Returns the graph of everything that the roots lead to. */
export function buildTreeGraph(resolution: Resolution, options: GraphOptions): TreeGraph {
  const builder = new GraphBuilder(resolution, options);
  return builder.run();
}

/** A package as it is built. */
interface Build {
  readonly package: number;
  readonly builtFor: BuiltFor;
  /** The requested target, even if the package is built for the host. */
  readonly target: number;
}

/** A build, and its node. */
interface PlacedBuild {
  readonly build: Build;
  readonly node: number;
}

class GraphBuilder {
  readonly #resolution: Resolution;
  readonly #options: GraphOptions;
  readonly #graph = new TreeGraph();
  readonly #names = new DependencyNames();

  constructor(resolution: Resolution, options: GraphOptions) {
    this.#resolution = resolution;
    this.#options = options;
  }

  /** Builds the graph. Call it once. */
  run(): TreeGraph {
    const { roots, targetCount, showsFeatures, isProcMacro } = this.#options;
    const targets = targetCount === 0 ? [HOST] : Array.from({ length: targetCount }, (_, index) => index);
    const summaryOf = (index: number) => this.#resolution.packages[index]?.summary ?? null;
    for (const root of roots.toSorted((a, b) => a.package - b.package)) {
      for (const target of targets) {
        const builtFor = isProcMacro(root.package) ? 'host' : 'target';
        const build: Build = { package: root.package, builtFor, target };
        const { node, isNew } = this.#addNode(build);
        // Feature nodes are printed by the indexes of their packages, so nodes are added in cargo's order: depth first.
        if (isNew) visitDepthFirst({ build, node }, (place) => this.#addDependencies(place));
        const summary = summaryOf(root.package);
        if (!showsFeatures || summary === null) continue;
        addCommandLineFeatures(this.#graph, node, { summary, requested: root.requested, names: this.#names });
      }
    }
    if (showsFeatures) addInnerFeatures(this.#graph, this.#names, summaryOf);
    return this.#graph;
  }

  /** Returns the node of a package, and whether it is new. */
  #addNode({ package: index, builtFor, target }: Build): { readonly node: number; readonly isNew: boolean } {
    const node = {
      kind: 'package',
      package: index,
      features: this.#options.features.featuresOf(index, builtFor),
      target: builtFor === 'host' ? HOST : target,
    } as const;
    const known = this.#graph.find(node);
    return { node: known ?? this.#graph.add(node), isNew: known === null };
  }

  /** Adds the dependencies of a new node. Yields each new one, before it is connected. */
  *#addDependencies({ build, node: from }: PlacedBuild): Generator<PlacedBuild> {
    const { showsFeatures, isProcMacro } = this.#options;
    const { package: index, builtFor, target } = build;
    for (const { to, dependencies } of this.#edges(index)) {
      const active = dependencies.filter((dependency) =>
        this.#isShown(dependency, { from: index, to, builtFor, target }),
      );
      for (const dependency of active.sort(compareDependencies)) {
        const isForHost = builtFor === 'host' || dependency.kind === 'build' || isProcMacro(to);
        const dependencyBuild: Build = { package: to, builtFor: isForHost ? 'host' : builtFor, target };
        const { node, isNew } = this.#addNode(dependencyBuild);
        if (isNew) yield { build: dependencyBuild, node };
        if (showsFeatures) this.#connectByFeatures(from, node, dependency);
        else this.#graph.connect(from, node, dependency.kind);
      }
    }
  }

  /** Returns the dependencies of a package, sorted by package ID, with replacements applied. */
  #edges(index: number): readonly { readonly to: number; readonly dependencies: readonly Dependency[] }[] {
    const { packages } = this.#resolution;
    return present(packages[index], 'a package of the resolution')
      .edges.map(({ to, dependencies }) => ({ to: packages[to]?.replacement ?? to, dependencies }))
      .sort((a, b) => a.to - b.to);
  }

  /** Returns true if the edge for a declaration from `from` to `to` is shown. */
  #isShown(
    dependency: Dependency,
    place: {
      readonly from: number;
      readonly to: number;
      readonly builtFor: BuiltFor;
      readonly target: number;
    },
  ): boolean {
    const { kinds, features, hidesProcMacros, isUsed, isProcMacro } = this.#options;
    const { from, to, builtFor, target } = place;
    if (!kinds.has(dependency.kind)) return false;
    if (!isUsed(dependency, builtFor === 'host' || dependency.kind === 'build' ? HOST : target)) return false;
    if (hidesProcMacros && isProcMacro(to)) return false;
    return !dependency.optional || features.activatesDependency(from, builtFor, dependency.nameInToml);
  }

  /** Adds the edges of a declaration by way of the features that it requests; directly if it requests none. */
  #connectByFeatures(from: number, to: number, dependency: Dependency): void {
    const { kind, nameInToml, optional, defaultFeatures, features } = dependency;
    this.#names.add(from, nameInToml, { node: to, isOptional: optional });
    if (defaultFeatures) addFeature(this.#graph, { name: 'default', from, of: to, kind });
    for (const name of features) addFeature(this.#graph, { name, from, of: to, kind });
    if (!defaultFeatures && features.length === 0) this.#graph.connect(from, to, kind);
  }
}

/** Compares declarations in cargo's order: by kind, then by name. */
function compareDependencies(a: Dependency, b: Dependency): number {
  return KIND_ORDER[a.kind] - KIND_ORDER[b.kind] || compareBytes(a.nameInToml, b.nameInToml);
}
