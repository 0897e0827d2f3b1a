/** The pages of crates that are cached from the upstream. They send no request to it. */
import { routeParam } from '../../http/http-env.ts';
import type { BadgeProxy } from '../services/badge-proxy.ts';
import { noSuchCrate } from '../shared/error-page.ts';
import { featureContent } from '../crate/features-page.ts';
import { html, type Html, type HtmlValue } from '../shared/html.ts';
import { mirroredDependencies } from './mirrored-dependencies.ts';
import { mirroredLayout, type MirroredTab } from './mirrored-frame.ts';
import { mirroredVersions } from './mirrored-versions.ts';
import { type MirroredView, viewPath } from './mirrored-view.ts';
import type { MirroredViews, MirroredViewServices } from './mirrored-views.ts';
import { PageError, type WebPageRequest } from '../services/page-handlers.ts';
import { readPart } from '../shared/paging.ts';
import { renamedPath } from '../shared/paths.ts';
import { Readmes } from '../readme/readmes.ts';
import { withSigns } from '../readme/readme-signs.ts';
import { withSourceErrors } from '../source/source-errors.ts';

/** The services of the pages of cached crates. */
export interface MirroredServices extends MirroredViewServices {
  readonly badges: BadgeProxy;
}

/** The tabs of `MirroredPages`. `SourcePages` makes the pages of the other one. */
export type MirroredPageTab = Exclude<MirroredTab, 'source'>;

const VERSIONS_PER_PAGE = 100;

/** The pages of all cached crates. */
export class MirroredPages {
  readonly #services: MirroredServices;
  readonly #readmes: Readmes;
  readonly #views: MirroredViews;

  constructor(services: MirroredServices, views: MirroredViews) {
    this.#services = services;
    this.#readmes = new Readmes(services.context);
    this.#views = views;
  }

  /**
   * Shows a tab of the crate in the path; redirects other spellings of its name. Throws `PageError` if the crate or the
   * version is not cached.
   */
  async show(request: WebPageRequest, tab: MirroredPageTab): Promise<Response> {
    return this.showView(request, async (view) =>
      mirroredLayout(request.frame, view, { tab, content: await this.#content(request, view, tab) }),
    );
  }

  /** Shows a page of the crate in the path, as `show` does. */
  async showView(
    request: WebPageRequest,
    makePage: (view: MirroredView) => Promise<Html>,
  ): Promise<Response> {
    const { c, show, goTo } = request;
    const name = routeParam(c, 'name');
    const crate = await this.#services.upstream.cache.find(name);
    // The cache evicted it, or somebody published it here, since the route was selected.
    if (crate === null) throw new PageError(noSuchCrate(name, null));
    if (crate.name !== name) return goTo(renamedPath(c.req.url, crate.name));
    const view = await withSourceErrors(c.req.raw.signal, () => this.#views.read(c, crate));
    return show(await makePage(view));
  }

  /** Returns the content of a tab. */
  async #content({ c, frame }: WebPageRequest, view: MirroredView, tab: MirroredPageTab): Promise<HtmlValue> {
    const { crate, details, upstream } = view;
    if (tab === 'readme') return this.#readme(view);
    if (tab === 'versions') {
      const { versions } = crate;
      const part = await readPart(c, VERSIONS_PER_PAGE, async ({ limit, offset }) => ({
        items: versions.slice(offset, offset + limit),
        total: versions.length,
      }));
      const archives = await this.#views.archivesOf(part.list.items);
      const advisoriesOf = (version: string) => this.#views.advisoriesOf(crate, version);
      return mirroredVersions(frame, view, { ...part, archives, advisoriesOf });
    }
    if (details === null)
      return html`<p class="quiet">The index entry of this version cannot be shown here.</p>`;
    if (tab === 'features') return featureContent(details, viewPath(view));
    const names = details.dependencies.map((dependency) => dependency.name);
    const cached = await this.#services.upstream.cache.findNames(names);
    return mirroredDependencies(details.dependencies, { cached, upstream });
  }

  /** Returns the readme of the view's summary, or else the reason why there is none. */
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
}
