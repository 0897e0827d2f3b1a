/** What to publish together: packages of a workspace, or one archive. Cargo Book: cargo publish. */
import { createHash } from 'node:crypto';
import { present } from '../../core/errors/assert.ts';
import type { Config } from '../../io/config/config.ts';
import { tokenVariables } from '../../io/config/credentials.ts';
import { TsregError } from '../../core/errors/error.ts';
import type { Files } from '../../core/files/files.ts';
import { describePackage } from '../../core/package-id/describe.ts';
import type { SourceId } from '../../core/package-id/source-id.ts';
import {
  type OpenedPackages,
  packagingOptions,
  type PackagesOptions,
} from '../shared/packaging/open-packages.ts';
import { type PackedCrate, packageCrates, type SelectedPackage } from '../shared/packaging/package-crates.ts';
import { orderPackages } from '../shared/packaging/package-order.ts';
import { publishMetadata } from './metadata.ts';
import { skipPublished } from './checks.ts';
import { choosePublishRegistry, type PublishablePackages } from './select.ts';
import { readReadme } from '../shared/packaging/read-readme.ts';
import type { LockContext } from '../../io/disk/file-lock.ts';
import type { PackageManifest } from '../../core/manifest/manifest.ts';
import type { PackageId } from '../../core/package-id/package-id.ts';
import type { Summary } from '../../core/summary/summary.ts';
import type { OpenedRegistry, OpenRegistryOptions } from '../shared/registry/open-registry.ts';
import type { RegistryChoice } from '../shared/registry/select-registry.ts';
import type { CrateToPublish } from './crate.ts';

/** The archives of a release. */
export interface PackedRelease {
  /** The packages to upload, in publish order. Each maps to those of its direct dependencies that are uploaded too. */
  readonly needs: ReadonlyMap<CrateToPublish, readonly CrateToPublish[]>;
  /** Packages that the registry already has. */
  readonly skipped: readonly CrateToPublish[];
}

/** How to make archives. */
export interface PackOptions {
  readonly registry: OpenedRegistry;
  /**
   * The index entries of the packages to skip. A yanked version counts as published: it stays yanked, and its number
   * cannot be published again.
   */
  readonly alreadyPublished: ReadonlyMap<PackageManifest, Summary>;
  readonly isDryRun: boolean;
}

/** Packages to publish together. */
export interface Release {
  readonly manifests: readonly PackageManifest[];
  /** Packages with `publish = false`. */
  readonly unpublishable: readonly PackageId[];
  /** The registry to publish to; null for crates.io. */
  readonly choice: RegistryChoice | null;
  readonly context: LockContext;
  /** Objects to reuse when the registry is opened. */
  readonly shared: NonNullable<OpenRegistryOptions['shared']>;
  /** Every package and its direct dependencies among them, in publish order. */
  readonly order: ReadonlyMap<PackageManifest, readonly PackageManifest[]>;
  /** Makes the archives. Rejects if a package to skip differs from the published one. */
  packArchives(options: PackOptions): Promise<PackedRelease>;
}

/** Returns the release of the selected packages. Flags and manifests choose the registry. */
export function workspaceRelease(
  { publishable, unpublishable }: PublishablePackages,
  packages: OpenedPackages,
  options: PackagesOptions,
): Release {
  const { opened, files, cache, credentials, context } = packages;
  const { manifests: loader } = opened.workspace;
  const manifests = publishable.map(({ manifest }) => manifest);
  const choice = choosePublishRegistry(manifests, packages.registry, context.report);
  const { packages: ordered, needs } = orderPackages(publishable);
  return {
    manifests,
    unpublishable: unpublishable.map(({ manifest }) => manifest.summary.id),
    choice,
    context,
    shared: {
      files,
      cache,
      credentials,
      sources: loader.sources,
      load: (path, source) => (source.kind === 'path' ? loader : opened.packages).load(path, source),
    },
    order: new Map(
      ordered.map((each) => [
        each.manifest,
        present(needs.get(each), 'a package of the release').map(({ manifest }) => manifest),
      ]),
    ),
    packArchives: (packing) => packRelease(publishable, { ...packing, packages, options, choice }),
  };
}

type PackReleaseOptions = PackOptions & {
  readonly packages: OpenedPackages;
  readonly options: PackagesOptions;
  readonly choice: Release['choice'];
};

async function packRelease(
  selected: readonly SelectedPackage[],
  packing: PackReleaseOptions,
): Promise<PackedRelease> {
  const { registry, alreadyPublished, packages, options, choice, isDryRun } = packing;
  const { files, context } = packages;
  const packaging = packagingOptions(options, packages, {
    registry: choice,
    checksMetadata: true,
    includesLockfile: true,
    isDryRun,
    downloadVariables: downloadVariables(registry, options.config),
  });
  const target = { files, registry: registry.source.original };
  const skipped: CrateToPublish[] = [];
  const published = selected.filter(({ manifest }) => alreadyPublished.has(manifest));
  // Each separately, with its dependencies from the registry, as when it was published.
  for (const each of orderPackages(published).packages) {
    const summary = alreadyPublished.get(each.manifest);
    const [packed] = await packageCrates([each], { ...packaging, verifies: false }, context);
    if (packed === undefined || summary === undefined) continue;
    const crate = packedCrate(packed, target);
    await skipPublished(crate, summary, { registry, files }, context);
    skipped.push(crate);
  }
  const rest = selected.filter((each) => !published.includes(each));
  const packed = rest.length === 0 ? [] : await packageCrates(rest, packaging, context);
  const { packages: ordered, needs } = orderPackages(packed);
  const crates = new Map(ordered.map((each) => [each, packedCrate(each, target)]));
  const cratesOf = (list: readonly PackedCrate[]): readonly CrateToPublish[] =>
    list.map((each) => present(crates.get(each), 'a packed crate'));
  return {
    skipped,
    needs: new Map(
      Array.from(crates, ([each, crate]) => [
        crate,
        cratesOf(present(needs.get(each), 'a package of the release')),
      ]),
    ),
  };
}

/** Returns variables with this run's token, which the cargo that builds does not know; null if it needs none. */
function downloadVariables(
  { source, isAuthRequired, credentials }: PackOptions['registry'],
  config: Config,
): Readonly<Record<string, string>> | null {
  const token = isAuthRequired ? credentials.givenToken(source.original) : null;
  return token === null ? null : tokenVariables(config, source.original, token);
}

/** Returns the package for an archive. Reads the readme only when the metadata is requested. */
function packedCrate(
  { manifest, prepared, manifestText, path, sha256 }: PackedCrate,
  { files, registry }: { readonly files: Files; readonly registry: SourceId },
): CrateToPublish {
  const { id } = manifest.summary;
  return {
    id,
    label: describePackage(id),
    sha256,
    archive: () => readArchive(path, sha256, files),
    metadata: () =>
      publishMetadata(prepared, { text: manifestText, readme: readReadme(manifest, files), registry }),
  };
}

// oxlint-disable-next-line require-await
async function readArchive(path: string, sha256: string, files: Files): Promise<Uint8Array> {
  const bytes = files.read(path);
  if (bytes === null) throw new TsregError(`the archive \`${path}\` is gone`, { code: 'not-found' });
  if (createHash('sha256').update(bytes).digest('hex') === sha256) return bytes;
  throw new TsregError(`the archive \`${path}\` was changed since it was made`, { code: 'archive' });
}
