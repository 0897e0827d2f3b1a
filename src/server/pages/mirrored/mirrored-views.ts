/** Reads the data of the pages of cached crates, without requests to the upstream. */
import type { HttpContext } from '../../http/http-env.ts';
import { decodeMirroredLine, type MirroredDetails } from '../../http/mirrored-line.ts';
import type { ServerContext } from '../../server-context.ts';
import { BoundedCache } from '../../shared/bounded-cache.ts';
import type { CrateSources } from '../../source/crate-sources.ts';
import type { PackageSummary } from '../../source/package-summary.ts';
import { SourceProblem } from '../../source/source-problem.ts';
import type { Advisory } from '../../store/advisories.ts';
import type { MirroredCrate, MirroredVersion } from '../../store/mirrored-crates.ts';
import type { MirroredArchive } from '../../store/upstream-records.ts';
import { noSuchCrate } from '../shared/error-page.ts';
import type { MirroredView } from './mirrored-view.ts';
import { PageError } from '../services/page-handlers.ts';
import { sourceRequestOf } from '../source/source-routes.ts';
import { upstreamName } from '../shared/upstream-name.ts';

/** The services that know cached crates. */
export interface MirroredViewServices {
  readonly context: ServerContext;
  readonly sources: CrateSources;
  readonly upstream: NonNullable<ServerContext['upstream']>;
}

/** How many of the highest versions may supply the readme, or be compared. */
const MAX_EXAMINED_VERSIONS = 500;
/** Longer index lines are not read, as their pages would be too large. */
const MAX_LINE_CHARS = 512 * 1024;
/** Memory for readmes and descriptions. */
const MAX_CACHED_CHARS = 8 * 1024 * 1024;
/** An archive that cannot be read takes some space too. */
const MIN_SUMMARY_CHARS = 500;

/** A version, and its cached archive. */
interface ArchivedVersion {
  readonly crate: string;
  readonly version: string;
  readonly archive: MirroredArchive;
}

/** The views of all cached crates. */
export class MirroredViews {
  readonly #services: MirroredViewServices;
  /** By checksum. The value is null for an archive that cannot be read. */
  readonly #summaries = new BoundedCache<{ readonly summary: PackageSummary | null }>(MAX_CACHED_CHARS);

  constructor(services: MirroredViewServices) {
    this.#services = services;
  }

  /**
   * Reads the version in the path of a request, or else the one that `crate.shown` selects. Throws `PageError` if the
   * crate has no such version.
   */
  async read(c: HttpContext, crate: MirroredCrate): Promise<MirroredView> {
    const chosen = c.req.param('version');
    const version =
      chosen === undefined ? crate.shown : crate.versions.find((candidate) => candidate.version === chosen);
    if (version === undefined) throw new PageError(noSuchCrate(crate.name, chosen ?? crate.shown.version));
    const [details, archives] = await Promise.all([
      this.detailsOf(crate, version),
      this.archivesOf([version, ...crate.versions.slice(0, MAX_EXAMINED_VERSIONS - 1)]),
    ]);
    const readmeVersion = readmeVersionOf(crate, { version, archives });
    const { context, upstream } = this.#services;
    return {
      crate,
      version,
      isVersionChosen: chosen !== undefined,
      advisories: this.advisoriesOf(crate, version.version),
      details,
      readmeFrom: readmeVersion?.version ?? null,
      summary: readmeVersion === null ? null : await this.#summaryOf(c, readmeVersion),
      size: archives.get(version.checksum)?.size ?? null,
      readableVersions: readableVersionsOf(crate, archives),
      upstream: upstreamName(upstream.index),
      mirrorIndex: `sparse+${context.settings.baseUrl}/index/`,
      isPrivate: context.settings.authRequired,
    };
  }

  /** Returns the advisories about a version of a crate. */
  advisoriesOf({ name }: MirroredCrate, version: string): readonly Advisory[] {
    return this.#services.context.advisories?.of(name, version) ?? [];
  }

  /** Returns the versions whose archives are cached and not refused, as far as that is known, highest first. */
  async readableVersions(crate: MirroredCrate): Promise<readonly string[]> {
    return readableVersionsOf(crate, await this.archivesOf(crate.versions.slice(0, MAX_EXAMINED_VERSIONS)));
  }

  /** Returns the cached archives of versions by checksum. */
  async archivesOf(versions: readonly MirroredVersion[]): Promise<ReadonlyMap<string, MirroredArchive>> {
    const checksums = [...new Set(versions.map(({ checksum }) => checksum))];
    const archives = await this.#services.context.records.listMirroredArchives(checksums);
    return new Map(archives.map((archive) => [archive.checksum, archive]));
  }

  /** Returns the details in the index line; null if it is missing, too long or invalid. */
  async detailsOf(crate: MirroredCrate, version: MirroredVersion): Promise<MirroredDetails | null> {
    const line = await this.#services.upstream.cache.lineOf(crate, version);
    return line === null || line.length > MAX_LINE_CHARS ? null : decodeMirroredLine(line);
  }

  /**
   * Returns the summary in an archive; null if it cannot be read. Damaged and too large archives are not tried again.
   */
  async #summaryOf(
    c: HttpContext,
    { crate, version, archive }: ArchivedVersion,
  ): Promise<PackageSummary | null> {
    const { checksum, size, blobKey, mirroredAtMs } = archive;
    const cached = this.#summaries.get(checksum);
    if (cached !== null) return cached.summary;
    const { context, sources } = this.#services;
    const downloadable = { crate, version, checksum, size, blobKey, publishedAtMs: mirroredAtMs };
    try {
      const summary = await sources.summarize(downloadable, sourceRequestOf(c, context));
      this.#summaries.set(checksum, { summary }, MIN_SUMMARY_CHARS + (summary.readme?.length ?? 0));
      return summary;
    } catch (error) {
      if (!(error instanceof SourceProblem)) throw error;
      const isLasting = error.kind === 'unreadable' || error.kind === 'too-large';
      if (isLasting) this.#summaries.set(checksum, { summary: null }, MIN_SUMMARY_CHARS);
      return null;
    }
  }
}

function readableVersionsOf(
  { versions }: MirroredCrate,
  archives: ReadonlyMap<string, MirroredArchive>,
): readonly string[] {
  return versions
    .filter(({ refusal, checksum }) => refusal === null && archives.has(checksum))
    .map(({ version }) => version);
}

/**
 * Returns the version whose archive supplies the readme: `version` itself if this registry serves it, or else the highest
 * served one; null if neither has an archive.
 */
function readmeVersionOf(
  { name, versions }: MirroredCrate,
  {
    version,
    archives,
  }: { readonly version: MirroredVersion; readonly archives: ReadonlyMap<string, MirroredArchive> },
): ArchivedVersion | null {
  const served = [version, ...versions].filter(({ refusal }) => refusal === null);
  for (const { version: number, checksum } of served) {
    const archive = archives.get(checksum);
    if (archive !== undefined) return { crate: name, version: number, archive };
  }
  return null;
}
