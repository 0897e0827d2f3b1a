/** Makes the archives of a release. Compares those of skipped packages with the registry. Cargo Book: cargo publish. */
import { createHash } from 'node:crypto';
import { present } from '../../core/errors/assert.ts';
import { TsregError } from '../../core/errors/error.ts';
import type { Files } from '../../core/files/files.ts';
import type { PackageManifest } from '../../core/manifest/manifest.ts';
import { describePackage } from '../../core/package-id/describe.ts';
import type { Summary } from '../../core/summary/summary.ts';
import type { Config } from '../../io/config/config.ts';
import { tokenVariables } from '../../io/config/credentials.ts';
import { type PackedCrate, packCrates } from '../shared/packaging/package-crates.ts';
import { orderPackages } from '../shared/packaging/package-order.ts';
import { readReadme } from '../shared/packaging/read-readme.ts';
import type { OpenedRegistry } from '../shared/registry/open-registry.ts';
import { skipPublished } from './checks.ts';
import { publishMetadata } from './metadata.ts';
import type { CrateToPublish, Release } from './release.ts';

/** How to make the archives of a release. */
export interface PackOptions {
  readonly registry: OpenedRegistry;
  /**
   * The index entries of the packages to skip. A yanked version counts as published: it stays yanked, and its number
   * cannot be published again.
   */
  readonly alreadyPublished: ReadonlyMap<PackageManifest, Summary>;
  readonly isDryRun: boolean;
}

/** The archives of a release. */
export interface PackedRelease {
  /** The packages to upload, in publish order. Each maps to those of its direct dependencies that are uploaded too. */
  readonly uploads: ReadonlyMap<CrateToPublish, readonly CrateToPublish[]>;
  /** Packages that the registry already has. */
  readonly skipped: readonly CrateToPublish[];
}

/** Returns the archives of a release. Rejects if a package to skip differs from the published one. */
export async function packRelease(release: Release, options: PackOptions): Promise<PackedRelease> {
  const { manifests, order, shared, context } = release;
  const { registry, alreadyPublished } = options;
  const skipped: CrateToPublish[] = [];
  const published = manifests.filter((manifest) => alreadyPublished.has(manifest));
  // Makes each archive separately, with dependencies from the registry, as when it was published.
  for (const { manifest } of orderPackages(published.map((manifest) => ({ manifest }))).packages) {
    const archives = await makeArchives([manifest], release, { ...options, isPublished: true });
    const crate = present(archives.get(manifest), 'the archive of a package');
    const summary = present(alreadyPublished.get(manifest), 'the index entry of a published package');
    await skipPublished(crate, { published: summary, registry, files: shared.files }, context);
    skipped.push(crate);
  }
  const unpublished = manifests.filter((manifest) => !published.includes(manifest));
  const archives = await makeArchives(unpublished, release, { ...options, isPublished: false });
  const uploads = Array.from(archives, ([manifest, crate]) => {
    const dependencies = present(order.get(manifest), 'a package of the release');
    return [crate, dependencies.flatMap((dependency) => archives.get(dependency) ?? [])] as const;
  });
  return { skipped, uploads: new Map(uploads) };
}

/** Returns the archives of some packages of a release, in publish order. Does not verify published packages again. */
async function makeArchives(
  manifests: readonly PackageManifest[],
  { content, choice, context }: Release,
  { registry, isDryRun, isPublished }: PackOptions & { readonly isPublished: boolean },
): Promise<ReadonlyMap<PackageManifest, CrateToPublish>> {
  if (manifests.length === 0) return new Map();
  if (content.kind === 'archive') return new Map(manifests.map((manifest) => [manifest, content.crate]));
  const { packages, packaging } = content;
  const options = {
    ...packaging,
    registry: choice,
    checksMetadata: true,
    includesLockfile: true,
    isDryRun,
    downloadVariables: downloadVariables(registry, packaging.config),
    verifies: packaging.verifies && !isPublished,
  };
  const selected = packages.filter(({ manifest }) => manifests.includes(manifest));
  const packed = await packCrates(selected, options, context);
  return new Map(packed.map((crate) => [crate.manifest, crateToPublish(crate, packaging.files)]));
}

/** Returns variables with this run's token, which the cargo that builds does not know; null if it needs none. */
function downloadVariables(
  { source, isAuthRequired, credentials }: OpenedRegistry,
  config: Config,
): Readonly<Record<string, string>> | null {
  const token = isAuthRequired ? credentials.explicitToken(source.original) : null;
  return token === null ? null : tokenVariables(config, source.original, token);
}

/** Returns the package for an archive. Reads the readme only when the metadata is requested. */
function crateToPublish(
  { manifest, prepared, manifestText, path, sha256 }: PackedCrate,
  files: Files,
): CrateToPublish {
  const { id } = manifest.summary;
  return {
    id,
    label: describePackage(id),
    sha256,
    archive: () => readArchive(path, sha256, files),
    metadata: (registry) =>
      publishMetadata(prepared, { text: manifestText, readme: readReadme(manifest, files), registry }),
  };
}

/** Throws `archive` if the file has changed since it was made: another run may have replaced it. */
function readArchive(path: string, sha256: string, files: Files): Uint8Array {
  const bytes = files.read(path);
  if (bytes === null) throw new TsregError(`the archive \`${path}\` is gone`, { code: 'not-found' });
  if (createHash('sha256').update(bytes).digest('hex') === sha256) return bytes;
  throw new TsregError(`the archive \`${path}\` was changed since it was made`, { code: 'archive' });
}
