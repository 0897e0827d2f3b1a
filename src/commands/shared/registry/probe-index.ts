/** A request that shows whether the index of a registry can be reached. Cargo Book: Registry Index. */
import type { Config } from '../../../io/config/config.ts';
import { PackageCache } from '../../../io/disk/package-cache.ts';
import { fetchError } from '../../../io/git/fetch-error.ts';
import { PROTOCOLS } from '../../../io/git/fetch.ts';
import { runGit } from '../../../io/git/process.ts';
import { IndexRequests } from '../../../io/sources/index-requests.ts';
import { RegistryAccess } from '../../../io/sources/registry-access.ts';
import type { RegistrySurroundings } from '../../../io/sources/remote-registry.ts';
import { TsregError } from '../../../core/errors/error.ts';
import type { SourceId } from '../../../core/package-id/source-id.ts';
import { SourceTable } from '../../../core/package-id/source-table.ts';
import {
  decodeIndexConfig,
  INDEX_CONFIG_FILE,
  type IndexConfig,
} from '../../../core/protocol/index-config.ts';
import type { OperationContext } from '../../../core/report/report.ts';
import { type AccessFlags, offlineFlag } from '../workspace/access-flags.ts';
import { operationSignal } from '../workspace/operation-signal.ts';

/** The command-line options of a command that calls `probeIndex`. */
export interface ProbeOptions extends AccessFlags {
  readonly config: Config;
  /** Verbosity of child programs that write to the user's terminal. */
  readonly verbosity: 'quiet' | 'normal' | 'verbose';
}

/** Returns the connections for `probeIndex`. The caller must close `access`. */
export function openProbe(options: ProbeOptions, context: OperationContext): RegistrySurroundings {
  const { config, verbosity } = options;
  const sourceContext = {
    ...context,
    sources: new SourceTable(),
    cache: new PackageCache(config.home, { ...context, env: config.env }),
    signal: operationSignal(context.signal),
    config,
    offlineFlag: offlineFlag(options),
    verbosity,
  };
  return { context: sourceContext, access: new RegistryAccess(sourceContext) };
}

/**
 * Requests the `config.json` of a sparse index, with a token if necessary; from a git index only its newest commit, for
 * which it returns null. Stores nothing, and takes no lock. Rejects with cargo's errors.
 */
export async function probeIndex(
  source: SourceId,
  surroundings: RegistrySurroundings,
): Promise<IndexConfig | null> {
  if (source.kind !== 'sparse-registry') {
    await probeGitIndex(source, surroundings);
    return null;
  }
  const { context, access } = surroundings;
  const response = await new IndexRequests(source, context, access).send(INDEX_CONFIG_FILE, null);
  if (typeof response === 'object') return decodeIndexConfig(response.bytes);
  throw new TsregError(`\`${source.url}${INDEX_CONFIG_FILE}\` does not exist`, { code: 'source' });
}

async function probeGitIndex({ url }: SourceId, { context }: RegistrySurroundings): Promise<void> {
  const { config, signal } = context;
  const env = { GIT_ALLOW_PROTOCOL: PROTOCOLS, ...config.env };
  const args = ['ls-remote', '--exit-code', '--', url, 'HEAD'];
  // With `gitDir`, git does not search for a repository, which it might refuse to read.
  const { status, stderr } = await runGit(args, { gitDir: config.cwd, env, signal });
  if (status !== 0) throw fetchError(url, `git ${args.join(' ')}`, { status, stderr });
}
