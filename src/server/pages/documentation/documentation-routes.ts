/** `/docs/…`: the documentation of versions. */
import { Hono } from 'hono';
import { present } from '../../../core/errors/assert.ts';
import type { HttpContext, HttpEnv } from '../../http/http-env.ts';
import type { ServerContext } from '../../server-context.ts';
import { SourceProblem } from '../../source/source-problem.ts';
import type { Documentation } from '../../store/documentation-records.ts';
import { isPagePath } from './documentation-headers.ts';
import { readDocumentationPlace } from './documentation-place.ts';
import { DocumentationSender } from './documentation-sender.ts';
import { isTicket, makeTicket } from './documentation-ticket.ts';
import { type ErrorView, NOT_FOUND } from '../shared/error-page.ts';
import { html } from '../shared/html.ts';
import {
  PageError,
  type PageHandlers,
  type PageServices,
  type WebPageRequest,
} from '../services/page-handlers.ts';
import { cratePath, documentationPath } from '../shared/paths.ts';
import { withSourceErrors } from '../source/source-errors.ts';

/** The name of the secret that signs tickets. */
const SECRET = 'documentation';

/** Returns the routes: pages for readers, and files that pages load with a ticket in their address. */
export function documentationRoutes({ context }: PageServices, handlers: PageHandlers): Hono<HttpEnv> {
  const documentation = new DocumentationResponses(context);
  const page = handlers.open((request) => documentation.page(request));
  return new Hono<HttpEnv>().get(
    '/docs/*',
    async (c, next) => (await documentation.file(c)) ?? (await page(c, next)),
  );
}

class DocumentationResponses {
  readonly #context: ServerContext;
  readonly #sender: DocumentationSender;

  constructor(context: ServerContext) {
    this.#context = context;
    this.#sender = new DocumentationSender(context);
  }

  /**
   * Returns a file that a page loads; null if `page` must respond: to a page, and to a reader who needs a new ticket.
   */
  async file(c: HttpContext): Promise<Response | null> {
    const place = readDocumentationPlace(c);
    if (place === null || place.ticket === null || isPagePath(place.path)) return null;
    if (isLoadedByRegistry(c)) return notFound(c);
    const { name, version, ticket, path } = place;
    const documentation = await this.#context.records.findDocumentation(name, version);
    if (documentation === null || !isTicket(ticket, documentation, await this.#ticketOptions()))
      return isForReader(c) ? null : notFound(c);
    return await this.#unlessReplaced(
      c,
      documentation,
      async () => (await this.#sender.send(c, documentation, path)) ?? notFound(c),
    );
  }

  /** Shows a page to a reader who may read the registry. Redirects to the address with a ticket. */
  async page({ c, goTo }: WebPageRequest): Promise<Response> {
    // Script elements of other sites get no address with a ticket.
    const place = isForReader(c) ? readDocumentationPlace(c) : null;
    if (place === null) throw new PageError(NOT_FOUND);
    const { name, version, ticket, path } = place;
    if (version === null) return goTo((await this.#pathOfHighest(name)) + searchOf(c));
    const documentation = await this.#context.records.findDocumentation(name, version);
    if (documentation === null) throw new PageError(noDocumentation(name, version));
    const options = await this.#ticketOptions();
    return await this.#unlessReplaced(c, documentation, async () => {
      const target = await this.#pageOf(documentation, path);
      if (ticket !== null && target === path && isTicket(ticket, documentation, options))
        return present(await this.#sender.send(c, documentation, path), 'a file of the index');
      const newTicket = makeTicket(documentation, options);
      // Service workers of other sites can ask for HTML too. Browsers do not let them follow this redirect.
      c.header('Cross-Origin-Resource-Policy', 'same-origin');
      return goTo(addressOf(documentation, { ticket: newTicket, path: target }) + searchOf(c));
    });
  }

  /**
   * Returns the response of `respond`, which reads the blob of `documentation`. Redirects to the same address if the blob
   * is missing because another upload or a removal has deleted it meanwhile. Throws as `withSourceErrors` does.
   */
  async #unlessReplaced(
    c: HttpContext,
    documentation: Documentation,
    respond: () => Promise<Response>,
  ): Promise<Response> {
    return await withSourceErrors(c.req.raw.signal, async () => {
      try {
        return await respond();
      } catch (error) {
        if (!isMissing(error) || (await this.#isCurrent(documentation))) throw error;
        c.header('Cache-Control', 'no-store');
        return c.redirect(new URL(c.req.url).pathname + searchOf(c), 303);
      }
    });
  }

  async #isCurrent({ crate, version, blobKey }: Documentation): Promise<boolean> {
    const current = await this.#context.records.findDocumentation(crate, version);
    return current?.blobKey === blobKey;
  }

  async #pathOfHighest(name: string): Promise<string> {
    const [highest] = await this.#context.records.listDocumentation(name);
    if (highest === undefined) throw new PageError(noDocumentation(name, null));
    return documentationPath(highest.crate, highest.version);
  }

  /**
   * Returns the path of a page: the file itself, or the `index.html` of a folder. Throws `PageError` if there is none.
   */
  async #pageOf(documentation: Documentation, path: string): Promise<string> {
    const { folder, files } = await this.#sender.index(documentation);
    const inFolder = path === '' ? folder : path.replace(/\/$/, '');
    const target = [path, `${inFolder}/index.html`].find((file) => files.has(file));
    if (target === undefined) throw new PageError(noSuchPage(documentation));
    return target;
  }

  async #ticketOptions(): Promise<{ readonly key: Uint8Array; readonly nowMs: number }> {
    const { records, clock } = this.#context;
    return { key: await records.secret(SECRET), nowMs: clock.now() };
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof SourceProblem && error.kind === 'missing';
}

function addressOf(
  { crate, version }: Documentation,
  { ticket, path }: { readonly ticket: string; readonly path: string },
): string {
  return documentationPath(crate, version, `${ticket}/${path}`);
}

function searchOf(c: HttpContext): string {
  return new URL(c.req.url).search;
}

/** Returns true if the client accepts HTML, as a browser does for a response that it shows to its reader. */
function isForReader(c: HttpContext): boolean {
  return c.req.header('accept')?.includes('text/html') === true;
}

/**
 * Returns true if a page of the registry itself loads the file, which none does. A script that somebody managed to add to
 * such a page could otherwise load more from here.
 */
function isLoadedByRegistry(c: HttpContext): boolean {
  return c.req.header('sec-fetch-site') === 'same-origin' && c.req.header('sec-fetch-dest') !== 'document';
}

function notFound(c: HttpContext): Response {
  return c.text('not found', 404, { 'Cache-Control': 'no-store' });
}

function noDocumentation(name: string, version: string | null): ErrorView {
  return {
    status: 404,
    title: 'No documentation',
    text:
      version === null
        ? `No version of a crate named “${name}” has documentation here.`
        : `Version “${version}” of a crate named “${name}” has no documentation here.`,
    suggestions: html`<p><a href="${version === null ? cratePath(name) : documentationPath(name)}">${version === null ? 'See the crate' : 'See the documentation of another version'}</a></p>`,
  };
}

function noSuchPage({ crate, version }: Documentation): ErrorView {
  return {
    status: 404,
    title: 'No such page',
    text: `The documentation of ${crate} ${version} has no page at this address.`,
    suggestions: html`<p><a href="${documentationPath(crate, version)}">Go to its first page</a></p>`,
  };
}
