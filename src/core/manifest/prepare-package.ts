/** `[package]` of published manifests. Cargo Book: cargo package. */
import { fileName, joinPath, normalizePath, relativePath, startsWithPath } from '../files/path.ts';
import { buildTable } from '../toml/build-table.ts';
import type { TomlTable } from '../toml/value.ts';
import type { Resolver } from './manifest.ts';
import type { NormalizedPackage } from './normalize-package.ts';
import type { RawPackage } from './raw-manifest.ts';

/** Inputs for `[package]`. */
export interface PreparePackageOptions {
  readonly raw: RawPackage;
  readonly fields: NormalizedPackage;
  /** Absolute path of the package's folder. */
  readonly root: string;
  /** The published build scripts. */
  readonly build: readonly string[];
  /** null if the edition implies it. */
  readonly resolver: Resolver | null;
}

/** Returns the table with all inherited and discovered values, and with paths as in the archive. */
export function preparePackage({ raw, fields, root, build, resolver }: PreparePackageOptions): TomlTable {
  const inArchive = (path: string | null): string | null =>
    path === null ? null : pathInArchive(path, root);
  const { readme, licenseFile } = fields;
  const paths = { readme: inArchive(readme), licenseFile: inArchive(licenseFile) };
  return packageTable(raw, { ...fields, ...paths, build }, { resolver, workspace: null });
}

/** Keys of unstable features, and a key in the wrong table: a package that has them is refused. */
type RefusedKey = 'metabuild' | 'default-target' | 'forced-target' | 'im-a-teapot' | 'cargo-features';

/** Returns the table of a package whose targets are written out. `fields.build` has the remaining build scripts. */
export function packageTable(
  raw: RawPackage,
  fields: NormalizedPackage,
  { resolver, workspace }: { readonly resolver: string | null; readonly workspace: string | null },
): TomlTable {
  return buildTable<Exclude<keyof RawPackage, RefusedKey>>({
    edition: fields.edition,
    'rust-version': fields.rustVersion,
    name: fields.name,
    version: fields.version?.text,
    authors: fields.authors,
    build: fields.build[0] ?? false,
    links: raw.links,
    exclude: fields.exclude,
    include: fields.include,
    publish: fields.publish,
    workspace,
    autolib: false,
    autobins: false,
    autoexamples: false,
    autotests: false,
    autobenches: false,
    'default-run': raw['default-run'],
    description: fields.description,
    homepage: fields.homepage,
    documentation: fields.documentation,
    readme: fields.readme ?? false,
    keywords: fields.keywords,
    categories: fields.categories,
    license: fields.license,
    'license-file': fields.licenseFile,
    repository: fields.repository,
    resolver,
    metadata: raw.metadata,
  });
}

/** Returns a path relative to the archive's root, which contains files from outside the package under their names. */
function pathInArchive(path: string, root: string): string {
  const absolute = normalizePath(joinPath(root, path));
  if (startsWithPath(absolute, root)) return relativePath(root, absolute);
  return fileName(absolute);
}
