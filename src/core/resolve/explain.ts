/** Messages for failed resolutions. Cargo Book: Dependency Resolution, Troubleshooting. */
import { present } from '../errors/assert.ts';
import { TsregError } from '../errors/error.ts';
import { wordingByProgram, type ProgramName } from '../errors/wording.ts';
import { editDistance } from '../errors/similar-names.ts';
import { compareBytes } from '../files/compare-bytes.ts';
import { sourcePath } from '../package-id/source-id.ts';
import type { Failure, NoCandidate } from './failure.ts';

/** A package in a searched folder or below it. */
export interface FoundPackage {
  readonly name: string;
  /** Absolute path. */
  readonly folder: string;
}

/** Facts for a failure's message that the resolver does not know. */
export interface FailureContext {
  /** The place where the dependency's source was searched (`Source.description`). */
  readonly location: string;
  /** True if another source replaces that source. */
  readonly isReplaced: boolean;
  /** Names in the source that may be similar; only needed if `wantsSimilarNames`. */
  readonly similarNames: readonly string[];
  /** Packages in the folder of a path source and below it; only needed if `wantsSimilarNames`. */
  readonly packagesBelow: readonly FoundPackage[];
  /** `--offline` or `--frozen`, as passed; null if the network may be used. */
  readonly offlineFlag: string | null;
}

/** Maximum number of versions or names in a message, as in cargo. */
const MAX_SHOWN = 3;

/** Returns the error for a failure, in cargo's words. */
export function explain(failure: Failure, context: FailureContext): TsregError {
  if (failure.kind === 'worded') return failure.error;
  const { offlineFlag } = context;
  const offline =
    offlineFlag === null
      ? ''
      : `\nnote: offline mode (via \`${offlineFlag}\`) can sometimes cause surprising resolution failures\nhelp: if this error is too confusing you may wish to retry without \`${offlineFlag}\``;
  const message = wordingByProgram((program) => {
    const { text, hints } = reasons(failure, context, program);
    return `${text}location searched: ${context.location}\nrequired by ${failure.requiredBy}${hints}${offline}`;
  });
  return new TsregError(message, { code: 'resolve' });
}

/** The parts of a message before and after the place of the search. */
interface Reasons {
  readonly text: string;
  readonly hints: string;
}

/** Returns the parts for the first of these that applies: rejected versions, other versions, no such package. */
function reasons(failure: NoCandidate, context: FailureContext, program: ProgramName): Reasons {
  const { name } = failure.dependency;
  if (failure.rejected.length > 0) {
    const lines = failure.rejected.map(({ version, why }) => `  version ${version.text}${why}\n`);
    return { text: requirement(failure) + lines.join(''), hints: publishAgeHints(failure) };
  }
  if (failure.others.length > 0) return otherVersions(failure, context, program);
  const text = `no matching package named \`${name}\` found\n`;
  if (failure.source.kind === 'path') return { text, hints: foundPackagesHints(failure, context) };
  const near = nearNames(name, context.similarNames);
  const names = failure.isYanked ? [name, ...near] : near;
  return {
    text,
    hints: names.length === 0 ? '' : `\nhelp: packages with similar names: ${joinNames(names)}\n`,
  };
}

/** Returns a hint for the package itself, else for the one in its place, else for all below. */
function foundPackagesHints({ dependency, source }: NoCandidate, { packagesBelow }: FailureContext): string {
  const folder = sourcePath(source);
  const exact = packagesBelow.find(({ name }) => name === dependency.name);
  const best = exact ?? packagesBelow.find((candidate) => candidate.folder === folder);
  const shown = best === undefined ? packagesBelow.toSorted((a, b) => compareBytes(a.name, b.name)) : [best];
  return shown.map(({ name, folder }) => `\nhelp: package \`${name}\` exists at \`${folder}\``).join('');
}

/** Returns the hints for versions that are too new; empty if none are. */
function publishAgeHints({ rejected, newestOldEnough }: NoCandidate): string {
  if (!rejected.some(({ isTooNew }) => isTooNew)) return '';
  const older =
    newestOldEnough === null
      ? ''
      : `\nhelp: to preserve the min-publish-age, downgrade the requirement to "${newestOldEnough.text}"`;
  return `${older}\nhelp: to use too-new packages anyways, re-resolve with \`CARGO_RESOLVER_INCOMPATIBLE_PUBLISH_AGE=allow\``;
}

/** Returns the parts for a package that only has versions that do not match. */
function otherVersions(failure: NoCandidate, context: FailureContext, program: ProgramName): Reasons {
  const { others, source, locked, dependency } = failure;
  const shown = others.slice(0, MAX_SHOWN).map(({ text }) => text);
  if (others.length > MAX_SHOWN) shown.push('...');
  const preRelease = others.find(({ pre }) => pre !== '');
  let hints = '';
  if (preRelease !== undefined) {
    hints += `\nhelp: if you are looking for the prerelease package it needs to be specified explicitly\n    ${dependency.name} = { version = "${preRelease.text}" }`;
  }
  if (source.kind === 'path' && locked !== null) {
    hints += `\nhelp: to update a path dependency's locked version, run \`${program} update\``;
  }
  if (context.isReplaced) hints += '\nnote: perhaps a crate was updated and forgotten to be re-vendored?';
  return {
    text: `${requirement(failure)}candidate versions found which didn't match: ${shown.join(', ')}\n`,
    hints,
  };
}

/** Returns the first line of a message about a requirement. */
function requirement({ dependency, locked }: NoCandidate): string {
  const lock = locked === null ? '' : ` (locked to ${locked.text})`;
  return `failed to select a version for the requirement \`${dependency.name} = "${dependency.req.text}"\`${lock}\n`;
}

/** Returns the names similar to `name`, nearest first. */
function nearNames(name: string, known: readonly string[]): readonly string[] {
  const near: { name: string; distance: number }[] = [];
  for (const candidate of new Set(known)) {
    // The package itself can be listed without a usable version: see `isYanked`.
    if (candidate === name) continue;
    const distance = editDistance(name, candidate);
    if (distance !== null) near.push({ name: candidate, distance });
  }
  near.sort((a, b) => a.distance - b.distance || compareBytes(a.name, b.name));
  return near.map((candidate) => candidate.name);
}

/** Joins names as cargo does. `names` is not empty. */
function joinNames(names: readonly string[]): string {
  if (names.length > MAX_SHOWN) return [...names.slice(0, MAX_SHOWN), '...'].join(', ');
  const last = present(names.at(-1), 'the last of the names');
  return names.length === 1 ? last : `${names.slice(0, -1).join(', ')} or ${last}`;
}
