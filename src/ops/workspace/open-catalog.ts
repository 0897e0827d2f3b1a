/** The sources that a command asks for packages. */
import type { Config } from '../../config/config.ts';
import type { RegistryCredentials } from '../../credentials/registry-credentials.ts';
import type { PackageCache } from '../../disk/package-cache.ts';
import type { Files } from '../../files/files.ts';
import type { OperationContext } from '../../report/report.ts';
import { createCatalog, type PackageCatalog } from '../../sources/catalog.ts';
import type { SourceContext } from '../../sources/source-context.ts';
import type { OpenedWorkspace } from './open-workspace.ts';

/** What the command line says of lock file and network. */
export interface AccessFlags {
  readonly locked: boolean;
  readonly frozen: boolean;
  /** `--offline` or `net.offline`. */
  readonly offline: boolean;
  /** `--max-wait`: how long a busy registry is waited for, in all of one request; null, or left out, for no longer than cargo does. */
  readonly maxWaitMs?: number | null;
}

/** What a catalog is made with. */
export interface OpenCatalogOptions {
  readonly config: Config;
  readonly files: Files;
  readonly cache: PackageCache;
  readonly flags: AccessFlags;
  /** Unpacks what is fetched; each fetch has threads of its own unless given. */
  readonly unpacking?: SourceContext['unpacking'];
  /** How loud programs are asked to be that write to the user's terminal themselves. */
  readonly verbosity: 'quiet' | 'normal' | 'verbose';
  /** Tokens that the command has had already; those of its own unless given. */
  readonly credentials?: RegistryCredentials;
  /** The catalog of another workspace that the command worked on before; null or left out if there is none. */
  readonly earlier?: PackageCatalog | null;
}

/** The catalog of a command that works on a workspace. Reads `[source]`, and throws if it is wrong. */
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

/** The flag that forbids the network, null if it may be used. */
export function offlineFlag({ frozen, offline }: AccessFlags): string | null {
  if (frozen) return '--frozen';
  return offline ? '--offline' : null;
}

/** The flag that forbids to change `Cargo.lock`, null if it may be. */
export function lockedFlag({ frozen, locked }: AccessFlags): string | null {
  if (frozen) return '--frozen';
  return locked ? '--locked' : null;
}
