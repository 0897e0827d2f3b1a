/** The pages of crates that are cached from the upstream. They send no request to it. */
import { decodeMirroredLine, type MirroredDetails } from '../http/mirrored-line.ts';
import { routeParam, type HttpContext } from '../http/http-env.ts';
import type { ServerContext } from '../server-context.ts';
import { BoundedCache } from '../shared/bounded-cache.ts';
import type { CrateSources } from '../source/crate-sources.ts';
import type { PackageSummary } from '../source/package-summary.ts';
import { SourceProblem } from '../source/source-problem.ts';
import type { Advisory } from '../store/advisories.ts';
import type { MirroredCrate, MirroredVersion } from '../store/mirrored-crates.ts';
import type { MirroredArchive } from '../store/upstream-records.ts';
import type { BadgeProxy } from './badge-proxy.ts';
import { noCrateNamed, noSuchCrate } from './error-page.ts';
import { featureContent } from './features-page.ts';
import { html, type HtmlValue } from './html.ts';
import { mirroredDependencies } from './mirrored-dependencies.ts';
import { mirroredLayout, type MirroredTab } from './mirrored-frame.ts';
import { mirroredVersions } from './mirrored-versions.ts';
import { type MirroredView, viewPath } from './mirrored-view.ts';
import { PageError, type WebPageRequest } from './page-handlers.ts';
import { readPart } from './paging.ts';
import { cratePath } from './paths.ts';
import { Readmes } from './readmes.ts';
import { withSigns } from './readme-signs.ts';
import { withSourceErrors } from './source-errors.ts';
import { sourceRequestOf } from './source-routes.ts';
import { upstreamName } from './upstream-name.ts';

/** The services of the pages of cached crates. */
export interface MirroredServices {
  readonly context: ServerContext;
  readonly badges: BadgeProxy;
  readonly sources: CrateSources;
  readonly upstream: NonNullable<ServerContext['upstream']>;
}

const VERSIONS_PER_PAGE = 100;
/** How many of the highest versions may supply the readme. */
const MAX_README_VERSIONS = 500;
/** Longer index lines are not read, as their pages would be too large. */
const MAX_LINE_CHARS = 512 * 1024;
/** Memory for readmes and descriptions. */
const MAX_CACHED_CHARS = 8 * 1024 * 1024;
/** An archive that cannot be read takes some space too. */
const MIN_SUMMARY_CHARS = 500;

/** Makes the pages. */
export class MirroredPages {
  readonly #services: MirroredServices;
  readonly #readmes: Readmes;
  /** By checksum. The value is null for an archive that cannot be read. */
  readonly #summaries = new BoundedCache<{ readonly summary: PackageSummary | null }>(MAX_CACHED_CHARS);

  constructor(services: MirroredServices) {
    this.#services = services;
    this.#readmes = new Readmes(services.context);
  }

  /** Shows a tab of the crate in the path; redirects other spellings of its name. */
  async show(request: WebPageRequest, tab: MirroredTab): Promise<Response> {
    const { c, frame, show, goTo } = request;
    const name = routeParam(c, 'name');
    const crate = await this.#services.upstream.cache.find(name);
    // It was evicted, or published here, since the route was selected.
    if (crate === null) throw new PageError(noCrateNamed(name, []));
    if (crate.name !== name) {
      const { pathname, search } = new URL(c.req.url);
      return goTo([cratePath(crate.name), ...pathname.split('/').slice(3)].join('/') + search);
    }
    const view = await withSourceErrors(c.req.raw.signal, () => this.#view(c, crate));
    return show(mirroredLayout(frame, view, { tab, content: await this.#content(request, view, tab) }));
  }

  async #content({ c, frame }: WebPageRequest, view: MirroredView, tab: MirroredTab): Promise<HtmlValue> {
    const { crate, details, upstream } = view;
    if (tab === 'readme') return this.#readme(view);
    if (tab === 'versions') {
      const { versions } = crate;
      const part = await readPart(c, VERSIONS_PER_PAGE, async ({ limit, offset }) => ({
        items: versions.slice(offset, offset + limit),
        total: versions.length,
      }));
      const sizes = await this.#sizesOf(part.list.items);
      const advisoriesOf = (version: string) => this.#advisoriesOf(crate, version);
      return mirroredVersions(frame, view, { ...part, sizes, advisoriesOf });
    }
    if (details === null)
      return html`<p class="quiet">The index entry of this version cannot be shown here.</p>`;
    if (tab === 'features') return featureContent(details, viewPath(view));
    const names = details.dependencies.map((dependency) => dependency.name);
    const cached = await this.#services.upstream.cache.findNames(names);
    return mirroredDependencies(details.dependencies, { cached, upstream });
  }

  async #readme({ version, readmeFrom, summary }: MirroredView): Promise<HtmlValue> {
    if (readmeFrom === null) {
      return html`<p class="quiet">The readme appears here when someone has downloaded a version of this crate from this registry.</p>`;
    }
    if (summary === null)
      return html`<p class="quiet">The file of this crate cannot be read at the moment.</p>`;
    const { readme, readmePath, repository } = summary;
    if (readme === null || readme.trim() === '') return html`<p class="quiet">This crate has no readme.</p>`;
    const origin = { repository, readmePath, ...(await this.#services.badges.forReadme()) };
    const rendered = await this.#readmes.render(readme, origin);
    return [
      readmeFrom !== version.version &&
        html`<p class="quiet">This readme is from version ${readmeFrom}, the newest one that is cached here.</p>`,
      html`<article class="readme">${withSigns(rendered)}</article>`,
    ];
  }

  async #view(c: HttpContext, crate: MirroredCrate): Promise<MirroredView> {
    const chosen = c.req.param('version');
    const version =
      chosen === undefined ? crate.shown : crate.versions.find((each) => each.version === chosen);
    if (version === undefined) throw new PageError(noSuchCrate(crate.name, chosen ?? crate.shown.version));
    const [details, archives] = await Promise.all([
      this.#detailsOf(crate, version),
      this.#archivesOf([version, ...crate.versions.slice(0, MAX_README_VERSIONS - 1)]),
    ]);
    const hasArchive = ({ checksum }: MirroredVersion): boolean => archives.has(checksum);
    const isServed = (each: MirroredVersion): boolean => each.refusal === null && hasArchive(each);
    const readmeFrom = hasArchive(version) ? version : (crate.versions.find(isServed) ?? null);
    const archive = readmeFrom === null ? null : (archives.get(readmeFrom.checksum) ?? null);
    const summary =
      readmeFrom === null || archive === null
        ? null
        : await this.#summaryOf(c, { crate: crate.name, version: readmeFrom.version, archive });
    return {
      ...{ crate, version, details, summary },
      isVersionChosen: chosen !== undefined,
      advisories: this.#advisoriesOf(crate, version.version),
      readmeFrom: readmeFrom?.version ?? null,
      size: archives.get(version.checksum)?.size ?? null,
      upstream: upstreamName(this.#services.upstream.index),
      mirrorIndex: `sparse+${this.#services.context.settings.baseUrl}/index/`,
      isPrivate: this.#services.context.settings.authRequired,
    };
  }

  #advisoriesOf({ name }: MirroredCrate, version: string): readonly Advisory[] {
    return this.#services.context.advisories?.of(name, version) ?? [];
  }

  async #detailsOf(crate: MirroredCrate, version: MirroredVersion): Promise<MirroredDetails | null> {
    const line = await this.#services.upstream.cache.lineOf(crate, version);
    return line === null || line.length > MAX_LINE_CHARS ? null : decodeMirroredLine(line);
  }

  async #archivesOf(versions: readonly MirroredVersion[]): Promise<ReadonlyMap<string, MirroredArchive>> {
    const checksums = [...new Set(versions.map(({ checksum }) => checksum))];
    const archives = await this.#services.context.records.listMirroredArchives(checksums);
    return new Map(archives.map((archive) => [archive.checksum, archive]));
  }

  async #sizesOf(versions: readonly MirroredVersion[]): Promise<ReadonlyMap<string, number>> {
    const archives = await this.#archivesOf(versions);
    return new Map([...archives].map(([checksum, { size }]) => [checksum, size]));
  }

  /** Returns the summary in an archive; null if it cannot be read. Such archives are not tried again, unless busy. */
  async #summaryOf(
    c: HttpContext,
    of: { readonly crate: string; readonly version: string; readonly archive: MirroredArchive },
  ): Promise<PackageSummary | null> {
    const { crate, version, archive } = of;
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
