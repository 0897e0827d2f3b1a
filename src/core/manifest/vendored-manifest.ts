/** Manifests of vendored packages from repositories. Cargo Book: cargo vendor. */
import type { Message } from '../errors/wording.ts';
import { present } from '../errors/assert.ts';
import type { Files } from '../files/files.ts';
import { parentFolder } from '../files/path.ts';
import { buildTable, mapTable } from '../toml/build-table.ts';
import type { TomlTable, TomlValue } from '../toml/value.ts';
import { writeToml } from '../toml/write-toml.ts';
import type { InheritablePackage } from './inheritable.ts';
import type { InheritanceRoot } from './inheritable-fields.ts';
import type { PackageManifest } from './manifest.ts';
import { type NormalizedTable, TABLE_NAMES } from './normalize-dependencies.ts';
import { normalizeManifest } from './normalize-manifest.ts';
import { PLATFORM_ORDER, TOP_ORDER } from './package-dependencies.ts';
import { MANIFEST_HEAD, type PreparedManifest } from './prepare-manifest.ts';
import { packageTable } from './prepare-package.ts';
import { prepareLints, prepareProfiles } from './prepare-profiles.ts';
import { prepareTargets } from './prepare-targets.ts';
import type { DetailedDependency, RawDependency } from './raw-dependency.ts';
import type { RawManifest, RawWorkspace } from './raw-manifest.ts';
import { readRawManifest } from './read-raw-manifest.ts';

/** Inputs for a vendored manifest. */
export interface VendoredManifestOptions {
  /** The package's manifest, and its text as read. */
  readonly manifest: PackageManifest;
  readonly text: string;
  /**
   * Returns the root to inherit from. `pointer` is the text of `package.workspace`, null for the nearest root. Called
   * only if the package inherits.
   */
  readonly inheritFrom: (pointer: string | null) => InheritanceRoot;
  /** Paths of all files of the package. */
  readonly included: ReadonlySet<string>;
  /** For target discovery, readme and build script. */
  readonly files: Files;
}

/**
 * Writes out everything that a package inherits or discovers, and omits targets whose files are not in `included`. The
 * rest stays as written, including `[workspace]` and paths of dependencies. The result may not be a valid package:
 * `readPreparedManifest` checks it.
 */
export function vendoredManifest(options: VendoredManifestOptions): PreparedManifest {
  const { manifest, text, inheritFrom, included, files } = options;
  const { raw } = readRawManifest(text, manifest.path);
  const rawPackage = present(raw.package ?? raw.project, 'the `[package]` of a package');
  const normalized = normalizeManifest(rawPackage, {
    raw,
    workspace: manifest.workspace,
    root: parentFolder(manifest.path),
    files,
    inheritFrom,
    // They were reported when the manifest was loaded.
    warnings: [],
    buildErrors: [],
  });
  const warnings: Message[] = [];
  const { build, ...targets } = prepareTargets(normalized.targets, included, warnings);
  const { resolver = null, workspace = null } = rawPackage;
  const document = buildTable({
    'cargo-features': raw['cargo-features'],
    package: packageTable(rawPackage, { ...normalized.fields, build }, { resolver, workspace }),
    badges: raw.badges === undefined ? null : badgesTable(raw.badges),
    features: raw.features === undefined ? null : mapTable(raw.features, (values) => [...values]),
    lib: targets.lib,
    bin: targets.bin,
    example: targets.example,
    test: targets.test,
    bench: targets.bench,
    ...dependencyTables(normalized.dependencies),
    lints: raw.lints === undefined ? null : prepareLints(normalized.lints),
    hints: raw.hints === undefined ? null : buildTable({ 'mostly-unused': raw.hints['mostly-unused'] }),
    ...rootTables(raw),
  });
  return { text: `${MANIFEST_HEAD}\n${writeToml(document)}`, warnings };
}

type Badges = NonNullable<RawManifest['badges']>;

function badgesTable(badges: Badges): TomlTable {
  return mapTable(badges, (badge) => new Map(badge));
}

/** Returns `dependencies` and similar tables, and `target`. */
function dependencyTables(
  places: ReturnType<typeof normalizeManifest>['dependencies'],
): Readonly<Record<string, TomlTable>> {
  const top: Record<string, TomlTable> = {};
  const target: TomlTable = new Map();
  for (const place of places) {
    const { platform } = place;
    const tables: Record<string, TomlTable> = {};
    for (const kind of platform === null ? TOP_ORDER : PLATFORM_ORDER) {
      const table = place[kind];
      if (table !== null) tables[TABLE_NAMES[kind]] = packageDependencies(table);
    }
    if (platform === null) Object.assign(top, tables);
    else target.set(platform, buildTable(tables));
  }
  return target.size === 0 ? top : { ...top, target };
}

/** Returns a package's dependencies without `public`, which cargo drops when it reads the manifest. */
function packageDependencies(table: NormalizedTable): TomlTable {
  return mapTable(table, (written) => {
    const value = writtenDependency(written);
    if (value instanceof Map) value.delete('public');
    return value;
  });
}

/** Returns a table of dependencies as written. */
function writtenDependencies(table: ReadonlyMap<string, RawDependency>): TomlTable {
  return mapTable(table, writtenDependency);
}

function writtenDependency(written: RawDependency): TomlValue {
  if (typeof written === 'string') return written;
  return buildTable<Exclude<keyof DetailedDependency, 'unusedKeys'>>({
    version: written.version,
    registry: written.registry,
    'registry-index': written['registry-index'],
    path: written.path,
    base: written.base,
    git: written.git,
    branch: written.branch,
    tag: written.tag,
    rev: written.rev,
    features: written.features,
    optional: written.optional,
    'default-features': written['default-features'],
    default_features: written.default_features,
    package: written.package,
    public: written.public,
    artifact: written.artifact,
    lib: written.lib,
    target: written.target,
  });
}

/** Returns the tables that only count at a workspace root, as written. */
function rootTables({
  workspace,
  profile,
  patch,
  replace,
}: RawManifest): Readonly<Record<string, TomlTable>> {
  return {
    ...(workspace === undefined ? {} : { workspace: workspaceTable(workspace) }),
    ...(profile === undefined ? {} : { profile: prepareProfiles(profile) }),
    ...(patch === undefined ? {} : { patch: mapTable(patch, writtenDependencies) }),
    ...(replace === undefined ? {} : { replace: writtenDependencies(replace) }),
  };
}

function workspaceTable(workspace: RawWorkspace): TomlTable {
  const { dependencies, lints } = workspace;
  return buildTable<keyof RawWorkspace>({
    members: workspace.members,
    exclude: workspace.exclude,
    'default-members': workspace['default-members'],
    resolver: workspace.resolver,
    metadata: workspace.metadata,
    package: workspace.package === undefined ? null : sharedFields(workspace.package),
    dependencies: dependencies === undefined ? null : writtenDependencies(dependencies),
    lints: lints === undefined ? null : prepareLints(lints),
  });
}

/** Returns `[workspace.package]`. */
function sharedFields(fields: InheritablePackage): TomlTable {
  return buildTable<keyof InheritablePackage>({
    version: fields.version?.text,
    authors: fields.authors,
    description: fields.description,
    homepage: fields.homepage,
    documentation: fields.documentation,
    readme: fields.readme,
    keywords: fields.keywords,
    categories: fields.categories,
    license: fields.license,
    'license-file': fields['license-file'],
    repository: fields.repository,
    publish: fields.publish,
    edition: fields.edition,
    badges: fields.badges === undefined ? null : badgesTable(fields.badges),
    exclude: fields.exclude,
    include: fields.include,
    'rust-version': fields['rust-version'],
  });
}
