/** Makes the context that sources use for git. */
import { setTimeout } from 'node:timers/promises';
import { fixedRetryPauseMs, netSettings } from '../config/network-settings.ts';
import type { GitCacheContext } from '../git/database.ts';
import { SpuriousError } from '../git/fetch-error.ts';
import { pauseAfter } from '../http/retry.ts';
import { gitDbName } from '../../core/package-id/folder-names.ts';
import type { RegistryContext } from './source-context.ts';

/** Returns the context for repositories below `home`: cargo's home or `PackageCache.ownHome`. */
export function makeGitContext(home: string, context: RegistryContext): GitCacheContext {
  return {
    report: context.report,
    signal: context.signal,
    env: context.config.env,
    // Read late: an invalid setting is reported after the origin was announced.
    get fetchWithCli() {
      return netSettings(context.config).gitFetchWithCli;
    },
    verbosity: context.verbosity,
    offlineFlag: context.offlineFlag,
    retry: (attempt) => retrySpurious(attempt, context),
    databasePath: (url) => `${home}/git/db/${gitDbName(context.sources.forGit(url, { kind: 'default' }))}`,
  };
}

/** Calls `attempt` again while it rejects with a `SpuriousError` and `net.retry` allows it. Warns before each pause. */
async function retrySpurious<T>(attempt: () => Promise<T>, context: RegistryContext): Promise<T> {
  const { retries } = netSettings(context.config);
  for (let failures = 0; ; ) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof SpuriousError) || failures >= retries) throw error;
      const remaining = retries - failures;
      context.report.warning(
        `spurious network error (${remaining} ${remaining === 1 ? 'try' : 'tries'} remaining): ${rootMessage(error)}`,
      );
      failures += 1;
      const pauseMs = pauseAfter(failures, fixedRetryPauseMs(context.config));
      await setTimeout(pauseMs, undefined, { signal: context.signal });
    }
  }
}

/** Returns the message of the root cause. */
function rootMessage(error: Error): string {
  let root = error;
  while (root.cause instanceof Error) root = root.cause;
  return root.message;
}
