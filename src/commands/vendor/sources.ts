/** Finds the packages that workspaces need, and their content to vendor. Cargo Book: cargo vendor. */
import { PackageRepositories } from '../../io/archive/package-repository.ts';
import { selectFiles } from '../../io/archive/select-files.ts';
import type { SourceFile } from '../../io/archive/source-file.ts';
import type { Config } from '../../io/config/config.ts';
import { registryIndex } from '../../io/config/registry-index.ts';
import type { PackageCache } from '../../io/disk/package-cache.ts';
import { present } from '../../core/errors/assert.ts';
import { withContextAsync } from '../../core/errors/error.ts';
import { fromByteString } from '../../core/files/byte-path.ts';
import { parentFolder, relativePath } from '../../core/files/path.ts';
import type { PackageManifest } from '../../core/manifest/manifest.ts';
import { readPreparedManifest } from '../../core/manifest/read-prepared-manifest.ts';
import { vendoredManifest } from '../../core/manifest/vendored-manifest.ts';
import { isRegistry, sourcePath } from '../../core/package-id/source-id.ts';
import type { PackageCatalog } from '../../io/sources/catalog.ts';
import type { FetchedPackage } from '../../io/sources/source.ts';
import { SourceReplacement } from '../../io/sources/source-replacement.ts';
import type { PackageToVendor, VendoredContent } from '../../io/sources/vendor-packages.ts';
import type { LockRun } from '../shared/lock/lock-run.ts';
import { lockWorkspace } from '../shared/lock/resolve-workspace.ts';

/** A package to vendor, before its folder has a name. */
export type UnnamedPackage = Omit<PackageToVendor, 'name'>;

/** The options of `findPackages`. */
export interface FindPackagesOptions {
  readonly config: Config;
  /** The caller holds its lock. */
  readonly cache: PackageCache;
  /** Receives the absolute folder of each path package, which is not vendored. */
  readonly keepFolder: (path: string) => void;
}

/**
 * Brings the lock files of workspaces up to date, one after the other, and fetches the packages that they name. If
 * several workspaces need a package, the last one determines its content. Throws with cargo's error chain.
 */
export async function findPackages(
  runs: readonly LockRun[],
  { config, cache, keepFolder }: FindPackagesOptions,
): Promise<readonly UnnamedPackage[]> {
  // Reads the configuration before any lock file, so that its errors come first.
  const replacements = runs.map((run) => new SourceReplacement(config, run.workspace.manifests.sources));
  const packagesByKey = new Map<string, UnnamedPackage>();
  let earlier: PackageCatalog | null = null;
  for (const [index, run] of runs.entries()) {
    const { catalog, packages } = await fetchAll(run, { config, cache, earlier });
    earlier = catalog;
    const contentOf = describeContents(run, { config, packages });
    for (const { checksum, fetched, manifest } of packages) {
      const { id, root } = fetched;
      const actual = present(replacements[index], 'the replacement').actualOf(id.source);
      const folder = actual.kind === 'path' ? sourcePath(actual) : null;
      if (folder !== null) {
        keepFolder(folder);
        continue;
      }
      const content: VendoredContent =
        isRegistry(actual) && fetched.archive !== undefined
          ? { kind: 'crate', archive: fetched.archive }
          : contentOf(manifest);
      // The first workspace determines how the source is spelled.
      const firstId = packagesByKey.get(id.key)?.id ?? id;
      packagesByKey.set(id.key, { id: firstId, root, checksum, content });
    }
  }
  return [...packagesByKey.values()];
}

/** A package of a workspace's lock file, on disk. */
interface LockedPackage {
  /** SHA-256 of its archive, in hexadecimal; null for packages of other sources than registries. */
  readonly checksum: string | null;
  readonly fetched: FetchedPackage;
  readonly manifest: PackageManifest;
}

/**
 * Brings the lock file of a workspace up to date, and fetches its packages. Reuses the connections and tokens of
 * `earlier`, the catalog of the previous workspace; null for the first.
 */
async function fetchAll(
  run: LockRun,
  {
    config,
    ...shared
  }: { readonly config: Config; readonly cache: PackageCache; readonly earlier: PackageCatalog | null },
): Promise<{ readonly catalog: PackageCatalog; readonly packages: readonly LockedPackage[] }> {
  const { root } = run.workspace;
  const { catalog, summaries } = await withContextAsync(`failed to load lockfile for ${root}`, async () => {
    const opened = run.open(shared);
    const { catalog } = opened;
    // Index files may not be on disk yet, even if the lock file leaves no choice.
    const { lockResolution } = await catalog.loader.whileSearching(() => lockWorkspace(opened, run.context));
    // Like cargo, read the download settings as soon as the lock file is up to date.
    config.http();
    return { catalog, summaries: lockResolution.packages.map(({ summary }) => summary) };
  });
  const packages = await withContextAsync(`failed to download packages for ${root}`, async () => {
    const fetched = await catalog.fetchPackages(summaries);
    return fetched.map((onDisk, index) => ({
      checksum: present(summaries[index], 'the summary').checksum,
      fetched: onDisk,
      manifest: catalog.manifestOf(onDisk),
    }));
  });
  return { catalog, packages };
}

/**
 * Returns a function that describes the content of packages in folders. Packages of git repositories get manifests that
 * need no workspace.
 */
function describeContents(
  run: LockRun,
  { config, packages }: { readonly config: Config; readonly packages: readonly LockedPackage[] },
): (manifest: PackageManifest) => VendoredContent {
  const { context } = run;
  const inFolders = packages.filter(
    ({ fetched: { id, archive } }) => archive === undefined && id.source.kind !== 'path',
  );
  const repositories = new PackageRepositories({
    packageRoots: inFolders.map(({ fetched }) => fetched.root),
    outsideFiles: [],
    cwd: config.cwd,
    env: context.env,
    signal: context.signal,
  });
  return (manifest) => ({
    kind: 'files',
    list: async () => {
      // `include` makes `exclude` ineffective. Only packaging warns about that.
      const exclude = manifest.include.length > 0 ? [] : manifest.exclude;
      const { report } = context;
      return (await selectFiles({ ...manifest, exclude }, { repositories, report })).files;
    },
    manifest:
      manifest.summary.id.source.kind === 'git'
        ? (files) => manifestText(manifest, files, { run, config })
        : null,
  });
}

/** Returns the manifest for a vendored package of a repository, and warns about the parts that it leaves out. */
function manifestText(
  manifest: PackageManifest,
  sourceFiles: readonly SourceFile[],
  { run, config }: { readonly run: LockRun; readonly config: Config },
): string {
  const { packages, context, workspace } = run;
  const { path, summary } = manifest;
  const root = parentFolder(path);
  const { files } = packages;
  const { sources } = workspace.manifests;
  const { text, warnings } = vendoredManifest({
    manifest,
    text: Buffer.from(files.read(path) ?? []).toString('utf8'),
    inheritFrom: (pointer) => packages.inheritanceRoot(path, pointer),
    included: new Set(sourceFiles.map((file) => relativePath(root, fromByteString(file.path)))),
    files,
  });
  for (const warning of warnings) context.report.warning(warning);
  // Throws if the manifest needs a part that was left out.
  readPreparedManifest(text, {
    path,
    source: summary.id.source,
    sources,
    registry: (name) => registryIndex(config, name, sources),
  });
  return text;
}
