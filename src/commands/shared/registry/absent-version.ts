/** The error for a version that a registry does not have. */
import { TsregError } from '../../../core/errors/error.ts';
import {
  formatPackageIdSpec,
  matchesPackageIdSpec,
  type PackageIdSpec,
} from '../../../core/package-id/package-id-spec.ts';
import type { Summary } from '../../../core/summary/summary.ts';
import { compareVersions } from '../../../core/version/compare-versions.ts';

/** The most versions that the hint lists. */
const SHOWN_VERSIONS = 5;

/** The hint for a package whose index entry or `.crate` file is not on disk, if tsreg must not use the network. */
export const NOT_ON_DISK =
  'only packages that were downloaded before work without network: try again without `--offline`';

/** Where `absentVersion` searched. */
export interface SearchedRegistry {
  readonly url: string;
  /** True if tsreg must not use the network. */
  readonly isOffline: boolean;
}

/** Returns `not-found` for a specification. `versions` are those of the crate, yanked ones included, for the hint. */
export function absentVersion(
  spec: PackageIdSpec,
  versions: readonly Summary[],
  { url, isOffline }: SearchedRegistry,
): TsregError {
  return new TsregError(`could not find \`${formatPackageIdSpec(spec)}\` in registry \`${url}\``, {
    code: 'not-found',
    hint: absentHint(spec, versions, isOffline),
  });
}

/** Returns why no version was found, and the newest versions, or a search for the name. */
function absentHint(spec: PackageIdSpec, versions: readonly Summary[], isOffline: boolean): string {
  const matching = versions.filter(({ id }) => matchesPackageIdSpec(spec, id));
  if (isOffline && (versions.length === 0 || matching.some(({ yanked }) => !yanked))) return NOT_ON_DISK;
  if (versions.length === 0) return `no crate has this name: \`tsreg search ${spec.name}\` searches for it`;
  const usable = versions
    .filter(({ yanked }) => !yanked)
    .toSorted((a, b) => compareVersions(b.id.version, a.id.version))
    .map(({ id }) => id.version.text);
  if (usable.length === 0) return 'all versions of the crate are yanked';
  const ellipsis = usable.length > SHOWN_VERSIONS ? ', …' : '';
  const reason = matching.length > 0 ? `\`${formatPackageIdSpec(spec)}\` is yanked; ` : '';
  return `${reason}versions that are not yanked: ${usable.slice(0, SHOWN_VERSIONS).join(', ')}${ellipsis}`;
}
