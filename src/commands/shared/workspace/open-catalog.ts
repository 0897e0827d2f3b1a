/** The package sources of a command. */
import type { Config } from '../../../io/config/config.ts';
import type { RegistryCredentials } from '../../../io/credentials/registry-credentials.ts';
import type { PackageCache } from '../../../io/disk/package-cache.ts';
import type { Files } from '../../../core/files/files.ts';
import type { OperationContext } from '../../../core/report/report.ts';
import { createCatalog, type PackageCatalog } from '../../../io/sources/catalog.ts';
import type { SourceContext } from '../../../io/sources/source-context.ts';
import type { OpenedWorkspace } from './open-workspace.ts';

/** Command-line options for the lock file and the network. */
export interface AccessFlags {
  readonly locked: boolean;
  readonly frozen: boolean;
  /** `--offline` or `net.offline`. */
  readonly offline: boolean;
  /** `--max-wait`: how long one request waits for a busy registry in total; null or omitted to wait like cargo. */
  readonly maxWaitMs?: number | null;
}

/** Options for a catalog. */
export interface OpenCatalogOptions {
  readonly config: Config;
  readonly files: Files;
  readonly cache: PackageCache;
  readonly flags: AccessFlags;
  /** Threads that unpack downloads; by default each fetch starts its own. */
  readonly unpacking?: SourceContext['unpacking'];
  /** Verbosity of child programs that write to the user's terminal. */
  readonly verbosity: 'quiet' | 'normal' | 'verbose';
  /** Tokens that the command already has; by default the catalog gets its own. */
  readonly credentials?: RegistryCredentials;
  /** The catalog of a workspace that the command used before; null or omitted if there is none. */
  readonly earlier?: PackageCatalog | null;
}

/** Returns the catalog for a command on a workspace. Throws if `[source]` is invalid. */
export function openCatalog(
  { workspace, packages }: OpenedWorkspace,
  { config, files, cache, flags, verbosity, unpacking, credentials, earlier = null }: OpenCatalogOptions,
  context: OperationContext,
): PackageCatalog {
  const { manifests } = workspace;
  return createCatalog(
    {
      ...context,
      config,
      files,
      sources: manifests.sources,
      preloaded: Array.from(manifests.loaded()).flatMap((manifest) =>
        manifest.kind === 'package' ? manifest.summary.id.source : [],
      ),
      load: (path, source) => (source.kind === 'path' ? manifests : packages).load(path, source),
      cache,
      ...(unpacking === undefined ? {} : { unpacking }),
      ...(credentials === undefined ? {} : { credentials }),
      offlineFlag: offlineFlag(flags),
      verbosity,
      maxWaitMs: flags.maxWaitMs ?? null,
    },
    earlier,
  );
}

/** Returns the flag that forbids network access; null if it is allowed. */
export function offlineFlag({ frozen, offline }: AccessFlags): string | null {
  if (frozen) return '--frozen';
  return offline ? '--offline' : null;
}

/** Returns the flag that forbids changes to `Cargo.lock`; null if they are allowed. */
export function lockedFlag({ frozen, locked }: AccessFlags): string | null {
  if (frozen) return '--frozen';
  return locked ? '--locked' : null;
}
