/** What every source needs of its surroundings. */
import type { Config } from '../config/config.ts';
import type { RegistryCredentials } from '../credentials/registry-credentials.ts';
import type { PackageCache } from '../disk/package-cache.ts';
import type { Files } from '../files/files.ts';
import type { PackageId } from '../package-id/package-id.ts';
import type { SourceId } from '../package-id/source-id.ts';
import type { SourceTable } from '../package-id/source-table.ts';
import type { OperationContext } from '../report/report.ts';
import type { Summary } from '../summary/summary.ts';
import type { Version } from '../version/version.ts';
import type { LoadManifest } from './load-package.ts';
import type { UnpackThreads } from './unpack-threads.ts';

/** Packages that an earlier run asked for. */
export interface RecordedPackages {
  /** A version as a file of an index below cargo's home has it that is still the same; null where that is not known. */
  summary(source: SourceId, name: string, version: Version): Summary | null;
  /** True if the package was read from that folder, and the manifest in it is still the same; false where that is not known. */
  wasReadFrom(root: string, id: PackageId): boolean;
}

/** What another thread finds out before it is asked for. */
export interface FoundAhead {
  /** The line of a version in a cached index file (absolute path); null where it is to be read. */
  line(path: string, version: Version): string | null;
  /** True if that archive (absolute path) is there and was unpacked to its end; false where that is to be asked. */
  hasFound(archive: string): boolean;
}

/** Made once by an operation, shared by all its sources. */
export interface SourceContext extends OperationContext {
  readonly config: Config;
  readonly files: Files;
  readonly sources: SourceTable;
  /** Reads manifests of packages. */
  readonly load: LoadManifest;
  /** Paths of packages that were read with the workspace; none unless given. Nobody waits where they are opened. */
  readonly preloaded?: readonly SourceId[];
  /** Guards what is shared under cargo's home. */
  readonly cache: PackageCache;
  /** `--frozen` or `--offline`, whichever forbids the network; null if it is allowed. */
  readonly offlineFlag: string | null;
  /** What an earlier run found out; nothing unless given. */
  readonly recorded?: RecordedPackages;
  /** What is found out ahead; nothing unless given. */
  readonly ahead?: FoundAhead;
  /** Unpacks what is fetched, and is closed by whoever gave it; each fetch has threads of its own unless given. */
  readonly unpacking?: UnpackThreads;
  /** Tokens that the operation has had already; its registries share those of their own unless given. */
  readonly credentials?: RegistryCredentials;
  /** How loud programs are asked to be that write to the user's terminal themselves. */
  readonly verbosity: 'quiet' | 'normal' | 'verbose';
  /** How long a busy registry is waited for, in all of one request; null, or left out, for no longer than cargo does. */
  readonly maxWaitMs?: number | null;
}
