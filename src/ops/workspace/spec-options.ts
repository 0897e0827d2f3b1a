/** Options for parsing package id specifications. Cargo Book: Package ID Specifications. */
import type { Config } from '../../config/config.ts';
import type { Files } from '../../files/files.ts';
import { joinPath } from '../../files/path.ts';
import type { PackageIdSpecOptions } from '../../package-id/package-id-spec.ts';

/** Returns the check that tells a specification from a path in the working folder. */
export function specOptions(config: Config, files: Files): Required<PackageIdSpecOptions> {
  return {
    existingPath: (text) => {
      const path = joinPath(config.cwd, text);
      return files.exists(path) ? path : null;
    },
  };
}
