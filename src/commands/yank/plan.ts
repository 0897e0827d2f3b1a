/** Selects the versions to yank or unyank. Cargo Book: cargo yank. */
import { asUsageError, TsregError, withContext } from '../../core/errors/error.ts';
import type { Report } from '../../core/report/report.ts';
import type { RemoteRegistry } from '../../io/sources/remote-registry.ts';
import { compareVersions } from '../../core/version/compare-versions.ts';
import { matchesReq } from '../../core/version/matches-req.ts';
import { parseVersionReq, type VersionReq } from '../../core/version/requirement.ts';
import { parseVersion } from '../../core/version/version.ts';

/** One version of a crate. */
export interface CrateVersion {
  readonly name: string;
  readonly version: string;
}

/** Returns the spelling of a version on the command line: `crate@version`. */
export function describeVersion({ name, version }: CrateVersion): string {
  return `${name}@${version}`;
}

/** A version to change. */
export interface PlannedVersion extends CrateVersion {
  /** True if a range selected it. If the registry refuses this version, the others can still succeed. */
  readonly isOfRange: boolean;
}

/** A crate and its versions to change. A null name is determined later; a null version is taken from a manifest. */
export interface YankTarget {
  readonly name: string | null;
  readonly version: VersionChoice | null;
}

/** One version as given, or a range of versions. */
export type VersionChoice =
  | { readonly kind: 'exact'; readonly version: string }
  | { readonly kind: 'range'; readonly requirement: VersionReq };

/** The accepted forms of versions. */
export interface TargetForm {
  /** True to accept only single versions, as cargo does. */
  readonly isExact: boolean;
}

/**
 * Parses `crate@version` arguments. `version` is the value of `--version`; it applies to crates without their own.
 * Throws with cargo's messages.
 */
export function parseYankTargets(
  words: readonly string[],
  version: string | null,
  form: TargetForm,
): readonly YankTarget[] {
  const crates = words.length === 0 ? [null] : words;
  return crates.map((word) => {
    const separator = word?.indexOf('@') ?? -1;
    if (word === null || separator === -1) {
      return { name: word, version: version === null ? null : parseVersionChoice(version, form) };
    }
    const ownVersion = word.slice(separator + 1);
    if (version !== null) throw invalid(`cannot specify both \`@${ownVersion}\` and \`--version\``);
    if (separator === 0) throw invalid(`missing crate name for \`@${ownVersion}\``);
    return { name: word.slice(0, separator), version: parseVersionChoice(ownVersion, form) };
  });
}

/** The options of `versionsToChange`. */
export interface VersionsToChangeOptions {
  readonly index: RemoteRegistry;
  /** False to unyank. */
  readonly yanks: boolean;
  readonly report: Report;
}

/**
 * Returns the versions of `name` that match `requirement` and need a change, oldest first. Some registries never record
 * yanks in their index. If the index shows no yanked version, unyanking selects all matching versions, and the registry
 * decides. Throws `not-found` if no version matches.
 */
export async function versionsToChange(
  name: string,
  requirement: VersionReq,
  { index, yanks, report }: VersionsToChangeOptions,
): Promise<readonly PlannedVersion[]> {
  const summaries = await index.current(name);
  const matching = summaries.filter(({ id }) => matchesReq(requirement, id.version));
  if (matching.length === 0) {
    throw new TsregError(`no version of crate \`${name}\` matches \`${requirement.text}\``, {
      code: 'not-found',
    });
  }
  const hidesYanks = !yanks && !summaries.some(({ yanked }) => yanked);
  if (hidesYanks) {
    report.note(
      `the index shows no yanked version of \`${name}\`: the registry is asked to unyank each that matches`,
    );
  }
  return matching
    .filter(({ yanked }) => hidesYanks || yanked !== yanks)
    .toSorted((a, b) => compareVersions(a.id.version, b.id.version))
    .map(({ id }) => ({ name, version: id.version.text, isOfRange: true }));
}

/** Parses a version, or a range if it contains an operator. Throws cargo's usage error if it is invalid. */
export function parseVersionChoice(text: string, form: TargetForm): VersionChoice {
  return asUsageError(() => readChoice(text, form));
}

function readChoice(text: string, { isExact }: TargetForm): VersionChoice {
  if (!isExact && /[\^~<>=*,]/.test(text)) {
    const requirement = withContext(`invalid version range \`${text}\``, () => parseVersionReq(text));
    return { kind: 'range', requirement };
  }
  withContext(
    text.startsWith('v')
      ? `the version provided, \`${text}\` is not a valid SemVer version\n\n` +
          `help: try changing the version to \`${text.slice(1)}\``
      : `invalid version \`${text}\``,
    () => parseVersion(text),
    // The message for `v` already has a hint.
    isExact || text.startsWith('v')
      ? {}
      : {
          hint: 'a version has three numbers: `1.2.3`. A range such as `^1.2` or `>=1, <2` selects all matching versions',
        },
  );
  return { kind: 'exact', version: text };
}

function invalid(message: string): TsregError {
  return new TsregError(message, { code: 'usage' });
}
