/** The values of `[features]`, and the checks on them. Cargo Book: Features. */
import { closestNameHint } from '../errors/similar-names.ts';
import { compareBytes } from '../files/compare-bytes.ts';
import { sortByKey } from '../files/sort-by-key.ts';
import { featureNameProblem } from './feature-name.ts';
import type { Dependency, FeatureValue } from './summary.ts';

/** The values of features by name, sorted bytewise. */
export type FeatureMap = ReadonlyMap<string, readonly FeatureValue[]>;

/** The problem with a `[features]` table. */
export interface FeatureProblem {
  /** cargo's message. */
  readonly message: string;
  /** The value that names a dependency that does not exist, and its feature, for a snippet; null for other problems. */
  readonly missing: { readonly feature: string; readonly dependency: string; readonly weak: boolean } | null;
}

/** The result of `buildFeatureMap`. Exactly one of the two is null. */
export type FeatureMapResult =
  | { readonly features: FeatureMap; readonly problem: null }
  | { readonly features: null; readonly problem: FeatureProblem };

/** The features and dependencies of a package, for the checks of its values. */
interface FeatureScope {
  /** The features of the `[features]` table. */
  readonly written: ReadonlyMap<string, readonly string[]>;
  /** The dependencies by the name in the manifest. `optional` is true if any table declares them so. */
  readonly dependencies: ReadonlyMap<string, { readonly optional: boolean }>;
  /** Names that some value mentions with `dep:`. */
  readonly explicitDeps: ReadonlySet<string>;
  /** Written and implicit features. */
  readonly all: FeatureMap;
}

/** Parses one value: `feature`, `dep:name`, `name/feature` or `name?/feature`. Every text is a valid value. */
export function parseFeatureValue(text: string): FeatureValue {
  const slash = text.indexOf('/');
  if (slash >= 0) {
    const weak = slash > 0 && text.charAt(slash - 1) === '?';
    return {
      kind: 'dep-feature',
      dep: text.slice(0, weak ? slash - 1 : slash),
      feature: text.slice(slash + 1),
      weak,
    };
  }
  return text.startsWith('dep:') ? { kind: 'dep', dep: text.slice(4) } : { kind: 'feature', feature: text };
}

/** Returns the text that `parseFeatureValue` parses as `value`. */
export function formatFeatureValue(value: FeatureValue): string {
  switch (value.kind) {
    case 'feature':
      return value.feature;
    case 'dep':
      return `dep:${value.dep}`;
    case 'dep-feature':
      return `${value.dep}${value.weak ? '?' : ''}/${value.feature}`;
  }
}

/**
 * Parses a `[features]` table (features with their values as written) and checks it against the dependencies. Adds the
 * implicit feature of every optional dependency that no value mentions with `dep:`. Returns the first problem instead
 * if there is one.
 */
export function buildFeatureMap(
  written: ReadonlyMap<string, readonly string[]>,
  dependencies: readonly Pick<Dependency, 'nameInToml' | 'optional'>[],
): FeatureMapResult {
  const dependencyNames = new Map<string, { optional: boolean }>();
  for (const { nameInToml, optional } of dependencies) {
    const known = dependencyNames.get(nameInToml);
    if (known === undefined) dependencyNames.set(nameInToml, { optional });
    else known.optional ||= optional;
  }
  const explicitDeps = new Set<string>();
  const unsorted = new Map<string, readonly FeatureValue[]>();
  const parseAndCollect = (text: string): FeatureValue => {
    const value = parseFeatureValue(text);
    if (value.kind === 'dep') explicitDeps.add(value.dep);
    return value;
  };
  // Here and below, `forEach` avoids iterator objects, which would be a sixth of all objects of a first run.
  written.forEach((texts, feature) => unsorted.set(feature, texts.map(parseAndCollect)));
  dependencyNames.forEach(({ optional }, dep) => {
    if (optional && !written.has(dep) && !explicitDeps.has(dep)) unsorted.set(dep, [{ kind: 'dep', dep }]);
  });
  const all: FeatureMap = sortByKey(unsorted);
  const scope: FeatureScope = { written, dependencies: dependencyNames, explicitDeps, all };
  const problem = findProblem(scope);
  return problem === null ? { features: all, problem: null } : { features: null, problem };
}

/** Returns the first problem in cargo's order: features by name, then dependencies that no feature enables. */
function findProblem(scope: FeatureScope): FeatureProblem | null {
  const enabled = new Set<string>();
  const problems: (string | FeatureProblem)[] = [];
  const addProblem = (problem: string | FeatureProblem | null): void => {
    if (problem !== null) problems.push(problem);
  };
  scope.all.forEach((values, feature) => {
    addProblem(featureNameProblem(feature));
    values.forEach((value) => {
      // Only the first problem counts, and its hint compares the names of all features.
      if (problems.length === 0) addProblem(valueProblem(feature, value, scope));
      if (value.kind !== 'feature') enabled.add(value.dep);
    });
  });
  scope.dependencies.forEach(({ optional }, dep) => {
    if (!optional || enabled.has(dep)) return;
    addProblem(`optional dependency \`${dep}\` is not included in any feature
Make sure that \`dep:${dep}\` is included in one of features in the [features] table.`);
  });
  const [first = null] = problems;
  return typeof first === 'string' ? { message: first, missing: null } : first;
}

/** Returns the problem with a value of `feature`, as text if it is only a message; null if the value is valid. */
function valueProblem(
  feature: string,
  value: FeatureValue,
  scope: FeatureScope,
): string | FeatureProblem | null {
  switch (value.kind) {
    case 'feature':
      return namedFeatureProblem(feature, value, scope);
    case 'dep': {
      const dependency = scope.dependencies.get(value.dep);
      if (dependency === undefined)
        return `${inclusionText(feature, value)}, but \`${value.dep}\` is not listed as a dependency`;
      return dependency.optional ? null : notOptionalMessage(inclusionText(feature, value), value.dep);
    }
    case 'dep-feature':
      return dependencyFeatureProblem(feature, value, scope);
  }
}

/** Does the same as `valueProblem`, for a value that names a feature. */
function namedFeatureProblem(
  feature: string,
  value: Extract<FeatureValue, { kind: 'feature' }>,
  scope: FeatureScope,
): string | null {
  const name = value.feature;
  if (scope.written.has(name)) return null;
  const dependency = scope.dependencies.get(name);
  if (dependency === undefined) {
    const names = Array.from(scope.written.keys()).sort(compareBytes);
    const hint = closestNameHint(name, names, 'feature');
    return `${inclusionText(feature, value)} which is neither a dependency nor another feature${hint}`;
  }
  if (!dependency.optional) return notOptionalMessage(inclusionText(feature, value), name);
  if (scope.all.has(name)) return null;
  return `${inclusionText(feature, value)}, but \`${name}\` is an optional dependency without an implicit feature
Use \`dep:${name}\` to enable the dependency.`;
}

/** Does the same as `valueProblem`, for a value that names a feature of a dependency. */
function dependencyFeatureProblem(
  feature: string,
  value: Extract<FeatureValue, { kind: 'dep-feature' }>,
  scope: FeatureScope,
): string | FeatureProblem | null {
  const { dep, weak } = value;
  if (value.feature.includes('/')) {
    return `multiple slashes in feature \`${formatFeatureValue(value)}\` (included by feature \`${feature}\`) are not allowed`;
  }
  if (dep.startsWith('dep:')) return depAndSlashMessage(inclusionText(feature, value), value, scope);
  const dependency = scope.dependencies.get(dep);
  if (dependency === undefined) {
    return {
      message: `${inclusionText(feature, value)}, but \`${dep}\` is not a dependency`,
      missing: { feature, dependency: dep, weak },
    };
  }
  if (!weak || dependency.optional) return null;
  return `${inclusionText(feature, value)} with a \`?\`, but \`${dep}\` is not an optional dependency
A non-optional dependency of the same name is defined; consider removing the \`?\` or changing the dependency to be optional`;
}

/** Returns the start of a message about a value. */
function inclusionText(feature: string, value: FeatureValue): string {
  return `feature \`${feature}\` includes \`${formatFeatureValue(value)}\``;
}

function notOptionalMessage(start: string, name: string): string {
  return `${start}, but \`${name}\` is not an optional dependency
A non-optional dependency of the same name is defined; consider adding \`optional = true\` to its definition.`;
}

/** Returns the message about `dep:name/feature`. `start` is its start. */
function depAndSlashMessage(
  start: string,
  value: Extract<FeatureValue, { kind: 'dep-feature' }>,
  { dependencies, explicitDeps }: FeatureScope,
): string {
  const dep = value.dep.slice('dep:'.length);
  const makesImplicitFeature =
    !value.weak && !explicitDeps.has(dep) && dependencies.get(dep)?.optional === true;
  const help = makesImplicitFeature
    ? `
If the intent is to avoid creating an implicit feature \`${dep}\` for an optional dependency, then consider replacing this with two values:
    "dep:${dep}", "${dep}/${value.feature}"`
    : '';
  return `${start} with both \`dep:\` and \`/\`
To fix this, remove the \`dep:\` prefix.${help}`;
}
