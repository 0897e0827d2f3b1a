/** `/admin/publishers`: trusted publishing. */
import { Hono } from 'hono';
import type { HttpEnv } from '../../http/http-env.ts';
import { addPublisher } from '../../trusted/publishers.ts';
import { describeUsageError, readClaims } from '../shared/claims-form.ts';
import { NOT_FOUND } from '../shared/error-page.ts';
import { badNote, doneNote, type Note } from '../shared/form-parts.ts';
import { readPart } from '../shared/paging.ts';
import { publishersPage, type PublisherForm } from './publisher-pages.ts';
import {
  PageError,
  type PageServices,
  type UserPageRequest,
  type PageHandlers,
} from '../services/page-handlers.ts';

const PUBLISHERS_PER_PAGE = 50;
const EMPTY_FORM: PublisherForm = { issuer: '', claims: '', patterns: '', login: '' };

/** Messages after a form was accepted, by `done` in the query. */
const DONE: Readonly<Record<string, string>> = {
  added: 'Publisher added.',
  removed: 'Publisher removed. The tokens of all CI jobs with the same issuer and user were revoked.',
  gone: 'Nothing changed: somebody has already removed this publisher.',
};

/** Returns the routes of `/admin/publishers` and its forms. */
export function publisherRoutes({ context }: PageServices, handlers: PageHandlers): Hono<HttpEnv> {
  const { records, clock, settings } = context;

  async function show(request: UserPageRequest, form: PublisherForm, note: Note | null): Promise<Response> {
    const publishers = await readPart(request.c, PUBLISHERS_PER_PAGE, (page) =>
      records.listPublisherPage(page),
    );
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
        const showProblem = (text: string): Promise<Response> => show(request, form, badNote(text));
        const claims = readClaims(form.claims);
        if (typeof claims === 'string') return showProblem(claims);
        try {
          await addPublisher(
            { records: request.records, clock },
            {
              issuer: form.issuer,
              claims,
              cratePatterns: form.patterns.split(/[\s,]+/).filter((pattern) => pattern !== ''),
              login: form.login === '' ? null : form.login,
              actor: request.actor,
            },
          );
        } catch (error) {
          // Throws the error again unless the form caused it.
          return showProblem(describeUsageError(error));
        }
        return request.goTo('/admin/publishers?done=added');
      }),
    )
    .post(
      '/admin/publishers/:id/remove',
      handlers.adminForm(async (request) => {
        const id = Number(request.c.req.param('id'));
        if (!Number.isSafeInteger(id)) throw new PageError(NOT_FOUND);
        const removed = await request.records.deletePublisher({
          id,
          atMs: clock.now(),
          actor: request.actor,
        });
        return request.goTo(`/admin/publishers?done=${removed === null ? 'gone' : 'removed'}`);
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
