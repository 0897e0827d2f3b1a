/** The registries of a configuration. Cargo Book: Registries, "Using an Alternate Registry". */
import type { Config } from '../../../io/config/config.ts';
import type { Definition } from '../../../io/config/definition.ts';
import { checkRegistryName, cratesIoIndex, registryIndex } from '../../../io/config/registry-index.ts';
import { registryNames } from '../../../io/config/registry-tables.ts';
import { checkSparseIndexUrl } from '../../../io/sources/sparse-index.ts';
import { TsregError } from '../../../core/errors/error.ts';
import { compareBytes } from '../../../core/files/compare-bytes.ts';
import { CRATES_IO_NAME } from '../../../core/package-id/crates-io.ts';
import { isCratesIo } from '../../../core/package-id/source-id.ts';
import type { SourceTable } from '../../../core/package-id/source-table.ts';
import type { RegistrySource } from './select-registry.ts';

/** A registry with a name, and the error if its index cannot be used. */
export type ConfiguredRegistry = RegistryPlace &
  (
    | { readonly source: RegistrySource; readonly problem: null }
    | { readonly source: null; readonly problem: TsregError }
  );

/** The name of a registry, and where it is defined. */
interface RegistryPlace {
  readonly name: string;
  /** The origin of its index; null if there is none: for crates.io, and for a name without an index. */
  readonly definition: Definition | null;
  /** True if commands use it without `--registry`. */
  readonly isDefault: boolean;
}

/**
 * Returns crates.io, and the registries in files, `--config` and variables, sorted by name. Ignores source replacement.
 * Throws `config` if the configuration cannot be read.
 */
export function configuredRegistries(config: Config, sources: SourceTable): readonly ConfiguredRegistry[] {
  const defaultName = defaultRegistry(config);
  const names = new Set(registryNames(config));
  names.delete(CRATES_IO_NAME);
  return [CRATES_IO_NAME, ...[...names].toSorted(compareBytes)].map((name) => {
    const place = { name, isDefault: name === defaultName };
    try {
      const definition = indexDefinition(config, name);
      return { ...place, definition, source: sourceOf(config, name, sources), problem: null };
    } catch (problem) {
      if (!(problem instanceof TsregError)) throw problem;
      return { ...place, definition: null, source: null, problem };
    }
  });
}

/** Returns the name of the default registry, which may not exist. Throws `config` if the key is invalid. */
export function defaultRegistry(config: Config): string {
  return config.string('registry.default')?.value ?? CRATES_IO_NAME;
}

/** Returns the origin of the index of a registry; null if it has none. Throws `config` if the name is invalid. */
function indexDefinition(config: Config, name: string): Definition | null {
  checkRegistryName(name);
  return name === CRATES_IO_NAME ? null : (config.string(`registries.${name}.index`)?.definition ?? null);
}

function sourceOf(config: Config, name: string, sources: SourceTable): RegistrySource {
  const original = registryIndex(config, name, sources);
  const actual = isCratesIo(original) ? cratesIoIndex(config, sources) : original;
  checkSparseIndexUrl(actual);
  return { original, actual };
}
