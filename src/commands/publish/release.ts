/** A release: the packages that one run publishes, and their registry. Cargo Book: cargo publish. */
import { present } from '../../core/errors/assert.ts';
import { TsregError } from '../../core/errors/error.ts';
import type { Files } from '../../core/files/files.ts';
import { compareBytes } from '../../core/files/compare-bytes.ts';
import type { PackageManifest } from '../../core/manifest/manifest.ts';
import { CRATES_IO_NAME } from '../../core/package-id/crates-io.ts';
import { describePackage } from '../../core/package-id/describe.ts';
import type { PackageId } from '../../core/package-id/package-id.ts';
import type { SourceId } from '../../core/package-id/source-id.ts';
import type { PublishMetadata } from '../../core/protocol/publish-metadata.ts';
import type { Report } from '../../core/report/report.ts';
import type { LockContext } from '../../io/disk/file-lock.ts';
import type {
  CommonPackagingOptions,
  PackedCrate,
  SelectedPackage,
} from '../shared/packaging/package-crates.ts';
import { readReadme } from '../shared/packaging/read-readme.ts';
import type { SharedObjects } from '../shared/registry/open-registry.ts';
import {
  checkAllowedRegistry,
  inferRegistry,
  type RegistryChoice,
} from '../shared/registry/select-registry.ts';
import { publishMetadata } from './metadata.ts';
import { sha256Hex } from '../../io/disk/sha256.ts';

/** Packages to publish together: of a workspace, or one archive (`fileRelease`). */
export interface Release {
  readonly content: ReleaseContent;
  readonly manifests: readonly PackageManifest[];
  /** Packages with `publish = false`. */
  readonly unpublishable: readonly PackageId[];
  /** The registry to publish to; null for crates.io. */
  readonly choice: RegistryChoice | null;
  readonly context: LockContext;
  /** Objects to reuse when the registry is opened. */
  readonly shared: SharedObjects;
  /** Every package and its direct dependencies among them, in publish order. */
  readonly order: ReadonlyMap<PackageManifest, readonly PackageManifest[]>;
}

/** The packages to make archives of, or the archive that exists. */
export type ReleaseContent =
  | {
      readonly kind: 'packages';
      readonly packages: readonly SelectedPackage[];
      readonly packaging: CommonPackagingOptions;
    }
  | { readonly kind: 'archive'; readonly crate: CrateToPublish };

/** Anything that has a package id. */
export interface HasPackageId {
  readonly id: PackageId;
}

/** A package that is ready to send. */
export interface CrateToPublish extends HasPackageId {
  /** The package in status lines: `a v0.1.0 (/path)`. */
  readonly label: string;
  /** SHA-256 of the archive, in hexadecimal. */
  readonly sha256: string;
  /** True if this run has built the package from the archive. */
  readonly isVerified: boolean;
  /** Reads the whole archive. Throws if it has changed since `sha256` was computed. */
  archive(): Uint8Array;
  /** Returns the metadata to send with the archive to a registry. */
  metadata(registry: SourceId): PublishMetadata;
}

/** Returns only the name and the version of a package. */
export function nameAndVersion({ name, version }: PackageId): {
  readonly name: string;
  readonly version: string;
} {
  return { name, version: version.text };
}

/** Returns a package as `a v0.1.0`. */
export function shortName({ id }: HasPackageId): string {
  return `${id.name} v${id.version.text}`;
}

/** Returns the packages as `a v1, b v1, or c v1`, sorted. */
export function listNames(packages: Iterable<HasPackageId>, conjunction: 'and' | 'or'): string {
  return joinNames(Array.from(packages, shortName), conjunction);
}

/** Returns the names as `a, b, or c`, sorted. */
export function joinNames(unsorted: readonly string[], conjunction: 'and' | 'or'): string {
  const names = unsorted.toSorted(compareBytes);
  if (names.length < 3) return names.join(` ${conjunction} `);
  const last = present(names.pop(), 'the last package');
  return `${names.join(', ')}, ${conjunction} ${last}`;
}

/** Returns the package for an archive. Reads the readme only when the metadata is requested. */
export function crateToPublish(
  { manifest, prepared, manifestText, path, sha256, isVerified }: PackedCrate,
  files: Files,
): CrateToPublish {
  const { id } = manifest.summary;
  return {
    id,
    label: describePackage(id),
    sha256,
    isVerified,
    archive: () => readArchive(path, sha256, files),
    metadata: (registry) =>
      publishMetadata(prepared, { text: manifestText, readme: readReadme(manifest, files), registry }),
  };
}

/** Throws `archive` if the file has changed since it was made: another run may have replaced it. */
function readArchive(path: string, sha256: string, files: Files): Uint8Array {
  const bytes = files.read(path);
  if (bytes === null) throw new TsregError(`the archive \`${path}\` is gone`, { code: 'not-found' });
  if (sha256Hex(bytes) === sha256) return bytes;
  throw new TsregError(`the archive \`${path}\` was changed since it was made`, { code: 'archive' });
}

/** Returns the error for packages with `publish = false`. */
export function unpublishableError(manifests: readonly PackageManifest[]): TsregError {
  const names = manifests.map(({ summary }) => `\`${summary.id.name}\``);
  return new TsregError(
    `${names.join(', ')} cannot be published.\n` +
      '`package.publish` must be set to `true` or a non-empty list in Cargo.toml to publish.',
    { code: 'manifest' },
  );
}

/**
 * Returns the registry to publish to: `chosen` by flags or `registry.default`, else the only one that the packages
 * allow; null for crates.io. Throws `config` if a package may not be published there.
 */
export function choosePublishRegistry(
  manifests: readonly PackageManifest[],
  chosen: RegistryChoice | null,
  report: Report,
): RegistryChoice | null {
  const choice = chosen ?? inferRegistry(manifests);
  checkAllowedRegistry(manifests, choice, 'published');
  if (choice?.kind === 'index' && manifests.some(({ publish }) => publish !== null && publish.length > 0)) {
    report.warning(
      '`--index` will ignore registries set by `package.publish` in Cargo.toml, and may cause unexpected push to prohibited registry\n' +
        'help: use `--registry` instead or set `publish = true` in Cargo.toml to suppress this warning',
    );
  }
  if (chosen === null && choice?.kind === 'registry' && choice.name !== CRATES_IO_NAME) {
    report.note(`found \`${choice.name}\` as only allowed registry. Publishing to it automatically.`);
  }
  return choice;
}
