/** `/crates/NAME/compare/OLD...NEW`: the differences between two versions. */
import { Hono } from 'hono';
import { routeParam, type HttpContext, type HttpEnv } from '../../http/http-env.ts';
import type { DiffView } from './compare-diff.ts';
import { changedFiles } from './compare-files.ts';
import { comparePage } from './compare-page.ts';
import { NOT_FOUND } from '../shared/error-page.ts';
import type { Html } from '../shared/html.ts';
import { PageError, type PageHandlers, type WebPageRequest } from '../services/page-handlers.ts';
import { comparePath, withQuery } from '../shared/paths.ts';
import { OwnSourceCrates } from './own-source-crates.ts';
import type { SourceCrate } from './source-crates.ts';
import { withSourceErrors } from './source-errors.ts';
import { sourceRequestOf, type SourcePageServices, type SourceServices } from './source-routes.ts';

/**
 * Returns the routes of `/crates/NAME/compare` for crates of this registry. They must precede those of
 * `/crates/NAME/VERSION`, which match as well.
 */
export function compareRoutes(services: SourceServices, handlers: PageHandlers): Hono<HttpEnv> {
  const pages = new ComparePages({ ...services, crates: new OwnSourceCrates(services) });
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

/** Comparisons of two versions. */
export class ComparePages {
  readonly #services: SourcePageServices;

  constructor(services: SourcePageServices) {
    this.#services = services;
  }

  /**
   * Redirects to the comparison of the versions in the query. Without `new`, it is the highest one; without `old`, the
   * next lower one.
   */
  async choose({ c, goTo }: WebPageRequest): Promise<Response> {
    const name = routeParam(c, 'name');
    const { highest, choices } = await this.#services.crates.listComparable(name);
    const fresh = c.req.query('new') ?? highest;
    // The lowest version has none below it, and is compared with itself.
    const old = c.req.query('old') ?? choices[choices.indexOf(fresh) + 1] ?? fresh;
    const view = diffViewOf(c) === 'split' ? 'split' : null;
    return goTo(withQuery(comparePath(name, { old, new: fresh }), { view }));
  }

  /** Shows the comparison in the path. Throws `PageError` if a version does not exist. */
  show(request: WebPageRequest): Promise<Response> {
    const { c } = request;
    return withSourceErrors(c.req.raw.signal, () =>
      this.#services.crates.show(request, (crate) => this.#page(c, crate)),
    );
  }

  async #page(c: HttpContext, crate: SourceCrate): Promise<Html> {
    const { sources, context, crates } = this.#services;
    const { name } = crate;
    const [oldNumber, newNumber, ...others] = routeParam(c, 'versions').split('...');
    if (oldNumber === undefined || newNumber === undefined || others.length > 0)
      throw new PageError(NOT_FOUND);
    const request = sourceRequestOf(c, context);
    const [old, fresh, { choices }] = await Promise.all([
      crates.findCompared(name, oldNumber, request),
      crates.findCompared(name, newNumber, request),
      crates.listComparable(name),
    ]);
    const comparison = await sources.compare({ old, new: fresh }, request);
    const diffView = diffViewOf(c);
    return comparePage(crate, {
      old,
      new: fresh,
      comparison,
      diffView,
      // A crate can have more versions than there are choices.
      choices: [...new Set([...choices, old.version, fresh.version])],
      files: await changedFiles(comparison.files, diffView),
    });
  }
}

function diffViewOf(c: HttpContext): DiffView {
  return c.req.query('view') === 'split' ? 'split' : 'unified';
}
