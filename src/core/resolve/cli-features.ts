/** Features that the command line requests from members. Cargo Book: Features, Command-line feature options. */
import { TsregError } from '../errors/error.ts';
import { closestNameHint, editDistance, likelyNames } from '../errors/similar-names.ts';
import { Wording } from '../errors/wording.ts';
import { compareBytes } from '../files/compare-bytes.ts';
import { formatFeatureValue } from '../summary/feature-value.ts';
import type { FeatureValue, Summary } from '../summary/summary.ts';
import { type UnknownFeatures, unknownFeaturesText } from './missing-feature.ts';
import { compareFeatureValues } from './parse-cli-features.ts';
import type { RequestedFeatures, Root } from './problem.ts';

/** The members of a workspace that the command line's features are for. */
export interface FeatureSelection {
  /** Selected members, in discovery order. */
  readonly members: readonly Summary[];
  /** The other members; empty by default. Messages name those that have an unknown feature. */
  readonly others?: readonly Summary[];
  /** Names by which the user selected packages, which need not be members. */
  readonly names?: readonly string[];
  /** The package that the command was started on; null for a virtual manifest. */
  readonly current: Summary | null;
  /** False for resolver 1 in a package: the flags apply to the current package only. */
  readonly isForAllMembers: boolean;
}

/** Maximum number of suggestions, as in cargo. */
const MAX_SUGGESTIONS = 5;

/** Requests every feature of every member, for the lock pass. */
export function allFeatures(members: readonly Summary[]): readonly Root[] {
  const requested: RequestedFeatures = { features: [], all: true, default: true };
  return members.map((summary) => ({ summary, requested }));
}

/**
 * Returns the selected members with the features requested from each; if none is selected, all members with their
 * default features. Throws `resolve` if the flags apply to all members and a feature belongs to no selected member.
 * Otherwise an unknown feature is reported when the member is resolved.
 */
export function selectFeatures(requested: RequestedFeatures, selection: FeatureSelection): readonly Root[] {
  return selection.isForAllMembers
    ? forAllMembers(requested, selection)
    : forCurrentMember(requested, selection);
}

/** Applies the flags to all members. Each gets the features that it has; some member must have each feature. */
function forAllMembers(
  requested: RequestedFeatures,
  { members, others = [], names = [] }: FeatureSelection,
): readonly Root[] {
  if (members.length === 0 && others.length > 0) return withDefaultFeatures(others, requested, { names });
  const known = new Set<FeatureValue>();
  const roots = members.map((summary): Root => {
    if (requested.features.length === 0) return { summary, requested };
    const features = new Map<string, FeatureValue>();
    for (const value of requested.features) {
      const memberValue = valueInMember(value, summary);
      if (memberValue === null) continue;
      known.add(value);
      features.set(formatFeatureValue(memberValue), memberValue);
    }
    const sorted = Array.from(features.values()).sort(compareFeatureValues);
    return { summary, requested: { ...requested, features: sorted } };
  });
  const unknown = requested.features.filter((value) => !known.has(value));
  if (unknown.length > 0) throw unknownFeatures(unknown, requested, { members, others });
  return roots;
}

/** Requests the default features of unselected members. Throws `resolve` if the flags request anything else. */
function withDefaultFeatures(
  members: readonly Summary[],
  requested: RequestedFeatures,
  { names }: { readonly names: readonly string[] },
): readonly Root[] {
  if (requested.features.length > 0 || requested.all || !requested.default) {
    const known = members.map(({ id }) => id.name);
    const hints = names.map((name) => closestNameHint(name, known, 'workspace member'));
    const hint = hints.find((text) => text !== '') ?? '';
    throw featureError(`cannot specify features for packages outside of workspace${hint}`);
  }
  return members.map((summary) => ({ summary, requested }));
}

/** Returns the meaning of a value in one member; null if it does not apply there. */
function valueInMember(value: FeatureValue, summary: Summary): FeatureValue | null {
  switch (value.kind) {
    case 'feature':
      return hasFeature(value.feature, summary) ? value : null;
    case 'dep':
      return null;
    case 'dep-feature':
      if (summary.dependencies.some(({ nameInToml }) => nameInToml === value.dep)) return value;
      return value.dep === summary.id.name && hasFeature(value.feature, summary)
        ? { kind: 'feature', feature: value.feature }
        : null;
  }
}

/** Returns true if the command line can request a feature: one of `[features]`, or an optional dependency. */
function hasFeature(name: string, summary: Summary): boolean {
  return summary.features.has(name) || optionalNames(summary).includes(name);
}

/** For resolver 1: all flags apply to the current package, but `member/feature` applies to that member. */
function forCurrentMember(requested: RequestedFeatures, selection: FeatureSelection): readonly Root[] {
  const { members, others = [], current } = selection;
  // The features of the current package count even if it is not selected.
  const roots = current !== null && others.includes(current) ? [current, ...members] : members;
  const forCurrent: FeatureValue[] = [];
  const forOthers = new Map<string, FeatureValue[]>();
  for (const value of requested.features) {
    const isForOther =
      value.kind === 'dep-feature' &&
      members.some((member) => member !== current && member.id.name === value.dep);
    if (!isForOther) {
      forCurrent.push(value);
      continue;
    }
    const feature: FeatureValue = { kind: 'feature', feature: value.feature };
    const known = forOthers.get(value.dep);
    if (known === undefined) forOthers.set(value.dep, [feature]);
    else known.push(feature);
  }
  return roots.map((summary): Root => {
    if (summary === current) return { summary, requested: { ...requested, features: forCurrent } };
    const features = forOthers.get(summary.id.name) ?? [];
    forOthers.delete(summary.id.name);
    return { summary, requested: { features, all: requested.all, default: true } };
  });
}

/** Returns the error about features that no selected member has, with their owners or similar names. */
function unknownFeatures(
  unknown: readonly FeatureValue[],
  requested: RequestedFeatures,
  { members, others }: { readonly members: readonly Summary[]; readonly others: readonly Summary[] },
): TsregError {
  const names = unknown.map(formatFeatureValue).sort(compareBytes);
  const owners = others.filter(({ features }) => names.some((name) => features.has(name)));
  const similar = suggestions(unknown, requested, members);
  const likely = similar.filter((name) => names.some((typed) => likelyNames(typed, [name]).length > 0));
  const ownText = unknownFeaturesText(names, { members, owners, similar: likely });
  const cargoText = cargoUnknownFeatures(names, {
    members,
    owners,
    similar: similar.slice(0, MAX_SUGGESTIONS),
  });
  return new TsregError(new Wording(ownText, cargoText), { code: 'resolve' });
}

/** Returns cargo's message. */
function cargoUnknownFeatures(
  names: readonly string[],
  { members, owners, similar }: UnknownFeatures,
): string {
  const isSingle = names.length === 1;
  const subject = `${isSingle ? 'this feature' : 'these features'}: ${names.join(', ')}`;
  const memberNames = members.map(({ id }) => id.name).join(', ');
  const text =
    members.length === 1
      ? `the package '${memberNames}' does not contain ${subject}`
      : `none of the selected packages contains ${subject}\nselected packages: ${memberNames}`;
  if (owners.length > 0) {
    const packages = `package${owners.length === 1 ? '' : 's'} with the missing feature${isSingle ? '' : 's'}`;
    return `${text}\nhelp: ${packages}: ${owners.map(({ id }) => id.name).join(', ')}`;
  }
  if (similar.length === 0) return text;
  const intro = similar.length === 1 ? 'is a similarly named feature' : 'are similarly named features';
  return `${text}\nhelp: there ${intro}: ${similar.join(', ')}`;
}

/** Returns names similar to unknown features, without those that the command line requests. */
function suggestions(
  unknown: readonly FeatureValue[],
  requested: RequestedFeatures,
  members: readonly Summary[],
): readonly string[] {
  const similar = new Set(unknown.flatMap((value) => similarFeatures(value, members)));
  for (const value of requested.features) similar.delete(formatFeatureValue(value));
  return Array.from(similar).sort(compareBytes);
}

/** Returns names similar to one unknown feature, as in cargo's `report_unknown_features_error`. */
function similarFeatures(value: FeatureValue, members: readonly Summary[]): readonly string[] {
  if (value.kind === 'dep') return [];
  if (value.kind === 'feature') {
    const known = [...members.flatMap(featureNames), ...members.flatMap(optionalNames)];
    return known.filter((name) => isNear(name, value.feature));
  }
  const similar: string[] = [];
  // Of several dependencies of one name, the last one counts.
  const dependencies = new Map(
    members.flatMap((member) =>
      member.dependencies.map(({ nameInToml, features }) => [nameInToml, features] as const),
    ),
  );
  for (const [name, features] of dependencies) {
    if (!isNear(name, value.dep)) continue;
    for (const feature of features) if (isNear(feature, value.feature)) similar.push(`${name}/${feature}`);
  }
  for (const member of members) {
    const { name } = member.id;
    if (!isNear(name, value.dep)) continue;
    for (const optional of optionalNames(member)) {
      // Not `value.feature`: cargo compares these with the dependency.
      if (isNear(optional, value.dep)) similar.push(`${name}/${optional}`);
    }
    for (const feature of member.features.keys()) {
      if (isNear(feature, value.feature)) similar.push(`${name}/${feature}`);
    }
  }
  return similar;
}

function featureNames({ features }: Summary): readonly string[] {
  return Array.from(features.keys());
}

/** Returns the names of optional dependencies. Of several declarations of a name, the last one counts. */
function optionalNames({ dependencies }: Summary): readonly string[] {
  const optional = new Map(dependencies.map((dependency) => [dependency.nameInToml, dependency.optional]));
  return Array.from(optional.keys()).filter((name) => optional.get(name) === true);
}

function isNear(a: string, b: string): boolean {
  return editDistance(a, b) !== null;
}

function featureError(message: string): TsregError {
  return new TsregError(message, { code: 'resolve' });
}
