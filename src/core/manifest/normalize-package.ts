/** `[package]` after inheritance and discovery. Cargo Book: The Manifest Format, The [package] section. */
import { hasFileName, normalizePath } from '../files/path.ts';
import type { Version } from '../version/version.ts';
import { refuseUnstable } from './cargo-features.ts';
import { INHERIT } from './inheritable.ts';
import type { Inheritable, InheritablePackage } from './inheritable.ts';
import { inheritedField, inheritedPath, inheriting } from './inheritable-fields.ts';
import type { InheritanceRoot } from './inheritable-fields.ts';
import { manifestProblem } from './manifest-problem.ts';
import type { RawPackage } from './raw-manifest.ts';
import type { TargetFiles } from './target-files.ts';

/** The fields of a package; null for missing ones. */
export interface NormalizedPackage {
  readonly name: string;
  readonly version: Version | null;
  /** As written, unchecked. */
  readonly edition: string | null;
  readonly rustVersion: string | null;
  readonly authors: readonly string[] | null;
  /** Normalized paths of build scripts. */
  readonly build: readonly string[];
  readonly exclude: readonly string[] | null;
  readonly include: readonly string[] | null;
  readonly publish: readonly string[] | boolean | null;
  readonly description: string | null;
  readonly homepage: string | null;
  readonly documentation: string | null;
  readonly readme: string | null;
  readonly keywords: readonly string[] | null;
  readonly categories: readonly string[] | null;
  readonly license: string | null;
  readonly licenseFile: string | null;
  readonly repository: string | null;
}

/** Inputs for the fields of a package. */
export interface NormalizePackageOptions {
  /** Absolute path of the package's folder. */
  readonly root: string;
  readonly files: TargetFiles;
  /** Returns the workspace root. Called only for inherited fields. */
  readonly inherit: () => InheritanceRoot;
  /** Returns the files of the workspace root's folder. */
  readonly filesOf: (root: string) => TargetFiles;
}

const README_FILES = ['README.md', 'README.txt', 'README'];

type InheritableKey = Exclude<keyof InheritablePackage, 'badges'>;

/** Resolves the fields of a package. */
export function normalizePackage(raw: RawPackage, options: NormalizePackageOptions): NormalizedPackage {
  const { root, files, inherit } = options;

  function field<T, K extends InheritableKey>(
    value: Inheritable<T> | undefined,
    key: K,
    get: () => T,
  ): T | null {
    if (value === undefined) return null;
    return value === INHERIT ? inheriting(key, `package.${key}`, get) : value;
  }

  const edition = field(raw.edition, 'edition', () => inheritedField(inherit(), 'edition'));
  const rustVersion = field(raw['rust-version'], 'rust-version', () =>
    inheritedField(inherit(), 'rust-version'),
  );
  const { name } = raw;
  if (name === undefined) throw manifestProblem('missing field `package.name`');
  const version = field(raw.version, 'version', () => inheritedField(inherit(), 'version'));
  const authors = field(raw.authors, 'authors', () => inheritedField(inherit(), 'authors'));
  if (Array.isArray(raw.build)) refuseUnstable('multiple-build-scripts');
  const build = buildScripts(raw.build, files);
  const exclude = field(raw.exclude, 'exclude', () => inheritedField(inherit(), 'exclude'));
  const include = field(raw.include, 'include', () => inheritedField(inherit(), 'include'));
  const publish = field(raw.publish, 'publish', () => inheritedField(inherit(), 'publish'));
  const description = field(raw.description, 'description', () => inheritedField(inherit(), 'description'));
  const homepage = field(raw.homepage, 'homepage', () => inheritedField(inherit(), 'homepage'));
  const documentation = field(raw.documentation, 'documentation', () =>
    inheritedField(inherit(), 'documentation'),
  );
  const writtenReadme = field(raw.readme, 'readme', () => inheritedReadme(options));
  const readme = readmePath(writtenReadme, files);
  const keywords = field(raw.keywords, 'keywords', () => inheritedField(inherit(), 'keywords'));
  const categories = field(raw.categories, 'categories', () => inheritedField(inherit(), 'categories'));
  const license = field(raw.license, 'license', () => inheritedField(inherit(), 'license'));
  const licenseFile = field(raw['license-file'], 'license-file', () => {
    const from = inherit();
    const written = from.config.inheritable.package?.['license-file'] ?? null;
    return inheritedPath(from, 'license-file', { memberRoot: root, written });
  });
  const repository = field(raw.repository, 'repository', () => inheritedField(inherit(), 'repository'));

  return {
    name,
    version,
    edition,
    rustVersion,
    authors,
    build,
    exclude,
    include,
    publish,
    description,
    homepage,
    documentation,
    readme,
    keywords,
    categories,
    license,
    licenseFile,
    repository,
  };
}

function buildScripts(build: RawPackage['build'], files: TargetFiles): readonly string[] {
  if (typeof build === 'string') {
    if (!hasFileName(build)) throw manifestProblem('invalid `package.build` file name');
    return [normalizePath(build)];
  }
  if (build === true) return ['build.rs'];
  return build === undefined && files.isFile('', 'build.rs') ? ['build.rs'] : [];
}

/** Returns the path of a readme: as written, the default name, or a discovered file. */
function readmePath(written: string | boolean | null, files: TargetFiles): string | null {
  if (written === null) return README_FILES.find((name) => files.isFile('', name)) ?? null;
  if (typeof written === 'string') return written;
  return written ? 'README.md' : null;
}

function inheritedReadme({ root, inherit, filesOf }: NormalizePackageOptions): string {
  const from = inherit();
  const written = readmePath(from.config.inheritable.package?.readme ?? null, filesOf(from.folder));
  return inheritedPath(from, 'readme', { memberRoot: root, written });
}
