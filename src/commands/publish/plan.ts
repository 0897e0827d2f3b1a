/** The publish plan, and the rate limits of registries that it estimates the time with. */
import { present } from '../../core/errors/assert.ts';
import type { TsregError } from '../../core/errors/error.ts';
import type { PackageManifest } from '../../core/manifest/manifest.ts';
import { isCratesIo, isSameSource } from '../../core/package-id/source-id.ts';
import { UNKNOWN } from '../../core/resolve/problem.ts';
import type { Summary } from '../../core/summary/summary.ts';
import { compareVersions } from '../../core/version/compare-versions.ts';
import { matchesReq } from '../../core/version/matches-req.ts';
import type { OpenedRegistry } from '../shared/registry/open-registry.ts';
import { isPublishedDependency } from '../shared/packaging/package-order.ts';
import { isSameRegistry } from './metadata.ts';
import { circularError, publishRounds } from './queue.ts';
import { joinNames, type Release } from './release.ts';
import { type RegistryEntry, registryEntry } from '../shared/registry/registry-document.ts';
import { nameAndVersion } from './release.ts';

/** Whether the registry already has other versions of the crate. */
export type PublishKind = 'new-crate' | 'new-version';

/** Allows `burst` packages at once, then one more per `everySeconds`. */
export interface PublishLimit {
  readonly burst: number;
  readonly everySeconds: number;
}

/** The limits of a registry. */
export type PublishLimits = Readonly<Record<PublishKind, PublishLimit>>;

/** The limits of crates.io. Source: https://crates.io/docs/rate-limits. */
export const CRATES_IO_LIMITS: PublishLimits = {
  'new-crate': { burst: 5, everySeconds: 600 },
  'new-version': { burst: 30, everySeconds: 60 },
};

/**
 * Returns the minimum number of seconds until the last package is published, assuming no recent uploads. `kinds` has one
 * entry per package. The limits of the kinds count separately and at the same time, so the slowest kind decides.
 */
export function secondsToPublish(kinds: readonly PublishKind[], limits: PublishLimits): number {
  const counts = new Map<PublishKind, number>();
  let seconds = 0;
  for (const kind of kinds) {
    const { burst, everySeconds } = limits[kind];
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    seconds = Math.max(seconds, (count - burst) * everySeconds);
  }
  return seconds;
}

/** A package in the plan. */
export interface PlannedEntry {
  readonly name: string;
  readonly version: string;
  /** Absolute path of its `Cargo.toml`, or of the archive that contains it. */
  readonly manifestPath: string;
  /** `published`: the index already has this version, yanked or not. Its files were not compared. */
  readonly kind: PublishKind | 'published';
  /** The highest version in the index; null if there is none. */
  readonly latest: string | null;
  /** Names of the packages in this plan that must be published first. */
  readonly needs: readonly string[];
  /**
   * Names of the path dependencies that are neither in this plan nor in the registry. `publish` fails unless
   * `[source]` or `[patch]` provides them.
   */
  readonly missing: readonly string[];
}

/** The output of `publish --plan --json`. */
export interface PublishPlan {
  /** Version of this format. */
  readonly version: 1;
  /** Null if there is nothing to publish. */
  readonly registry: RegistryEntry | null;
  /** Packages in publish order. Those of a round depend only on packages of earlier rounds. */
  readonly rounds: readonly (readonly PlannedEntry[])[];
  /** Packages that are already published. */
  readonly published: readonly PlannedEntry[];
  /** Packages in a dependency cycle and their dependents, none of which can be first. */
  readonly circular: readonly PlannedEntry[];
  readonly unpublishable: readonly { readonly name: string; readonly version: string }[];
  /** The registry's rate limits per user; null if unknown. */
  readonly limits: PublishLimits | null;
  /** The minimum duration under these limits; null if the limits are unknown. */
  readonly minimumSeconds: number | null;
}

/** The registry and the packages that it already has. */
interface Target {
  readonly registry: OpenedRegistry;
  readonly alreadyPublished: ReadonlyMap<PackageManifest, Summary>;
  /** The result of `findMissing`. */
  readonly missing: ReadonlyMap<PackageManifest, readonly string[]>;
}

/** Returns the names of the path dependencies of each package that neither the release nor the registry has. */
export async function findMissing(
  { order }: Pick<Release, 'order'>,
  { index, source }: OpenedRegistry,
): Promise<ReadonlyMap<PackageManifest, readonly string[]>> {
  const missing = new Map<PackageManifest, readonly string[]>();
  for (const [manifest, selected] of order) {
    const needed = manifest.summary.dependencies.filter(
      (dependency) =>
        dependency.source.kind === 'path' &&
        isPublishedDependency(dependency) &&
        isSameRegistry(dependency.registry, source.original) &&
        !selected.some(({ summary }) => isSameSource(summary.id.source, dependency.source)),
    );
    await index.load(needed.map(({ name }) => name));
    const absent = needed.filter(({ name, req }) => {
      const summaries = index.all(name);
      return (
        summaries === UNKNOWN || !summaries.some(({ id, yanked }) => !yanked && matchesReq(req, id.version))
      );
    });
    missing.set(manifest, [...new Set(absent.map(({ name }) => name))]);
  }
  return missing;
}

/** Returns the error of `publish` for packages in a dependency cycle; null if there are none. */
export function planError({ circular }: PublishPlan): TsregError | null {
  return circular.length === 0 ? null : circularError(joinNames(circular.map(nameOf), 'and'));
}

/** Returns the plan of a release; `target` is null if the release is empty. */
export function publishPlan(release: Release, target: Target | null): PublishPlan {
  const { order, unpublishable } = release;
  const entry = (manifest: PackageManifest): PlannedEntry =>
    planEntry(manifest, present(order.get(manifest), 'a package of the release'), target);
  const isPublished = (manifest: PackageManifest): boolean => target?.alreadyPublished.has(manifest) === true;
  const isUnpublished = (manifest: PackageManifest): boolean => !isPublished(manifest);
  const toPublish = new Map(
    Array.from(order)
      .filter(([manifest]) => isUnpublished(manifest))
      .map(([manifest, dependencies]) => [manifest, dependencies.filter(isUnpublished)] as const),
  );
  const rounds = roundsOf(toPublish).map((round) => round.map(entry));
  const namesInRounds = new Set(rounds.flat().map(({ name }) => name));
  const limits = target !== null && isCratesIo(target.registry.source.original) ? CRATES_IO_LIMITS : null;
  const kinds = rounds.flat().flatMap(({ kind }) => (kind === 'published' ? [] : [kind]));
  return {
    version: 1,
    registry: target === null ? null : registryEntry(target.registry),
    rounds,
    published: Array.from(order.keys()).filter(isPublished).map(entry),
    circular: Array.from(toPublish.keys(), entry).filter(({ name }) => !namesInRounds.has(name)),
    unpublishable: unpublishable.map(nameAndVersion),
    limits,
    minimumSeconds: limits === null ? null : secondsToPublish(kinds, limits),
  };
}

/** Returns `publishRounds` for manifests, each with its dependencies. */
function roundsOf(
  order: ReadonlyMap<PackageManifest, readonly PackageManifest[]>,
): readonly (readonly PackageManifest[])[] {
  const nodes = new Map(
    Array.from(order.keys(), (manifest) => [manifest, { id: manifest.summary.id, manifest }] as const),
  );
  const nodeOf = (manifest: PackageManifest) => present(nodes.get(manifest), 'a package of the release');
  const byNode = new Map(
    Array.from(order, ([manifest, dependencies]) => [nodeOf(manifest), dependencies.map(nodeOf)] as const),
  );
  return publishRounds(byNode).map((round) => round.map(({ manifest }) => manifest));
}

/** Returns the entry of a package. Without `target`, the index is unknown: then the crate counts as new. */
function planEntry(
  manifest: PackageManifest,
  dependencies: readonly PackageManifest[],
  target: Target | null,
): PlannedEntry {
  const { id } = manifest.summary;
  const summaries = target === null ? UNKNOWN : target.registry.index.all(id.name);
  const versions =
    summaries === UNKNOWN ? [] : summaries.map((summary) => summary.id.version).sort(compareVersions);
  const isPublished = target?.alreadyPublished.has(manifest) === true;
  const unpublishedKind = versions.length === 0 ? 'new-crate' : 'new-version';
  return {
    ...nameAndVersion(id),
    manifestPath: manifest.path,
    kind: isPublished ? 'published' : unpublishedKind,
    latest: versions.at(-1)?.text ?? null,
    needs: dependencies.map(({ summary }) => summary.id.name),
    missing: target?.missing.get(manifest) ?? [],
  };
}

/** Returns an entry as `a v0.1.0`. */
export function nameOf({ name, version }: Pick<PlannedEntry, 'name' | 'version'>): string {
  return `${name} v${version}`;
}
