/** Changes versions in the index of a registry, for `yank`. Cargo Book: cargo yank. */
import { TsregError } from '../../core/errors/error.ts';
import { errorLines } from '../../core/errors/error-lines.ts';
import type { OperationContext } from '../../core/report/report.ts';
import type { OpenedRegistry } from '../shared/registry/open-registry.ts';
import {
  type ChangeStatus,
  responseBehind,
  outcomeOf,
  statusAfter,
} from '../shared/registry/request-outcome.ts';
import { type CrateVersion, describeVersion, type PlannedVersion } from './plan.ts';

/** The requested change. Messages append `ed` to it. */
type ChangeKind = 'yank' | 'unyank';

/** A version that the registry refused to change, and why. */
interface RefusedVersion extends CrateVersion {
  readonly failure: TsregError;
}

/** The options of `changeVersions`. */
export interface ChangeOptions {
  readonly registry: OpenedRegistry;
  /** True to unyank. */
  readonly undo: boolean;
  /** Only some servers store it; null for none. */
  readonly reason: string | null;
  /** True to report exactly as cargo does. */
  readonly isCargo: boolean;
}

/** The result for one version. */
export interface ChangeResult {
  readonly status: ChangeStatus;
  /** Why the version was not changed, or may not be changed; null if it was. */
  readonly error: string | null;
}

/** The result of `changeVersions`. */
export interface ChangedVersions {
  /** The results of the processed versions, in order. The others are `pending`. */
  readonly results: readonly ChangeResult[];
  /** The error of the versions that failed; null if there is none. */
  readonly failure: TsregError | null;
}

/**
 * Changes one version after the other. If the registry refuses a version of a range, continues with the next one. Stops
 * at any other failure, and at an interruption.
 */
export async function changeVersions(
  versions: readonly PlannedVersion[],
  { registry, undo, reason, isCargo }: ChangeOptions,
  { report, signal }: OperationContext,
): Promise<ChangedVersions> {
  const results: ChangeResult[] = [];
  const refusals: RefusedVersion[] = [];
  const kind: ChangeKind = undo ? 'unyank' : 'yank';
  for (const [index, { name, version, isOfRange }] of versions.entries()) {
    // True once there is a token, so that a failure is about the request.
    let isSent = false;
    try {
      const api = await registry.api({ kind, name, vers: version });
      isSent = true;
      report.status(undo ? 'Unyank' : 'Yank', describeVersion({ name, version }));
      await (undo ? api.unyank(name, version) : api.yank(name, version, reason));
      results.push({ status: 'done', error: null });
    } catch (cause) {
      // The refusal of one version of a range says nothing about the others.
      const continues = isOfRange && isAboutVersion(cause);
      const unchanged = continues ? [] : versions.slice(index + 1);
      const action = describeFailed(isOfRange ? { name, version } : null, kind);
      const message = `${action} from the registry at ${registry.host}${describeUnchanged(unchanged, kind)}`;
      const failure = isSent && cause instanceof TsregError ? new TsregError(message, { cause }) : cause;
      const status = isSent ? statusAfter(failure, signal) : 'pending';
      results.push({ status, error: errorLines(failure) });
      if (signal.aborted) {
        if (!isCargo) report.note(describeInterruption(versions.slice(index), { isSent, kind }));
        return { results, failure: new TsregError('interrupted', { code: 'aborted', cause: failure }) };
      }
      if (!(failure instanceof TsregError)) throw failure;
      refusals.push({ name, version, failure });
      if (!continues) break;
    }
  }
  const unchanged = versions.slice(results.length);
  return { results, failure: summarize(refusals, { kind, host: registry.host, unchanged }) };
}

/** Describes an interruption at the first of `versions`. `isSent` is true if its request was sent. */
function describeInterruption(
  versions: readonly CrateVersion[],
  { isSent, kind }: { readonly isSent: boolean; readonly kind: ChangeKind },
): string {
  const sent = isSent ? versions.slice(0, 1) : [];
  const notSent = versions.slice(sent.length).map(describeVersion);
  return [
    ...sent.map((version) => `sent, but the outcome is unknown: ${describeVersion(version)}`),
    ...(notSent.length === 0 ? [] : [`not ${kind}ed: ${notSent.join(', ')}`]),
  ].join('\n');
}

/** Returns the failed action in cargo's words, with `version` if it is not null. */
function describeFailed(version: CrateVersion | null, kind: ChangeKind): string {
  if (version === null) return kind === 'yank' ? 'failed to yank' : 'failed to undo a yank';
  return `failed to ${kind === 'yank' ? 'yank' : 'undo the yank of'} ${describeVersion(version)}`;
}

/** Returns false if all versions would fail in the same way, for example with a bad token or a busy registry. */
function isAboutVersion(failure: unknown): boolean {
  const response = responseBehind(failure);
  return (
    response !== null && outcomeOf(failure) === 'refused' && ![401, 403, 429, 503].includes(response.status)
  );
}

/**
 * Returns the error for all refusals, with the registry's message or status for each version; null if there are none.
 */
function summarize(
  refusals: readonly RefusedVersion[],
  {
    kind,
    host,
    unchanged,
  }: { readonly kind: ChangeKind; readonly host: string; readonly unchanged: readonly CrateVersion[] },
): TsregError | null {
  const [firstRefusal, ...otherRefusals] = refusals;
  if (firstRefusal === undefined || otherRefusals.length === 0) return firstRefusal?.failure ?? null;
  const lines = refusals.map((refusal) => `\n  ${describeVersion(refusal)}: ${reasonOf(refusal.failure)}`);
  return new TsregError(
    `failed to ${kind} ${refusals.length} versions in the registry at ${host}:${lines.join('')}${describeUnchanged(unchanged, kind)}`,
    { code: firstRefusal.failure.code },
  );
}

/** Returns the registry's message, or else the status or error, as one line. */
function reasonOf(failure: TsregError): string {
  const response = responseBehind(failure);
  return response?.words ?? (response ?? failure).message.split('\n', 1).join('');
}

/** Returns a note about the versions that were not processed; empty if there are none. */
function describeUnchanged(versions: readonly CrateVersion[], kind: ChangeKind): string {
  if (versions.length === 0) return '';
  const lines = versions.map((version) => `\n  ${describeVersion(version)}`);
  return `\n\nnote: the following versions have not been ${kind}ed yet:${lines.join('')}`;
}
