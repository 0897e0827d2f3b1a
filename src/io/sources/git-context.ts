/** Makes the context that sources use for git. */
import { netSettings } from '../config/network-settings.ts';
import type { GitCacheContext } from '../git/database.ts';
import { gitDbName } from '../../core/package-id/folder-names.ts';
import type { SourceContext } from './source-context.ts';
import { setTimeout } from 'node:timers/promises';
import { SpuriousError } from '../git/fetch.ts';
import { pauseAfter } from '../http/retry.ts';

/** Returns the context for repositories below `home`: cargo's home or `PackageCache.ownHome`. */
export function makeGitContext(home: string, context: SourceContext): GitCacheContext {
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
async function retrySpurious<T>(attempt: () => Promise<T>, context: SourceContext): Promise<T> {
  const { retries } = netSettings(context.config);
  for (let failures = 0; ; ) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof SpuriousError) || failures >= retries) throw error;
      const left = retries - failures;
      context.report.warning(
        `spurious network error (${left} ${left === 1 ? 'try' : 'tries'} remaining): ${rootMessage(error)}`,
      );
      failures += 1;
      await setTimeout(pauseAfter(failures, fixedPauseMs(context)), undefined, { signal: context.signal });
    }
  }
}

/** Returns the pause in cargo's own tests, in milliseconds; null otherwise. */
function fixedPauseMs({ config }: SourceContext): number | null {
  const text = config.env['__CARGO_TEST_FIXED_RETRY_SLEEP_MS'];
  return text === undefined ? null : Number(text);
}

function rootMessage(error: Error): string {
  let root = error;
  while (root.cause instanceof Error) root = root.cause;
  return root.message;
}
