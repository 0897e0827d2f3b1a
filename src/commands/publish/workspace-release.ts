/** A release of packages of a workspace. Cargo Book: cargo publish. */
import { createHash } from 'node:crypto';
import { present } from '../../core/errors/assert.ts';
import { TsregError } from '../../core/errors/error.ts';
import { naming } from '../../core/errors/wording.ts';
import type { Files } from '../../core/files/files.ts';
import { describePackage } from '../../core/package-id/describe.ts';
import type { SourceId } from '../../core/package-id/source-id.ts';
import type { OperationContext } from '../../core/report/report.ts';
import type { Config } from '../../io/config/config.ts';
import { tokenVariables } from '../../io/config/credentials.ts';
import { openPackages, type PackagesOptions, selectMembers } from '../shared/packaging/open-packages.ts';
import { orderPackages } from '../shared/packaging/package-order.ts';
import {
  type PackedCrate,
  packCrates,
  type PackagingOptions,
  type SelectedPackage,
} from '../shared/packaging/package-crates.ts';
import { readReadme } from '../shared/packaging/read-readme.ts';
import { checkPackageFlags } from '../shared/workspace/select-packages.ts';
import { skipPublished } from './checks.ts';
import { publishMetadata } from './metadata.ts';
import type { CrateToPublish, PackedRelease, PackOptions, Release } from './release.ts';
import { choosePublishRegistry, publishablePackages } from './select.ts';

/** The options of a release, and what the user should know about how they were given. */
export interface WorkspaceReleaseOptions {
  readonly packages: PackagesOptions;
  /** True if the token was on the command line, which cargo warns about. */
  readonly warnsOfToken: boolean;
}

/** Returns the release of the selected packages. Flags and manifests choose the registry. */
export function workspaceRelease(
  { packages: options, warnsOfToken }: WorkspaceReleaseOptions,
  operation: OperationContext,
): Release {
  const packages = openPackages(options, operation);
  const { opened, files, cache, credentials, context } = packages;
  const { workspace } = opened;
  // In cargo's order.
  if (warnsOfToken) context.report.warning(TOKEN_WARNING);
  checkPackageFlags(options.selection);
  const selected = selectMembers(options, packages);
  const isVirtual = workspace.currentManifest.kind === 'virtual';
  const { selection } = options;
  const { publishable, unpublishable } = publishablePackages(selected, { selection, isVirtual });
  const manifests = publishable.map(({ manifest }) => manifest);
  const choice = choosePublishRegistry(manifests, packages.registry, context.report);
  const order = orderPackages(publishable);
  return {
    manifests,
    unpublishable: unpublishable.map(({ manifest }) => manifest.summary.id),
    choice,
    context,
    shared: {
      files,
      cache,
      credentials,
      sources: workspace.manifests.sources,
      load: (path, source) =>
        (source.kind === 'path' ? workspace.manifests : opened.packages).load(path, source),
    },
    order: new Map(
      order.packages.map((each) => [
        each.manifest,
        present(order.dependencies.get(each), 'a package of the release').map(({ manifest }) => manifest),
      ]),
    ),
    pack({ registry, alreadyPublished, isDryRun }) {
      const packaging = {
        ...packages.packaging,
        registry: choice,
        checksMetadata: true,
        includesLockfile: true,
        isDryRun,
        downloadVariables: downloadVariables(registry, options.config),
      };
      return packPackages(publishable, { packaging, registry, alreadyPublished }, context);
    },
  };
}

const TOKEN_WARNING = naming(
  (program) =>
    `\`${program} publish --token\` is deprecated in favor of using \`${program} login\` and environment variables`,
);

type PackPackagesOptions = Omit<PackOptions, 'isDryRun'> & { readonly packaging: PackagingOptions };

async function packPackages(
  selected: readonly SelectedPackage[],
  { packaging, registry, alreadyPublished }: PackPackagesOptions,
  context: Release['context'],
): Promise<PackedRelease> {
  const { files } = packaging;
  const target = { files, registry: registry.source.original };
  const skipped: CrateToPublish[] = [];
  const published = selected.filter(({ manifest }) => alreadyPublished.has(manifest));
  // Each separately, with its dependencies from the registry, as when it was published.
  for (const each of orderPackages(published).packages) {
    const [packed] = await packCrates([each], { ...packaging, verifies: false }, context);
    const crate = packedCrate(present(packed, 'the archive of a package'), target);
    const summary = present(alreadyPublished.get(each.manifest), 'the index entry of a published package');
    await skipPublished(crate, summary, { registry, files }, context);
    skipped.push(crate);
  }
  const unpublished = selected.filter((each) => !published.includes(each));
  const packed = unpublished.length === 0 ? [] : await packCrates(unpublished, packaging, context);
  const { packages, dependencies } = orderPackages(packed);
  const crates = new Map(packages.map((each) => [each, packedCrate(each, target)]));
  const crateOf = (each: PackedCrate): CrateToPublish => present(crates.get(each), 'a packed crate');
  return {
    skipped,
    uploads: new Map(
      packages.map((each) => [crateOf(each), present(dependencies.get(each), 'a packed crate').map(crateOf)]),
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

// `async` turns the errors into the rejections that `CrateToPublish.archive` promises.
// oxlint-disable-next-line require-await
async function readArchive(path: string, sha256: string, files: Files): Promise<Uint8Array> {
  const bytes = files.read(path);
  if (bytes === null) throw new TsregError(`the archive \`${path}\` is gone`, { code: 'not-found' });
  if (createHash('sha256').update(bytes).digest('hex') === sha256) return bytes;
  throw new TsregError(`the archive \`${path}\` was changed since it was made`, { code: 'archive' });
}
