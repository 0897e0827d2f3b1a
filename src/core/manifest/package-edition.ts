/** The edition of a package. Cargo Book: The Manifest Format, The edition field. */
import type { Message } from '../errors/wording.ts';
import { isRustVersionCompatible, parseRustVersion } from '../version/partial-version.ts';
import { refuseUnstable } from './cargo-features.ts';
import { EDITIONS, FIRST_RELEASE, parseEdition } from './edition.ts';
import type { ManifestDraft } from './manifest-draft.ts';
import { manifestProblem } from './manifest-problem.ts';
import type { Edition } from './manifest.ts';
import type { NormalizedPackage } from './normalize-package.ts';

/**
 * Returns the edition of a package. Warns if it is missing and a newer one could be used. Throws `manifest` if it is
 * unknown, or if `rust-version` is older than it.
 */
export function packageEdition(
  { name, version, edition: written, rustVersion }: NormalizedPackage,
  warnings: Message[],
): Edition {
  if (written === null) {
    warnAboutMissingEdition(rustVersion, warnings);
    return '2015';
  }
  const edition = parseEdition(written);
  if (edition === 'future') {
    const spec = version === null ? name : `${name}@${version.text}`;
    const help = rustVersion === null ? undefined : `help: ${spec} requires rust ${rustVersion}`;
    return refuseUnstable('unstable-editions', help);
  }
  const first = FIRST_RELEASE[edition];
  if (rustVersion !== null && first !== null && !coversRelease(rustVersion, first)) {
    throw manifestProblem(
      `rust-version ${rustVersion} is incompatible with the version (${first}) ` +
        `required by the specified edition (${edition})`,
    );
  }
  return edition;
}

/** Returns true if every Rust version from `rustVersion` on has the features of `release`. */
function coversRelease(rustVersion: string, release: string): boolean {
  return isRustVersionCompatible(parseRustVersion(release), parseRustVersion(rustVersion));
}

function warnAboutMissingEdition(rustVersion: string | null, warnings: Message[]): void {
  const newestUsable = EDITIONS.findLast((edition) => {
    const first = FIRST_RELEASE[edition];
    return first !== null && (rustVersion === null || coversRelease(rustVersion, first));
  });
  if (newestUsable === undefined) return;
  const reason =
    newestUsable === EDITIONS.at(-1)
      ? `the latest is \`${newestUsable}\``
      : `${newestUsable} is compatible with \`rust-version\``;
  warnings.push(`\`package.edition\` is unspecified, defaulting to \`2015\` while ${reason}`);
}

/** Checks `[project]`, the old name of `[package]`. */
export function checkProjectTable({ raw, scope }: ManifestDraft, edition: Edition): void {
  if (raw.project === undefined) return;
  if (edition === '2024') {
    throw manifestProblem('`[project]` is not supported as of the 2024 Edition, please use `[package]`');
  }
  scope.warnings.push('`[project]` is deprecated in favor of `[package]`');
}
