/**
 * Adds packages of a local registry to a remote one, so that others can depend on new packages of a workspace before
 * they are published. Cargo Book: cargo-package(1), cargo-publish(1).
 */
import type { PackageId } from '../../core/package-id/package-id.ts';
import type { SourceId } from '../../core/package-id/source-id.ts';
import { ABSENT, type RejectedVersion, UNKNOWN } from '../../core/resolve/problem.ts';
import type { Summary } from '../../core/summary/summary.ts';
import type { Version } from '../../core/version/version.ts';
import type { LocalRegistry } from './local-registry.ts';
import { type FetchedPackage, type FetchListener, Source } from './source.ts';

/** A local registry that is put over a remote one. */
export interface RegistryOverlay {
  /** The registry itself, not a source that it replaces. For crates.io, the index that is really queried. */
  readonly registry: SourceId;
  /** Absolute folder of the local registry. */
  readonly folder: string;
}

/**
 * A local registry over a remote source. If both have a version, the local one counts. Must override each method that
 * has a body in `Source`, except `downloaded`.
 */
export class OverlaySource extends Source {
  readonly #local: LocalRegistry;
  readonly #remote: Source;

  /** Both have the same original source. */
  constructor(local: LocalRegistry, remote: Source) {
    super(remote.original, remote.actual);
    this.#local = local;
    this.#remote = remote;
  }

  override get isUpdated(): boolean {
    return this.#remote.isUpdated;
  }

  all(name: string, accepts?: (version: Version) => boolean): readonly Summary[] | typeof UNKNOWN {
    return combine(this.#local.all(name, accepts), this.#remote.all(name, accepts));
  }

  override atHand(
    name: string,
    accepts?: (version: Version) => boolean,
  ): readonly Summary[] | typeof UNKNOWN {
    return combine(this.#local.all(name, accepts), this.#remote.atHand(name, accepts));
  }

  override exact(name: string, version: Version): Summary | typeof ABSENT | typeof UNKNOWN {
    const local = this.#local.exact(name, version);
    const remote = this.#remote.exact(name, version);
    if (local === UNKNOWN || remote === UNKNOWN) return UNKNOWN;
    return local === ABSENT ? remote : local;
  }

  override rejected(name: string): readonly RejectedVersion[] {
    return [...this.#local.rejected(name), ...this.#remote.rejected(name)];
  }

  override invalidate(): void {
    this.#remote.invalidate();
  }

  async load(names: readonly string[]): Promise<void> {
    await this.#local.load(names);
    await this.#remote.load(names);
  }

  override prefetch(names: readonly string[]): void {
    this.#remote.prefetch(names);
  }

  override cancelPrefetch(): void {
    this.#remote.cancelPrefetch();
  }

  override announce(name: string, isLocked: boolean): boolean {
    return this.#remote.announce(name, isLocked);
  }

  override async request(names: readonly string[]): Promise<void> {
    await this.#local.load(names);
    await this.#remote.request(names);
  }

  override store(): Promise<void> {
    return this.#remote.store();
  }

  /** Queries only the remote source. */
  override yankedAmong(ids: readonly PackageId[]): Promise<readonly PackageId[]> {
    return this.#remote.yankedAmong(ids);
  }

  isDownloaded(name: string, version: Version): boolean {
    return this.#isLocal(name, version) || this.#remote.isDownloaded(name, version);
  }

  async fetch(summaries: readonly Summary[], listener?: FetchListener): Promise<readonly FetchedPackage[]> {
    const fetchedByKey = new Map<string, FetchedPackage>();
    for (const summary of summaries) {
      const { name, version, key } = summary.id;
      if (!this.#isLocal(name, version)) continue;
      try {
        for (const fetched of await this.#local.fetch([summary])) fetchedByKey.set(key, fetched);
      } catch {
        // It may be published already: try the remote source.
      }
    }
    const remoteSummaries = summaries.filter(({ id }) => !fetchedByKey.has(id.key));
    const remote = remoteSummaries.length === 0 ? [] : await this.#remote.fetch(remoteSummaries, listener);
    for (const fetched of remote) fetchedByKey.set(fetched.id.key, fetched);
    return summaries.flatMap(({ id }) => fetchedByKey.get(id.key) ?? []);
  }

  async similarNames(name: string): Promise<readonly string[]> {
    return [...(await this.#local.similarNames(name)), ...(await this.#remote.similarNames(name))];
  }

  #isLocal(name: string, version: Version): boolean {
    const summary = this.#local.exact(name, version);
    return summary !== UNKNOWN && summary !== ABSENT;
  }
}

/** Returns the local versions, and the remote ones that are not local. */
function combine(
  local: readonly Summary[] | typeof UNKNOWN,
  remote: readonly Summary[] | typeof UNKNOWN,
): readonly Summary[] | typeof UNKNOWN {
  if (local === UNKNOWN || remote === UNKNOWN) return UNKNOWN;
  const localKeys = new Set(local.map(({ id }) => id.key));
  return [...local, ...remote.filter(({ id }) => !localKeys.has(id.key))];
}
