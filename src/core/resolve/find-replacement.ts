/** `[replace]` of a manifest. Cargo Book: Overriding Dependencies. */
import { TsregError } from '../errors/error.ts';
import { describePackage, displaySource } from '../package-id/describe.ts';
import type { Dependency, Summary } from '../summary/summary.ts';
import type { LockedDependency } from './locked-dependency.ts';
import { isMissing, type ReplacementRule, type MissingSummary } from './problem.ts';

/**
 * Returns the replacement of a package, alone in a list; the list is empty if no rule matches the package. `find`
 * returns the candidates for a rule's dependency; if it returns a missing summary, so does this function. Throws
 * `resolve` if rules overlap, or if a rule finds no package, several, or one of another version.
 */
export function findReplacement<T extends MissingSummary>(
  { id }: Summary,
  rules: readonly ReplacementRule[],
  find: (dependency: LockedDependency) => readonly Summary[] | T,
): readonly Summary[] | T {
  const [rule, anotherRule] = rules.filter((candidate) => candidate.matches(id));
  if (rule === undefined) return [];
  const result = find(lockedByRule(rule.dependency));
  if (isMissing(result)) return result;
  const [replacement, anotherCandidate] = result;
  if (replacement === undefined) {
    throw replaceError(`no matching package for override \`${rule.spec}\` found
location searched: ${displaySource(rule.dependency.source)}
version required: ${rule.dependency.req.text}`);
  }
  if (anotherCandidate !== undefined) {
    const bullets = result.map((candidate) => `  * ${describePackage(candidate.id)}`).join('\n');
    throw replaceError(
      `the replacement specification \`${rule.spec}\` matched multiple packages:\n${bullets}`,
    );
  }
  if (replacement.id.version.text !== id.version.text) {
    throw replaceError(
      `replacement specification \`${rule.spec}\` matched ${id.version.text} and tried to override it with ${replacement.id.version.text}
avoid matching unrelated packages by being more specific`,
    );
  }
  if (anotherRule !== undefined) {
    throw replaceError(
      `overlapping replacement specifications found:\n\n  * ${rule.spec}\n  * ${anotherRule.spec}\n\nboth specifications match: ${describePackage(id)}`,
    );
  }
  return result;
}

/** Returns the dependency of a `[replace]` entry, which `lockReplacements` may have locked to a version. */
function lockedByRule(declared: Dependency): LockedDependency {
  return { declared, source: declared.source, locked: declared.req.locked, isOfOwnIndex: false };
}

function replaceError(message: string): TsregError {
  return new TsregError(message, { code: 'resolve' });
}
