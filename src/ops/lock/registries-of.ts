import type { Config } from '../../config/config.ts';
import { unnamedRegistryIndex } from '../../config/registry-index.ts';
import type { FindRegistry } from '../../derived/named-registries.ts';

/** What the names of registries stand for in a configuration. */
export function registriesOf(config: Config): FindRegistry {
  return (name, sources) => unnamedRegistryIndex(config, name, sources);
}
