/** Makes the context that sources use for git. */
import { netSettings } from '../config/network-settings.ts';
import type { GitCacheContext } from '../git/database.ts';
import { gitDbName } from '../../core/package-id/folder-names.ts';
import { retrySpurious } from './retry-spurious.ts';
import type { SourceContext } from './source-context.ts';

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
