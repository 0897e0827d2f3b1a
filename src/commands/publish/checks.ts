/** Checks against the registry: before archives are made, and of versions to skip. Cargo Book: cargo publish. */
import { join } from 'node:path';
import { TsregError, withContext } from '../../core/errors/error.ts';
import { checkDependencyVersions } from '../../core/manifest/check-versions.ts';
import type { PackageManifest } from '../../core/manifest/manifest.ts';
import { CRATES_IO_DOMAIN } from '../../core/package-id/crates-io.ts';
import { describeIndex, displaySource } from '../../core/package-id/describe.ts';
import { isCratesIo } from '../../core/package-id/source-id.ts';
import type { OperationContext } from '../../core/report/report.ts';
import { UNKNOWN } from '../../core/resolve/problem.ts';
import type { Summary } from '../../core/summary/summary.ts';
import { comparePrecedence } from '../../core/version/compare-versions.ts';
import type { Version } from '../../core/version/version.ts';
import type { OpenedRegistry } from '../shared/registry/open-registry.ts';
import { compareCrates, type CrateDifference } from '../../io/archive/compare-crates.ts';
import type { Files } from '../../core/files/files.ts';
import { shortName, type CrateToPublish } from './release.ts';

/** Throws `source` if the registry cannot check a package without storing it. */
export function checkOffersDryRun({ host, offersDryRun }: OpenedRegistry): void {
  if (offersDryRun) return;
  throw new TsregError(
    `the registry at ${host} does not support checks of a package without storing it\n` +
      '`publish --dry-run` without `--server` checks on this machine only',
    { code: 'source' },
  );
}

/** Returns the versions in an index that prevent publishing `version`. Build metadata makes no difference. */
export function sameVersions(summaries: readonly Summary[], version: Version): readonly Summary[] {
  return summaries.filter(({ id }) => comparePrecedence(id.version, version) === 0);
}

/** How to handle a version that is already published. */
export interface ExistingOptions {
  /** True to only warn about it. */
  readonly isDryRun: boolean;
  /** True to accept it silently. */
  readonly acceptsExisting: boolean;
}

/**
 * Checks packages against the registry, one after the other. Returns the index entries of those whose versions it
 * already has. Throws like `checkPackage`.
 */
export async function findPublished(
  manifests: readonly PackageManifest[],
  options: ExistingOptions & { readonly registry: OpenedRegistry },
  context: OperationContext,
): Promise<ReadonlyMap<PackageManifest, Summary>> {
  const published = new Map<PackageManifest, Summary>();
  for (const manifest of manifests) {
    const summary = await checkPackage(manifest, options, context);
    if (summary !== null) published.set(manifest, summary);
  }
  return published;
}

/**
 * Checks a package and its dependencies against the registry. Returns the index entry of its version, yanked or not;
 * null if there is none. Throws `source` if there is one, unless it is to be skipped or this is a dry run.
 */
async function checkPackage(
  manifest: PackageManifest,
  { registry, isDryRun, acceptsExisting }: ExistingOptions & { readonly registry: OpenedRegistry },
  { report }: OperationContext,
): Promise<Summary | null> {
  const { name, version } = manifest.summary.id;
  await registry.index.load([name]);
  const summaries = registry.index.all(name);
  const existing = summaries === UNKNOWN ? [] : sameVersions(summaries, version);
  if (existing.length > 0 && !acceptsExisting) {
    const message = `crate ${name}@${version.text} already exists on ${describeIndex(registry.source.original)}`;
    if (!isDryRun) throw new TsregError(message, { code: 'source', hint: EXISTING_HINT });
    report.warning(message);
  }
  checkDependencies(manifest, registry);
  return existing.find(({ yanked }) => !yanked) ?? existing[0] ?? null;
}

const EXISTING_HINT =
  'a version can be published only once: change `version` in `Cargo.toml`, or pass `--skip-published` to leave out published versions';

/** Checks that dependencies have versions, and that a package for crates.io has none from other registries. */
function checkDependencies(manifest: PackageManifest, { source, host }: OpenedRegistry): void {
  checkDependencyVersions(manifest, 'publish');
  if (!isCratesIo(source.original) && !isCratesIoHost(host)) return;
  const foreign = manifest.summary.dependencies.find(
    ({ source: from }) => (from.kind === 'registry' || from.kind === 'sparse-registry') && !isCratesIo(from),
  );
  if (foreign === undefined) return;
  const { name } = foreign;
  withContext(`failed to verify manifest at \`${manifest.path}\``, () => {
    throw new TsregError(
      'crates cannot be published to crates.io with dependencies sourced from other\n' +
        `registries. \`${name}\` needs to be published to crates.io before publishing this crate.\n` +
        `(crate \`${name}\` is pulled from ${displaySource(foreign.source)})`,
      { code: 'manifest' },
    );
  });
}

function isCratesIoHost(host: string): boolean {
  return URL.canParse(host) && new URL(host).hostname === CRATES_IO_DOMAIN;
}

/** Maximum size of an unpacked archive, as in cargo: `MAX_UNPACK_SIZE`. */
export const MAX_UNPACKED_BYTES = 512 * 1024 * 1024;

/** A published version, and access to its archive. */
export interface PublishedOptions {
  readonly published: Summary;
  readonly registry: OpenedRegistry;
  readonly files: Files;
}

/**
 * Checks that a crate is the package that was published with its version, and reports that it is skipped. If the checksums
 * differ, downloads the published archive and compares the files: another program, or another tsreg version, may
 * compress the same files differently. Rejects with both checksums if the files differ.
 */
export async function checkIsPublished(
  crate: CrateToPublish,
  { published, registry, files }: PublishedOptions,
  { report }: OperationContext,
): Promise<void> {
  const place = describeIndex(registry.source.original);
  if (published.checksum === crate.sha256) {
    report.status('Skipping', `${shortName(crate)}, which is on ${place} with the same checksum`);
    return;
  }
  const [fetched] = await registry.index.fetch([published]);
  const archive =
    fetched?.archive === undefined ? null : files.read(join(fetched.archive.folder, fetched.archive.name));
  if (archive === null) {
    throw new TsregError(`the published archive of ${shortName(crate)} cannot be read`, {
      code: 'not-found',
    });
  }
  const difference = compareCrates(crate.archive(), archive, { maxBytes: MAX_UNPACKED_BYTES });
  if (difference.kind === 'files') throw differenceError(crate, published, { place, path: difference.path });
  report.status(
    'Skipping',
    `${shortName(crate)}, which is on ${place} with the same files${differenceRemark(difference)}`,
  );
}

function differenceRemark({ kind }: CrateDifference): string {
  return kind === 'commit' ? ', made from another commit' : ', compressed by another program';
}

function differenceError(
  crate: CrateToPublish,
  { checksum }: Summary,
  { place, path }: { readonly place: string; readonly path: string },
): TsregError {
  const { name, version } = crate.id;
  return new TsregError(
    `crate ${name}@${version.text} already exists on ${place}, and is not the same package\n` +
      `published: ${checksum ?? '(no checksum)'}\n` +
      `here:      ${crate.sha256}\n` +
      `\`${path}\` is not the same in both: publish the changed package as another version`,
    { code: 'checksum' },
  );
}
