/** Reverse dependencies in responses, as on crates.io. */
import { canonicalName } from '../../store/canonical-name.ts';
import type { CrateDetails } from '../../store/crate-records.ts';
import type { Dependent } from '../../store/values.ts';
import { encodeDependencies } from './encode-version.ts';

/**
 * Returns the dependency on the crate `name` that `dependent` describes, in the highest version of its crate; null if
 * that version has changed since.
 */
export function encodeDependent(
  name: string,
  { kind, versionReq, isOptional }: Dependent,
  { crate, shown }: CrateDetails,
): object | null {
  const position = shown.metadata.dependencies.findIndex(
    (dependency) =>
      dependency.registry === null &&
      canonicalName(dependency.name) === canonicalName(name) &&
      dependency.kind === kind &&
      dependency.versionReq === versionReq &&
      dependency.optional === isOptional,
  );
  const dependency = encodeDependencies(shown)[position];
  return dependency === undefined ? null : { ...dependency, crate_id: name, downloads: crate.downloads };
}
