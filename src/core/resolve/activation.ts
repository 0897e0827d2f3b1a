/** Features and dependencies that a request activates in a package. Cargo Book: Features. */
import { present } from '../errors/assert.ts';
import type { FeatureValue, Summary } from '../summary/summary.ts';
import { NO_FEATURES, toFeatureSet, unite, type FeatureSet } from './feature-set.ts';
import type { LockedDependency } from './locked-dependency.ts';
import type { RequestedFeatures } from './problem.ts';

/** The features that a dependency requests from a package. */
export interface DependencyRequest {
  readonly features: FeatureSet;
  /** True for the feature `default`, if the package has it. */
  readonly default: boolean;
}

/** An active dependency, with the features requested from it. */
export interface ActiveDependency {
  readonly dependency: LockedDependency;
  readonly features: FeatureSet;
}

/** The features and dependencies that a request activates. */
export interface Activation {
  readonly features: ReadonlySet<string>;
  /** In the order of the summary. */
  readonly dependencies: readonly ActiveDependency[];
}

/** The reason why a package cannot satisfy a request. */
export interface ActivationProblem {
  readonly problem: 'missing-feature' | 'missing-dependency' | 'cycle';
  /** Name of the feature or dependency. */
  readonly name: string;
}

/** A package whose dependencies are locked. */
export interface LockedSummary {
  readonly summary: Summary;
  readonly dependencies: readonly LockedDependency[];
}

/** Returns what `request` activates in a package that another depends on. Its dev-dependencies stay inactive. */
export function activate(
  { summary, dependencies }: LockedSummary,
  request: DependencyRequest,
): Activation | ActivationProblem {
  const requirements = new Requirements(summary);
  for (const feature of request.features.names) {
    if (!requirements.requireFeature(feature)) return requirements.problem();
  }
  if (request.default && !requirements.requireDefault()) return requirements.problem();
  return {
    features: requirements.features,
    dependencies: activeDependencies(dependencies, requirements, { dev: false }),
  };
}

/**
 * Returns what the command line activates in a member, dev-dependencies included. For the lock pass, `request` has all
 * features.
 */
export function activateRoot(
  { summary, dependencies }: LockedSummary,
  request: RequestedFeatures,
): Activation | ActivationProblem {
  const requirements = new Requirements(summary);
  if (request.all) {
    for (const feature of summary.features.keys()) {
      if (!requirements.requireFeature(feature)) return requirements.problem();
    }
  }
  for (const value of request.features) {
    if (!requirements.requireValue(value)) return requirements.problem();
  }
  if (request.default && !requirements.requireDefault()) return requirements.problem();
  const active = activeDependencies(dependencies, requirements, { dev: true });
  const names = new Set(active.map(({ dependency }) => dependency.declared.nameInToml));
  // Only command-line values can name missing dependencies: `buildFeatureMap` has checked those of `[features]`.
  for (const name of requirements.dependencies.keys()) {
    if (!names.has(name)) return { problem: 'missing-dependency', name };
  }
  return { features: requirements.features, dependencies: active };
}

/** Returns true if the active features of a package include all that a request needs. */
export function hasRequested(
  active: ReadonlySet<string>,
  request: DependencyRequest,
  { summary }: { readonly summary: Summary },
): boolean {
  const hasDefault = !request.default || active.has('default') || !summary.features.has('default');
  return hasDefault && request.features.names.every((feature) => active.has(feature));
}

/** Returns true if the result is a problem. */
export function isProblem(result: Activation | ActivationProblem): result is ActivationProblem {
  return 'problem' in result;
}

/** Returns the dependencies that `requirements` activates, with the features of declaration and request. */
function activeDependencies(
  dependencies: readonly LockedDependency[],
  requirements: Requirements,
  options: { readonly dev: boolean },
): readonly ActiveDependency[] {
  const active: ActiveDependency[] = [];
  const featuresByName = requirements.dependencies;
  for (const dependency of dependencies) {
    const { declared } = dependency;
    if (declared.kind === 'dev' && !options.dev) continue;
    const requested = featuresByName.size === 0 ? undefined : featuresByName.get(declared.nameInToml);
    if (declared.optional && requested === undefined) continue;
    const listed = declared.features.length === 0 ? NO_FEATURES : toFeatureSet(declared.features);
    active.push({ dependency, features: requested === undefined ? listed : unite(listed, requested) });
  }
  return active;
}

/**
 * Collects the features and dependencies of one package that a request activates. Each `require…` method returns false
 * if the package cannot satisfy the request. `problem` then returns the reason, and the object must not be used again.
 */
class Requirements {
  readonly features = new Set<string>();
  /** Features requested from dependencies, by name in the manifest. An empty set only activates one. */
  readonly dependencies = new Map<string, Set<string>>();
  readonly #summary: Summary;
  /** Features whose values are being followed, innermost last. `next` is the index of the next value. */
  readonly #open: { readonly feature: string; readonly values: readonly FeatureValue[]; next: number }[] = [];
  #problem: ActivationProblem | null = null;

  constructor(summary: Summary) {
    this.#summary = summary;
  }

  /** Returns the reason why a `require…` method returned false. */
  problem(): ActivationProblem {
    return present(this.#problem, 'the reason why a package cannot satisfy a request');
  }

  /** Activates the feature `default` if the package has it. */
  requireDefault(): boolean {
    return !this.#summary.features.has('default') || this.requireFeature('default');
  }

  /** Activates a feature and all that follows from it. */
  requireFeature(feature: string): boolean {
    return this.#enter(feature) && this.#followAll();
  }

  /** Activates what a value names and all that follows from it. */
  requireValue(value: FeatureValue): boolean {
    return this.#follow(value) && this.#followAll();
  }

  /**
   * Follows the values of open features, depth first. Needs a stack, as chains can have any length. Like cargo, rejects
   * only a feature that names itself. Longer cycles end because `#enter` opens each feature once.
   */
  #followAll(): boolean {
    for (let last = this.#open.at(-1); last !== undefined; last = this.#open.at(-1)) {
      const value = last.values[last.next];
      last.next += 1;
      if (value === undefined) this.#open.pop();
      else if (value.kind === 'feature' && value.feature === last.feature) {
        return this.#fail('cycle', last.feature);
      } else if (!this.#follow(value)) return false;
    }
    return true;
  }

  /** Activates a feature and opens its values for `#followAll`. Returns false if the package lacks it. */
  #enter(feature: string): boolean {
    if (this.features.has(feature)) return true;
    this.features.add(feature);
    const values = this.#summary.features.get(feature);
    if (values === undefined) return this.#fail('missing-feature', feature);
    if (values.length > 0) this.#open.push({ feature, values, next: 0 });
    return true;
  }

  /** Activates what a value names. Opens features for `#followAll`. Returns false if the package lacks one. */
  #follow(value: FeatureValue): boolean {
    switch (value.kind) {
      case 'feature':
        return this.#enter(value.feature);
      case 'dep':
        this.#requireDependency(value.dep);
        return true;
      case 'dep-feature':
        if (!value.weak && this.#hasImplicitFeature(value.dep) && !this.#enter(value.dep)) return false;
        // A weak value activates the dependency too: only the feature resolver distinguishes them.
        this.#requireDependency(value.dep).add(value.feature);
        return true;
    }
  }

  #hasImplicitFeature(name: string): boolean {
    const { features, dependencies } = this.#summary;
    return (
      features.has(name) &&
      dependencies.some((dependency) => dependency.nameInToml === name && dependency.optional)
    );
  }

  /** Activates a dependency. Returns the set of features requested from it. */
  #requireDependency(name: string): Set<string> {
    let features = this.dependencies.get(name);
    if (features === undefined) {
      features = new Set();
      this.dependencies.set(name, features);
    }
    return features;
  }

  /** Stores the reason for `problem`. Returns false, for the caller to return. */
  #fail(problem: ActivationProblem['problem'], name: string): false {
    this.#problem = { problem, name };
    return false;
  }
}
