/** Remarks at the ends of lines of the `Locking` report. Cargo Book: cargo update. */
import type { Summary } from '../summary/summary.ts';
import { compareVersions } from '../version/compare-versions.ts';
import { matchesReq } from '../version/matches-req.ts';
import {
  isRustVersionCompatible,
  parseRustVersion,
  type PartialVersion,
} from '../version/partial-version.ts';
import { caretReq, parseVersionReq, type VersionReq } from '../version/requirement.ts';
import type { Version } from '../version/version.ts';
import { isRegistry } from '../package-id/source-id.ts';
import type { PublishAge } from './publish-age.ts';

/** A remark at the end of a line of the `Locking` report. */
export interface ChangeNote {
  /** `available-anyway`: the better version needs a newer Rust or does not fit this workspace otherwise. */
  readonly kind: 'requires-rust' | 'too-new' | 'available' | 'available-anyway';
  /** Includes its parentheses. */
  readonly text: string;
}

/** Inputs of a note, in addition to the chosen package. */
export interface ChangeNoteOptions {
  /** Better versions that may be used. */
  readonly alternatives: readonly Summary[];
  /** True if a member depends on it. */
  readonly isDirect: boolean;
  /** The Rust version that the package should support; null if unknown. */
  readonly requiredRust: PartialVersion | null;
  /** Finds versions that are too new; null if none are. */
  readonly publishAge: PublishAge | null;
}

/** Returns the remark on a package that requires a newer Rust than `requiredRust`; null for all others. */
export function rustVersionNote(chosen: Summary, requiredRust: PartialVersion | null): ChangeNote | null {
  const { id, rustVersion } = chosen;
  if (id.source.kind === 'path' || rustVersion === null || supportsRust(chosen, requiredRust)) return null;
  return { kind: 'requires-rust', text: `(requires Rust ${rustVersion})` };
}

/** Returns the remark on a package that was published too recently; null for all others. */
export function publishAgeNote(chosen: Summary, publishAge: PublishAge | null): ChangeNote | null {
  const tooNew = publishAge?.tooNew(chosen) ?? null;
  if (tooNew === null) return null;
  return {
    kind: 'too-new',
    text: `(published ${tooNew.published}, minimum age ${tooNew.minimum})`,
  };
}

/** Returns the remark on a package that has a better version; null for all others. */
export function betterVersionNote(chosen: Summary, options: ChangeNoteOptions): ChangeNote | null {
  const { alternatives, isDirect, requiredRust, publishAge } = options;
  const { version, source } = chosen.id;
  if (!isRegistry(source)) return null;
  const supported = alternatives.filter((summary) => supportsRust(summary, requiredRust));
  const better = bestVersion(supported, version, { isDirect });
  const published = (summary: Summary): string => {
    const tooNew = publishAge?.tooNew(summary) ?? null;
    return tooNew === null ? '' : `, published ${tooNew.published}`;
  };
  if (better !== null) {
    return { kind: 'available', text: `(available: v${better.id.version.text}${published(better)})` };
  }
  const unsupported = bestVersion(alternatives, version, { isDirect });
  if (unsupported === null) return null;
  const { id, rustVersion } = unsupported;
  const rust = rustVersion === null ? '' : `, requires Rust ${rustVersion}`;
  return {
    kind: 'available-anyway',
    text: `(available: v${id.version.text}${rust}${published(unsupported)})`,
  };
}

/** Returns a predicate for the versions that a note on `chosen` may name. `isDirect`: a member depends on it. */
export function isBetterThan(
  chosen: Version,
  { isDirect }: { readonly isDirect: boolean },
): (version: Version) => boolean {
  const isCompatible = isCompatibleWith(chosen);
  const isLater = isLaterThan(chosen);
  return (version) => isCompatible(version) || (isDirect && isLater(version));
}

/** Returns true if a package works with the version `required` of Rust; also if one of the two is unknown. */
function supportsRust({ rustVersion }: Summary, required: PartialVersion | null): boolean {
  return (
    rustVersion === null ||
    required === null ||
    isRustVersionCompatible(parseRustVersion(rustVersion), required)
  );
}

/**
 * Returns the newest version compatible with `current`; if there is none and a member depends on it, the newest later
 * one.
 */
function bestVersion(
  summaries: readonly Summary[],
  current: Version,
  { isDirect }: { readonly isDirect: boolean },
): Summary | null {
  const compatible = newest(summaries, isCompatibleWith(current));
  return compatible ?? (isDirect ? newest(summaries, isLaterThan(current)) : null);
}

function newest(summaries: readonly Summary[], accepts: (version: Version) => boolean): Summary | null {
  let best: Summary | null = null;
  for (const summary of summaries) {
    const { version } = summary.id;
    if (accepts(version) && (best === null || compareVersions(version, best.id.version) > 0)) best = summary;
  }
  return best;
}

/** Returns a predicate for the other versions that `^current` accepts. */
function isCompatibleWith(current: Version): (version: Version) => boolean {
  const req = caretReqOf(current);
  return (version) => version.text !== current.text && matchesReq(req, version);
}

/** Returns `^version`. A pre-release only fits in text. */
export function caretReqOf({ major, minor, patch, pre }: Version): VersionReq {
  return pre === '' ? caretReq(major, minor, patch) : parseVersionReq(`^${major}.${minor}.${patch}-${pre}`);
}

/** Returns a predicate for later versions; for a pre-release only if its three numbers are those of `current`. */
function isLaterThan(current: Version): (version: Version) => boolean {
  return (version) =>
    compareVersions(version, current) > 0 &&
    (version.pre === '' ||
      (version.major === current.major &&
        version.minor === current.minor &&
        version.patch === current.patch));
}
