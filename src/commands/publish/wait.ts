/** Waits until the index shows published packages. Cargo Book: Registry Web API, Publish. */
import { setTimeout } from 'node:timers/promises';
import { TsregError } from '../../core/errors/error.ts';
import { displaySource } from '../../core/package-id/describe.ts';
import type { OperationContext } from '../../core/report/report.ts';
import type { OpenedRegistry } from '../shared/registry/open-registry.ts';
import { sameVersions } from './checks.ts';
import { listNames, type HasPackageId } from './release.ts';

const POLL_MS = 1000;

/** How to wait for the index. */
export interface WaitOptions {
  readonly registry: OpenedRegistry;
  readonly timeoutMs: number;
  /** Number of packages to publish after these. */
  readonly remainingCount: number;
  /** True to fail if the index cannot be read, as cargo does; false to try again, as tsreg does. */
  readonly isStrict: boolean;
}

/**
 * Waits until the index shows any of the packages, and reports it. Returns the packages that the index shows. On a
 * timeout, warns and returns none. `packages` is empty if all remaining ones are in a dependency cycle, so that nothing
 * was sent: then the messages list no names, and the warning follows at once.
 */
export async function waitForAny<T extends HasPackageId>(
  packages: readonly T[],
  options: WaitOptions,
  context: OperationContext,
): Promise<readonly T[]> {
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

function announce(
  packages: readonly HasPackageId[],
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

async function poll<T extends HasPackageId>(
  packages: readonly T[],
  { registry, timeoutMs, isStrict }: WaitOptions,
  { report, signal }: OperationContext,
): Promise<readonly T[]> {
  if (packages.length === 0) return [];
  const startedAt = performance.now();
  const total = Math.floor(timeoutMs / 1000);
  try {
    for (;;) {
      const elapsedMs = performance.now() - startedAt;
      report.progress({
        verb: 'Waiting',
        done: Math.min(Math.floor(elapsedMs / 1000), total),
        total,
        message: '',
      });
      const visible = await visibleAmong(packages, { registry, isStrict }, signal);
      if (visible.length > 0 || performance.now() - startedAt > timeoutMs) return visible;
      await setTimeout(POLL_MS, undefined, { signal });
    }
  } finally {
    report.progress(null);
  }
}

async function visibleAmong<T extends HasPackageId>(
  packages: readonly T[],
  { registry, isStrict }: Pick<WaitOptions, 'registry' | 'isStrict'>,
  signal: AbortSignal,
): Promise<readonly T[]> {
  try {
    const names = [...new Set(packages.map(({ id }) => id.name))];
    const current = await registry.index.currentOf(names);
    // A yanked version does not count, since no new package can depend on it. cargo's query leaves it out too.
    return packages.filter(({ id }) =>
      sameVersions(current.get(id.name) ?? [], id.version).some(({ yanked }) => !yanked),
    );
  } catch (error) {
    signal.throwIfAborted();
    if (isStrict || !(error instanceof TsregError)) throw error;
    return [];
  }
}
