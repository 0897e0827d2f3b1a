/** `/admin/publishers`: trusted publishing. */
import { Hono } from 'hono';
import { TsregError } from '../../core/errors/error.ts';
import type { HttpEnv } from '../http/http-env.ts';
import { addPublisher, parseClaim } from '../trusted/publishers.ts';
import { NOT_FOUND } from './error-page.ts';
import { doneNote, type Note } from './form-parts.ts';
import { publishersPage, type PublisherForm } from './publisher-pages.ts';
import { PageError, type PageServices, type UserPageRequest, type PageHandlers } from './page-handlers.ts';

const EMPTY_FORM: PublisherForm = { issuer: '', claims: '', patterns: '', login: '' };

/** Messages after a form was accepted, by `done` in the query. */
const DONE: Readonly<Record<string, string>> = {
  added: 'Publisher added.',
  removed: 'Publisher removed. The CI tokens of its issuer and user were revoked.',
};

/** Returns the routes of `/admin/publishers` and its forms. */
export function publisherRoutes({ context }: PageServices, handlers: PageHandlers): Hono<HttpEnv> {
  const { records, clock, settings } = context;

  async function show(request: UserPageRequest, form: PublisherForm, note: Note | null): Promise<Response> {
    const publishers = await records.listPublishers();
    const audience = new URL(settings.baseUrl).host;
    const page = publishersPage(request.frame, { publishers, form, note, audience });
    return request.show(page, note?.kind === 'bad' ? 422 : 200);
  }

  return new Hono<HttpEnv>()
    .get(
      '/admin/publishers',
      handlers.admin((request) => show(request, EMPTY_FORM, doneNote(DONE, request.c.req.query('done')))),
    )
    .post(
      '/admin/publishers',
      handlers.adminForm(async (request, fields) => {
        const form = readForm(fields);
        const showProblem = (text: string): Promise<Response> => show(request, form, { kind: 'bad', text });
        const lines = form.claims.split(/\r?\n/).filter((line) => line.trim() !== '');
        const claims = lines.map(parseClaim);
        const wrongLine = lines[claims.indexOf(null)];
        if (wrongLine !== undefined) return showProblem(`“${wrongLine.slice(0, 100)}” is not KEY=VALUE.`);
        try {
          await addPublisher(
            { records: request.records, clock },
            {
              issuer: form.issuer,
              claims: claims.filter((claim) => claim !== null),
              cratePatterns: form.patterns.split(/[\s,]+/).filter((pattern) => pattern !== ''),
              login: form.login === '' ? null : form.login,
              actor: request.actor,
            },
          );
        } catch (error) {
          if (error instanceof TsregError && error.code === 'usage')
            return showProblem(asSentence(error.message));
          throw error;
        }
        return request.goTo('/admin/publishers?done=added');
      }),
    )
    .post(
      '/admin/publishers/:id/remove',
      handlers.adminForm(async (request) => {
        const id = Number(request.c.req.param('id'));
        if (!Number.isSafeInteger(id)) throw new PageError(NOT_FOUND);
        await request.records.deletePublisher({ id, atMs: clock.now(), actor: request.actor });
        return request.goTo('/admin/publishers?done=removed');
      }),
    );
}

function readForm(fields: URLSearchParams): PublisherForm {
  const textOf = (name: string): string => (fields.get(name) ?? '').trim();
  return {
    issuer: textOf('issuer'),
    claims: textOf('claims'),
    patterns: textOf('patterns'),
    login: textOf('login'),
  };
}

/** Turns a message of the command line into a sentence for a page. */
function asSentence(message: string): string {
  const text = message.replaceAll(/`([^`]*)`/g, '“$1”');
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}
