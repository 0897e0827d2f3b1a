/** What errors of a PostgreSQL server and of the way there mean. */
import { TsregError } from '../../errors/error.ts';
import { asSealed } from './seal.ts';

/** The connection is gone, or none could be had: whatever was not committed by then is undone. */
const LOST = new Set([
  ...['CONNECTION_CLOSED', 'CONNECTION_ENDED', 'CONNECTION_DESTROYED', 'CONNECT_TIMEOUT'],
  ...[
    'ECONNREFUSED',
    'ECONNRESET',
    'EPIPE',
    'ETIMEDOUT',
    'EHOSTUNREACH',
    'ENETUNREACH',
    'ENOTFOUND',
    'EAI_AGAIN',
  ],
  // The server stops, has crashed, or starts; it has no connection left; it has ended an idle transaction.
  ...['57P01', '57P02', '57P03', '57P05', '53300', '25P03'],
  // Exceptions of the connection.
  ...['08000', '08001', '08003', '08004', '08006'],
  // A server that became a replica meanwhile.
  '25006',
]);

/** It cannot do it now: a lock or the time that a statement may take is not to be had, its disk or memory is full. */
const UNABLE = new Set(['55P03', '57014', '53000', '53100', '53200']);

/** Two transactions were in each other's way, and this one was undone. */
const CONFLICTS = new Set(['40001', '40P01']);

/** True if the connection is no longer of use. */
export function isLost(error: unknown): boolean {
  return LOST.has(codeOf(error));
}

/** True if the same may succeed at once. */
export function isConflict(error: unknown): boolean {
  return CONFLICTS.has(codeOf(error));
}

/** The code that the server or the system gave; empty without one. */
export function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/**
 * The error for whoever asked: `network` while the database is away or not able to, else `io`. Never with values of
 * statements.
 */
export function asDatabaseError(error: unknown): Error {
  if (error instanceof TsregError || !(error instanceof Error)) return toError(error);
  const sealed = asSealed(error);
  if (sealed !== null) return sealed;
  if (codeOf(error) === '') return error;
  const reason = `${error.message} (${codeOf(error)})`;
  if (UNABLE.has(codeOf(error)))
    return new TsregError(`the database is not able to do it now: ${reason}`, { code: 'network' });
  return isLost(error)
    ? new TsregError(`the database cannot be reached: ${reason}`, { code: 'network' })
    : new TsregError(`the database refused: ${reason}`, { code: 'io' });
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
