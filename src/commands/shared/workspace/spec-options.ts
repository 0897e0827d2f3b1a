/** Options for parsing package id specifications. Cargo Book: Package ID Specifications. */
import type { Config } from '../../../io/config/config.ts';
import type { Files } from '../../../core/files/files.ts';
import { joinPath } from '../../../core/files/path.ts';
import type { PackageIdSpecOptions } from '../../../core/package-id/package-id-spec.ts';

/** Returns the check that tells a specification from a path in the working folder. */
export function specOptions(config: Config, files: Files): Required<PackageIdSpecOptions> {
  return {
    existingPath: (text) => {
      const path = joinPath(config.cwd, text);
      return files.exists(path) ? path : null;
    },
  };
}
