/** `/admin/publishers`: trusted publishing. */
import { Hono } from 'hono';
import { TsregError } from '../../core/errors/error.ts';
import type { HttpEnv } from '../http/http-env.ts';
import { addPublisher, parseClaim } from '../trusted/publishers.ts';
import { NOT_FOUND } from './error-page.ts';
import type { Note } from './form-parts.ts';
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

  async function show(visit: UserPageRequest, form: PublisherForm, note: Note | null): Promise<Response> {
    const publishers = await records.listPublishers();
    const audience = new URL(settings.baseUrl).host;
    const page = publishersPage(visit.frame, { publishers, form, note, audience });
    return visit.show(page, note?.kind === 'bad' ? 422 : 200);
  }

  return new Hono<HttpEnv>()
    .get(
      '/admin/publishers',
      handlers.admin((visit) => {
        const text = DONE[visit.c.req.query('done') ?? ''];
        return show(visit, EMPTY_FORM, text === undefined ? null : { kind: 'good', text });
      }),
    )
    .post(
      '/admin/publishers',
      handlers.adminForm(async (visit, fields) => {
        const form = readForm(fields);
        const bad = (text: string): Promise<Response> => show(visit, form, { kind: 'bad', text });
        const claims = form.claims.split(/\r?\n/).filter((line) => line.trim() !== '');
        const parsed = claims.map(parseClaim);
        const wrong = claims[parsed.indexOf(null)];
        if (wrong !== undefined) return bad(`“${wrong.slice(0, 100)}” is not KEY=VALUE.`);
        try {
          await addPublisher(
            { records: visit.records, clock },
            {
              issuer: form.issuer,
              claims: parsed.filter((claim) => claim !== null),
              cratePatterns: form.patterns.split(/[\s,]+/).filter((pattern) => pattern !== ''),
              login: form.login === '' ? null : form.login,
              actor: visit.actor,
            },
          );
        } catch (error) {
          if (error instanceof TsregError && error.code === 'usage') return bad(asSentence(error.message));
          throw error;
        }
        return visit.goTo('/admin/publishers?done=added');
      }),
    )
    .post(
      '/admin/publishers/:id/remove',
      handlers.adminForm(async (visit) => {
        const id = Number(visit.c.req.param('id'));
        if (!Number.isSafeInteger(id)) throw new PageError(NOT_FOUND);
        await visit.records.deletePublisher({ id, atMs: clock.now(), actor: visit.actor });
        return visit.goTo('/admin/publishers?done=removed');
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
