import type { ServerContext } from '../../server-context.ts';
import { UpstreamProblem } from '../../shared/upstream-problem.ts';
import type { CrateSources, SourceRequest } from '../../source/crate-sources.ts';
import type { PackageFacts } from '../../source/package-facts.ts';
import type { ListedMirroredCrate, MirroredCrate } from '../../store/mirrored-crates.ts';
import type { MirroredArchive } from '../../store/upstream-records.ts';
import type { DownloadableVersion } from '../../store/values.ts';
import { collectFacts } from '../crate/usage-facts.ts';
import { describingArchives } from './describing-archives.ts';

/** How many of the highest versions of each crate may supply its description. */
const MAX_EXAMINED_VERSIONS = 100;
/** Archives to find at a time. */
const ARCHIVES_AT_ONCE = 500;

/** Services that find and read archives. */
export interface DescriptionServices {
  readonly context: Pick<ServerContext, 'records' | 'upstream'>;
  readonly sources: CrateSources;
}

/** The descriptions of cached crates for lists. An index does not have them, so they are read from archives. */
export class MirroredDescriptions {
  readonly #services: DescriptionServices;

  constructor(services: DescriptionServices) {
    this.#services = services;
  }

  /**
   * Returns descriptions by the names of their crates, for the client `owner`. Leaves out crates without a cached
   * archive that this registry serves, and those whose archives cannot be read soon.
   */
  async of(listed: readonly ListedMirroredCrate[], owner: string): Promise<ReadonlyMap<string, string>> {
    const crates = listed.map(({ crate }) => crate).filter((crate) => crate !== null);
    const archives = await this.#findArchives(crates);
    const describing = crates.flatMap((crate) =>
      describingArchives(examined(crate), { version: crate.shown, archives }).slice(0, 1),
    );
    const facts = await collectFacts(describing, owner, (archive, request) =>
      this.#readServed(archive, request),
    );
    return new Map(
      describing.flatMap(({ crate, checksum }) => {
        const description = facts.get(checksum)?.description ?? '';
        return description === '' ? [] : [[crate, description]];
      }),
    );
  }

  /** Returns the cached archives of crates by checksum. */
  async #findArchives(crates: readonly MirroredCrate[]): Promise<ReadonlyMap<string, MirroredArchive>> {
    const versions = crates.flatMap((crate) => [crate.shown, ...examined(crate).versions]);
    const checksums = [...new Set(versions.map(({ checksum }) => checksum))];
    const archives = new Map<string, MirroredArchive>();
    for (let start = 0; start < checksums.length; start += ARCHIVES_AT_ONCE) {
      const part = checksums.slice(start, start + ARCHIVES_AT_ONCE);
      const found = await this.#services.context.records.listMirroredArchives(part);
      for (const archive of found) archives.set(archive.checksum, archive);
    }
    return archives;
  }

  /** Reads the facts of an archive; null if this registry does not serve it, or if that is unknown. */
  async #readServed(archive: DownloadableVersion, request: SourceRequest): Promise<PackageFacts | null> {
    const { context, sources } = this.#services;
    try {
      const reason = await context.upstream?.cache.reasonToRefuse(archive, request);
      return reason === null ? await sources.facts(archive, request) : null;
    } catch (error) {
      if (error instanceof UpstreamProblem) return null;
      throw error;
    }
  }
}

/** Returns the crate with its highest versions only. */
function examined(crate: MirroredCrate): MirroredCrate {
  return { ...crate, versions: crate.versions.slice(0, MAX_EXAMINED_VERSIONS) };
}
