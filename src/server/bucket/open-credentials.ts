/** Chooses where the credentials of a bucket come from. */
import type { fromNodeProviderChain as FromNodeProviderChain } from '@aws-sdk/credential-providers';
import { TsregError } from '../../core/errors/error.ts';
import { withinTime } from '../shared/within-time.ts';
import {
  type BucketCredentials,
  type CredentialProvider,
  hasKeyVariables,
  ownProvider,
  requireHeaderSafe,
} from './bucket-credentials.ts';
import type { Environment } from './bucket-location.ts';

/** Credentials that the package found. */
interface FoundCredentials {
  readonly credentials: BucketCredentials;
  /** `Infinity` if they do not expire. */
  readonly expiresAtMs: number;
}

/** Maximum duration of one search for credentials, which may start a program or send requests. */
const SEARCH_TIMEOUT_MS = 30_000;
/** Minimum time between the end of one search and the start of the next. */
const SEARCH_PAUSE_MS = 10_000;
/** How long before their expiry credentials are replaced. */
const REPLACE_BEFORE_MS = 5 * 60_000;

/**
 * Returns the provider of the variables. Without them, returns that of the package `@aws-sdk/credential-providers`,
 * which reads the environment of the process, or, without the package, that of the credentials file. Throws `config` or
 * `auth` if there are no valid credentials.
 */
export async function openCredentials(env: Environment): Promise<CredentialProvider> {
  const fromNodeProviderChain = hasKeyVariables(env) ? null : await loadAwsPackage();
  if (fromNodeProviderChain === null) return ownProvider(env);
  // One function of the package for each search: some versions cache failures, or end the process after a failure.
  return await refreshingProvider(() => searchOnce(fromNodeProviderChain({ ignoreCache: true })));
}

/** Returns null if the package is not installed. */
async function loadAwsPackage(): Promise<typeof FromNodeProviderChain | null> {
  try {
    const { fromNodeProviderChain } = await import('@aws-sdk/credential-providers');
    return fromNodeProviderChain;
  } catch {
    // If it is installed but broken, the error about missing credentials also asks to install it.
    return null;
  }
}

/**
 * Returns a provider that replaces credentials before they expire, or after a refusal. Concurrent callers share one
 * search. They wait for it, or get its error, only if they cannot use the current credentials. Throws as `search` does.
 */
async function refreshingProvider(search: () => Promise<FoundCredentials>): Promise<CredentialProvider> {
  let current = await search();
  /** The newest search, running or done. */
  let newest = Promise.resolve(current);
  /** `Infinity` during a search. */
  let nextSearchAtMs = Number.NEGATIVE_INFINITY;
  const searchAgain = async (): Promise<FoundCredentials> => {
    nextSearchAtMs = Number.POSITIVE_INFINITY;
    try {
      current = await search();
      return current;
    } finally {
      nextSearchAtMs = performance.now() + SEARCH_PAUSE_MS;
    }
  };
  return async ({ forceRefresh }) => {
    const leftMs = current.expiresAtMs - Date.now();
    const isDue = forceRefresh || leftMs < REPLACE_BEFORE_MS;
    if (isDue && performance.now() >= nextSearchAtMs) {
      newest = searchAgain();
      // Perhaps no caller waits for it, and an unhandled rejection would end the process.
      newest.catch(() => undefined);
    }
    const { credentials } = forceRefresh || leftMs <= 0 ? await newest : current;
    return credentials;
  };
}

/** Throws `auth` if `findCredentials` fails or takes too long, and `config` if a header cannot contain what it finds. */
async function searchOnce(
  findCredentials: ReturnType<typeof FromNodeProviderChain>,
): Promise<FoundCredentials> {
  const tooLate = (): Error => new Error(`there are none after ${SEARCH_TIMEOUT_MS / 1000} seconds`);
  try {
    const found = await withinTime(findCredentials(), { timeoutMs: SEARCH_TIMEOUT_MS, tooLate });
    const { accessKeyId, secretAccessKey, sessionToken, expiration } = found;
    return {
      credentials: requireHeaderSafe({ accessKeyId, secretAccessKey, sessionToken: sessionToken ?? null }),
      expiresAtMs: expiration?.getTime() ?? Number.POSITIVE_INFINITY,
    };
  } catch (error) {
    if (error instanceof TsregError) throw error;
    // The next lines may quote the output of a program.
    const reason = String(error instanceof Error ? error.message : error).replace(/\n.*/s, '');
    throw new TsregError(`cannot get the keys for the object store: ${reason}`, {
      code: 'auth',
      hint: 'set `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`, or make `aws sts get-caller-identity` work here',
    });
  }
}
