/** Parts of valid versions, without parsing them. */

/** Returns a version without build metadata, in which the versions of a registry never differ alone. */
export function withoutBuild(version: string): string {
  return version.replace(/\+.*$/, '');
}

/** Whether a version is a pre-release, such as `1.0.0-beta.1`. */
export function isPreRelease(version: string): boolean {
  // Build metadata may contain a `-` too.
  return withoutBuild(version).includes('-');
}
