/** Failures of dependencies for which the search found no version. */
import { present } from '../errors/assert.ts';
import { TsregError } from '../errors/error.ts';
import { shortList } from '../errors/short-list.ts';
import { closestName } from '../errors/similar-names.ts';
import { Wording } from '../errors/wording.ts';
import type { Summary } from '../summary/summary.ts';
import { compareVersions } from '../version/compare-versions.ts';
import type { Candidates } from './candidates.ts';
import { sortedNodes, type ConflictMap, type ConflictReason } from './conflict-cache.ts';
import { describePathTo } from './describe-path.ts';
import type { Failure, NoCandidate } from './failure.ts';
import type { LockedDependency } from './locked-dependency.ts';
import { missingFeatureText } from './missing-feature.ts';
import type { Node } from './node.ts';
import { OfferedVersions } from './offered-versions.ts';
import { isMissing } from './problem.ts';
import type { State } from './state.ts';

/** A dependency that could not be satisfied, with the conflicts of its candidates. */
export interface FailedChoice {
  /** The package with the dependency. */
  readonly parent: Node;
  readonly dependency: LockedDependency;
  /** Best first; not empty. */
  readonly candidates: readonly Summary[];
  readonly conflict: ConflictMap;
}

/** The most versions in tsreg's own messages. */
const MAX_VERSIONS = 10;

/** Returns the failure of a dependency whose versions all conflict with other packages. */
export function conflictFailure(failed: FailedChoice, state: State): Failure {
  const versions = failed.candidates.map(({ id }) => id.version.text);
  const ownText =
    missingFeature(failed, state) ?? conflictText(failed, state, shortList(versions, MAX_VERSIONS));
  const cargoText = conflictText(failed, state, versions.join(', '));
  return {
    kind: 'worded',
    error: new TsregError(new Wording(ownText, cargoText), { code: 'resolve' }),
  };
}

/** Returns cargo's message. `versions` is the list of the candidates. */
function conflictText(
  { parent, dependency, candidates, conflict }: FailedChoice,
  state: State,
  versions: string,
): string {
  const { name, req } = dependency.declared;
  const lock = dependency.locked === null ? '' : `(locked to ${dependency.locked.text}) `;
  let text = `failed to select a version for \`${name}\`.
    ... required by ${describePathTo(parent, state)}
versions that meet the requirements \`${req.text}\` ${lock}are: ${versions}`;
  const nodes = sortedNodes(conflict).toReversed();
  for (const node of nodes) {
    const reason = conflict.get(node);
    if (reason !== undefined) text += explainReason(reason, node, { name, candidates, state });
  }
  const selected = nodes.filter((node) => conflict.get(node)?.kind === 'semver');
  if (selected.length > 0) {
    text += '\n\nall possible versions conflict with previously selected packages';
    for (const node of selected) text += `\n\n  previously selected ${describePathTo(node, state)}`;
  }
  return `${text}\n\nfailed to select a version for \`${name}\` which could resolve this conflict`;
}

/** Returns tsreg's message if a missing feature is the only conflict; else null. */
function missingFeature(
  { parent, dependency, candidates, conflict }: FailedChoice,
  state: State,
): string | null {
  const [only, ...others] = conflict;
  if (only === undefined || others.length > 0) return null;
  const [node, reason] = only;
  if (reason.kind === 'semver' || reason.kind === 'links') return null;
  return missingFeatureText({
    feature: reason.feature,
    dependent: node.id.name,
    note: reason.kind === 'missing-feature' ? null : NAME_NOTES[reason.kind],
    candidates,
    requirement: dependency.declared.req.text,
    requiredBy: describePathTo(parent, state),
  });
}

/** Reasons why the name of a dependency is not the name of a feature. */
const NAME_NOTES = {
  'required-dependency':
    'a required dependency with that name exists, but only optional dependencies can be used as features',
  'not-implicit-feature':
    'an optional dependency with that name exists, but that dependency uses the "dep:" syntax in the features table, so it does not have an implicit feature with that name',
} as const;

/** Returns the failure of a dependency that no version satisfies. */
export function noCandidate(
  dependency: LockedDependency,
  parent: Node,
  { candidates, state }: { readonly candidates: Candidates; readonly state: State },
): NoCandidate {
  const { declared, source, locked } = dependency;
  const offered = new OfferedVersions(candidates.problem, candidates.table);
  const rejected = offered.rejected(dependency);
  const all = offered.query(source, declared.name, () => true);
  const others = isMissing(all) ? [] : all.toSorted((a, b) => compareVersions(b.id.version, a.id.version));
  const { publishAge } = candidates.problem;
  const oldEnough = others.find((summary) => (publishAge?.tooNew(summary) ?? null) === null);
  return {
    kind: 'no-candidate',
    dependency: declared,
    source,
    locked,
    requiredBy: describePathTo(parent, state),
    rejected,
    others: others.map(({ id }) => id.version),
    newestOldEnough: oldEnough?.id.version ?? null,
    isYanked: rejected.length === 0 && others.length === 0 && offered.hasYanked(source, declared.name),
    // With `update --precise`, other names are no help.
    wantsSimilarNames: rejected.length === 0 && others.length === 0 && !offered.isPrecise(dependency),
  };
}

/** Returns the part of a message about the conflict with `node`; empty for one of versions, which has its own part. */
function explainReason(
  reason: ConflictReason,
  node: Node,
  failed: { readonly name: string; readonly candidates: readonly Summary[]; readonly state: State },
): string {
  const { name } = failed;
  const lacks = (feature: string): string =>
    `\n\npackage \`${node.id.name}\` depends on \`${name}\` with feature \`${feature}\` but \`${name}\` does not have that feature.\n`;
  switch (reason.kind) {
    case 'semver':
      return '';
    case 'links':
      return `\n\npackage \`${name}\` links to the native library \`${reason.links}\`, but it conflicts with a previous package which links to \`${reason.links}\` as well:
${describePathTo(node, failed.state)}
note: only one package in the dependency graph may specify the same links value to ensure that only one copy of a native library is linked in the final binary
for more information, see https://doc.rust-lang.org/cargo/reference/resolver.html#links
help: try to adjust your dependencies so that only one package uses the \`links = "${reason.links}"\` value`;
    case 'missing-feature':
      return lacks(reason.feature) + otherFeatures(reason.feature, failed.candidates);
    case 'required-dependency':
    case 'not-implicit-feature':
      return `${lacks(reason.feature)}note: ${NAME_NOTES[reason.kind]}.\n`;
  }
}

/** Returns the help for a missing feature: like cargo, looks at the last of the candidates. */
function otherFeatures(missing: string, candidates: readonly Summary[]): string {
  const features = Array.from(present(candidates.at(-1), 'a candidate').features.keys());
  const closest = closestName(missing, features);
  if (closest !== null) return `help: there is a feature \`${closest}\` with a similar name\n`;
  return features.length === 0 ? '' : `help: available features: ${features.join(', ')}\n`;
}
