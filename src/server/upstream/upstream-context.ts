/** The services and options that all parts of an upstream share, and the errors that they throw. */
import type { Blobs } from '../store/blobs.ts';
import type { Clock } from '../shared/clock.ts';
import type { Log } from '../shared/log.ts';
import { reasonOf } from '../shared/reason-of.ts';
import { UpstreamProblem } from '../shared/upstream-problem.ts';
import type { ServedRecords } from '../store/store.ts';
import type { MirrorQuota } from './mirror-quota.ts';
import type { UpstreamClient } from './upstream-client.ts';
import type { UpstreamGates } from './upstream-gates.ts';

/** Services that an upstream needs. */
export interface UpstreamContext {
  readonly records: ServedRecords;
  readonly blobs: Blobs;
  readonly clock: Clock;
  readonly log: Log;
}

/** Options of an upstream. */
export interface UpstreamOptions {
  readonly client: UpstreamClient;
  /** Age after which a cached index file is checked again. */
  readonly refreshMs: number;
  /** Whether to use only the cache and send no requests. */
  readonly isOffline: boolean;
  /** null for no limit. */
  readonly quota: MirrorQuota | null;
  /** Which versions are served. */
  readonly gates: UpstreamGates;
}

/** Writes to the cache. Only logs a failure, since the response does not depend on the cache. */
export async function writeToCache({ log }: UpstreamContext, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    log.warning('upstream-not-cached', { reason: reasonOf(error) });
  }
}

/** Throws if no requests may be sent. `what` names the file that is not in the cache. */
export function requireOnline({ client, isOffline }: UpstreamOptions, what: string): void {
  if (!isOffline) return;
  throw new UpstreamProblem(
    `${what} is not stored here, and the upstream \`${client.indexUrl}\` is not asked, as this server is offline`,
  );
}

/** A file of the upstream whose content is wrong. */
export interface WrongFile {
  readonly what: string;
  readonly reason: string;
}

/** Logs a file whose content is wrong, which only the upstream's operator can mend. Returns the error for clients. */
export function refuseFile(
  { log }: UpstreamContext,
  { client }: UpstreamOptions,
  { what, reason }: WrongFile,
): UpstreamProblem {
  log.error('upstream-refused', { what, reason });
  return new UpstreamProblem(`${what} that the upstream \`${client.indexUrl}\` sent is not used: ${reason}`);
}
