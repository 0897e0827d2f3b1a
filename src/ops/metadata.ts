/** `metadata`: a workspace and its resolved dependencies as one JSON document. Cargo Book: cargo-metadata(1). */
import type { Config } from '../config/config.ts';
import { buildDirectory, targetDirectory } from '../config/target-directory.ts';
import { PackageCache } from '../disk/package-cache.ts';
import { NodeFiles } from '../disk/node-files.ts';
import type { Files } from '../files/files.ts';
import type { PackageManifest } from '../manifest/manifest.ts';
import {
  documentBytes,
  type DocumentGraph,
  type DocumentPackage,
  metadataTableText,
} from '../metadata/document-text.ts';
import { buildGraph } from '../metadata/graph.ts';
import { packageText } from '../metadata/package-text.ts';
import { type DependencyFilter, reachablePackages } from '../metadata/reach.ts';
import { describePackage } from '../package-id/describe.ts';
import { formatPackageId } from '../package-id/package-id.ts';
import type { OperationContext } from '../report/report.ts';
import { parseCliFeatures } from '../resolve/cli-features.ts';
import type { RequestedFeatures } from '../resolve/problem.ts';
import type { Resolution } from '../resolve/resolution.ts';
import { createCatalog, type PackageCatalog } from '../sources/catalog.ts';
import { addConfigPatches } from '../sources/config-patches.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { chooseManifest, openWorkspace } from './open-workspace.ts';
import { type PlatformFilter, platformFilter } from './platform-filter.ts';
import { resolveWorkspace } from './resolve-workspace.ts';
import { rustVersion } from './rust-version.ts';

/** What the command line asks for. */
export interface MetadataOptions {
  readonly config: Config;
  readonly manifestPath: string | null;
  /** Null: the format that holds today, with a warning once the workspace is loaded. */
  readonly formatVersion: 1 | null;
  readonly noDeps: boolean;
  readonly filterPlatforms: readonly string[];
  readonly features: readonly string[];
  readonly allFeatures: boolean;
  readonly noDefaultFeatures: boolean;
  readonly locked: boolean;
  readonly frozen: boolean;
  /** `--offline` or `net.offline`. */
  readonly offline: boolean;
  readonly idForm: 'legacy' | 'spec';
  /** A lock file instead of the workspace's own; absolute. */
  readonly lockfilePath: string | null;
  /** The name of the toolchain to ask, null for the one in use. */
  readonly toolchain: string | null;
  /** How loud programs are asked to be that write to the user's terminal themselves. */
  readonly verbosity: 'quiet' | 'normal' | 'verbose';
}

/** What comes out. */
export interface MetadataResult {
  /** The document as one line of UTF-8, without its line break, in parts. */
  readonly document: readonly Uint8Array[];
}

/** What the steps of one run share. */
interface Run {
  readonly options: MetadataOptions;
  readonly context: OperationContext;
  readonly files: Files;
  readonly workspace: Workspace;
}

/** Loads the workspace, resolves its dependencies, brings `Cargo.lock` up to date and describes all of it. */
export async function metadata(options: MetadataOptions, context: OperationContext): Promise<MetadataResult> {
  const { config, formatVersion } = options;
  const { report } = context;
  const files = new NodeFiles();
  const workspace = openWorkspace(chooseManifest(options.manifestPath, config, files), config, files);
  const run: Run = { options, context, files, workspace };
  for (const warning of workspace.warnings) report.warning(warning);
  if (formatVersion === null) {
    report.warning('please specify `--format-version` flag explicitly to avoid compatibility problems');
  }
  const requested = requestedFeatures(options);
  if (options.noDeps) return { document: documentOf(run, workspace.members, null) };
  const platforms = await platformFilter(options.filterPlatforms, config);
  const catalog = makeCatalog(run);
  const resolution = await resolveGraph(run, catalog, requested);
  const manifests = await loadPackages(run, { resolution, catalog, platforms });
  warnAboutMissingLibraries(run, { resolution, manifests, platforms });
  const nodes = buildGraph(resolution, {
    members: memberIndexes(workspace, resolution),
    libraryName: (index) => libraryName(manifests.get(index)),
    isActive: (dependency) => platforms.isRequested(dependency),
  });
  const packages = nodes.flatMap((node) => manifests.get(node.package) ?? []);
  return { document: documentOf(run, packages, { resolution, nodes }) };
}

function requestedFeatures(options: MetadataOptions): RequestedFeatures {
  return {
    features: parseCliFeatures(options.features),
    all: options.allFeatures,
    default: !options.noDefaultFeatures,
  };
}

function makeCatalog({ options, context, files, workspace }: Run): PackageCatalog {
  const { config } = options;
  const { manifests } = workspace;
  return createCatalog({
    ...context,
    config,
    files,
    sources: manifests.sources,
    load: (path, source) => manifests.load(path, source),
    cache: new PackageCache(config.home, context),
    offlineFlag: offlineFlag(options),
    verbosity: options.verbosity,
  });
}

function offlineFlag({ frozen, offline }: MetadataOptions): string | null {
  if (frozen) return '--frozen';
  return offline ? '--offline' : null;
}

function lockedFlag({ frozen, locked }: MetadataOptions): string | null {
  if (locked) return '--locked';
  return frozen ? '--frozen' : null;
}

async function resolveGraph(
  { options, context, workspace }: Run,
  catalog: PackageCatalog,
  requested: RequestedFeatures,
): Promise<Resolution> {
  return resolveWorkspace(
    {
      workspace,
      config: options.config,
      catalog,
      patches: addConfigPatches(workspace.rootManifest.patches, workspace.root, {
        config: options.config,
        sources: workspace.manifests.sources,
        report: context.report,
      }),
      overrides: () => catalog.readPathOverrides(),
      requested,
      lockedFlag: lockedFlag(options),
      offlineFlag: offlineFlag(options),
      lockfilePath: options.lockfilePath,
      rustVersion: () => rustVersion(options.config, options.toolchain, context.signal),
    },
    context,
  );
}

/** The manifests of everything that the named platforms and this machine need, by index into the resolution. */
async function loadPackages(
  { workspace }: Run,
  {
    resolution,
    catalog,
    platforms,
  }: { resolution: Resolution; catalog: PackageCatalog; platforms: PlatformFilter },
): Promise<ReadonlyMap<number, PackageManifest>> {
  const members = memberIndexes(workspace, resolution);
  const needed = new Set(
    platforms.downloads.flatMap((filter) => reachablePackages(resolution, members, filter)),
  );
  const indexes = Array.from(needed).sort((a, b) => a - b);
  const summaries = indexes.flatMap((index) => resolution.packages[index]?.summary ?? []);
  const fetched = await catalog.fetchPackages(summaries);
  return new Map(
    fetched.flatMap((each, at) => {
      const index = indexes[at];
      return index === undefined ? [] : [[index, catalog.manifestOf(each)] as const];
    }),
  );
}

function memberIndexes({ members }: Workspace, { packages }: Resolution): readonly number[] {
  const indexes = new Map(packages.map(({ id }, index) => [id.key, index]));
  return members.flatMap(({ summary }) => indexes.get(summary.id.key) ?? []);
}

function libraryName(manifest: PackageManifest | undefined): string | null {
  const library = manifest?.targets.find(({ kind }) => kind === 'lib');
  return library === undefined ? null : library.name.replaceAll('-', '_');
}

/** cargo says so for direct dependencies of members, and leaves those dependencies out of the graph. */
function warnAboutMissingLibraries(
  { workspace, context }: Run,
  {
    resolution,
    manifests,
    platforms,
  }: { resolution: Resolution; manifests: ReadonlyMap<number, PackageManifest>; platforms: PlatformFilter },
): void {
  const members = memberIndexes(workspace, resolution).toSorted((a, b) => a - b);
  const isUsed: DependencyFilter = (dependency) => platforms.downloads.some((filter) => filter(dependency));
  for (const member of members) {
    const from = resolution.packages[member];
    for (const { to, dependencies } of from?.edges ?? []) {
      const manifest = manifests.get(resolution.packages[to]?.replacement ?? to);
      if (from === undefined || manifest === undefined || libraryName(manifest) !== null) continue;
      if (!dependencies.some(isUsed)) continue;
      for (const { nameInToml } of dependencies) {
        context.report.warning(
          `${describePackage(from.id)} ignoring invalid dependency \`${nameInToml}\` which is missing a lib target`,
        );
      }
    }
  }
}

function documentOf(
  { options, workspace }: Run,
  packages: readonly PackageManifest[],
  graph: { resolution: Resolution; nodes: DocumentGraph['nodes'] } | null,
): readonly Uint8Array[] {
  const { config, idForm } = options;
  const { root, rootManifest, currentManifest, members, defaultMembers } = workspace;
  const printId = ({ summary }: PackageManifest): string => formatPackageId(summary.id, idForm);
  const { workspace: relation } = rootManifest;
  return documentBytes({
    packages: packages.map(
      (manifest): DocumentPackage => ({ id: printId(manifest), text: packageText(manifest) }),
    ),
    workspaceMembers: members.map(printId),
    workspaceDefaultMembers: defaultMembers.map(printId),
    graph:
      graph === null
        ? null
        : {
            ...graph,
            ids: graph.resolution.packages.map(({ id }) => formatPackageId(id, idForm)),
            root: currentManifest.kind === 'package' ? printId(currentManifest) : null,
          },
    targetDirectory: targetDirectory(config, root),
    buildDirectory: buildDirectory(config, root),
    workspaceRoot: root,
    metadataText: metadataTableText(relation.kind === 'root' ? relation.config.metadata : null),
  });
}
