/** Publishes packages one at a time, dependencies first. Cargo Book: cargo publish. */
import { comparePackageIds } from '../../core/package-id/package-id.ts';
import { TsregError } from '../../core/errors/error.ts';
import { describePackage, displaySource } from '../../core/package-id/describe.ts';
import type { OperationContext } from '../../core/report/report.ts';
import type { OpenedRegistry } from '../shared/registry/open-registry.ts';
import type { PublishOutcomes } from './result.ts';
import { uploadCrate, UploadFailure, type UploadOutcome } from './upload.ts';
import { waitForAny } from './wait.ts';
import { listNames, shortName, type CrateToPublish, type HasPackageId } from './release.ts';

/**
 * Tracks which packages can be published next: those whose dependencies are all in the registry. `takeReady` returns
 * each package once. Packages in a dependency cycle are never ready.
 */
export class PublishQueue<T extends HasPackageId> {
  readonly #waiting: Map<T, Set<T>>;

  /** `dependencies` maps every package to publish to its direct dependencies among them. */
  constructor(dependencies: ReadonlyMap<T, readonly T[]>) {
    this.#waiting = new Map(Array.from(dependencies, ([each, missing]) => [each, new Set(missing)]));
  }

  /** Packages that `takeReady` has not returned yet, by name, version and source. */
  get remaining(): readonly T[] {
    return sorted(this.#waiting.keys());
  }

  /** Returns the packages without missing dependencies, and removes them. Sorted by name, version and source. */
  takeReady(): readonly T[] {
    const ready = sorted(this.#waiting.keys()).filter((each) => this.#waiting.get(each)?.size === 0);
    for (const each of ready) this.#waiting.delete(each);
    return ready;
  }

  /** Marks packages as available from the registry. */
  confirm(published: Iterable<T>): void {
    for (const each of published) for (const missing of this.#waiting.values()) missing.delete(each);
  }
}

/** Returns the packages in the order of publishing, in rounds. Omits those in a cycle and their dependents. */
export function publishRounds<T extends HasPackageId>(
  dependencies: ReadonlyMap<T, readonly T[]>,
): readonly (readonly T[])[] {
  const queue = new PublishQueue(dependencies);
  const rounds: (readonly T[])[] = [];
  for (let round = queue.takeReady(); round.length > 0; round = queue.takeReady()) {
    rounds.push(round);
    queue.confirm(round);
  }
  return rounds;
}

/** Returns the packages that are in no round: those in a cycle, and their dependents. */
export function circularPackages<T extends HasPackageId>(
  dependencies: ReadonlyMap<T, readonly T[]>,
): readonly T[] {
  const placed = new Set(publishRounds(dependencies).flat());
  return sorted(dependencies.keys()).filter((each) => !placed.has(each));
}

/** Throws `manifest` if packages depend on each other in a cycle. */
export function checkCircular(dependencies: ReadonlyMap<CrateToPublish, readonly CrateToPublish[]>): void {
  const circular = circularPackages(dependencies);
  if (circular.length === 0) return;
  throw new TsregError(
    `circular dependency detected while publishing ${listNames(circular, 'and')}\n` +
      'help: to break a cycle between dev-dependencies and other dependencies, remove the version field on the ' +
      'dev-dependency so it will be implicitly stripped on publish',
    { code: 'manifest' },
  );
}

function sorted<T extends HasPackageId>(packages: Iterable<T>): readonly T[] {
  return Array.from(packages).sort((a, b) => comparePackageIds(a.id, b.id));
}

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
 * to their dependencies. `outcomes` is always up to date, also after a failure.
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
        { code: 'network' },
      );
    }
    pending = pending.filter((crate) => !available.includes(crate));
    queue.confirm(available);
  }
}

/** Returns those of `pending` that other packages can depend on. Waits for at least one, but not after `waitMs`. */
async function waitUntilAvailable(
  pending: readonly CrateToPublish[],
  options: PublishCratesOptions & { readonly remainingCount: number },
  context: OperationContext,
): Promise<readonly CrateToPublish[]> {
  const { registry, dryRun, waitMs, isCargo, outcomes, remainingCount } = options;
  if (waitMs === 0) return pending;
  const seen = pending.filter((crate) => outcomes.stateOf(crate) !== 'uploaded');
  const unseen = pending.filter((crate) => !seen.includes(crate));
  if (dryRun !== 'none' || (unseen.length === 0 && seen.length > 0)) return seen;
  const waiting = { registry, timeoutMs: waitMs, remainingCount, isStrict: isCargo };
  const visible = await waitForAny(unseen, waiting, context);
  for (const crate of visible) outcomes.mark(crate, 'published');
  return [...seen, ...visible];
}

async function publishOne(
  crate: CrateToPublish,
  options: PublishCratesOptions & { readonly remaining: readonly CrateToPublish[] },
  context: OperationContext,
): Promise<void> {
  const { registry, dryRun, isCargo, attempts, outcomes, remaining } = options;
  const { report } = context;
  report.status('Uploading', crate.label);
  if (dryRun === 'client') {
    crate.metadata();
    report.warning('aborting upload due to dry run');
    outcomes.mark(crate, 'checked');
    return;
  }
  const sending = {
    registry,
    remainingNote: () => remainingNote(remaining),
    lookMs: isCargo || dryRun !== 'none' ? null : Math.min(LOOK_MS, options.waitMs),
    acceptsExisting: options.acceptsExisting,
    attempts,
    isCargo,
    isServerDryRun: dryRun === 'server',
  };
  let outcome: UploadOutcome;
  try {
    outcome = await uploadCrate(crate, sending, context);
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
