/** Selects the packages to publish, and their registry. Cargo Book: cargo publish; The publish field. */
import { present } from '../../core/errors/assert.ts';
import { TsregError } from '../../core/errors/error.ts';
import type { PackageManifest } from '../../core/manifest/manifest.ts';
import { CRATES_IO_NAME } from '../../core/package-id/crates-io.ts';
import type { OperationContext, Report } from '../../core/report/report.ts';
import { type FlagProblems, openPackages, type PackagesOptions } from '../shared/packaging/open-packages.ts';
import { orderPackages } from '../shared/packaging/package-order.ts';
import {
  checkAllowedRegistry,
  inferRegistry,
  type RegistryChoice,
} from '../shared/registry/select-registry.ts';
import type { Release } from './release.ts';

/**
 * Returns the release of the selected packages. Flags and manifests choose the registry. Throws `manifest` if packages
 * may not be published, unless the selection is `--workspace` or the default of a virtual workspace.
 */
export function workspaceRelease(
  options: PackagesOptions & FlagProblems,
  operation: OperationContext,
): Release {
  const opened = openPackages(options, operation);
  const { selected, packaging, cache, credentials, context, load } = opened;
  const { workspace, files } = packaging;
  const unpublishable = selected.filter(({ manifest }) => manifest.publish?.length === 0);
  const publishable = selected.filter((candidate) => !unpublishable.includes(candidate));
  const { selection } = options;
  const isVirtual = workspace.currentManifest.kind === 'virtual';
  const isForAll = selection.workspace || (selection.packages.length === 0 && isVirtual);
  if (unpublishable.length > 0 && !isForAll) {
    throw unpublishableError(unpublishable.map(({ manifest }) => manifest));
  }
  const manifests = publishable.map(({ manifest }) => manifest);
  const choice = choosePublishRegistry(manifests, packaging.registry, context.report);
  const { packages, dependencies } = orderPackages(publishable);
  return {
    content: { kind: 'packages', packages: publishable, packaging },
    manifests,
    unpublishable: unpublishable.map(({ manifest }) => manifest.summary.id),
    choice,
    context,
    shared: { files, cache, credentials, sources: workspace.manifests.sources, load },
    order: new Map(
      packages.map((member) => [
        member.manifest,
        present(dependencies.get(member), 'a package of the release').map(({ manifest }) => manifest),
      ]),
    ),
  };
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
