/** The context that sources share. */
import type { Config } from '../config/config.ts';
import type { RegistryCredentials } from '../credentials/registry-credentials.ts';
import type { PackageCache } from '../disk/package-cache.ts';
import type { SourceId } from '../../core/package-id/source-id.ts';
import type { SourceTable } from '../../core/package-id/source-table.ts';
import type { OperationContext } from '../../core/report/report.ts';
import type { WalkContext } from './package-walk.ts';
import type { UnpackThreads } from './unpack-threads.ts';

/** How an operation uses the network. */
export interface NetworkContext {
  /** The flag that forbids the network, `--frozen` or `--offline`; null if it is allowed. */
  readonly offlineFlag: string | null;
  /** Total time that one request waits for a busy registry. Null or absent: no longer than cargo waits. */
  readonly maxWaitMs?: number | null;
  /** Tokens that the operation already has; by default, its registries share new ones. */
  readonly credentials?: RegistryCredentials;
  /** The output level of programs that write to the user's terminal themselves. */
  readonly verbosity: 'quiet' | 'normal' | 'verbose';
}

/** The context of one operation, shared by its registries on the network. */
export interface RegistryContext extends OperationContext, NetworkContext {
  readonly config: Config;
  readonly sources: SourceTable;
  /** Guards the shared folders under cargo's home. */
  readonly cache: PackageCache;
  /** Unpacks fetched packages; the caller closes it. By default, each fetch has separate threads. */
  readonly unpacking?: UnpackThreads;
}

/** The context of one operation, shared by all its sources. */
export interface SourceContext extends RegistryContext, WalkContext {
  /** Path sources of packages that were read with the workspace; none by default. */
  readonly preloaded?: readonly SourceId[];
}
