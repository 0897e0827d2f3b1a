/** `[package]` as it is published. Cargo Book: cargo package. */
import { fileName, joinPath, normalizePath, relativePath, startsWithPath } from '../files/path.ts';
import { buildTable } from '../toml/build-table.ts';
import type { TomlTable } from '../toml/value.ts';
import type { NormalizedPackage } from './normalize-package.ts';
import type { RawPackage } from './raw-manifest.ts';
import type { Resolver } from './resolver.ts';

/** What `[package]` is written from. */
export interface PreparePackageOptions {
  readonly raw: RawPackage;
  readonly fields: NormalizedPackage;
  /** Absolute path of the package's folder. */
  readonly root: string;
  /** The build scripts that are published. */
  readonly build: readonly string[];
  /** null where the edition says it all. */
  readonly resolver: Resolver | null;
}

/** The table with everything written out: what is inherited, and what would else be looked for on disk. */
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

/** A path from the archive's root, where a file from outside of the package stands by its name. */
function pathInArchive(path: string, root: string): string {
  const absolute = normalizePath(joinPath(root, path));
  if (startsWithPath(absolute, root)) return relativePath(root, absolute);
  return fileName(absolute);
}
