/** Conversions between lock files, resolutions, and the graph that the next resolution starts from. */
import { TsregError } from '../errors/error.ts';
import type { LockedPackage, Lockfile, LockfileVersion } from '../lockfile/lockfile.ts';
import { describePackage, displaySource } from '../package-id/describe.ts';
import type { PackageId } from '../package-id/package-id.ts';
import type { SourceTable } from '../package-id/source-table.ts';
import { lockReq } from '../version/requirement.ts';
import { matchesPackage } from './matches-package.ts';
import type { Previous, ReplacementRule } from './problem.ts';
import type { Resolution } from './resolution.ts';

/** Returns a lock file as a previous graph. */
export function previousOfLockfile({ packages, unusedPatches, version }: Lockfile): Previous {
  const indexes = new Map(packages.map(({ id }, index) => [id.key, index]));
  const replacements = new Map<number, number>();
  const edges = packages.map(({ dependencies, replace }, index) => {
    const replacement = replace === null ? undefined : indexes.get(replace.key);
    if (replacement !== undefined) replacements.set(index, replacement);
    const targets: number[] = [];
    for (const { key } of dependencies) {
      const target = indexes.get(key);
      if (target !== undefined) targets.push(target);
    }
    return targets.sort((a, b) => a - b);
  });
  return {
    packages: packages.map(({ id }) => id),
    edges,
    replacements,
    unusedPatches,
    mergesMasterBranch: version <= 2,
  };
}

/** Returns the lock pass's resolution as the previous graph of the graph pass. */
export function previousOfResolution({ packages, unusedPatches }: Resolution, lockfile: Lockfile): Previous {
  const replacements = new Map<number, number>();
  for (const [index, { replacement }] of packages.entries()) {
    if (replacement !== null) replacements.set(index, replacement);
  }
  return {
    packages: packages.map(({ id }) => id),
    edges: packages.map(({ edges }) => edges.map(({ to }) => to)),
    replacements,
    unusedPatches,
    mergesMasterBranch: lockfile.version <= 2,
  };
}

/**
 * Converts a resolution to a lock file. The version and metadata come from `previous`, or from `options.version`
 * without one. Throws `checksum` if a checksum differs from that in `previous`.
 */
export function toLockfile(
  resolution: Resolution,
  previous: Lockfile | null,
  options: { readonly version: LockfileVersion },
): Lockfile {
  if (previous !== null) checkChecksums(resolution, previous);
  const { packages } = resolution;
  return {
    version: previous?.version ?? options.version,
    packages: packages.map(({ id, summary, edges, replacement }): LockedPackage => {
      const replace = replacement === null ? null : (packages[replacement]?.id ?? null);
      const dependencies: PackageId[] = [];
      for (const { to } of edges) {
        const target = packages[to];
        if (target !== undefined) dependencies.push(target.id);
      }
      return { id, checksum: summary.checksum, dependencies, replace };
    }),
    unusedPatches: resolution.unusedPatches,
    metadata: previous?.metadata ?? new Map<string, string>(),
    withoutChecksum: new Set(),
  };
}

/**
 * Returns `[replace]` with each entry locked to the version that the previous resolution used for it, unless that
 * package's key is in `avoid`.
 */
export function lockReplacements(
  rules: readonly ReplacementRule[],
  previous: Previous,
  { sources, avoid }: { readonly sources: SourceTable; readonly avoid: ReadonlySet<string> },
): readonly ReplacementRule[] {
  return rules.map((rule) => {
    for (const [replaced, replacement] of previous.replacements) {
      const from = previous.packages[replaced];
      const to = previous.packages[replacement];
      if (from === undefined || to === undefined) continue;
      if (avoid.has(to.key) || !rule.matches(from) || !matchesPackage(rule.dependency, to)) continue;
      const source = sources.withPrecise(rule.dependency.source, to.source.precise);
      const dependency = { ...rule.dependency, source, req: lockReq(rule.dependency.req, to.version) };
      return { spec: rule.spec, matches: (id: PackageId) => rule.matches(id), dependency };
    }
    return rule;
  });
}

function checkChecksums(resolution: Resolution, previous: Lockfile): void {
  const current = new Map(resolution.packages.map(({ id, summary }) => [id.key, summary.checksum]));
  for (const { id, checksum } of previous.packages) {
    // Without an entry, the lock file says nothing about the checksum.
    const isKnown = checksum !== null || previous.withoutChecksum.has(id.key);
    const checksumNow = current.get(id.key);
    if (!isKnown || checksumNow === undefined || checksumNow === checksum) continue;
    throw new TsregError(checksumMessage(id, checksum, checksumNow), { code: 'checksum' });
  }
}

function checksumMessage(id: PackageId, previous: string | null, current: string | null): string {
  const name = describePackage(id);
  const source = displaySource(id.source);
  const unverified = `\nunable to verify that \`${name}\` is the same as when the lockfile was generated\n`;
  if (previous === null) {
    return `checksum for \`${name}\` was not previously calculated, but a checksum could now be calculated

this could be indicative of a few possible situations:

    * the source \`${source}\` did not previously support checksums,
      but was replaced with one that does
    * newer Cargo implementations know how to checksum this source, but this
      older implementation does not
    * the lock file is corrupt
`;
  }
  if (current === null) {
    return `checksum for \`${name}\` could not be calculated, but a checksum is listed in the existing lock file

this could be indicative of a few possible situations:

    * the source \`${source}\` supports checksums,
      but was replaced with one that doesn't
    * the lock file is corrupt
${unverified}`;
  }
  return `checksum for \`${name}\` changed between lock files

this could be indicative of a few possible errors:

    * the lock file is corrupt
    * a replacement source in use (e.g., a mirror) returned a different checksum
    * the source itself may be corrupt in one way or another
${unverified}`;
}
