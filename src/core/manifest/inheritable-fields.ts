/** Values that members inherit from their workspace root. Cargo Book: Workspaces. */
import { withContext } from '../errors/error.ts';
import type { TsregError } from '../errors/error.ts';
import { joinPath, normalizePath, relativePath } from '../files/path.ts';
import type { InheritablePackage } from './inheritable.ts';
import { manifestProblem } from './manifest-problem.ts';
import type { RawDependency } from './raw-dependency.ts';
import type { Lints } from './raw-lints.ts';

/** The inheritable parts of a root's `[workspace]`; null for a missing table. */
export interface InheritableFields {
  readonly package: InheritablePackage | null;
  readonly dependencies: ReadonlyMap<string, RawDependency> | null;
  readonly lints: Lints | null;
}

/** The workspace root that a manifest inherits from. */
export interface InheritanceRoot {
  /** Absolute path of its folder. */
  readonly folder: string;
  readonly config: { readonly inheritable: InheritableFields };
}

/** Returns a field of `[workspace.package]`. Throws `manifest` if it is not defined. */
export function inheritedField<K extends keyof InheritablePackage>(
  root: InheritanceRoot,
  key: K,
): Exclude<InheritablePackage[K], undefined> {
  const value = root.config.inheritable.package?.[key];
  if (value === undefined) throw notDefined(key);
  // TypeScript does not narrow the type of a generic key.
  return value as Exclude<InheritablePackage[K], undefined>;
}

function notDefined(key: string): TsregError {
  return manifestProblem(`\`workspace.package.${key}\` was not defined`);
}

/**
 * Returns `license-file` or `readme` of `[workspace.package]`, relative to a member's folder. Throws `manifest` if
 * `written`, its value, is null.
 */
export function inheritedPath(
  root: InheritanceRoot,
  key: 'license-file' | 'readme',
  options: { readonly memberRoot: string; readonly written: string | null },
): string {
  const { memberRoot, written } = options;
  if (written === null) throw notDefined(key);
  return rebasePath(written, root.folder, memberRoot);
}

/** Changes a path relative to `from` into one relative to `to`. Both folders are absolute. */
function rebasePath(path: string, from: string, to: string): string {
  return relativePath(to, normalizePath(joinPath(from, path)));
}

/** Returns `[workspace.lints]`. Throws `manifest` if it is not defined. */
export function inheritedLints({ config }: InheritanceRoot): Lints {
  const { lints } = config.inheritable;
  if (lints === null) throw manifestProblem('`workspace.lints` was not defined');
  return lints;
}

/** Returns an entry of `[workspace.dependencies]`, with its path relative to a member's folder. */
export function inheritedDependency(
  { folder, config }: InheritanceRoot,
  name: string,
  memberRoot: string,
): RawDependency {
  const { dependencies } = config.inheritable;
  if (dependencies === null) throw manifestProblem('`workspace.dependencies` was not defined');
  const dependency = dependencies.get(name);
  if (dependency === undefined) {
    throw manifestProblem(`\`dependency.${name}\` was not found in \`workspace.dependencies\``);
  }
  if (typeof dependency === 'string' || dependency.path === undefined || dependency.base !== undefined) {
    return dependency;
  }
  return { ...dependency, path: rebasePath(dependency.path, folder, memberRoot) };
}

/** Runs `body`, and adds the field's name `label` and its table in `[workspace]` to an error. */
export function inheriting<T>(label: string, table: string, body: () => T): T {
  return withContext(
    () => `error inheriting \`${label}\` from workspace root manifest's \`workspace.${table}\``,
    body,
  );
}
