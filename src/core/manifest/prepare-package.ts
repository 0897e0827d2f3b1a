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

/** Returns the table with all inherited and discovered values. */
export function preparePackage({ raw, fields, root, build, resolver }: PreparePackageOptions): TomlTable {
  const { licenseFile, readme } = fields;
  return buildTable({
    edition: fields.edition,
    'rust-version': fields.rustVersion,
    name: fields.name,
    version: fields.version?.text,
    authors: fields.authors,
    build: build[0] ?? false,
    links: raw.links,
    exclude: fields.exclude,
    include: fields.include,
    publish: fields.publish,
    autolib: false,
    autobins: false,
    autoexamples: false,
    autotests: false,
    autobenches: false,
    'default-run': raw['default-run'],
    description: fields.description,
    homepage: fields.homepage,
    documentation: fields.documentation,
    readme: readme === null ? false : pathInArchive(readme, root),
    keywords: fields.keywords,
    categories: fields.categories,
    license: fields.license,
    'license-file': licenseFile === null ? null : pathInArchive(licenseFile, root),
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
