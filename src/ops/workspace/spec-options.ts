/** How what is typed for a package is read. Cargo Book: Package ID Specifications. */
import type { Config } from '../../config/config.ts';
import type { Files } from '../../files/files.ts';
import { joinPath } from '../../files/path.ts';
import type { PackageIdSpecOptions } from '../../package-id/package-id-spec.ts';

/** How a specification is told from a mistyped path, as seen from the working folder. */
export function specOptions(config: Config, files: Files): Required<PackageIdSpecOptions> {
  return {
    existingPath: (text) => {
      const path = joinPath(config.cwd, text);
      return files.exists(path) ? path : null;
    },
  };
}
