/** The match of one dependency and one package. */
import type { PackageId } from '../package-id/package-id.ts';
import { isSameSource } from '../package-id/source-id.ts';
import type { Dependency } from '../summary/summary.ts';
import { matchesReq } from '../version/matches-req.ts';

/** Returns true if the dependency, as written, accepts the package. */
export function matchesPackage(dependency: Dependency, id: PackageId): boolean {
  return (
    dependency.name === id.name &&
    matchesReq(dependency.req, id.version) &&
    isSameSource(dependency.source, id.source)
  );
}
