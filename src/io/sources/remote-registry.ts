/** Registries on the network. Cargo Book: Registries. */
import type { IndexConfig } from '../../core/protocol/index-config.ts';
import type { Summary } from '../../core/summary/summary.ts';
import type { RegistryAccess } from './registry-access.ts';
import type { Source } from './source.ts';
import type { RegistryContext } from './source-context.ts';

/** The context of a new registry. */
export interface RegistrySurroundings {
  readonly context: RegistryContext;
  /** Shared by all registries on the network. */
  readonly access: RegistryAccess;
}

/** A registry on the network, which may have a web API. */
export interface RemoteRegistry extends Source {
  /** Returns `config.json` from disk. Fetches it if it is missing or the source was invalidated. */
  config(): Promise<IndexConfig>;
  /** Like `invalidate`, for repeated queries: does not announce the update again. */
  expire(): void;
  /**
   * Returns the current versions of a package, including yanked ones. Queries the origin again, without another
   * announcement.
   */
  current(name: string): Promise<readonly Summary[]>;
  /** Like `current`, for several packages, by name. Fetches shared parts of the index once. */
  currentOf(names: readonly string[]): Promise<ReadonlyMap<string, readonly Summary[]>>;
}
