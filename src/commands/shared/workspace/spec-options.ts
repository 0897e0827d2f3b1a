/** Options for parsing package id specifications. Cargo Book: Package ID Specifications. */
import type { Config } from '../../../io/config/config.ts';
import type { Files } from '../../../core/files/files.ts';
import { withContext } from '../../../core/errors/error.ts';
import { closestNameHint } from '../../../core/errors/similar-names.ts';
import { joinPath } from '../../../core/files/path.ts';
import type { PackageId } from '../../../core/package-id/package-id.ts';
import {
  type PackageIdSpec,
  type PackageIdSpecOptions,
  parseSpecArgument,
} from '../../../core/package-id/package-id-spec.ts';

/** Returns the check that tells a specification from a path in the working folder. As in cargo, `..` stays in the path. */
export function specOptions(config: Config, files: Files): Required<PackageIdSpecOptions> {
  return {
    existingPath: (text) => {
      const path = joinPath(config.cwd, text);
      return files.exists(path) ? path : null;
    },
  };
}

/** Parses the specification of one of the packages `ids`. An error suggests the most similar name. */
export function parseSpecOf(
  ids: readonly PackageId[],
  text: string,
  { config, files }: { readonly config: Config; readonly files: Files },
): PackageIdSpec {
  return withContext(
    () => {
      const names = ids.map(({ name }) => name);
      return `invalid package ID specification: \`${text}\`${closestNameHint(text, names, 'package')}`;
    },
    () => parseSpecArgument(text, specOptions(config, files)),
  );
}
