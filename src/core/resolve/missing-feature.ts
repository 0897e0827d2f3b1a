/** tsreg's own messages about features that do not exist. */
import { present } from '../errors/assert.ts';
import { shortList } from '../errors/short-list.ts';
import { closestName, likelyNames } from '../errors/similar-names.ts';
import { compareBytes } from '../files/compare-bytes.ts';
import type { Summary } from '../summary/summary.ts';

/** The most features or packages in a message. */
const MAX_NAMES = 10;
/** The most versions in a message. */
const MAX_VERSIONS = 3;

/** A dependency with a feature that no version has. */
export interface MissingFeature {
  readonly feature: string;
  /** The name of the package that enables the feature. */
  readonly dependent: string;
  /** A sentence without a full stop on why the name is no feature, if it is the name of a dependency; else null. */
  readonly note: string | null;
  /** The versions that meet the requirement, best first; not empty. */
  readonly candidates: readonly Summary[];
  /** The text of the requirement. */
  readonly requirement: string;
  /** ``package `p v0.1.0 (/p)` `` and the path of dependencies that leads there. */
  readonly requiredBy: string;
}

/** Returns the message: first the package without the feature, then similar features, then details. */
export function missingFeatureText(missing: MissingFeature): string {
  const { feature, dependent, note, candidates, requirement, requiredBy } = missing;
  const { id, features } = present(candidates[0], 'a candidate');
  const versions = candidates.map(({ id: { version } }) => version.text);
  return [
    `\`${id.name}\` does not have the feature \`${feature}\`, which package \`${dependent}\` enables`,
    ...(note === null ? knownFeatures(feature, Array.from(features.keys())) : [`note: ${note}`]),
    '',
    `required by ${requiredBy}`,
    `versions that meet the requirement \`${requirement}\`: ${shortList(versions, MAX_VERSIONS)}`,
  ].join('\n');
}

/** Packages and names for the message about features that no selected package has. */
export interface UnknownFeatures {
  /** The selected packages. */
  readonly members: readonly Summary[];
  /** Names of features that may be meant. */
  readonly similar: readonly string[];
  /** Other packages with some of the features. */
  readonly owners: readonly Summary[];
}

/** Returns the message about features of the command line that no selected package has. */
export function unknownFeaturesText(
  features: readonly string[],
  { members, similar, owners }: UnknownFeatures,
): string {
  const names = members.map(({ id }) => id.name);
  const ownerNames = owners.map(({ id }) => id.name);
  const isOnly = names.length === 1;
  const subject = isOnly ? `package \`${names.join()}\` does not have` : 'no selected package has';
  const object = features.length === 1 ? 'the feature' : 'these features:';
  const known = new Set(members.flatMap((member) => Array.from(member.features.keys())));
  return [
    `${subject} ${object} ${quoted(features)}`,
    ...(owners.length > 0
      ? [`help: select a package that has it with \`--package\`: ${shortList(ownerNames, MAX_NAMES)}`]
      : suggestions(similar, Array.from(known))),
    ...(isOnly ? [] : [`selected packages: ${shortList(names, MAX_NAMES)}`]),
  ].join('\n');
}

/** Returns a line about the feature that was probably meant, else about all features. */
function knownFeatures(feature: string, known: readonly string[]): readonly string[] {
  const closest = closestName(feature, likelyNames(feature, known));
  return suggestions(closest === null ? [] : [closest], known);
}

function suggestions(similar: readonly string[], known: readonly string[]): readonly string[] {
  if (similar.length === 1) return [`help: a feature with a similar name exists: ${quoted(similar)}`];
  if (similar.length > 1) return [`help: features with similar names exist: ${quoted(similar)}`];
  const selectable = known.filter((name) => name !== 'default').toSorted(compareBytes);
  return selectable.length === 0 ? [] : [`help: available features: ${shortList(selectable, MAX_NAMES)}`];
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ');
}
