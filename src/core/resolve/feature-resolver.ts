/**
 * Features that a build activates. This pass follows the choice of versions, and can separate build-dependencies and
 * procedural macros from all else. As in cargo's resolver/features.rs. Cargo Book: Dependency Resolution, Feature
 * resolver version 2.
 */
import { present } from '../errors/assert.ts';
import { compareBytes } from '../files/compare-bytes.ts';
import { parseFeatureValue } from '../summary/feature-value.ts';
import type { Dependency, FeatureValue, Summary } from '../summary/summary.ts';
import type { RequestedFeatures } from './problem.ts';
import type { Resolution, ResolvedPackage } from './resolution.ts';

/** The platform that a package is built for: `host` for build scripts and procedural macros, `target` for all else. */
export type BuiltFor = 'target' | 'host';

/** A package whose features are requested. */
export interface FeatureRoot {
  /** Index into the packages of the resolution. */
  readonly package: number;
  readonly requested: RequestedFeatures;
}

/** Inputs in addition to the resolution. */
export interface FeatureOptions {
  readonly roots: readonly FeatureRoot[];
  /** True for resolver 2 and later: packages for the host have separate features. */
  readonly separatesHost: boolean;
  /** True if dev-dependencies are neither built nor share their features. */
  readonly ignoresDev: boolean;
  /** Returns true if a package built for `builtFor` uses the declaration. */
  readonly isUsed: (dependency: Dependency, builtFor: BuiltFor) => boolean;
  /** Returns true if any target of the package is a procedural macro, including examples. */
  readonly isProcMacro: (packageIndex: number) => boolean;
  /** Returns true if the library of the package is a procedural macro. */
  readonly isProcMacroLibrary: (packageIndex: number) => boolean;
}

/**
 * Index of a package as it is built: even numbers are packages for the target, odd numbers those for the host. See
 * `slotOf`.
 */
type Slot = number;

/** A declaration that applies, with the slot of its package. */
interface BuiltDependency {
  readonly dependency: Dependency;
  readonly slot: Slot;
}

const NOTHING: ReadonlySet<string> = new Set();

/** The features of each package, separately for host and target. */
export class ResolvedFeatures {
  /** Activated features, by slot. */
  readonly #features: readonly (ReadonlySet<string> | undefined)[];
  /** Names of activated optional dependencies in the manifest, by slot. */
  readonly #dependencies: readonly (ReadonlySet<string> | undefined)[];
  /** Results of `featuresOf`, by slot. */
  readonly #sorted: (readonly string[] | undefined)[] = [];
  readonly #separatesHost: boolean;

  constructor(
    features: readonly (ReadonlySet<string> | undefined)[],
    dependencies: readonly (ReadonlySet<string> | undefined)[],
    separatesHost: boolean,
  ) {
    this.#features = features;
    this.#dependencies = dependencies;
    this.#separatesHost = separatesHost;
  }

  /** Returns the activated features, sorted bytewise; the same array at each call. */
  featuresOf(packageIndex: number, builtFor: BuiltFor): readonly string[] {
    const slot = this.#slot(packageIndex, builtFor);
    return (this.#sorted[slot] ??= Array.from(this.#features[slot] ?? NOTHING).sort(compareBytes));
  }

  /** Returns true if features activate the optional dependency named `nameInToml`. */
  activatesDependency(packageIndex: number, builtFor: BuiltFor, nameInToml: string): boolean {
    return this.#dependencies[this.#slot(packageIndex, builtFor)]?.has(nameInToml) === true;
  }

  #slot(packageIndex: number, builtFor: BuiltFor): Slot {
    return slotOf(packageIndex, this.#separatesHost ? builtFor : 'target');
  }
}

/** Returns the features that the roots request, and all that follow from them. */
export function resolveFeatures(resolution: Resolution, options: FeatureOptions): ResolvedFeatures {
  const resolver = new FeatureResolver(resolution, options);
  return resolver.run();
}

/** Activates features of a resolution. Only adds features, so the order of activations does not matter. */
class FeatureResolver {
  readonly #resolution: Resolution;
  readonly #options: FeatureOptions;
  // These lists are by slot. The first two become those of `ResolvedFeatures`.
  readonly #features: (Set<string> | undefined)[] = [];
  readonly #dependencies: (Set<string> | undefined)[] = [];
  /** Results of `#activeDependencies`. */
  readonly #active: (readonly BuiltDependency[] | undefined)[] = [];
  /** True if the non-optional dependencies were followed. */
  readonly #isBuilt: boolean[] = [];
  /**
   * Features of `name?/feature` values that wait until `name` is activated, by slot and name. Never cleared, as each
   * name is activated only once.
   */
  readonly #waiting = new Map<string, Set<string>>();
  /** Values that are not activated yet. */
  readonly #stack: { readonly slot: Slot; readonly value: FeatureValue }[] = [];

  constructor(resolution: Resolution, options: FeatureOptions) {
    this.#resolution = resolution;
    this.#options = options;
  }

  /** Activates everything. Call it once. */
  run(): ResolvedFeatures {
    const { roots, separatesHost, isProcMacro } = this.#options;
    for (const { package: index, requested } of roots) {
      const values = rootValues(this.#package(index).summary, requested);
      this.#build(slotOf(index, 'target'), values);
      // Other targets of a package with a macro are built for the target.
      if (separatesHost && isProcMacro(index)) this.#build(slotOf(index, 'host'), values);
    }
    for (let next = this.#stack.pop(); next !== undefined; next = this.#stack.pop()) {
      this.#activate(next.slot, next.value);
    }
    return new ResolvedFeatures(this.#features, this.#dependencies, separatesHost);
  }

  /** Adds a package with features, and all packages that its non-optional dependencies lead to. */
  #build(slot: Slot, values: readonly FeatureValue[]): void {
    this.#features[slot] ??= new Set();
    for (const value of values) this.#stack.push({ slot, value });
    if (this.#isBuilt[slot] === true) return;
    this.#isBuilt[slot] = true;
    const pending = [slot];
    for (let from = pending.pop(); from !== undefined; from = pending.pop()) {
      for (const { dependency, slot: to } of this.#activeDependencies(from)) {
        if (dependency.optional) continue;
        this.#features[to] ??= new Set();
        for (const value of this.#dependencyValues(dependency, to)) this.#stack.push({ slot: to, value });
        if (this.#isBuilt[to] === true) continue;
        this.#isBuilt[to] = true;
        pending.push(to);
      }
    }
  }

  /** Activates what a value names. Values that follow from it go to the stack. */
  #activate(slot: Slot, value: FeatureValue): void {
    switch (value.kind) {
      case 'feature':
        this.#activateFeature(slot, value.feature);
        return;
      case 'dep':
        this.#activateDependency(slot, value.dep);
        return;
      case 'dep-feature':
        this.#activateDependencyFeature(slot, value);
        return;
    }
  }

  /** Activates a feature, and puts its values on the stack. */
  #activateFeature(slot: Slot, feature: string): void {
    const features = (this.#features[slot] ??= new Set());
    if (features.has(feature)) return;
    features.add(feature);
    for (const value of this.#summaryAt(slot).features.get(feature) ?? []) this.#stack.push({ slot, value });
  }

  /** Activates an optional dependency, with the features that waited for it. */
  #activateDependency(slot: Slot, name: string): void {
    const dependencies = (this.#dependencies[slot] ??= new Set());
    if (dependencies.has(name)) return;
    dependencies.add(name);
    const waiting = this.#waiting.get(`${slot} ${name}`) ?? NOTHING;
    for (const { dependency, slot: to } of this.#activeDependencies(slot)) {
      if (dependency.nameInToml !== name) continue;
      for (const feature of waiting) this.#stack.push({ slot: to, value: parseFeatureValue(feature) });
      this.#build(to, this.#dependencyValues(dependency, to));
    }
  }

  /** Activates `name/feature`, or stores `name?/feature` until `name` is activated. */
  #activateDependencyFeature(
    slot: Slot,
    { dep, feature, weak }: Extract<FeatureValue, { kind: 'dep-feature' }>,
  ): void {
    for (const { dependency, slot: to } of this.#activeDependencies(slot)) {
      if (dependency.nameInToml !== dep) continue;
      if (dependency.optional) {
        if (weak && this.#dependencies[slot]?.has(dep) !== true) {
          this.#wait(slot, dep, feature);
          continue;
        }
        this.#activateDependency(slot, dep);
        // The implicit feature of the dependency exists unless a value with `dep:` hides it.
        if (!weak && this.#summaryAt(slot).features.has(dep)) this.#activateFeature(slot, dep);
      }
      this.#stack.push({ slot: to, value: parseFeatureValue(feature) });
    }
  }

  /** Stores a feature until the optional dependency `name` is activated. */
  #wait(slot: Slot, name: string, feature: string): void {
    const key = `${slot} ${name}`;
    const waiting = this.#waiting.get(key);
    if (waiting === undefined) this.#waiting.set(key, new Set([feature]));
    else waiting.add(feature);
  }

  /** Returns the features that a declaration requests from its package. */
  #dependencyValues({ features, defaultFeatures }: Dependency, slot: Slot): readonly FeatureValue[] {
    const values = features.map(parseFeatureValue);
    if (defaultFeatures && this.#summaryAt(slot).features.has('default')) {
      values.push({ kind: 'feature', feature: 'default' });
    }
    return values;
  }

  #activeDependencies(slot: Slot): readonly BuiltDependency[] {
    return (this.#active[slot] ??= this.#findActive(slot));
  }

  /** Finds the declarations that apply to a package, with the packages that they lead to. */
  #findActive(slot: Slot): readonly BuiltDependency[] {
    const { separatesHost, ignoresDev, isProcMacroLibrary } = this.#options;
    const isHost = isHostSlot(slot);
    const active: BuiltDependency[] = [];
    const { packages } = this.#resolution;
    for (const edge of this.#package(packageIn(slot)).edges) {
      const to = packages[edge.to]?.replacement ?? edge.to;
      for (const dependency of edge.dependencies) {
        const isBuild = dependency.kind === 'build';
        // A build script runs on the host, even if it shares the features of the target.
        if (!this.#options.isUsed(dependency, isHost || isBuild ? 'host' : 'target')) continue;
        if (ignoresDev && dependency.kind === 'dev') continue;
        const toHost = isHost || (separatesHost && (isBuild || isProcMacroLibrary(to)));
        active.push({ dependency, slot: slotOf(to, toHost ? 'host' : 'target') });
      }
    }
    return active;
  }

  #package(index: number): ResolvedPackage {
    return present(this.#resolution.packages[index], 'a package of the resolution');
  }

  #summaryAt(slot: Slot): Summary {
    return this.#package(packageIn(slot)).summary;
  }
}

/** Returns the slot of a package. `packageIn` and `isHostSlot` are its inverse. */
function slotOf(packageIndex: number, builtFor: BuiltFor): Slot {
  return packageIndex * 2 + (builtFor === 'host' ? 1 : 0);
}

function packageIn(slot: Slot): number {
  return slot >> 1;
}

function isHostSlot(slot: Slot): boolean {
  return slot % 2 === 1;
}

/** Returns the values that the command line requests from a package. */
function rootValues({ features }: Summary, requested: RequestedFeatures): readonly FeatureValue[] {
  const named = (feature: string): FeatureValue => ({ kind: 'feature', feature });
  return [
    ...requested.features,
    ...(requested.default && features.has('default') ? [named('default')] : []),
    ...(requested.all ? Array.from(features.keys(), named) : []),
  ];
}
