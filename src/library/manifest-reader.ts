/** Decoded manifests as plain data. Cargo Book: The Manifest Format. */
import type { JsonValue } from '../core/document/document.ts';
import { metadataTableText } from '../core/document/document-text.ts';
import type { Files } from '../core/files/files.ts';
import { buildDependency, type BuildDependencyScope } from '../core/manifest/build-dependency.ts';
import type { InheritanceRoot } from '../core/manifest/inheritable-fields.ts';
import { manifestProblem } from '../core/manifest/manifest-problem.ts';
import type { NormalizedTable } from '../core/manifest/normalize-dependencies.ts';
import { type NormalizedPackage, normalizePackage } from '../core/manifest/normalize-package.ts';
import {
  type NormalizedTables,
  normalizeTables,
  PLATFORM_ORDER,
  TOP_ORDER,
} from '../core/manifest/package-dependencies.ts';
import { packageEdition } from '../core/manifest/package-edition.ts';
import type { RawDependency } from '../core/manifest/raw-dependency.ts';
import type { RawManifest, RawPackage, RawWorkspace } from '../core/manifest/raw-manifest.ts';
import { TargetFiles } from '../core/manifest/target-files.ts';
import { SourceTable } from '../core/package-id/source-table.ts';
import { dependencyFields } from '../core/protocol/indexed-version.ts';
import { buildFeatureMap } from '../core/summary/feature-value.ts';
import { ParseCache } from '../core/summary/parse-cache.ts';
import type { Dependency, DependencyKind } from '../core/summary/summary.ts';
import type { TomlValue } from '../core/toml/value.ts';
import type {
  CargoManifest,
  ManifestDependency,
  ManifestPackage,
  ManifestWorkspace,
} from './cargo-manifest.ts';

/** Nothing is known about the files of the package. */
const NO_FILES: Files = { read: () => null, list: () => null, kind: () => null, exists: () => false };

/** Turns the tables of one manifest into plain data. */
export class ManifestReader {
  readonly #root: string;
  readonly #inherit: () => InheritanceRoot;
  readonly #scope: BuildDependencyScope;

  /** `root` is the absolute path of the manifest's folder. `inherit` is called only if something is inherited. */
  constructor(root: string, inherit: () => InheritanceRoot) {
    this.#root = root;
    this.#inherit = inherit;
    const sources = new SourceTable();
    this.#scope = {
      root,
      source: sources.forPath(root),
      sources,
      // The result does not contain sources, so the configuration is not needed.
      registry: () => sources.cratesIo(),
      parsed: new ParseCache(),
      warnings: [],
    };
  }

  /** Returns the manifest. Throws `manifest` in cargo's words, or the error of `inherit`. */
  read(raw: RawManifest): CargoManifest {
    const rawPackage = raw.package ?? raw.project;
    const workspace = raw.workspace === undefined ? null : this.#workspace(raw.workspace);
    if (rawPackage !== undefined) return { ...this.#packageTables(rawPackage, raw), workspace };
    if (workspace === null) {
      throw manifestProblem('manifest is missing either a `[package]` or a `[workspace]`');
    }
    return { package: null, workspace, dependencies: [], features: {} };
  }

  #packageTables(rawPackage: RawPackage, raw: RawManifest): Omit<CargoManifest, 'workspace'> {
    const { warnings } = this.#scope;
    const shared = { root: this.#root, inherit: this.#inherit };
    const files = new TargetFiles(NO_FILES, this.#root);
    const fields = normalizePackage(rawPackage, { ...shared, files, filesOf: () => files });
    const edition = packageEdition(fields, warnings);
    const tables = normalizeTables(raw, { ...shared, edition, warnings, packageName: fields.name });
    const entries = tables.flatMap((place) => this.#placedEntries(place));
    const features = raw.features ?? new Map<string, readonly string[]>();
    const { problem } = buildFeatureMap(
      features,
      entries.map(({ dependency }) => dependency),
    );
    if (problem !== null) throw manifestProblem(problem.message);
    return {
      package: packageData(fields, rawPackage, edition),
      dependencies: entries.map(dependencyData),
      features: Object.fromEntries(features),
    };
  }

  #placedEntries({ platform, ...tables }: NormalizedTables): readonly DependencyEntry[] {
    const order = platform === null ? TOP_ORDER : PLATFORM_ORDER;
    return order.flatMap((kind) => this.#entries(tables[kind], kind, platform));
  }

  #entries(
    table: NormalizedTable | null,
    kind: DependencyKind,
    platform: string | null,
  ): readonly DependencyEntry[] {
    const parsedPlatform = platform === null ? null : this.#scope.parsed.platform(platform);
    const scope = { ...this.#scope, kind, platform: parsedPlatform };
    return Array.from(table ?? [], ([name, written]) => ({
      dependency: buildDependency(written, name, scope),
      written,
    }));
  }

  #workspace(raw: RawWorkspace): ManifestWorkspace {
    const { members = [], exclude = [], dependencies = null, metadata } = raw;
    return {
      members,
      defaultMembers: raw['default-members'] ?? null,
      exclude,
      dependencies: this.#entries(dependencies, 'normal', null).map(dependencyData),
      metadata: jsonValue(metadata),
    };
  }
}

function packageData(fields: NormalizedPackage, raw: RawPackage, edition: string): ManifestPackage {
  const { version, publish } = fields;
  return {
    name: fields.name,
    version: version === null ? null : version.text,
    edition,
    rustVersion: fields.rustVersion,
    description: fields.description,
    license: fields.license,
    licenseFile: fields.licenseFile,
    readme: fields.readme,
    repository: fields.repository,
    homepage: fields.homepage,
    documentation: fields.documentation,
    authors: fields.authors ?? [],
    categories: fields.categories ?? [],
    keywords: fields.keywords ?? [],
    links: raw.links ?? null,
    defaultRun: raw['default-run'] ?? null,
    publish: allowedRegistries(publish ?? version !== null),
    exclude: fields.exclude ?? [],
    include: fields.include ?? [],
    metadata: jsonValue(raw.metadata),
  };
}

function allowedRegistries(publish: readonly string[] | boolean): readonly string[] | null {
  if (typeof publish !== 'boolean') return publish;
  return publish ? null : [];
}

/** A dependency as the resolver sees it, and as written. */
interface DependencyEntry {
  readonly dependency: Dependency;
  readonly written: RawDependency;
}

function dependencyData({ dependency, written }: DependencyEntry): ManifestDependency {
  const keys = typeof written === 'string' ? {} : written;
  return {
    ...dependencyFields(dependency),
    path: keys.path ?? null,
    git: keys.git ?? null,
    branch: keys.branch ?? null,
    tag: keys.tag ?? null,
    rev: keys.rev ?? null,
    registry: keys.registry ?? null,
    registryIndex: keys['registry-index'] ?? null,
  };
}

/** Returns a table as JSON has it; null if it is missing. */
function jsonValue(table: TomlValue | undefined): JsonValue {
  const value: JsonValue = JSON.parse(metadataTableText(table ?? null));
  return value;
}
