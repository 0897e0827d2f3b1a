/** Dependency tables without inherited entries. Cargo Book: Workspaces, The `dependencies` table. */
import type { Message } from '../errors/wording.ts';
import { withContext } from '../errors/error.ts';
import type { DependencyKind } from '../summary/summary.ts';
import { refuseUnstable } from './cargo-features.ts';
import { checkOldSpelling } from './deprecated-spelling.ts';
import { inheritedDependency, inheriting } from './inheritable-fields.ts';
import type { InheritanceRoot } from './inheritable-fields.ts';
import { manifestProblem } from './manifest-problem.ts';
import type { Edition } from './manifest.ts';
import { isInherited } from './raw-dependency.ts';
import type {
  DependencyTable,
  DetailedDependency,
  InheritedDependency,
  RawDependency,
} from './raw-dependency.ts';

/** Inputs that are the same for all dependency tables of a package. */
export interface DependencyScope {
  /** Absolute path of the package's folder. */
  readonly root: string;
  readonly edition: Edition;
  /** Returns the workspace root. Called only for inherited dependencies. */
  readonly inherit: () => InheritanceRoot;
  readonly warnings: Message[];
}

/** The entries of a table, by key. */
export type NormalizedTable = ReadonlyMap<string, RawDependency>;

/** The names of dependency tables in messages. */
export const TABLE_NAMES: Readonly<Record<DependencyKind, string>> = {
  normal: 'dependencies',
  dev: 'dev-dependencies',
  build: 'build-dependencies',
};

/**
 * Replaces inherited entries of a table by their values, and checks the spelling of keys. Returns null for a missing
 * table.
 */
export function normalizeDependencies(
  table: DependencyTable | undefined,
  kind: DependencyKind,
  scope: DependencyScope,
): NormalizedTable | null {
  if (table === undefined) return null;
  const normalized = new Map<string, RawDependency>();
  table.forEach((written, name) => {
    const dependency = isInherited(written)
      ? inheriting(name, `dependencies.${name}`, () => mergeInherited(written, name, scope))
      : written;
    normalized.set(
      name,
      typeof dependency === 'string' ? dependency : checkDetailed(dependency, name, kind, scope),
    );
  });
  return normalized;
}

/**
 * Returns the workspace's entry with the package's additions. Features add up; `optional` and `public` come from the
 * package alone.
 */
function mergeInherited(
  own: InheritedDependency,
  name: string,
  { root, edition, inherit, warnings }: DependencyScope,
): DetailedDependency {
  const entry = inheritedDependency(inherit(), name, root);
  const shared: DetailedDependency = typeof entry === 'string' ? { version: entry } : entry;
  const { optional: _optional, public: _public, ...merged } = shared;
  const defaultFeatures = overridingDefaultFeatures(own, shared, { name, edition, warnings });
  const hasFeatures = shared.features !== undefined || own.features !== null;
  return {
    ...merged,
    ...(defaultFeatures === null ? {} : { 'default-features': defaultFeatures }),
    ...(hasFeatures ? { features: [...(shared.features ?? []), ...(own.features ?? [])] } : {}),
    ...(own.optional === null ? {} : { optional: own.optional }),
    ...(own.public === null ? {} : { public: own.public }),
  };
}

/**
 * Returns `default-features` of the package; null if the value of the workspace applies. Before the 2024 edition, a
 * package can only turn on default features that the workspace turns off. RFC 3945.
 */
function overridingDefaultFeatures(
  { defaultFeatures: own }: InheritedDependency,
  shared: DetailedDependency,
  {
    name,
    edition,
    warnings,
  }: { readonly name: string; readonly edition: Edition; readonly warnings: Message[] },
): boolean | null {
  const workspaceValue = shared['default-features'] ?? shared.default_features ?? null;
  if (edition === '2024' || own === null || workspaceValue === false) return own;
  if (!own) {
    warnings.push(
      `\`default-features\` is ignored for ${name}, since \`default-features\` was ` +
        `${workspaceValue === null ? 'not specified' : 'true'} for \`workspace.dependencies.${name}\`; ` +
        'overriding workspace `default-features` to false requires Rust 1.99+ and the 2024 edition',
    );
  }
  return null;
}

/** Warns about keys without effect and refuses unstable ones. Returns the dependency itself. */
function checkDetailed(
  dependency: DetailedDependency,
  name: string,
  kind: DependencyKind,
  { edition, warnings }: DependencyScope,
): DetailedDependency {
  if (dependency.default_features !== undefined) {
    const hasCurrent = dependency['default-features'] !== undefined;
    checkOldSpelling('default-features', { hasCurrent, place: `\`${name}\` dependency`, edition, warnings });
  }
  if (dependency.public !== undefined) {
    warnings.push(
      kind === 'normal'
        ? `ignoring \`public\` on dependency ${name}, pass \`-Zpublic-dependency\` to enable support for it`
        : `'public' specifier can only be used on regular dependencies, not ${TABLE_NAMES[kind]}`,
    );
  }
  if (dependency.base !== undefined) {
    withContext(`resolving path dependency ${name}`, () => refuseBase(dependency));
  }
  return dependency;
}

/** Throws `manifest` for a dependency with `base`, which needs an unstable feature. */
export function refuseBase(dependency: DetailedDependency): never {
  if (dependency.path === undefined) {
    throw manifestProblem('`base` can only be used with path dependencies');
  }
  return refuseUnstable('path-bases');
}
