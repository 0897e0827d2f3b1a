/** All dependency tables of a package, in cargo's order. Cargo Book: Specifying Dependencies. */
import type { Message } from '../errors/wording.ts';
import { cfgValues, keywordWarnings } from '../platform/cfg-values.ts';
import type { Platform } from '../platform/platform.ts';
import type { Dependency, DependencyKind } from '../summary/summary.ts';
import { buildDependency } from './build-dependency.ts';
import type { BuildDependencyScope } from './build-dependency.ts';
import { checkOldSpelling } from './deprecated-spelling.ts';
import { normalizeDependencies, TABLE_NAMES } from './normalize-dependencies.ts';
import type { DependencyScope, NormalizedTable } from './normalize-dependencies.ts';
import type { ManifestDraft } from './manifest-draft.ts';
import type { DependencyTable } from './raw-dependency.ts';
import type { RawManifest, RawPlatform } from './raw-manifest.ts';
import { warnAboutUnusedKeys } from './unused-keys.ts';

/** The tables at the top of the manifest or in one `[target.KEY]`; null for missing ones. */
export interface NormalizedTables {
  /** The `KEY`; null for the top. */
  readonly platform: string | null;
  readonly normal: NormalizedTable | null;
  readonly dev: NormalizedTable | null;
  readonly build: NormalizedTable | null;
}

/** Inputs that are the same for all tables of a package. */
export interface TablesScope extends DependencyScope {
  readonly packageName: string;
}

/** The order of tables at the top of a manifest. */
export const TOP_ORDER: readonly DependencyKind[] = ['normal', 'dev', 'build'];
/** The order of tables in one `[target.KEY]`. */
export const PLATFORM_ORDER: readonly DependencyKind[] = ['normal', 'build', 'dev'];

/** Returns the table of a kind, in either spelling. */
function tableOf(tables: RawPlatform, kind: DependencyKind): DependencyTable | undefined {
  if (kind === 'normal') return tables.dependencies;
  return kind === 'dev'
    ? (tables['dev-dependencies'] ?? tables.dev_dependencies)
    : (tables['build-dependencies'] ?? tables.build_dependencies);
}

/** Resolves inherited entries of all tables: those at the top first, then those of platforms, by key. */
export function normalizeTables(raw: RawManifest, scope: TablesScope): readonly NormalizedTables[] {
  const all = [normalizePlace(raw, null, scope)];
  for (const [platform, tables] of raw.target ?? []) all.push(normalizePlace(tables, platform, scope));
  return all;
}

/** Resolves inherited entries of the tables at one place; `platform` is null for the top. */
function normalizePlace(tables: RawPlatform, platform: string | null, scope: TablesScope): NormalizedTables {
  const normal = normalizeDependencies(tables.dependencies, 'normal', scope);
  checkTableSpelling('dev', tables, platform, scope);
  const dev = normalizeDependencies(tableOf(tables, 'dev'), 'dev', scope);
  checkTableSpelling('build', tables, platform, scope);
  const build = normalizeDependencies(tableOf(tables, 'build'), 'build', scope);
  return { platform, normal, dev, build };
}

/** Reports a table whose name has the old spelling, such as `dev_dependencies`. */
function checkTableSpelling(
  kind: 'dev' | 'build',
  tables: RawPlatform,
  platform: string | null,
  { packageName, edition, warnings }: TablesScope,
): void {
  if (tables[`${kind}_dependencies`] === undefined) return;
  const place = platform === null ? `\`${packageName}\` package` : `\`${platform}\` platform target`;
  const key = `${kind}-dependencies` as const;
  checkOldSpelling(key, { hasCurrent: tables[key] !== undefined, place, edition, warnings });
}

/** Warns about unused keys of dependencies, and about platforms that never match. */
export function warnAboutDependencyKeys({ raw, path, scope }: ManifestDraft): void {
  const { parsed, warnings } = scope;
  warnAboutTables(raw, '', TOP_ORDER, warnings);
  for (const [key, tables] of raw.target ?? []) {
    const platform = parsed.platform(key);
    warnAboutPlatform(platform, path, warnings);
    warnAboutTables(tables, `target.${platform.text}.`, PLATFORM_ORDER, warnings);
  }
}

/** Warns about unused keys in the tables at one place. `prefix` is the dotted path of the place. */
function warnAboutTables(
  tables: RawPlatform,
  prefix: string,
  order: readonly DependencyKind[],
  warnings: Message[],
): void {
  for (const kind of order) {
    const table = tableOf(tables, kind);
    if (table === undefined) continue;
    const path = `${prefix}${TABLE_NAMES[kind]}`;
    table.forEach((dependency, name) => warnAboutUnusedKeys(path, name, dependency, warnings));
  }
}

/** Warns about names in `cfg(…)` that cargo never sets. */
function warnAboutPlatform(platform: Platform, path: string, warnings: Message[]): void {
  for (const cfg of cfgValues(platform)) {
    if (cfg.kind === 'key-pair' && cfg.name === 'feature') warnings.push(FEATURE_CFG);
    if (cfg.kind === 'name' && ['test', 'debug_assertions', 'proc_macro'].includes(cfg.name)) {
      warnings.push(
        `Found \`${cfg.name}\` in \`target.'cfg(...)'.dependencies\`. This value is not supported for ` +
          'selecting dependencies and will not work as expected. To learn more visit ' +
          'https://doc.rust-lang.org/cargo/reference/specifying-dependencies.html#platform-specific-dependencies',
      );
    }
  }
  warnings.push(...keywordWarnings(platform, path));
}

const FEATURE_CFG =
  "Found `feature = ...` in `target.'cfg(...)'.dependencies`. This key is not supported for selecting " +
  'dependencies and will not work as expected. Use the [features] section instead: ' +
  'https://doc.rust-lang.org/cargo/reference/features.html';

/** Builds the dependencies in the order in which they are listed. */
export function buildDependencies(
  all: readonly NormalizedTables[],
  scope: BuildDependencyScope,
): readonly Dependency[] {
  const dependencies: Dependency[] = [];
  for (const tables of all) {
    const platform = tables.platform === null ? null : scope.parsed.platform(tables.platform);
    for (const kind of platform === null ? TOP_ORDER : PLATFORM_ORDER) {
      const table = tables[kind];
      if (table === null || table.size === 0) continue;
      const scopeOfTable = { ...scope, kind, platform };
      table.forEach((written, name) => dependencies.push(buildDependency(written, name, scopeOfTable)));
    }
  }
  return dependencies;
}

/**
 * Returns the `path` of every dependency that has one. In each place, the order is normal, build and dev-dependencies.
 */
export function dependencyPaths(all: readonly NormalizedTables[]): readonly string[] {
  const paths: string[] = [];
  for (const tables of all) {
    for (const kind of PLATFORM_ORDER) {
      tables[kind]?.forEach((written) => {
        if (typeof written !== 'string' && written.path !== undefined) paths.push(written.path);
      });
    }
  }
  return paths;
}
