/** `publish`: packages go to a registry. Cargo Book: cargo publish. */
import type { Secret } from '../config/secret.ts';
import { TsregError } from '../errors/error.ts';
import type { OperationContext } from '../report/report.ts';
import { missingTarget } from './missing-values.ts';
import {
  type OpenedPackages,
  openPackages,
  packagingOptions,
  type PackagesOptions,
  selectMembers,
} from './open-packages.ts';
import { type OpenedRegistry, openRegistry } from './open-registry.ts';
import { packageCrates, type SelectedPackage } from './package-crates.ts';
import { orderPackages } from './package-order.ts';
import { checkPackage } from './publish-checks.ts';
import { publishCrates } from './publish-crates.ts';
import { type PublishDocument, publishDocument } from './publish-document.ts';
import { PublishLedger } from './publish-ledger.ts';
import type { CrateToPublish } from './publish-upload.ts';
import { packedCrate } from './publish-workspace.ts';
import { choosePublishRegistry, publishablePackages, warnOfNothing } from './publishable-packages.ts';
import { checkPackageFlags } from './select-packages.ts';
import type { RegistryChoice } from './select-registry.ts';

/** What the command line asks for. */
export interface PublishOptions extends PackagesOptions {
  /** `--token`; null if it was not given. */
  readonly token: Secret | null;
  readonly dryRun: 'none' | 'client' | 'server';
  /** `--wait`: how long the index is waited for, each time; 0 for not at all. */
  readonly waitMs: number;
  /** `--max-wait`: how long a busy registry is waited for, in all of one request; null for not at all. */
  readonly maxWaitMs: number | null;
  /** `--skip-published`. */
  readonly skipsPublished: boolean;
  /** True to do and say everything as cargo does, where that is not what the Cargo Book says. */
  readonly isCargo: boolean;
}

/** What became of a run. */
export interface PublishResult {
  readonly document: PublishDocument;
  /** Why it ended before its time, after a package was sent or tried to be; null if it did not. */
  readonly error: unknown;
}

/**
 * Publishes the packages that the flags select, those that others need first. Rejects for what is wrong before anything
 * was sent; later the result says what is certain of every package, and why it ended.
 */
export async function publish(options: PublishOptions, context: OperationContext): Promise<PublishResult> {
  const packages = openPackages(options, context);
  const { report } = packages.context;
  if (options.token !== null) {
    report.warning(
      '`cargo publish --token` is deprecated in favor of using `cargo login` and environment variables',
    );
  }
  checkPackageFlags(options.selection);
  if (options.targets?.length === 0) throw missingTarget(options.config);
  const { currentManifest } = packages.opened.workspace;
  const isVirtual = currentManifest.kind === 'virtual';
  const parts = publishablePackages(selectMembers(options, packages), {
    selection: options.selection,
    isVirtual,
  });
  if (parts.publishable.length === 0) {
    warnOfNothing(parts, report);
    const facts = { registry: null, isDryRun: options.dryRun !== 'none', packages: [], error: null };
    return { document: publishDocument({ ...facts, ...parts, ledger: new PublishLedger([]) }), error: null };
  }
  const manifests = parts.publishable.map(({ manifest }) => manifest);
  const choice = choosePublishRegistry(manifests, packages.registry, report);
  const registry = await openPublishRegistry(choice, options, packages);
  try {
    return await publishTo(registry, { ...options, ...parts, choice, packages });
  } finally {
    await registry.close();
  }
}

function openPublishRegistry(
  choice: RegistryChoice | null,
  options: PublishOptions,
  { opened, files, cache, context }: OpenedPackages,
): Promise<OpenedRegistry> {
  const { manifests } = opened.workspace;
  return openRegistry(
    {
      ...options,
      choice,
      refreshes: true,
      needsToken: options.dryRun !== 'client',
      shared: {
        files,
        sources: manifests.sources,
        cache,
        load: (path, source) => (source.kind === 'path' ? manifests : opened.packages).load(path, source),
      },
    },
    context,
  );
}

interface Selection {
  readonly publishable: readonly SelectedPackage[];
  readonly unpublishable: readonly SelectedPackage[];
  readonly choice: RegistryChoice | null;
  readonly packages: OpenedPackages;
}

async function publishTo(
  registry: OpenedRegistry,
  { publishable, unpublishable, choice, packages, ...options }: PublishOptions & Selection,
): Promise<PublishResult> {
  const { context, files } = packages;
  const { dryRun, isCargo, waitMs, maxWaitMs } = options;
  if (dryRun === 'server' && !registry.offersDryRun) throw noDryRun(registry);
  // Whether there is a token is told before anything is made; the one to publish with is asked for later.
  await registry.api(dryRun === 'client' ? null : { kind: 'read' });
  for (const { manifest } of publishable) {
    await checkPackage(manifest, { registry, isDryRun: dryRun !== 'none', isSkipped: false }, context);
  }
  const packaging = packagingOptions(options, packages, {
    registry: choice,
    checksMetadata: true,
    includesLockfile: true,
    isDryRun: dryRun !== 'none',
  });
  const packed = await packageCrates(publishable, packaging, context);
  const { packages: ordered, needs } = orderPackages(packed);
  const target = { files, registry: registry.source.original };
  const crates = new Map(ordered.map((each) => [each, packedCrate(each, target)]));
  const cratesOf = (list: readonly (typeof packed)[number][]): readonly CrateToPublish[] =>
    list.flatMap((each) => crates.get(each) ?? []);
  const ledger = new PublishLedger<CrateToPublish>(crates.values());
  const facts = {
    registry,
    isDryRun: dryRun !== 'none',
    packages: cratesOf(ordered),
    ledger,
    unpublishable,
  };
  try {
    await publishCrates(
      new Map(Array.from(crates, ([each, crate]) => [crate, cratesOf(needs.get(each) ?? [])])),
      { registry, dryRun, waitMs, isCargo, attempts: maxWaitMs === null ? 1 : 2, ledger },
      context,
    );
    return { document: publishDocument({ ...facts, error: null }), error: null };
  } catch (error) {
    if (!isCargo && (ordered.length > 1 || context.signal.aborted)) ledger.summarize(context.report);
    return { document: publishDocument({ ...facts, error }), error };
  }
}

function noDryRun({ host }: OpenedRegistry): TsregError {
  return new TsregError(
    `the registry at ${host} does not say that it can check a package without storing it\n` +
      '`publish --dry-run` without `--server` checks here alone',
    { code: 'source' },
  );
}
