/** Publishes packages one at a time, dependencies first. Cargo Book: cargo publish; Registry Web API, Publish. */
import { setTimeout } from 'node:timers/promises';
import { TsregError } from '../../core/errors/error.ts';
import { describePackage, displaySource } from '../../core/package-id/describe.ts';
import { comparePackageIds } from '../../core/package-id/package-id.ts';
import type { OperationContext } from '../../core/report/report.ts';
import type { OpenedRegistry } from '../shared/registry/open-registry.ts';
import { sameVersions } from './checks.ts';
import { lookPauseMs } from './look-pause.ts';
import { PublishQueue } from './queue.ts';
import { type CrateToPublish, listNames, shortName } from './release.ts';
import type { PublishOutcomes } from './result.ts';
import { uploadCrate, UploadFailure, type UploadOutcome } from './upload.ts';

/** How to publish packages. */
export interface PublishCratesOptions {
  readonly registry: OpenedRegistry;
  /** `none`: send packages. `client`: send nothing. `server`: let the registry check packages without storing them. */
  readonly dryRun: 'none' | 'client' | 'server';
  /** How long to wait for the index; 0 to not wait. */
  readonly waitMs: number;
  /** True to behave and report exactly as cargo does. */
  readonly isCargo: boolean;
  /** Maximum number of uploads of a package if the response is lost and the package does not appear in the index. */
  readonly attempts: number;
  /** True to accept that the registry already has the identical package. */
  readonly acceptsExisting: boolean;
  readonly outcomes: PublishOutcomes<CrateToPublish>;
}

/** How long to look for a package in the index after a lost response. A shorter `waitMs` takes precedence. */
const LOOK_MS = 10_000;

/**
 * Publishes packages, and waits for the dependencies of each one before sending it. `dependencies` maps packages
 * to their dependencies. `outcomes` is always up to date, also after a failure. Throws an `UploadFailure` for the first
 * failed upload, and `network` if dependencies do not appear in the index.
 */
export async function publishCrates(
  dependencies: ReadonlyMap<CrateToPublish, readonly CrateToPublish[]>,
  options: PublishCratesOptions,
  context: OperationContext,
): Promise<void> {
  const queue = new PublishQueue(dependencies);
  let pending: readonly CrateToPublish[] = [];
  while (queue.remaining.length > 0) {
    const ready = queue.takeReady();
    for (const [index, crate] of ready.entries()) {
      const remaining = [...ready.slice(index + 1), ...queue.remaining];
      await publishOne(crate, { ...options, remaining }, context);
    }
    pending = [...pending, ...ready];
    const waiting = { ...options, remainingCount: queue.remaining.length };
    const available = await waitUntilAvailable(pending, waiting, context);
    if (available.length === 0) {
      if (queue.remaining.length === 0) return;
      throw new TsregError(
        `unable to publish ${listNames(queue.remaining, 'and')} due to a timeout while waiting for published dependencies to be available.`,
        { code: 'network', hint: 'pass a longer `--wait`' },
      );
    }
    pending = pending.filter((crate) => !available.includes(crate));
    queue.confirm(available);
  }
}

/** Uploads one package, or checks it in a dry run, and marks its outcome. */
async function publishOne(
  crate: CrateToPublish,
  options: PublishCratesOptions & { readonly remaining: readonly CrateToPublish[] },
  context: OperationContext,
): Promise<void> {
  const { registry, dryRun, isCargo, outcomes, remaining } = options;
  const { report } = context;
  report.status('Uploading', crate.label);
  if (dryRun === 'client') {
    crate.metadata(registry.source.original);
    report.warning('aborting upload due to dry run');
    outcomes.mark(crate, 'checked');
    return;
  }
  const uploadOptions = {
    ...options,
    remainingNote: remainingNote(remaining),
    lookMs: isCargo || dryRun !== 'none' ? null : Math.min(LOOK_MS, options.waitMs),
    isServerDryRun: dryRun === 'server',
  };
  let outcome: UploadOutcome;
  try {
    outcome = await uploadCrate(crate, uploadOptions, context);
  } catch (error) {
    if (error instanceof UploadFailure) outcomes.mark(crate, error.state);
    throw error;
  }
  const place = displaySource(registry.source.original);
  if (dryRun === 'server') {
    report.status('Checked', `${shortName(crate)} by ${place}, which stored nothing`);
    outcomes.mark(crate, 'checked');
  } else if (outcome === 'found') {
    report.status('Published', `${shortName(crate)} at ${place}: the index has what was sent`);
    outcomes.mark(crate, 'published');
  } else {
    report.status('Uploaded', `${shortName(crate)} to ${place}`);
    outcomes.mark(crate, 'uploaded');
  }
}

function remainingNote(crates: readonly CrateToPublish[]): string {
  if (crates.length === 0) return '';
  const ids = crates.map(({ id }) => id).sort(comparePackageIds);
  const lines = ids.map((id) => `\n  ${describePackage(id)}`);
  return `\n\nnote: the following crates have not been published yet:${lines.join('')}`;
}

/** How to wait for packages. */
type WaitOptions = PublishCratesOptions & {
  /** Number of packages to publish after these. */
  readonly remainingCount: number;
};

/** Returns those of `pending` that other packages can depend on. Waits for at least one, but not after `waitMs`. */
async function waitUntilAvailable(
  pending: readonly CrateToPublish[],
  options: WaitOptions,
  context: OperationContext,
): Promise<readonly CrateToPublish[]> {
  const { dryRun, waitMs, outcomes } = options;
  if (waitMs === 0) return pending;
  const available = pending.filter((crate) => outcomes.stateOf(crate) !== 'uploaded');
  const uploaded = pending.filter((crate) => !available.includes(crate));
  if (dryRun !== 'none' || (uploaded.length === 0 && available.length > 0)) return available;
  const visible = await waitForAny(uploaded, options, context);
  for (const crate of visible) outcomes.mark(crate, 'published');
  return [...available, ...visible];
}

/**
 * Waits until the index shows any of the packages, and reports it. Returns the packages that the index shows. On a
 * timeout, warns and returns none. `packages` is empty if all remaining ones are in a dependency cycle, so that nothing
 * was sent: then the messages list no names, and the warning follows at once.
 */
async function waitForAny(
  packages: readonly CrateToPublish[],
  options: WaitOptions,
  context: OperationContext,
): Promise<readonly CrateToPublish[]> {
  const { report } = context;
  const place = displaySource(options.registry.source.original);
  announce(packages, { ...options, place }, context);
  const confirmed = await poll(packages, options, context);
  if (confirmed.length > 0) {
    report.status('Published', `${listNames(confirmed, 'and')} at ${place}`);
    return confirmed;
  }
  const crate = packages.length === 1 ? 'crate' : 'crates';
  report.warning({
    title: `timed out waiting for ${listNames(packages, 'or')} to be available in ${place}`,
    remarks: [
      {
        label: 'note',
        text: `the registry may have a backlog that is delaying making the ${crate} available. The ${crate} should be available soon.`,
      },
    ],
  });
  return confirmed;
}

/** Reports which packages the run waits for: before further uploads, or at the end. */
function announce(
  packages: readonly CrateToPublish[],
  { remainingCount, place }: WaitOptions & { readonly place: string },
  { report }: OperationContext,
): void {
  const waiting = `waiting for ${listNames(packages, 'or')} to be available at ${place}`;
  if (remainingCount > 0) {
    const crates = remainingCount === 1 ? 'crate' : 'crates';
    report.note(`${waiting}.\n${remainingCount} remaining ${crates} to be published`);
    return;
  }
  const crate = packages.length === 1 ? 'crate' : 'crates';
  report.note(waiting, `you may press ctrl-c to skip waiting; the ${crate} should be available shortly`);
}

/** Returns the packages that the index shows, as soon as it shows one; none after `waitMs`. */
async function poll(
  packages: readonly CrateToPublish[],
  options: WaitOptions,
  { report, signal }: OperationContext,
): Promise<readonly CrateToPublish[]> {
  if (packages.length === 0) return [];
  const startedAt = performance.now();
  const { waitMs } = options;
  const total = Math.floor(waitMs / 1000);
  try {
    for (let looks = 1; ; looks += 1) {
      const elapsedMs = performance.now() - startedAt;
      report.progress({
        verb: 'Waiting',
        done: Math.min(Math.floor(elapsedMs / 1000), total),
        total,
        message: '',
      });
      const visible = await visibleAmong(packages, options, signal);
      if (visible.length > 0 || performance.now() - startedAt > waitMs) return visible;
      await setTimeout(lookPauseMs(looks), undefined, { signal });
    }
  } finally {
    report.progress(null);
  }
}

/** Returns the packages that the index shows. If it cannot be read, cargo fails, and tsreg tries again. */
async function visibleAmong(
  packages: readonly CrateToPublish[],
  { registry, isCargo }: WaitOptions,
  signal: AbortSignal,
): Promise<readonly CrateToPublish[]> {
  try {
    const names = [...new Set(packages.map(({ id }) => id.name))];
    const current = await registry.index.currentOf(names);
    // A yanked version does not count, since no new package can depend on it. cargo's query leaves it out too.
    return packages.filter(({ id }) =>
      sameVersions(current.get(id.name) ?? [], id.version).some(({ yanked }) => !yanked),
    );
  } catch (error) {
    signal.throwIfAborted();
    if (isCargo || !(error instanceof TsregError)) throw error;
    return [];
  }
}
