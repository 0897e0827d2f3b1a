/** Which features and dependencies a request turns on in one package. Cargo Book: Features. */
import type { FeatureValue, Summary } from '../summary/summary.ts';
import { NO_FEATURES, toFeatureSet, unite, type FeatureSet } from './feature-set.ts';
import type { LockedDependency } from './locked-dependency.ts';
import type { RequestedFeatures } from './problem.ts';

/** What a dependency asks of a package. */
export interface DependencyRequest {
  readonly features: FeatureSet;
  readonly default: boolean;
}

/** A dependency that is turned on, with the features that are asked of it. */
export interface ActiveDependency {
  readonly dependency: LockedDependency;
  readonly features: FeatureSet;
}

/** What a request turns on. */
export interface Activation {
  readonly features: ReadonlySet<string>;
  /** In the order of the summary. */
  readonly dependencies: readonly ActiveDependency[];
}

/** Why a package cannot satisfy a request. */
export interface ActivationProblem {
  readonly problem: 'missing-feature' | 'missing-dependency' | 'cycle';
  /** The feature or dependency. */
  readonly name: string;
}

/** A package whose dependencies are locked, as the resolver works on it. */
export interface LockedSummary {
  readonly summary: Summary;
  readonly dependencies: readonly LockedDependency[];
}

/** What `request` turns on in a package that another depends on; its dev-dependencies stay off. */
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

/** What the command line (or the lock pass, which asks for everything) turns on in a member. */
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
  for (const name of requirements.dependencies.keys()) {
    if (!names.has(name)) return { problem: 'missing-dependency', name };
  }
  return { features: requirements.features, dependencies: active };
}

/** True if an answer is a problem. */
export function isProblem(answer: Activation | ActivationProblem): answer is ActivationProblem {
  return 'problem' in answer;
}

function activeDependencies(
  dependencies: readonly LockedDependency[],
  requirements: Requirements,
  options: { readonly dev: boolean },
): readonly ActiveDependency[] {
  const active: ActiveDependency[] = [];
  const requested = requirements.dependencies;
  for (const dependency of dependencies) {
    const { declared } = dependency;
    if (declared.kind === 'dev' && !options.dev) continue;
    const asked = requested.size === 0 ? undefined : requested.get(declared.nameInToml);
    if (declared.optional && asked === undefined) continue;
    const own = declared.features.length === 0 ? NO_FEATURES : toFeatureSet(declared.features);
    active.push({ dependency, features: asked === undefined ? own : unite(own, asked) });
  }
  return active;
}

/** The closure of a request over the features of one package. */
class Requirements {
  readonly features = new Set<string>();
  /** What is asked of dependencies, by their name in the manifest; empty sets turn them on only. */
  readonly dependencies = new Map<string, Set<string>>();
  readonly #summary: Summary;
  /** Features whose values are being followed, the innermost last. */
  readonly #open: { readonly feature: string; readonly values: readonly FeatureValue[]; next: number }[] = [];
  #problem: ActivationProblem = { problem: 'cycle', name: '' };

  constructor(summary: Summary) {
    this.#summary = summary;
  }

  /** Why the last requirement was not met. */
  problem(): ActivationProblem {
    return this.#problem;
  }

  requireDefault(): boolean {
    return !this.#summary.features.has('default') || this.requireFeature('default');
  }

  requireFeature(feature: string): boolean {
    return this.#enter(feature) && this.#followAll();
  }

  requireValue(value: FeatureValue): boolean {
    return this.#follow(value) && this.#followAll();
  }

  /** Follows what the open features enable, depth first. Features lead to each other in chains of any length. */
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

  #enter(feature: string): boolean {
    if (this.features.has(feature)) return true;
    this.features.add(feature);
    const values = this.#summary.features.get(feature);
    if (values === undefined) return this.#fail('missing-feature', feature);
    if (values.length > 0) this.#open.push({ feature, values, next: 0 });
    return true;
  }

  #follow(value: FeatureValue): boolean {
    switch (value.kind) {
      case 'feature':
        return this.#enter(value.feature);
      case 'dep':
        this.#requireDependency(value.dep);
        return true;
      case 'dep-feature':
        if (!value.weak && this.#hasImplicitFeature(value.dep) && !this.#enter(value.dep)) return false;
        // A weak one turns the dependency on as well: only the feature resolver of a build tells them apart.
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

  #requireDependency(name: string): Set<string> {
    let asked = this.dependencies.get(name);
    if (asked === undefined) this.dependencies.set(name, (asked = new Set()));
    return asked;
  }

  #fail(problem: ActivationProblem['problem'], name: string): false {
    this.#problem = { problem, name };
    return false;
  }
}
