/** Reads the data of the pages of cached crates, without requests to the upstream. */
import type { HttpContext } from '../../http/http-env.ts';
import { decodeMirroredLine, type MirroredDetails } from '../../http/mirrored-line.ts';
import type { ServerContext } from '../../server-context.ts';
import { BoundedCache } from '../../shared/bounded-cache.ts';
import { UpstreamProblem } from '../../shared/upstream-problem.ts';
import type { CrateSources, SourceRequest } from '../../source/crate-sources.ts';
import type { PackageSummary } from '../../source/package-summary.ts';
import { SourceProblem } from '../../source/source-problem.ts';
import type { Advisory } from '../../store/advisories.ts';
import type { GateReason } from '../../store/mirror-status.ts';
import type { MirroredCrate, MirroredVersion } from '../../store/mirrored-crates.ts';
import type { MirroredArchive } from '../../store/upstream-records.ts';
import type { DownloadableVersion } from '../../store/values.ts';
import { noSuchCrate } from '../shared/error-page.ts';
import { describingArchives } from './describing-archives.ts';
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

/** Licenses to read for one page until a version can supply the readme. */
const MAX_READ_LICENSES = 3;

/** The selected readme of a page. */
interface SelectedReadme {
  /** null if no archive can supply it. */
  readonly from: DownloadableVersion | null;
  /** False if it is unknown for now whether this registry serves the archive. */
  readonly isServed: boolean;
  /** Refusals that followed from archives, by version. */
  readonly refusals: ReadonlyMap<string, GateReason>;
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
    const { context, upstream } = this.#services;
    const request = sourceRequestOf(c, context);
    const { from, isServed, refusals } = await this.#selectReadme(
      describingArchives(crate, { version, archives }),
      request,
    );
    const known = withRefusals(crate, refusals);
    return {
      crate: known,
      version: withRefusal(version, refusals),
      isVersionChosen: chosen !== undefined,
      advisories: this.advisoriesOf(crate, version.version),
      details,
      readmeFrom: from?.version ?? null,
      summary: from === null || !isServed ? null : await this.#summaryOf(from, request),
      size: archives.get(version.checksum)?.size ?? null,
      readableVersions: readableVersionsOf(known, archives),
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

  /** Selects the first candidate that this registry serves, or that it may serve. */
  async #selectReadme(
    candidates: readonly DownloadableVersion[],
    request: SourceRequest,
  ): Promise<SelectedReadme> {
    const refusals = new Map<string, GateReason>();
    for (const from of candidates.slice(0, MAX_READ_LICENSES)) {
      const reason = await this.#reasonToRefuse(from, request);
      if (reason === null || reason === 'unknown') return { from, isServed: reason === null, refusals };
      refusals.set(from.version, reason);
    }
    return { from: null, isServed: false, refusals };
  }

  /** Returns `'unknown'` if too many pages read licenses, or if the archive cannot be read now. */
  async #reasonToRefuse(
    archive: DownloadableVersion,
    request: SourceRequest,
  ): Promise<GateReason | 'unknown' | null> {
    try {
      return await this.#services.upstream.cache.reasonToRefuse(archive, request);
    } catch (error) {
      if (error instanceof UpstreamProblem) return 'unknown';
      throw error;
    }
  }

  /**
   * Returns the summary in an archive; null if it cannot be read. Damaged and too large archives are not tried again.
   */
  async #summaryOf(archive: DownloadableVersion, request: SourceRequest): Promise<PackageSummary | null> {
    const { checksum } = archive;
    const cached = this.#summaries.get(checksum);
    if (cached !== null) return cached.summary;
    try {
      const summary = await this.#services.sources.summarize(archive, request);
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

/** Returns a crate whose versions have the refusals too. */
function withRefusals(crate: MirroredCrate, refusals: SelectedReadme['refusals']): MirroredCrate {
  if (refusals.size === 0) return crate;
  const versions = crate.versions.map((version) => withRefusal(version, refusals));
  return { ...crate, versions, shown: withRefusal(crate.shown, refusals) };
}

function withRefusal(version: MirroredVersion, refusals: SelectedReadme['refusals']): MirroredVersion {
  return { ...version, refusal: version.refusal ?? refusals.get(version.version) ?? null };
}
