/** Chooses where the credentials of a bucket come from. */
import type { fromNodeProviderChain as FromNodeProviderChain } from '@aws-sdk/credential-providers';
import { TsregError } from '../../core/errors/error.ts';
import {
  type CredentialProvider,
  hasKeyVariables,
  ownProvider,
  requireHeaderSafe,
} from './bucket-credentials.ts';
import type { Environment } from './bucket-location.ts';

/** The provider of the package, which caches credentials, and replaces them five minutes before they expire. */
type AwsProvider = ReturnType<typeof FromNodeProviderChain>;

/** Minimum time between two attempts to find new credentials, because each may start a program or send requests. */
const REFRESH_PAUSE_MS = 10_000;

/**
 * Returns the provider of the variables. Without them, returns that of the package `@aws-sdk/credential-providers`,
 * which reads the environment of the process, or, without the package, that of the credentials file. Throws `config` or
 * `auth` if there are no valid credentials.
 */
export async function openCredentials(env: Environment): Promise<CredentialProvider> {
  const findCredentials = hasKeyVariables(env) ? null : await loadAwsProvider();
  if (findCredentials === null) return ownProvider(env);
  const provider = limitRefreshes(findCredentials);
  await provider({ forceRefresh: false });
  return provider;
}

/** Returns null if the package is not installed. */
async function loadAwsProvider(): Promise<AwsProvider | null> {
  try {
    const { fromNodeProviderChain } = await import('@aws-sdk/credential-providers');
    return fromNodeProviderChain({ ignoreCache: true });
  } catch {
    // If it is installed but broken, the error about missing credentials also asks to install it.
    return null;
  }
}

function limitRefreshes(findCredentials: AwsProvider): CredentialProvider {
  let refreshedAtMs = Number.NEGATIVE_INFINITY;
  return async (options) => {
    const nowMs = performance.now();
    const forceRefresh = options.forceRefresh && nowMs - refreshedAtMs >= REFRESH_PAUSE_MS;
    if (forceRefresh) refreshedAtMs = nowMs;
    try {
      const { accessKeyId, secretAccessKey, sessionToken } = await findCredentials({ forceRefresh });
      return requireHeaderSafe({ accessKeyId, secretAccessKey, sessionToken: sessionToken ?? null });
    } catch (error) {
      if (error instanceof TsregError) throw error;
      // The next lines may quote the output of a program.
      const reason = String(error instanceof Error ? error.message : error).replace(/\n.*/s, '');
      throw new TsregError(`cannot get the keys for the object store: ${reason}`, {
        code: 'auth',
        hint: 'set `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`, or make `aws sts get-caller-identity` work here',
      });
    }
  };
}
