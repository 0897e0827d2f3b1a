/** What is certain after an upload without a good answer, and what the index says of it. */
import { setTimeout } from 'node:timers/promises';
import { TsregError } from '../../errors/error.ts';
import { CurlError } from '../../http/curl-error.ts';
import type { OperationContext } from '../../report/report.ts';
import { ApiError, isSuccess } from '../../web-api/api-error.ts';
import type { OpenedRegistry } from '../registry/open-registry.ts';
import { sameVersions } from './publish-checks.ts';
import type { Planned } from './publish-plan.ts';

/** Failures before anything could be sent: no address, no connection, no TLS. */
const NOT_SENT: ReadonlySet<number> = new Set([3, 5, 6, 7, 35, 60, 77]);
const LOOK_PAUSE_MS = 1000;

/**
 * What is certain of a package whose upload failed so: `not-published` where nothing can have been sent, `refused` where
 * the registry said no, `unknown` otherwise.
 */
export function stateAfter(error: unknown): 'not-published' | 'refused' | 'unknown' {
  const answer = answerBehind(error);
  if (answer !== null) return stateAfterAnswer(answer);
  for (let at: unknown = error; at instanceof TsregError; at = at.cause) {
    if (at instanceof CurlError) return NOT_SENT.has(at.curlCode) ? 'not-published' : 'unknown';
  }
  // A token that cannot be sent.
  return error instanceof TsregError && error.code === 'auth' ? 'not-published' : 'unknown';
}

/** The answer that a failure tells of; null where there was none. */
export function answerBehind(error: unknown): ApiError | null {
  for (let at: unknown = error; at instanceof TsregError; at = at.cause) {
    if (at instanceof ApiError) return at;
  }
  return null;
}

function stateAfterAnswer({ status, details }: ApiError): 'refused' | 'unknown' {
  if (details !== null) return 'refused';
  return isSuccess(status) || status >= 500 ? 'unknown' : 'refused';
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
