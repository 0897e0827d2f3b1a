/** What the git program needs to know when a source uses it. */
import { netSettings } from '../config/network-settings.ts';
import type { GitCacheContext } from '../git/database.ts';
import { gitDbName } from '../package-id/folder-names.ts';
import { retrySpurious } from './retry-spurious.ts';
import type { SourceContext } from './source-context.ts';

/** Makes the context for repositories below `home`, which is cargo's home or what stands in for it. */
export function makeGitContext(home: string, context: SourceContext): GitCacheContext {
  return {
    report: context.report,
    signal: context.signal,
    env: context.config.env,
    // What is wrong with the configuration is said when an origin is asked, after it was announced.
    get fetchWithCli() {
      return netSettings(context.config).gitFetchWithCli;
    },
    verbosity: context.verbosity,
    offlineFlag: context.offlineFlag,
    retry: (attempt) => retrySpurious(attempt, context),
    databasePath: (url) => `${home}/git/db/${gitDbName(context.sources.forGit(url, { kind: 'default' }))}`,
  };
}
