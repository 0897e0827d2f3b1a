/** Finds out whether the index of a registry has a package that was sent. */
import { setTimeout } from 'node:timers/promises';
import { TsregError } from '../../core/errors/error.ts';
import type { OperationContext } from '../../core/report/report.ts';
import type { OpenedRegistry } from '../shared/registry/open-registry.ts';
import { sameVersions } from './checks.ts';
import { lookPauseMs } from './look-pause.ts';
import type { HasPackageId } from './release.ts';

/**
 * The package that the index has: `same` for the package that was sent, `absent` for none, else the checksum of a
 * different package with the same version.
 */
export type IndexedPackage = 'same' | 'absent' | { readonly checksum: string };

/** How to search the index. */
export interface SearchIndexOptions {
  readonly registry: OpenedRegistry;
  /** Maximum time until the package appears. */
  readonly lookMs: number;
  /** True to report a different package with the same version. */
  readonly seesOthers: boolean;
}

/**
 * Searches the index for a package that was sent, with this checksum. One that was yanked meanwhile counts too: it was
 * published. Returns the checksum of a different package only with `seesOthers`. Returns `absent` after `lookMs`, also
 * if the index cannot be read.
 */
export async function searchIndex(
  { id, sha256 }: HasPackageId & { readonly sha256: string },
  { registry, lookMs, seesOthers }: SearchIndexOptions,
  { signal }: OperationContext,
): Promise<IndexedPackage> {
  const deadline = performance.now() + lookMs;
  for (let looks = 1; ; looks += 1) {
    try {
      const versions = sameVersions(await registry.index.current(id.name), id.version);
      if (versions.some(({ checksum }) => checksum === sha256)) return 'same';
      const other = versions.find(({ checksum }) => checksum !== null);
      const checksum = other?.checksum ?? null;
      if (seesOthers && checksum !== null) return { checksum };
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof TsregError)) throw error;
    }
    const pauseMs = lookPauseMs(looks);
    if (performance.now() + pauseMs > deadline) return 'absent';
    await setTimeout(pauseMs, undefined, { signal });
  }
}
