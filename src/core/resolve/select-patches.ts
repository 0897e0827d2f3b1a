/** The packages selected by `[patch]`. Cargo Book: Overriding Dependencies, The `[patch]` section. */
import { TsregError } from '../errors/error.ts';
import { displaySource } from '../package-id/describe.ts';
import { makePackageId, type PackageId } from '../package-id/package-id.ts';
import type { PatchedUrl } from '../package-id/patched-url.ts';
import type { SourceTable } from '../package-id/source-table.ts';
import type { Dependency, Summary } from '../summary/summary.ts';
import { compareVersions } from '../version/compare-versions.ts';
import { matchesReq } from '../version/matches-req.ts';
import type { Version } from '../version/version.ts';
import { matchesPackage } from './matches-package.ts';
import { withMasterBranch } from './lock-previous.ts';
import {
  ABSENT,
  UNKNOWN,
  type PatchedSource,
  type Patches,
  type Previous,
  type SummaryTable,
  type MissingSummary,
} from './problem.ts';

/** One entry of a `[patch]` table. */
export interface PatchEntry {
  /** The patched source. */
  readonly source: PatchedUrl;
  readonly dependency: Dependency;
  /** The file with the entry, as messages name it. */
  readonly definedIn: string;
}

/** The result of `selectPatches`. */
export type PatchOutcome =
  | {
      readonly kind: 'done';
      readonly patches: Patches;
      /** Keys of packages that the patches unlock in the previous resolution. */
      readonly avoid: ReadonlySet<string>;
    }
  | { readonly kind: 'needs'; readonly missingSummaries: readonly MissingSummary[] };

/** Inputs of the selection. */
export interface PatchContext {
  readonly table: SummaryTable;
  readonly sources: SourceTable;
  /** The previous lock file; null if there is none. */
  readonly previous: Previous | null;
  /** Keys of packages that `update` unlocks. They are ignored in the lock file. */
  readonly toUnlock?: ReadonlySet<string>;
  /** True if registries are not updated. */
  readonly isOffline?: boolean;
}

/** Patches of a workspace that has none. */
export const NO_PATCHES: Patches = { bySource: new Map(), dependencies: [], locks: null };

/**
 * Selects the one package for each entry, preferably the version in the lock file. Throws `resolve` if an entry matches
 * no package, several, or one of the patched source, or if two entries select the same version.
 */
export function selectPatches(entries: readonly PatchEntry[], context: PatchContext): PatchOutcome {
  const bySource = new Map<string, PatchedSource>();
  const avoid = new Set<string>();
  const missingSummaries: MissingSummary[] = [];
  for (const group of groupBySource(entries)) {
    const selected: SelectedPatch[] = [];
    for (const entry of group) {
      const result = selectPackage(entry, context);
      if ('missing' in result) missingSummaries.push(result.missing);
      else selected.push(result);
    }
    if (missingSummaries.length > 0) continue;
    checkDistinct(group, selected);
    const [{ source }] = group;
    for (const { entry, toUnlock } of selected) {
      if (toUnlock === null) continue;
      // The source no longer has the locked version. This also unlocks the packages that the patch replaces.
      avoid.add(toUnlock.key);
      for (const id of context.previous?.packages ?? []) {
        const isReplaced =
          id.source.canonicalUrl === source.canonicalUrl &&
          id.name === entry.dependency.name &&
          matchesReq(entry.dependency.req, id.version);
        if (isReplaced) avoid.add(id.key);
      }
    }
    const inOrder = inQueryOrder(selected);
    bySource.set(source.canonicalUrl, {
      summaries: inOrder.map(({ summary }) => summary),
      available: inOrder.flatMap(({ summary, alias }) =>
        alias === null ? [summary.id] : [summary.id, alias],
      ),
    });
  }
  if (missingSummaries.length > 0) return { kind: 'needs', missingSummaries };
  const dependencies = entries.map(({ dependency }) => dependency);
  return { kind: 'done', patches: { bySource, dependencies, locks: null }, avoid };
}

/** The package selected for an entry. */
interface SelectedPatch {
  readonly entry: PatchEntry;
  readonly summary: Summary;
  /** The matching package of the lock file, if its source lacks it; else null. */
  readonly toUnlock: PackageId | null;
  /** Its ID in an old lock file, which does not name the branch `master`; null if there is no other ID. */
  readonly alias: PackageId | null;
  /** True if its source needs no update before it can be queried. */
  readonly isAtHand: boolean;
}

/** Puts sources that need an update last: cargo queries these again after the update. */
function inQueryOrder(selected: readonly SelectedPatch[]): readonly SelectedPatch[] {
  return [...selected.filter(({ isAtHand }) => isAtHand), ...selected.filter(({ isAtHand }) => !isAtHand)];
}

/** Groups entries by patched source, in the order of the first entry of each. */
function groupBySource(entries: readonly PatchEntry[]): readonly (readonly [PatchEntry, ...PatchEntry[]])[] {
  const groups = new Map<string, [PatchEntry, ...PatchEntry[]]>();
  for (const entry of entries) {
    const group = groups.get(entry.source.canonicalUrl);
    if (group === undefined) groups.set(entry.source.canonicalUrl, [entry]);
    else group.push(entry);
  }
  return Array.from(groups.values());
}

/** Returns the package for an entry, or the summaries to load first. */
function selectPackage(
  entry: PatchEntry,
  context: PatchContext,
): SelectedPatch | { readonly missing: MissingSummary } {
  const { dependency } = entry;
  const { locked, alias } = findLocked(entry, context);
  if (locked !== null) {
    // A version in the lock file needs no update of its registry.
    const summary = context.table.exact(locked.source, dependency.name, locked.version);
    if (summary === UNKNOWN) return { missing: { source: locked.source, name: dependency.name } };
    if (summary !== ABSENT)
      return withoutSameSource({ entry, summary, toUnlock: null, alias, isAtHand: true });
  }
  const { source, name } = dependency;
  const all = context.table.all(source, name);
  if (all === UNKNOWN) return { missing: { source, name } };
  const offered = all.filter(({ yanked }) => !yanked);
  const matching = preferDownloaded(
    offered.filter(({ id }) => matchesPackage(dependency, id)),
    context,
  );
  const summary = onlyMatch(matching, entry);
  if (summary === null) throw noMatchError(entry, preferDownloaded(offered, context));
  const isAtHand =
    source.kind === 'path' ||
    source.kind === 'git' ||
    (source.kind === 'sparse-registry' && context.isOffline === true);
  return withoutSameSource({ entry, summary, toUnlock: locked, alias, isAtHand });
}

/**
 * Finds the package of the lock file that matches an entry, in the entry's own source. `locked` is null if there is
 * none. For `alias`, see `SelectedPatch`.
 */
function findLocked(
  { dependency }: PatchEntry,
  { previous, sources, toUnlock = new Set() }: PatchContext,
): { readonly locked: PackageId | null; readonly alias: PackageId | null } {
  if (previous === null) return { locked: null, alias: null };
  const ids = [...previous.packages, ...previous.unusedPatches].filter(({ key }) => !toUnlock.has(key));
  const locked = ids.find((id) => matchesPackage(dependency, id));
  if (locked !== undefined) return { locked, alias: null };
  if (!previous.mergesMasterBranch) return { locked: null, alias: null };
  const alias = ids.find((id) => {
    const master = withMasterBranch(id, sources);
    return master !== null && matchesPackage(dependency, master);
  });
  if (alias === undefined) return { locked: null, alias: null };
  const source = sources.withPrecise(dependency.source, alias.source.precise);
  return { locked: makePackageId(alias.name, alias.version, source), alias };
}

/** Without network, returns the packages on disk if there are any; otherwise returns all `summaries`. */
function preferDownloaded(
  summaries: readonly Summary[],
  { table, isOffline = false }: PatchContext,
): readonly Summary[] {
  const downloaded = isOffline
    ? summaries.filter(({ id }) => table.isDownloaded(id.source, id.name, id.version))
    : [];
  return downloaded.length > 0 ? downloaded : summaries;
}

/** Returns the only package that matches; null if there is none. Throws `resolve` if there are several. */
function onlyMatch(
  matching: readonly Summary[],
  { dependency, source, definedIn }: PatchEntry,
): Summary | null {
  const [summary, another] = matching;
  if (summary === undefined) return null;
  if (another === undefined) return summary;
  const versions = sortedVersions(matching);
  throw patchError(`patch for \`${dependency.name}\` in \`${displaySource(dependency.source)}\` resolved to more than one candidate
note: found versions: ${versions.join(', ')}
help: check \`${dependency.name}\` patch definition for \`${source.url}\` in \`${definedIn}\`
help: select only one package using \`version = "=${versions.at(-1)}"\``);
}

/** Returns the error for an entry that none of the `offered` packages of its name matches. */
function noMatchError(
  { dependency, source, definedIn }: PatchEntry,
  offered: readonly Summary[],
): TsregError {
  const { name, req } = dependency;
  const definition = `help: check \`${name}\` patch definition for \`${source.url}\` in \`${definedIn}\``;
  const place = displaySource(dependency.source);
  const versions = sortedVersions(offered);
  if (versions.length === 0) {
    return patchError(
      `patch location \`${place}\` does not contain packages matching \`${name}\`\n${definition}`,
    );
  }
  return patchError(`patch \`${name}\` version mismatch
note: patch location contains version${versions.length === 1 ? '' : 's'} \`${versions.join(', ')}\`, but patch definition requires \`${req.text}\`
help: check patch location \`${place}\`
${definition}`);
}

/** Returns `selected`. Throws `resolve` if its package comes from the patched source. */
function withoutSameSource(selected: SelectedPatch): SelectedPatch {
  const { entry, summary } = selected;
  if (summary.id.source.canonicalUrl !== entry.source.canonicalUrl) return selected;
  const { name } = entry.dependency;
  throw patchError(`patch for \`${name}\` points to the same source, but patches must point to different sources
help: check \`${name}\` patch definition for \`${entry.source.url}\` in \`${entry.definedIn}\``);
}

/** Throws `resolve` if two entries of a group select the same version. */
function checkDistinct(
  group: readonly [PatchEntry, ...PatchEntry[]],
  selected: readonly SelectedPatch[],
): void {
  const seen = new Set<string>();
  for (const { summary } of selected) {
    const { name, version } = summary.id;
    const key = `${name} ${version.text}`;
    if (!seen.has(key)) {
      seen.add(key);
      continue;
    }
    const places = new Set(
      group.filter(({ dependency }) => dependency.name === name).map(({ definedIn }) => `\`${definedIn}\``),
    );
    throw patchError(`several \`[patch]\` entries resolving to same version \`${name} v${version.text}\`
help: check \`${name}\` patch definitions for \`${group[0].source.url}\` in ${Array.from(places).join(', ')}`);
  }
}

function sortedVersions(summaries: readonly Summary[]): readonly string[] {
  const versions: Version[] = summaries.map(({ id }) => id.version);
  return versions.sort(compareVersions).map(({ text }) => text);
}

function patchError(message: string): TsregError {
  return new TsregError(message, { code: 'resolve' });
}
