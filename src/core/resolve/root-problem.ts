/** Requests that a package cannot satisfy: an error for a member, a conflict for a candidate. */
import { closestNameHint } from '../errors/similar-names.ts';
import { TsregError } from '../errors/error.ts';
import { describePackage } from '../package-id/describe.ts';
import type { Summary } from '../summary/summary.ts';
import type { ActivationProblem } from './activation.ts';
import type { ConflictReason } from './conflict-cache.ts';

/** Maximum number of features in a hint, as in cargo. */
const MAX_SUGGESTIONS = 3;

/** Returns the conflict of a candidate without a requested feature. */
export function conflictReason({ name }: ActivationProblem, summary: Summary): ConflictReason {
  const named = summary.dependencies.filter((dependency) => dependency.nameInToml === name);
  if (named.length === 0) return { kind: 'missing-feature', feature: name };
  const isOptional = named.some((dependency) => dependency.optional);
  return { kind: isOptional ? 'not-implicit-feature' : 'required-dependency', feature: name };
}

/** Returns the error for a member without what the command line requests, or for a feature that includes itself. */
export function rootProblemError({ problem, name }: ActivationProblem, summary: Summary): TsregError {
  return new TsregError(problemMessage(problem, name, summary), { code: 'resolve' });
}

function problemMessage(problem: ActivationProblem['problem'], name: string, summary: Summary): string {
  const owner = `package \`${describePackage(summary.id)}\``;
  if (problem === 'cycle') return `cyclic feature dependency: feature \`${name}\` depends on itself`;
  if (problem === 'missing-dependency') return `${owner} does not have a dependency named \`${name}\``;
  switch (conflictReason({ problem, name }, summary).kind) {
    case 'required-dependency':
      return `${owner} does not have feature \`${name}\`

help: a dependency with that name exists but it is required dependency and only optional dependencies can be used as features.`;
    case 'not-implicit-feature':
      return `${owner} does not have feature \`${name}\`

help: an optional dependency with that name exists, but the \`features\` table includes it with the "dep:" syntax so it does not have an implicit feature with that name${enablingFeaturesHint(name, summary)}`;
    default: {
      const hint = closestNameHint(name, summary.features.keys(), 'feature');
      return `${owner} does not have the feature \`${name}\`${hint}`;
    }
  }
}

/** Returns a hint with the features that activate an optional dependency; empty if there are none. */
function enablingFeaturesHint(dependency: string, summary: Summary): string {
  const enabling: string[] = [];
  for (const [feature, values] of summary.features) {
    const enables = values.some(
      (value) =>
        (value.kind === 'dep' || (value.kind === 'dep-feature' && !value.weak)) && value.dep === dependency,
    );
    if (enables) enabling.push(feature);
  }
  if (enabling.length === 0) return '';
  const lines = enabling.slice(0, MAX_SUGGESTIONS).map((feature) => `\n\t- \`${feature}\``);
  const more = enabling.length > MAX_SUGGESTIONS ? '\n\t  ...' : '';
  return `\nDependency \`${dependency}\` would be enabled by these features:${lines.join('')}${more}`;
}
