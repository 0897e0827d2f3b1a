/** `/admin/settings`: changes the look of the website. */
import { Hono } from 'hono';
import type { HttpEnv } from '../http/http-env.ts';
import { adminSettingsPage } from './admin-settings-page.ts';
import { badNote, doneNote, type Note } from './form-parts.ts';
import { identityTexts, readIdentityForm, type ReadIdentityForm } from './identity-form.ts';
import type { PageHandlers, PageServices, UserPageRequest } from './page-handlers.ts';
import { type StoredIdentity, storedIdentity } from './stored-identity.ts';
import type { UploadForm } from './upload-form.ts';

const PATH = '/admin/settings';
const DONE = { saved: 'Settings saved.' };

/** Returns the routes of `/admin/settings`. */
export function adminSettingsRoutes(services: PageServices, handlers: PageHandlers): Hono<HttpEnv> {
  const settings = new AdminSettings(services);
  return new Hono<HttpEnv>()
    .get(
      PATH,
      handlers.admin((request) => settings.show(request)),
    )
    .post(
      PATH,
      handlers.adminUpload((request, form) => settings.change(request, form)),
    );
}

class AdminSettings {
  readonly #services: PageServices;

  constructor(services: PageServices) {
    this.#services = services;
  }

  async show(request: UserPageRequest): Promise<Response> {
    const stored = await this.#readStored();
    const form = { texts: identityTexts(stored), problems: {} };
    return this.#respond(request, { form, stored, note: doneNote(DONE, request.c.req.query('done')) });
  }

  async change(request: UserPageRequest, fields: UploadForm): Promise<Response> {
    const { context, identity } = this.#services;
    const stored = await this.#readStored();
    const form = readIdentityForm(fields, { stored, fixed: this.#fixed });
    if (Object.keys(form.problems).length > 0) {
      return this.#respond(request, { form, stored, note: badNote('Nothing was saved: see below.') });
    }
    if (form.changes.length > 0) {
      const by = { login: request.user.login, atMs: context.clock.now() };
      await request.records.changeSettings(form.changes, by);
      await identity.reload();
    }
    return request.goTo(`${PATH}?done=saved`);
  }

  get #fixed(): NonNullable<PageServices['context']['settings']['fixedIdentity']> {
    return this.#services.context.settings.fixedIdentity ?? new Set();
  }

  /** Reads the settings themselves: the identity of this server may be older. */
  async #readStored(): Promise<StoredIdentity> {
    return storedIdentity(await this.#services.context.records.listSettings());
  }

  #respond(
    { frame, show }: UserPageRequest,
    {
      form,
      stored,
      note,
    }: {
      readonly form: Pick<ReadIdentityForm, 'texts' | 'problems'>;
      readonly stored: StoredIdentity;
      readonly note: Note | null;
    },
  ): Response {
    const { texts, problems } = form;
    const { identity: base } = this.#services.context.settings;
    const view = { texts, problems, hasStoredLogo: stored.logo !== null, base, fixed: this.#fixed, note };
    return show(adminSettingsPage(frame, view), note?.kind === 'bad' ? 422 : 200);
  }
}
