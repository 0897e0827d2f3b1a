/** The error for a version that a registry does not have. */
import { TsregError } from '../../../core/errors/error.ts';
import { formatPackageIdSpec, type PackageIdSpec } from '../../../core/package-id/package-id-spec.ts';
import type { Summary } from '../../../core/summary/summary.ts';
import { compareVersions } from '../../../core/version/compare-versions.ts';

/** The most versions that the hint lists. */
const SHOWN_VERSIONS = 5;

/** Returns `not-found` for a specification. `versions` are those of the crate that are not yanked; the hint lists them. */
export function absentVersion(
  spec: PackageIdSpec,
  versions: readonly Summary[],
  registryUrl: string,
): TsregError {
  return new TsregError(`could not find \`${formatPackageIdSpec(spec)}\` in registry \`${registryUrl}\``, {
    code: 'not-found',
    hint: absentHint(spec.name, versions),
  });
}

/** Returns a hint for a missing version: the newest versions, or a search for the name. */
function absentHint(name: string, versions: readonly Summary[]): string {
  const known = versions
    .toSorted((a, b) => compareVersions(b.id.version, a.id.version))
    .map(({ id }) => id.version.text);
  if (known.length === 0)
    return `no crate has this name, or all its versions are yanked: \`tsreg search ${name}\` searches for it`;
  const ellipsis = known.length > SHOWN_VERSIONS ? ', …' : '';
  return `versions that are not yanked: ${known.slice(0, SHOWN_VERSIONS).join(', ')}${ellipsis}`;
}
