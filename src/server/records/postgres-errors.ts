/** Interprets errors of a PostgreSQL server and of the connection to it. */
import { TsregError } from '../../core/errors/error.ts';
import { connectionHint } from '../shared/connection-hint.ts';
import { asReadOnly } from './read-only.ts';

/**
 * Codes for a lost or failed connection. Everything uncommitted is rolled back. The server's codes, here and below:
 * PostgreSQL documentation, Appendix A.
 */
const LOST_CODES = new Set([
  // The driver.
  'CONNECTION_CLOSED',
  'CONNECTION_ENDED',
  'CONNECTION_DESTROYED',
  'CONNECT_TIMEOUT',
  // Node.
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  // The server stops, crashed or starts; it has no free connection; it ended an idle transaction.
  '57P01',
  '57P02',
  '57P03',
  '57P05',
  '53300',
  '25P03',
  // Connection exceptions.
  '08000',
  '08001',
  '08003',
  '08004',
  '08006',
  // The server has become a replica.
  '25006',
]);

/** Codes for a temporary inability: a lock or statement timeout, a full disk or memory. */
const UNABLE_CODES = new Set(['55P03', '57014', '53000', '53100', '53200']);

/** Codes for a transaction that was rolled back because of another one. */
const CONFLICT_CODES = new Set(['40001', '40P01']);

/** Returns true if the connection is lost. */
export function isLost(error: unknown): boolean {
  return LOST_CODES.has(codeOf(error));
}

/** Codes of a database that is probably back in a moment. */
const RESTART_CODES = new Set(['57P01', '57P02', '57P03', 'ECONNREFUSED', 'ECONNRESET', 'CONNECTION_CLOSED']);

/** Returns true if the database may only be restarting. */
export function isRestarting(error: unknown): boolean {
  return RESTART_CODES.has(codeOf(error));
}

/** Returns true if the same transaction may succeed at once. */
export function isConflict(error: unknown): boolean {
  return CONFLICT_CODES.has(codeOf(error));
}

/** Returns the code from the server or the system; empty if there is none. */
function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** The code for insufficient privileges. */
const INSUFFICIENT_PRIVILEGE = '42501';

/**
 * Returns true for an error about insufficient privileges, from the database or from `asDatabaseError`, which keeps the
 * code only at the end of its message.
 */
export function isForbidden(error: unknown): error is Error {
  return (
    codeOf(error) === INSUFFICIENT_PRIVILEGE ||
    (error instanceof TsregError && error.message.endsWith(`(${INSUFFICIENT_PRIVILEGE})`))
  );
}

const ADDRESS = '`--database` (or `TSREG_DATABASE`)';
const DISK_FULL_HINT = 'free space on the disk of the database; no confirmed change is lost';
const PRIVILEGE_HINT =
  'let the owner of the database run the statements that `tsreg serve migrate --dry-run` prints; ' +
  'the user then needs rights on all tables and sequences';

/** Advice by code of the server. */
const HINTS: Readonly<Record<string, string>> = {
  '28P01': `user and password are part of ${ADDRESS}; a \`%\`, \`@\`, \`/\` or \`:\` in one of them is written as \`%25\`, \`%40\`, \`%2F\` or \`%3A\``,
  '28000': `the server does not let the user in ${ADDRESS} connect from here, or not in this way: check its \`pg_hba.conf\``,
  '3D000': `create it with \`CREATE DATABASE … ENCODING 'UTF8'\`, or correct the name in ${ADDRESS}`,
  '3F000': `create the schema that \`search_path\` names in ${ADDRESS}`,
  [INSUFFICIENT_PRIVILEGE]: PRIVILEGE_HINT,
  '42P01':
    'a table of the records is missing: put back a dump of the database, or `tsreg serve restore` a backup into an empty one',
  '58P01': 'install the package `postgresql-contrib` on the server of the database',
  '22P05':
    "the database needs the encoding UTF8: `CREATE DATABASE … ENCODING 'UTF8'`, and `tsreg serve restore` a backup there",
  '25006': `the server is a read-only replica: name the primary server in ${ADDRESS}`,
  '53100': DISK_FULL_HINT,
  '53300': 'raise `max_connections` of the server, or set a lower `?max=` in the address of each instance',
  '57P03': 'the database is starting, stopping or recovering: try again in a moment',
};

/** Messages for lost connections, instead of the driver's. */
const LOST_MESSAGES: Readonly<Record<string, string>> = {
  CONNECT_TIMEOUT: 'no response in time',
};

/**
 * Returns the error to throw to the caller: `network` if the database is unreachable or unable now, `ReadOnlyRecords` if
 * the records are read-only, otherwise `io`. Keeps errors without a code. Never includes values of statements.
 */
export function asDatabaseError(error: unknown): Error {
  if (error instanceof TsregError || !(error instanceof Error)) return toError(error);
  const readOnly = asReadOnly(error);
  if (readOnly !== null) return readOnly;
  const code = codeOf(error);
  if (code === '') return error;
  const reason = `${LOST_MESSAGES[code] ?? error.message} (${code})`;
  const hint = hintOf(error);
  const options = hint === null ? {} : { hint };
  if (UNABLE_CODES.has(code)) {
    return new TsregError(`the database cannot do this now: ${reason}`, {
      code: 'network',
      ...options,
    });
  }
  // The server's codes have five characters. Others are Node's, such as those for problems with certificates.
  return isLost(error) || !/^[0-9A-Z]{5}$/.test(code)
    ? new TsregError(`the database cannot be reached: ${reason}`, { code: 'network', ...options })
    : new TsregError(`the database refused: ${reason}`, { code: 'io', ...options });
}

/** Returns advice about an error of the database or the connection; null for unknown errors. */
function hintOf(error: Error): string | null {
  const code = codeOf(error);
  if (code === 'ECONNRESET' && error.message.includes('TLS')) {
    return `the server seems not to support TLS: add \`?sslmode=disable\` to ${ADDRESS}, or give the server a certificate`;
  }
  if (code.startsWith('CONNECT')) return `does a PostgreSQL server answer at host and port in ${ADDRESS}?`;
  return HINTS[code] ?? connectionHint(error, { what: 'the database', address: ADDRESS });
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
