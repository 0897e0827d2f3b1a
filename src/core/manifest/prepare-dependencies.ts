/** Dependencies and features of published manifests. Cargo Book: cargo package, Specifying Dependencies. */
import type { DependencyKind } from '../summary/summary.ts';
import { parseFeatureValue } from '../summary/feature-value.ts';
import { buildTable, mapTable } from '../toml/build-table.ts';
import type { TomlTable } from '../toml/value.ts';
import { TABLE_NAMES } from './normalize-dependencies.ts';
import type { NormalizedTable } from './normalize-dependencies.ts';
import { PLATFORM_ORDER, TOP_ORDER } from './package-dependencies.ts';
import type { NormalizedTables } from './package-dependencies.ts';
import type { RawDependency } from './raw-dependency.ts';

/** The dependency tables of a published manifest. */
export interface PreparedDependencies {
  /** Those of `dependencies`, `dev-dependencies` and `build-dependencies` that exist. */
  readonly top: TomlTable;
  /** `[target]`, as tables by platform; null if there are none. */
  readonly target: TomlTable | null;
  /** The keys of all remaining dependencies. */
  readonly names: ReadonlySet<string>;
}

/**
 * Prepares dependencies for a registry: without paths and repositories, and with registries as index URLs. Leaves out
 * dev-dependencies without a version. `registryIndex` returns the URL of a registry named in the configuration, or
 * throws.
 */
export function prepareDependencies(
  places: readonly NormalizedTables[],
  registryIndex: (name: string) => string,
): PreparedDependencies {
  const names = new Set<string>();
  let top: TomlTable = new Map();
  const target: TomlTable = new Map();
  for (const place of places) {
    const { platform } = place;
    const tables: TomlTable = new Map();
    for (const kind of platform === null ? TOP_ORDER : PLATFORM_ORDER) {
      const table = place[kind];
      if (table === null) continue;
      const published = publishedDependencies(table, kind);
      for (const name of published.keys()) names.add(name);
      tables.set(
        TABLE_NAMES[kind],
        mapTable(published, (dependency) => dependencyTable(dependency, registryIndex)),
      );
    }
    if (platform === null) top = tables;
    else target.set(platform, tables);
  }
  return { top, target: target.size === 0 ? null : target, names };
}

/** Returns the dependencies that are published: all, except dev-dependencies without a version. */
function publishedDependencies(table: NormalizedTable, kind: DependencyKind): NormalizedTable {
  if (kind !== 'dev') return table;
  return new Map(
    [...table].filter(([, written]) => typeof written === 'string' || written.version !== undefined),
  );
}

function dependencyTable(written: RawDependency, registryIndex: (name: string) => string): TomlTable {
  if (typeof written === 'string') return buildTable({ version: written });
  const { registry } = written;
  return buildTable({
    version: written.version,
    'registry-index': registry === undefined ? written['registry-index'] : registryIndex(registry),
    features: written.features,
    optional: written.optional,
    'default-features': written['default-features'],
    default_features: written.default_features,
    package: written.package,
  });
}

/** Returns `[features]` without values that name dependencies missing in `names`. */
export function prepareFeatures(
  features: ReadonlyMap<string, readonly string[]>,
  names: ReadonlySet<string>,
): TomlTable {
  return mapTable(features, (values) =>
    values.filter((text) => {
      const value = parseFeatureValue(text);
      return value.kind === 'feature' || names.has(value.dep);
    }),
  );
}
