/** What a run of `publish` would do. */
import type { PackageManifest } from '../../manifest/manifest.ts';
import type { PackageId } from '../../package-id/package-id.ts';
import { isCratesIo } from '../../package-id/source-id.ts';
import { UNKNOWN } from '../../resolve/problem.ts';
import type { Summary } from '../../summary/summary.ts';
import { compareVersions } from '../../version/compare-versions.ts';
import type { OpenedRegistry } from '../registry/open-registry.ts';
import {
  CRATES_IO_LIMITS,
  type PublishKind,
  type PublishLimits,
  secondsToPublish,
} from './publish-limits.ts';
import { publishRounds } from './publish-plan.ts';
import type { Release } from './publish-release.ts';
import { type RegistryEntry, registryEntry } from '../registry/registry-document.ts';

/** A package of a plan. */
export interface PlannedEntry {
  readonly name: string;
  readonly version: string;
  /** Absolute path of its `Cargo.toml`, or of the archive with it. */
  readonly manifest_path: string;
  /** `published`: the index has this version already. */
  readonly kind: PublishKind | 'published';
  /** The highest version that the index has; null if it has none. */
  readonly latest: string | null;
  /** Names of the packages of this plan that have to be there first. */
  readonly needs: readonly string[];
}

/** What `publish --plan --json` prints. */
export interface PublishForecast {
  /** Of this form. */
  readonly version: 1;
  /** Null where there is nothing to publish. */
  readonly registry: RegistryEntry | null;
  /** Packages that go one after the other; each round when the one before is seen in the index. */
  readonly rounds: readonly (readonly PlannedEntry[])[];
  /** Packages that are there already. */
  readonly published: readonly PlannedEntry[];
  /** Packages that need each other, so that none can be first. */
  readonly circular: readonly PlannedEntry[];
  readonly unpublishable: readonly { readonly name: string; readonly version: string }[];
  /** What is known of how often the registry lets one user publish; null where nothing is. */
  readonly limits: PublishLimits | null;
  /** How long the limits make it take at least; null where none are known. */
  readonly minimum_seconds: number | null;
}

/** What is known of the registry. */
interface Target {
  readonly registry: OpenedRegistry;
  readonly there: ReadonlyMap<PackageManifest, Summary>;
}

/** The plan of a release; `target` is null where it is empty. */
export function publishForecast(release: Release, target: Target | null): PublishForecast {
  const { order, unpublishable } = release;
  const entry = (manifest: PackageManifest): PlannedEntry =>
    planned(manifest, order.get(manifest) ?? [], target);
  const isThere = (manifest: PackageManifest): boolean => target?.there.has(manifest) === true;
  const going = new Map(
    Array.from(order)
      .filter(([manifest]) => !isThere(manifest))
      .map(([manifest, needed]) => [manifest, needed.filter((each) => !isThere(each))] as const),
  );
  const rounds = roundsOf(going).map((round) => round.map(entry));
  const placed = new Set(rounds.flat().map(({ name }) => name));
  const limits = target !== null && isCratesIo(target.registry.source.original) ? CRATES_IO_LIMITS : null;
  const kinds = rounds.flat().flatMap(({ kind }) => (kind === 'published' ? [] : [kind]));
  return {
    version: 1,
    registry: target === null ? null : registryEntry(target.registry),
    rounds,
    published: Array.from(order.keys()).filter(isThere).map(entry),
    circular: Array.from(going.keys(), entry).filter(({ name }) => !placed.has(name)),
    unpublishable: unpublishable.map(nameAndVersion),
    limits,
    minimum_seconds: limits === null ? null : secondsToPublish(kinds, limits),
  };
}

/** A package by its name and version alone. */
export function nameAndVersion({ name, version }: PackageId): {
  readonly name: string;
  readonly version: string;
} {
  return { name, version: version.text };
}

function roundsOf(
  needs: ReadonlyMap<PackageManifest, readonly PackageManifest[]>,
): readonly (readonly PackageManifest[])[] {
  const nodes = new Map(
    Array.from(needs.keys(), (manifest) => [manifest, { id: manifest.summary.id, manifest }] as const),
  );
  const nodesOf = (manifests: readonly PackageManifest[]) =>
    manifests.flatMap((each) => nodes.get(each) ?? []);
  const byNode = new Map(
    Array.from(nodes, ([manifest, node]) => [node, nodesOf(needs.get(manifest) ?? [])] as const),
  );
  return publishRounds(byNode).map((round) => round.map(({ manifest }) => manifest));
}

function planned(
  manifest: PackageManifest,
  needed: readonly PackageManifest[],
  target: Target | null,
): PlannedEntry {
  const { id } = manifest.summary;
  const all = target === null ? UNKNOWN : target.registry.index.all(id.name);
  const versions = all === UNKNOWN ? [] : all.map((summary) => summary.id.version).sort(compareVersions);
  const kind =
    target?.there.has(manifest) === true ? 'published' : versions.length === 0 ? 'new-crate' : 'new-version';
  return {
    ...nameAndVersion(id),
    manifest_path: manifest.path,
    kind,
    latest: versions.at(-1)?.text ?? null,
    needs: needed.map(({ summary }) => summary.id.name),
  };
}
