/** What is certain after an upload without a good answer, and what the index says of it. */
import { setTimeout } from 'node:timers/promises';
import { TsregError } from '../../errors/error.ts';
import type { OperationContext } from '../../report/report.ts';
import { ApiError, isSuccess } from '../../web-api/api-error.ts';
import type { OpenedRegistry } from '../registry/open-registry.ts';
import { outcomeOf } from '../registry/request-outcome.ts';
import { sameVersions } from './publish-checks.ts';
import type { Planned } from './publish-plan.ts';

const LOOK_PAUSE_MS = 1000;

/** What is certain of a package whose upload failed so. */
export function stateAfter(error: unknown): 'not-published' | 'refused' | 'unknown' {
  const outcome = outcomeOf(error);
  return outcome === 'not-sent' ? 'not-published' : outcome;
}

/** True for a refusal that may mean that the version is there already. */
export function isAboutDuplicates(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  const { status } = error;
  return isSuccess(status) || status === 400 || status === 409 || status === 422 || status >= 500;
}

/** How the index is looked into. */
export interface LookOptions {
  readonly registry: OpenedRegistry;
  /** How long it may take until the package appears. */
  readonly lookMs: number;
  /** True to notice another package of the same version. */
  readonly seesOthers: boolean;
}

/**
 * Looks for a package that was sent: `same` if the index has it with the checksum that was sent, yanked or not; the
 * checksum of another one of its version if that is to be noticed; else `absent`. An index that cannot be read has nothing.
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
