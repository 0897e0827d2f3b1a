/** Selects the packages to publish, and their registry. Cargo Book: cargo publish; The publish field. */
import { TsregError } from '../../core/errors/error.ts';
import type { PackageManifest } from '../../core/manifest/manifest.ts';
import { CRATES_IO_NAME } from '../../core/package-id/crates-io.ts';
import type { Report } from '../../core/report/report.ts';
import type { SelectedPackage } from '../shared/packaging/package-crates.ts';
import type { PackageFlags } from '../shared/workspace/select-packages.ts';
import {
  checkAllowedRegistry,
  inferRegistry,
  type RegistryChoice,
} from '../shared/registry/select-registry.ts';

/** The selected packages, by whether they may be published. */
export interface PublishablePackages {
  readonly publishable: readonly SelectedPackage[];
  /** Packages with `publish = false`. */
  readonly unpublishable: readonly SelectedPackage[];
}

/**
 * Removes packages that may not be published. Throws `manifest` if there are any, unless the selection is `--workspace`
 * or the default of a virtual workspace.
 */
export function publishablePackages(
  selected: readonly SelectedPackage[],
  { selection, isVirtual }: { readonly selection: PackageFlags; readonly isVirtual: boolean },
): PublishablePackages {
  const unpublishable = selected.filter(({ manifest }) => manifest.publish?.length === 0);
  const publishable = selected.filter((each) => !unpublishable.includes(each));
  const isForAll = selection.workspace || (selection.packages.length === 0 && isVirtual);
  if (unpublishable.length > 0 && !isForAll) {
    throw unpublishableError(unpublishable.map(({ manifest }) => manifest));
  }
  return { publishable, unpublishable };
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

/** Warns that there is nothing to publish. `count` is the number of packages with `publish = false`. */
export function warnOfNothing(count: number, report: Report): void {
  report.warning({
    title: `nothing to publish, but found ${count} unpublishable package${count === 1 ? '' : 's'}`,
    remarks: [
      {
        label: 'help',
        text: 'to publish packages, set `package.publish` to `true` or a non-empty list',
      },
    ],
  });
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
