/**
 * Look-ups in the document of `metadata`. Pure functions: they also accept a document that cargo printed. They throw a
 * `TsregError`: with the code `usage` if the document lacks what they need, as with `tsreg metadata --fields`, and with
 * `not-found` if it names a package by its ID, but does not have it.
 */
import { join } from 'node:path';
import { TsregError } from '../core/errors/error.ts';
import type { MetadataDocument, NodeDependency, PackageEntry } from '../core/document/document.ts';

/** A package that another one depends on. */
export interface PackageDependency {
  /** The name of the dependency in the code of its dependent. */
  readonly name: string;
  readonly package: PackageEntry;
  /** The declarations of the dependency; never empty. */
  readonly kinds: readonly DependencyKindEntry[];
}

/** One declaration of a dependency. */
export interface DependencyKindEntry {
  readonly kind: 'normal' | 'dev' | 'build';
  /** A target triple or a `cfg` expression; null for every platform. */
  readonly target: string | null;
}

/** Returns the package with an id; null if the document does not have it. */
export function packageById(document: MetadataDocument, id: string): PackageEntry | null {
  return fieldOf(document, 'packages', isObjects).find((candidate) => candidate.id === id) ?? null;
}

/**
 * Returns the package of the current manifest, or with `noDeps` the package of the workspace's root manifest. Returns
 * null if that manifest is virtual.
 */
export function rootPackage(document: MetadataDocument): PackageEntry | null {
  const resolve = fieldOf(document, 'resolve', isResolve);
  if (resolve !== null) return resolve.root === null ? null : packageOf(document, resolve.root);
  const path = join(fieldOf(document, 'workspace_root', isText), 'Cargo.toml');
  const packages = fieldOf(document, 'packages', isObjects);
  return packages.find(({ manifest_path: candidate }) => candidate === path) ?? null;
}

/** Returns the members of the workspace, in the order of `workspace_members`. */
export function workspacePackages(document: MetadataDocument): readonly PackageEntry[] {
  return fieldOf(document, 'workspace_members', isTexts).map((id) => packageOf(document, id));
}

/** Returns the members that cargo selects by default, in the order of `workspace_default_members`. */
export function workspaceDefaultPackages(document: MetadataDocument): readonly PackageEntry[] {
  return fieldOf(document, 'workspace_default_members', isTexts).map((id) => packageOf(document, id));
}

/**
 * Returns the direct dependencies of the package with an id, as they were resolved. Throws a `TsregError`, with the code
 * `not-found` if the document does not have the package, and `usage` for a document of `noDeps`.
 */
export function dependenciesOf(document: MetadataDocument, id: string): readonly PackageDependency[] {
  const resolve = fieldOf(document, 'resolve', isResolve);
  if (resolve === null) {
    throw new TsregError('the document has no dependencies: call `metadata` without `noDeps`', {
      code: 'usage',
    });
  }
  const node = fieldOf(resolve, 'nodes', isObjects).find((candidate) => candidate.id === id);
  if (node === undefined) throw missingPackage(id);
  return fieldOf(node, 'deps', isObjects).map((dependency) => ({
    name: dependency.name,
    package: packageOf(document, dependency.pkg),
    kinds: kindsOf(dependency),
  }));
}

function kindsOf(dependency: NodeDependency): readonly DependencyKindEntry[] {
  const declarations = fieldOf(dependency, 'dep_kinds', isObjects);
  return declarations.map(({ kind, target }) => ({ kind: kind ?? 'normal', target }));
}

/** Returns a field of the document, or of an object in it. Throws `usage` if it is missing or `accepts` returns false. */
function fieldOf<T extends object, K extends keyof T & string>(
  part: T,
  name: K,
  accepts: (value: unknown) => boolean,
): T[K] {
  if (isObject(part) && accepts(part[name])) return part[name];
  throw new TsregError(`the document has no valid \`${name}\``, {
    code: 'usage',
    hint: 'pass a whole document of `metadata`, such as the result of `parse()`',
  });
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

/** null for a document without dependencies. */
function isResolve(value: unknown): boolean {
  return value === null || isObject(value);
}

function isObjects(value: unknown): boolean {
  return Array.isArray(value) && value.every(isObject);
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every(isText);
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function packageOf(document: MetadataDocument, id: string): PackageEntry {
  const found = packageById(document, id);
  if (found === null) throw missingPackage(id);
  return found;
}

function missingPackage(id: string): TsregError {
  return new TsregError(`the document has no package with the ID \`${id}\``, { code: 'not-found' });
}
