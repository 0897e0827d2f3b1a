import type { MirroredDetails } from '../../http/mirrored-line.ts';
import type { Advisory } from '../../store/advisories.ts';
import type { PackageSummary } from '../../source/package-summary.ts';
import type { MirroredCrate, MirroredVersion } from '../../store/mirrored-crates.ts';
import { cratePath } from '../shared/paths.ts';
import type { UpstreamName } from '../shared/upstream-name.ts';

/** A cached crate at one of its versions. */
export interface MirroredView {
  readonly crate: MirroredCrate;
  readonly version: MirroredVersion;
  /** False if the page is about the crate and shows the version that `crate.shown` selects. */
  readonly isVersionChosen: boolean;
  /** Advisories about the version. */
  readonly advisories: readonly Advisory[];
  /** From the index line of the version; null if it is missing, invalid or too long. */
  readonly details: MirroredDetails | null;
  /** The version whose archive has the summary, which can be another one; null if no archive is cached. */
  readonly readmeFrom: string | null;
  /** null if no archive is cached, or if it cannot be read. */
  readonly summary: PackageSummary | null;
  /** Bytes of the `.crate` of the version; null if it is not cached. */
  readonly size: number | null;
  /** Versions whose archives are cached and can be downloaded, highest first. */
  readonly readableVersions: readonly string[];
  readonly upstream: UpstreamName;
  /** URL of the index of this registry, as written in a configuration file. */
  readonly mirrorIndex: string;
  /** Whether every request to this registry needs a token. */
  readonly isPrivate: boolean;
}

/** Returns the path of the shown version: that of the crate unless the reader has chosen one. */
export function viewPath({ crate, version, isVersionChosen }: MirroredView): string {
  return isVersionChosen ? cratePath(crate.name, version.version) : cratePath(crate.name);
}
