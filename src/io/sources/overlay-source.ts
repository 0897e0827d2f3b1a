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
import {
  type CachingSource,
  type DatedSource,
  isCaching,
  isDated,
  isRoundwise,
  isYanking,
  type RoundwiseSource,
  type YankingSource,
} from './remote-source.ts';
import type { FetchedPackage, FetchListener, PackageSource } from './source.ts';

/** A local registry that is put over a remote one. */
export interface RegistryOverlay {
  /** The registry itself, not a source that it replaces. For crates.io, the index that is really queried. */
  readonly registry: SourceId;
  /** Absolute folder of the local registry. */
  readonly folder: string;
}

/**
 * Puts `local` over `remote`; both have the same original source. If both have a version, the local one counts. The
 * result otherwise behaves like `remote` and has its abilities.
 */
export function overlaySource(local: LocalRegistry, remote: PackageSource): PackageSource {
  if (isRoundwise(remote)) return new RoundwiseOverlay(local, remote);
  return isCaching(remote) ? new CachingOverlay(local, remote) : new Overlay(local, remote);
}

class Overlay<Remote extends PackageSource> implements DatedSource, YankingSource {
  protected readonly local: LocalRegistry;
  protected readonly remote: Remote;

  constructor(local: LocalRegistry, remote: Remote) {
    this.local = local;
    this.remote = remote;
  }

  get original(): SourceId {
    return this.remote.original;
  }

  get actual(): SourceId {
    return this.remote.actual;
  }

  get description(): string {
    return this.remote.description;
  }

  get isUpdated(): boolean {
    return this.remote.isUpdated;
  }

  all(name: string, accepts?: (version: Version) => boolean): readonly Summary[] | typeof UNKNOWN {
    return this.#combine(this.local.all(name, accepts), this.remote.all(name, accepts));
  }

  atHand(name: string, accepts?: (version: Version) => boolean): readonly Summary[] | typeof UNKNOWN {
    if (!isDated(this.remote)) return this.all(name, accepts);
    return this.#combine(this.local.all(name, accepts), this.remote.atHand(name, accepts));
  }

  exact(name: string, version: Version): Summary | typeof ABSENT | typeof UNKNOWN {
    const local = this.local.exact(name, version);
    const remote = this.remote.exact(name, version);
    if (local === UNKNOWN || remote === UNKNOWN) return UNKNOWN;
    return local === ABSENT ? remote : local;
  }

  rejected(name: string): readonly RejectedVersion[] {
    return [...this.local.rejected(name), ...this.remote.rejected(name)];
  }

  invalidate(): void {
    this.remote.invalidate();
  }

  async load(names: readonly string[]): Promise<void> {
    await this.local.load(names);
    await this.remote.load(names);
  }

  /** Queries only the remote registry. */
  async yankedAmong(ids: readonly PackageId[]): Promise<readonly PackageId[]> {
    return isYanking(this.remote) ? await this.remote.yankedAmong(ids) : [];
  }

  isDownloaded(name: string, version: Version): boolean {
    return this.#isLocal(name, version) || this.remote.isDownloaded(name, version);
  }

  async fetch(summaries: readonly Summary[], listener?: FetchListener): Promise<readonly FetchedPackage[]> {
    const found = new Map<string, FetchedPackage>();
    for (const summary of summaries) {
      const { name, version, key } = summary.id;
      if (!this.#isLocal(name, version)) continue;
      try {
        for (const fetched of await this.local.fetch([summary])) found.set(key, fetched);
      } catch {
        // It may be published already: try the remote registry.
      }
    }
    const others = summaries.filter(({ id }) => !found.has(id.key));
    const remote = others.length === 0 ? [] : await this.remote.fetch(others, listener);
    for (const fetched of remote) found.set(fetched.id.key, fetched);
    return summaries.flatMap(({ id }) => found.get(id.key) ?? []);
  }

  async similarNames(name: string): Promise<readonly string[]> {
    return [...(await this.local.similarNames(name)), ...(await this.remote.similarNames(name))];
  }

  #combine(
    local: readonly Summary[] | typeof UNKNOWN,
    remote: readonly Summary[] | typeof UNKNOWN,
  ): readonly Summary[] | typeof UNKNOWN {
    if (local === UNKNOWN || remote === UNKNOWN) return UNKNOWN;
    const covered = new Set(local.map(({ id }) => id.key));
    return [...local, ...remote.filter(({ id }) => !covered.has(id.key))];
  }

  #isLocal(name: string, version: Version): boolean {
    return typeof this.local.exact(name, version) !== 'symbol';
  }
}

class CachingOverlay extends Overlay<CachingSource> implements CachingSource {
  store(): Promise<void> {
    return this.remote.store();
  }
}

class RoundwiseOverlay extends Overlay<RoundwiseSource> implements RoundwiseSource {
  knows(name: string): boolean {
    return this.remote.knows(name);
  }

  announce(): boolean {
    return this.remote.announce();
  }

  expire(): void {
    this.remote.expire();
  }

  expect(names: readonly string[]): void {
    this.remote.expect(names);
  }

  unexpect(): void {
    this.remote.unexpect();
  }

  async request(names: readonly string[]): Promise<void> {
    await this.local.load(names);
    await this.remote.request(names);
  }
}
