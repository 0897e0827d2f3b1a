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
  /** Returns the files of a folder: that of the workspace root, whose readme may be inherited. */
  readonly filesOf: (folder: string) => TargetFiles;
}

/** Cargo Book: The Manifest Format, The readme field. */
const README_FILES = ['README.md', 'README.txt', 'README'];

type InheritableKey = Exclude<keyof InheritablePackage, 'badges'>;
type InheritedValue<K extends InheritableKey> = Exclude<InheritablePackage[K], undefined>;

/** Resolves the fields of a package, in cargo's order: the first error counts. */
export function normalizePackage(raw: RawPackage, options: NormalizePackageOptions): NormalizedPackage {
  const { files } = options;

  /** Returns a written or inherited value; null if the key is missing. */
  function field<K extends InheritableKey>(
    key: K,
    written: Inheritable<InheritedValue<K>> | undefined,
  ): InheritedValue<K> | null {
    return resolveField(key, written, () => inheritedField(options.inherit(), key));
  }

  const edition = field('edition', raw.edition);
  const rustVersion = field('rust-version', raw['rust-version']);
  const { name } = raw;
  if (name === undefined) throw manifestProblem('missing field `package.name`');
  const version = field('version', raw.version);
  const authors = field('authors', raw.authors);
  if (Array.isArray(raw.build)) refuseUnstable('multiple-build-scripts');
  return {
    edition,
    rustVersion,
    name,
    version,
    authors,
    build: buildScripts(raw.build, files),
    exclude: field('exclude', raw.exclude),
    include: field('include', raw.include),
    publish: field('publish', raw.publish),
    description: field('description', raw.description),
    homepage: field('homepage', raw.homepage),
    documentation: field('documentation', raw.documentation),
    readme: readmePath(
      resolveField('readme', raw.readme, () => inheritedReadme(options)),
      files,
    ),
    keywords: field('keywords', raw.keywords),
    categories: field('categories', raw.categories),
    license: field('license', raw.license),
    licenseFile: resolveField('license-file', raw['license-file'], () => inheritedLicenseFile(options)),
    repository: field('repository', raw.repository),
  };
}

/** Returns a written value, or the one that `inherit` returns; null if the key is missing. */
function resolveField<T>(
  key: InheritableKey,
  written: Inheritable<T> | undefined,
  inherit: () => T,
): T | null {
  if (written === undefined) return null;
  return written === INHERIT ? inheriting(key, `package.${key}`, inherit) : written;
}

/** Returns the normalized paths of build scripts, written or discovered. */
function buildScripts(build: RawPackage['build'], files: TargetFiles): readonly string[] {
  if (typeof build === 'string') {
    if (!hasFileName(build)) throw manifestProblem('invalid `package.build` file name');
    return [normalizePath(build)];
  }
  if (build === true) return ['build.rs'];
  return build === undefined && files.isFile('build.rs') ? ['build.rs'] : [];
}

/** Returns the path of a readme: as written, the default name, or a discovered file. */
function readmePath(written: string | boolean | null, files: TargetFiles): string | null {
  if (written === null) return README_FILES.find((name) => files.isFile(name)) ?? null;
  if (typeof written === 'string') return written;
  return written ? 'README.md' : null;
}

function inheritedReadme({ root, inherit, filesOf }: NormalizePackageOptions): string {
  const workspace = inherit();
  const written = readmePath(workspace.config.inheritable.package?.readme ?? null, filesOf(workspace.folder));
  return inheritedPath(workspace, 'readme', { memberRoot: root, written });
}

function inheritedLicenseFile({ root, inherit }: NormalizePackageOptions): string {
  const workspace = inherit();
  const written = workspace.config.inheritable.package?.['license-file'] ?? null;
  return inheritedPath(workspace, 'license-file', { memberRoot: root, written });
}
