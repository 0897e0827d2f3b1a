/** Chooses and downloads crates of one registry, for commands without a workspace. */
import type { Config } from '../../../io/config/config.ts';
import type { Secret } from '../../../io/config/secret.ts';
import { unnamedRegistryIndex } from '../../../io/config/registry-index.ts';
import { NodeFiles } from '../../../io/disk/node-files.ts';
import { PackageCache } from '../../../io/disk/package-cache.ts';
import { present } from '../../../core/errors/assert.ts';
import { TsregError, withContext } from '../../../core/errors/error.ts';
import { joinPath } from '../../../core/files/path.ts';
import { describePackage } from '../../../core/package-id/describe.ts';
import {
  formatPackageIdSpec,
  matchesPackageIdSpec,
  type PackageIdSpec,
  parseSpecArgument,
} from '../../../core/package-id/package-id-spec.ts';
import { isRegistry, type SourceId } from '../../../core/package-id/source-id.ts';
import { SourceTable } from '../../../core/package-id/source-table.ts';
import { formatIndexUrl } from '../../../core/package-id/source-url.ts';
import type { OperationContext, Report } from '../../../core/report/report.ts';
import { UNKNOWN } from '../../../core/resolve/problem.ts';
import type { Summary } from '../../../core/summary/summary.ts';
import { compareVersions } from '../../../core/version/compare-versions.ts';
import { createCatalog, type PackageCatalog } from '../../../io/sources/catalog.ts';
import { hasChecksum, readCrate } from '../../../io/sources/crate-file.ts';
import { ManifestLoader } from '../../../io/workspace/manifest-loader.ts';
import { type AccessFlags, offlineFlag } from '../workspace/access-flags.ts';
import { operationSignal } from '../workspace/operation-signal.ts';
import { absentVersion, NOT_ON_DISK } from './absent-version.ts';
import { chooseRegistry, type RegistryFlags, registrySource } from './select-registry.ts';

/** The command-line options of a command that downloads crates. */
export interface RegistryCratesOptions extends AccessFlags {
  readonly config: Config;
  readonly registry: RegistryFlags;
  /** The token to read with. By default it is the configured one. */
  readonly token?: Secret | null;
  /** Verbosity of child programs that write to the user's terminal. */
  readonly verbosity: 'quiet' | 'normal' | 'verbose';
}

/** A `.crate` in the package cache. */
export interface CachedCrate {
  readonly summary: Summary;
  /** Absolute. */
  readonly path: string;
}

/** Parses `name` or `name@version`, where the version may have only its first numbers. Throws `usage`. */
export function parseCrateSpec(text: string): PackageIdSpec {
  const spec = withContext(`invalid package: \`${text}\``, () => parseSpecArgument(text), {
    hint: 'a package is a name such as `log`, or a name with a version such as `log@0.4.0`',
  });
  if (spec.url === null) return spec;
  throw new TsregError(`\`${text}\` is a URL`, {
    code: 'usage',
    hint: `pass the name, and the registry with \`--registry\` or \`--index\`: \`${spec.name}\``,
  });
}

/** Returns the bytes of a cached `.crate`. Throws `checksum` if they differ from those that the registry published. */
export function readVerifiedCrate({ summary, path }: CachedCrate): Uint8Array {
  const bytes = readCrate(path);
  if (summary.checksum !== null && hasChecksum(bytes, summary.checksum)) return bytes;
  throw new TsregError(`failed to verify the checksum of \`${describePackage(summary.id)}\``, {
    code: 'checksum',
    hint: `the file in the package cache is damaged: delete \`${path}\` and try again`,
  });
}

/** The crates of one registry. */
export class RegistryCrates {
  readonly source: SourceId;
  readonly #catalog: PackageCatalog;
  readonly #report: Report;
  readonly #isOffline: boolean;

  /** Throws if the registry does not exist, or if its configuration is invalid. */
  constructor(options: RegistryCratesOptions, context: OperationContext) {
    const { config, verbosity, token = null } = options;
    const sources = new SourceTable();
    const files = new NodeFiles();
    const registry = (name: string): SourceId => unnamedRegistryIndex(config, name, sources);
    const manifests = new ManifestLoader({ files, sources, cargoHome: config.home, registry });
    const choice = chooseRegistry(options.registry, config);
    this.source = registrySource(choice, config, sources).original;
    const flag = offlineFlag(options);
    this.#isOffline = flag !== null;
    this.#report = context.report;
    this.#catalog = createCatalog({
      ...context,
      signal: operationSignal(context.signal),
      config,
      files,
      sources,
      load: (path, source) => manifests.load(path, source),
      cache: new PackageCache(config.home, { ...context, env: config.env }),
      verbosity,
      offlineFlag: flag,
    });
    if (token !== null) this.#catalog.access.credentials.setToken(this.source, token);
  }

  /**
   * Returns all versions of a crate, highest first, yanked ones included. Without network, uses the index data on disk.
   * Throws `not-found` if there are none.
   */
  versions(spec: PackageIdSpec): Promise<readonly Summary[]> {
    return this.#catalog.loader.whileSearching(async () => {
      await this.#load([spec.name]);
      const versions = await this.#versionsOf(spec.name);
      if (versions.length === 0) throw this.#absent(spec, { versions, matching: versions });
      return versions.toSorted((a, b) => compareVersions(b.id.version, a.id.version));
    });
  }

  /**
   * Returns the version to use for each specification: the highest one that is not yanked. A name alone can select a
   * pre-release, if there is no release. A version with three numbers may be yanked, which causes a warning. Without network, prefers downloaded
   * versions. Throws `not-found` if there is none.
   */
  choose(specs: readonly PackageIdSpec[]): Promise<readonly Summary[]> {
    return this.#catalog.loader.whileSearching(async () => {
      await this.#load(specs.map(({ name }) => name));
      const chosen: Summary[] = [];
      for (const spec of specs) chosen.push(await this.#chooseOne(spec));
      return chosen;
    });
  }

  /** Puts the `.crate` files of versions into the package cache, and returns them in the order of `summaries`. */
  async fetch(summaries: readonly Summary[]): Promise<readonly CachedCrate[]> {
    const unique = [...new Map(summaries.map((summary) => [summary.id.key, summary])).values()];
    const fetched = await this.#catalog.fetchPackages(unique);
    const byKey = new Map(fetched.map((each) => [each.id.key, each]));
    return summaries.map((summary) => {
      const { archive } = present(byKey.get(summary.id.key), 'a fetched package');
      if (archive !== undefined) return { summary, path: joinPath(archive.folder, archive.name) };
      throw new TsregError('the source has unpacked packages, and no `.crate` files', {
        code: 'source',
        hint: 'the `[source]` tables of the configuration replace the registry: name another one with `--registry`',
      });
    });
  }

  async #chooseOne(spec: PackageIdSpec): Promise<Summary> {
    const versions = await this.#versionsOf(spec.name);
    const name = versions[0]?.id.name ?? spec.name;
    const matching = versions.filter(({ id }) => matchesPackageIdSpec({ ...spec, name }, id));
    const usable = matching.filter(({ yanked }) => !yanked);
    const isExact = spec.version !== null && spec.version.patch !== null;
    const chosen = highest(this.#downloadedFirst(usable)) ?? (isExact ? highest(matching) : null);
    if (chosen === null) throw this.#absent({ ...spec, name }, { versions, matching });
    if (name !== spec.name) this.#report.warning(`translating \`${spec.name}\` to \`${name}\``);
    if (chosen.yanked) this.#report.warning(`\`${describePackage(chosen.id)}\` is yanked`);
    return chosen;
  }

  /** Returns the error for a specification that no usable version matches. */
  #absent(
    spec: PackageIdSpec,
    { versions, matching }: { readonly versions: readonly Summary[]; readonly matching: readonly Summary[] },
  ): TsregError {
    const yanked = highest(matching);
    if (yanked !== null) {
      const { name, version } = yanked.id;
      return new TsregError(`all versions that match \`${formatPackageIdSpec(spec)}\` are yanked`, {
        code: 'not-found',
        hint: `a yanked version needs its exact number: \`${name}@${version.text}\``,
      });
    }
    if (this.#isOffline && versions.length === 0) {
      return new TsregError(`the index entry of \`${spec.name}\` is not on disk`, {
        code: 'not-found',
        hint: NOT_ON_DISK,
      });
    }
    return absentVersion(spec, versions, {
      url: formatIndexUrl(this.source),
      isOffline: this.#isOffline,
    });
  }

  /** Returns all versions of a package, or of the one whose name differs only in case, or in `-` and `_`. */
  async #versionsOf(name: string): Promise<readonly Summary[]> {
    const exact = this.#loaded(name);
    const opened = this.#catalog.sourceOf(this.source);
    if (exact.length > 0 || !isRegistry(opened.actual)) return exact;
    const similarNames = await opened.similarNames(name);
    await this.#load(similarNames);
    return similarNames.map((similar) => this.#loaded(similar)).find(({ length }) => length > 0) ?? [];
  }

  async #load(names: readonly string[]): Promise<void> {
    const { table, loader } = this.#catalog;
    const missing = names.filter((name) => table.all(this.source, name) === UNKNOWN);
    if (missing.length > 0) await loader.load(missing.map((name) => ({ source: this.source, name })));
  }

  /** Returns the versions of a package that `#load` has loaded. */
  #loaded(name: string): readonly Summary[] {
    const versions = this.#catalog.table.all(this.source, name);
    if (versions !== UNKNOWN) return versions;
    throw new TsregError(`the versions of \`${name}\` are missing`, { code: 'bug' });
  }

  /** Without network, returns only downloaded versions if there are any. */
  #downloadedFirst(versions: readonly Summary[]): readonly Summary[] {
    if (!this.#isOffline) return versions;
    const { table } = this.#catalog;
    const downloaded = versions.filter(({ id }) => table.isDownloaded(this.source, id.name, id.version));
    return downloaded.length > 0 ? downloaded : versions;
  }
}

/** Returns the highest release, else the highest pre-release; null if there is none. */
function highest(versions: readonly Summary[]): Summary | null {
  const releases = versions.filter(({ id }) => id.version.pre === '');
  const sorted = (releases.length > 0 ? releases : versions).toSorted((a, b) =>
    compareVersions(a.id.version, b.id.version),
  );
  return sorted.at(-1) ?? null;
}
