/** Finds out whether a package was published if the upload gave no clear response. */
import { setTimeout } from 'node:timers/promises';
import { TsregError } from '../../core/errors/error.ts';
import type { OperationContext } from '../../core/report/report.ts';
import { ApiError, isSuccess } from '../../io/web-api/api-error.ts';
import type { OpenedRegistry } from '../shared/registry/open-registry.ts';
import { outcomeOf } from '../shared/registry/request-outcome.ts';
import { sameVersions } from './checks.ts';
import type { Planned } from './queue.ts';

const LOOK_PAUSE_MS = 1000;

/** Returns the state of a package after its upload failed with `error`. */
export function stateAfter(error: unknown): 'not-published' | 'refused' | 'unknown' {
  const outcome = outcomeOf(error);
  return outcome === 'not-sent' ? 'not-published' : outcome;
}

/** Returns true for a refusal that may mean that the version already exists. */
export function isAboutDuplicates(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  const { status } = error;
  return isSuccess(status) || status === 400 || status === 409 || status === 422 || status >= 500;
}

/** How to search the index. */
export interface LookOptions {
  readonly registry: OpenedRegistry;
  /** Maximum time until the package appears. */
  readonly lookMs: number;
  /** True to report a different package with the same version. */
  readonly seesOthers: boolean;
}

/**
 * Searches the index for a package that was sent. Returns `same` if the index has it with this checksum, yanked or not.
 * With `seesOthers`, returns the checksum of a different package with this version. Otherwise returns `absent`, also if
 * the index cannot be read.
 */
export async function lookIntoIndex(
  { id, sha256 }: Planned & { readonly sha256: string },
  { registry, lookMs, seesOthers }: LookOptions,
  { signal }: OperationContext,
): Promise<'same' | 'absent' | { readonly checksum: string }> {
  const until = performance.now() + lookMs;
  for (;;) {
    try {
      const versions = sameVersions(await registry.index.current(id.name), id.version);
      if (versions.some(({ checksum }) => checksum === sha256)) return 'same';
      const other = versions.find(({ checksum }) => checksum !== null);
      const checksum = other?.checksum ?? null;
      if (seesOthers && checksum !== null) return { checksum };
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof TsregError)) throw error;
    }
    if (performance.now() + LOOK_PAUSE_MS > until) return 'absent';
    await setTimeout(LOOK_PAUSE_MS, undefined, { signal });
  }
}
