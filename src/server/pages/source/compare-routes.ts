/** `/crates/NAME/compare/OLD...NEW`: the differences between two versions. */
import { Hono } from 'hono';
import { routeParam, type HttpContext, type HttpEnv } from '../../http/http-env.ts';
import type { Version } from '../../store/values.ts';
import type { DiffView } from './compare-diff.ts';
import { changedFiles } from './compare-files.ts';
import { comparePage } from './compare-page.ts';
import type { CrateView } from '../shared/crate-frame.ts';
import { noSuchCrate, NOT_FOUND } from '../shared/error-page.ts';
import type { Html } from '../shared/html.ts';
import type { Frame } from '../shared/layout.ts';
import { PageError, type PageHandlers, type WebPageRequest } from '../services/page-handlers.ts';
import { comparePath, withQuery } from '../shared/paths.ts';
import { withSourceErrors } from './source-errors.ts';
import { sourceRequestOf, type SourceServices } from './source-routes.ts';

/** Maximum versions to select from. */
const MAX_CHOICES = 500;

/**
 * Returns the routes of `/crates/NAME/compare`. They must precede those of `/crates/NAME/VERSION`, which match as well.
 */
export function compareRoutes(services: SourceServices, handlers: PageHandlers): Hono<HttpEnv> {
  const pages = new ComparePages(services);
  return new Hono<HttpEnv>()
    .get(
      '/crates/:name/compare',
      handlers.open((request) => pages.choose(request)),
    )
    .get(
      '/crates/:name/compare/:versions',
      handlers.open((request) => pages.show(request)),
    );
}

class ComparePages {
  readonly #services: SourceServices;

  constructor(services: SourceServices) {
    this.#services = services;
  }

  /**
   * Redirects to the comparison of the versions in the query. Without `new`, it is the highest one; without `old`, the
   * next lower one.
   */
  async choose({ c, goTo }: WebPageRequest): Promise<Response> {
    const name = routeParam(c, 'name');
    const choices = await this.#choices(name);
    const [highest] = choices;
    if (highest === undefined) throw new PageError(noSuchCrate(name, null));
    const fresh = c.req.query('new') ?? highest;
    // The lowest version has none below it, and is compared with itself.
    const old = c.req.query('old') ?? choices[choices.indexOf(fresh) + 1] ?? fresh;
    const view = diffViewOf(c) === 'split' ? 'split' : null;
    return goTo(withQuery(comparePath(name, { old, new: fresh }), { view }));
  }

  show(request: WebPageRequest): Promise<Response> {
    const { c } = request;
    return withSourceErrors(c.req.raw.signal, () =>
      this.#services.crates.show(request, (_, frame, view) => this.#page(c, frame, view)),
    );
  }

  async #page(c: HttpContext, frame: Frame, view: CrateView): Promise<Html> {
    const { sources, context } = this.#services;
    const { name } = view.crate;
    const [oldNumber, newNumber, ...others] = routeParam(c, 'versions').split('...');
    if (oldNumber === undefined || newNumber === undefined || others.length > 0)
      throw new PageError(NOT_FOUND);
    const [old, fresh, choices] = await Promise.all([
      this.#version(name, oldNumber),
      this.#version(name, newNumber),
      this.#choices(name),
    ]);
    const comparison = await sources.compare({ old, new: fresh }, sourceRequestOf(c, context));
    const diffView = diffViewOf(c);
    return comparePage(frame, view, {
      old,
      new: fresh,
      comparison,
      diffView,
      // A crate can have more versions than there are choices.
      choices: [...new Set([...choices, old.version, fresh.version])],
      files: await changedFiles(comparison.files, diffView),
    });
  }

  /** Finds a version. Throws `PageError` if it does not exist. */
  async #version(name: string, number: string): Promise<Version> {
    const version = await this.#services.context.records.findVersion(name, number);
    if (version === null) throw new PageError(noSuchCrate(name, number));
    return version;
  }

  /** Returns the highest versions of a crate, in descending order; none if the crate does not exist. */
  async #choices(name: string): Promise<readonly string[]> {
    const { records } = this.#services.context;
    const { items } = await records.listVersions(name, { limit: MAX_CHOICES, offset: 0 });
    return items.map(({ version }) => version);
  }
}

function diffViewOf(c: HttpContext): DiffView {
  return c.req.query('view') === 'split' ? 'split' : 'unified';
}
