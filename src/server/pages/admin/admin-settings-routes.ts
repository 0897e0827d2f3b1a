/** `/admin/settings`: changes the look of the website, and which badges readmes show. */
import { Hono } from 'hono';
import type { HttpEnv } from '../../http/http-env.ts';
import type { IdentityPart } from '../../server-context.ts';
import { BADGES_PATH } from './admin-badge-section.ts';
import { adminSettingsPage } from './admin-settings-page.ts';
import {
  type BadgeForm,
  badgeSettingChange,
  parseBadgeHosts,
  storedBadgeForm,
} from '../services/badge-settings.ts';
import { badNote, doneNote, type Note } from '../shared/form-parts.ts';
import { type IdentityFields, identityTexts, readIdentityForm } from './identity-form.ts';
import type { PageHandlers, PageServices, UserPageRequest } from '../services/page-handlers.ts';
import { type StoredIdentity, storedIdentity } from '../services/stored-identity.ts';
import type { UploadForm } from '../shared/upload-form.ts';

const PATH = '/admin/settings';
const DONE = { saved: 'Settings saved.', badges: 'Badges saved.' };
const NOTHING_SAVED = badNote('Nothing was saved: see below.');

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
    )
    .post(
      BADGES_PATH,
      handlers.adminForm((request, form) => settings.changeBadges(request, form)),
    );
}

/** The settings in the store. */
interface StoredSettings {
  readonly identity: StoredIdentity;
  readonly badges: BadgeForm;
}

/** The content of the page. */
interface ShownSettings {
  readonly stored: StoredSettings;
  /** A form that was not accepted, which replaces the stored identity; absent for none. */
  readonly form?: IdentityFields;
  /** A form that was not accepted, which replaces the stored badges; absent for none. */
  readonly badgeForm?: BadgeForm;
  readonly note: Note | null;
}

class AdminSettings {
  readonly #services: PageServices;

  constructor(services: PageServices) {
    this.#services = services;
  }

  async show(request: UserPageRequest): Promise<Response> {
    const note = doneNote(DONE, request.c.req.query('done'));
    return this.#respond(request, { stored: await this.#readStored(), note });
  }

  async change(request: UserPageRequest, fields: UploadForm): Promise<Response> {
    const { context, identity } = this.#services;
    const stored = await this.#readStored();
    const form = readIdentityForm(fields, { stored: stored.identity, fixed: this.#fixed });
    if (Object.keys(form.problems).length > 0) {
      return this.#respond(request, { form, stored, note: NOTHING_SAVED });
    }
    if (form.changes.length > 0) {
      const by = { login: request.user.login, atMs: context.clock.now() };
      await request.records.changeSettings(form.changes, by);
      await identity.reload();
    }
    return request.goTo(`${PATH}?done=saved`);
  }

  async changeBadges(request: UserPageRequest, fields: URLSearchParams): Promise<Response> {
    const { context, badges } = this.#services;
    const stored = await this.#readStored();
    const form = { isOn: fields.has('on'), hosts: fields.get('hosts') ?? '' };
    if (parseBadgeHosts(form.hosts) === null) {
      return this.#respond(request, { badgeForm: form, stored, note: NOTHING_SAVED });
    }
    // Flags take precedence, so the form is then not shown.
    const change = context.settings.badgeHosts === undefined ? badgeSettingChange(form, stored.badges) : null;
    if (change !== null) {
      await request.records.changeSettings([change], {
        login: request.user.login,
        atMs: context.clock.now(),
      });
      badges.reload();
    }
    return request.goTo(`${PATH}?done=badges`);
  }

  /** The parts of the identity that flags set. */
  get #fixed(): ReadonlySet<IdentityPart> {
    return this.#services.context.settings.fixedIdentity ?? new Set();
  }

  /** Reads the settings from the records: `SiteIdentity` may have older ones. */
  async #readStored(): Promise<StoredSettings> {
    const settings = await this.#services.context.records.listSettings();
    return { identity: storedIdentity(settings), badges: storedBadgeForm(settings) };
  }

  #respond(
    { frame, show }: UserPageRequest,
    { stored, form, badgeForm = stored.badges, note }: ShownSettings,
  ): Response {
    const { identity: base, badgeHosts: flagHosts = null } = this.#services.context.settings;
    const view = {
      texts: form?.texts ?? identityTexts(stored.identity),
      problems: form?.problems ?? {},
      hasStoredLogo: stored.identity.logo !== null,
      base,
      fixed: this.#fixed,
      badges: { form: badgeForm, flagHosts },
      note,
    };
    return show(adminSettingsPage(frame, view), note?.kind === 'bad' ? 422 : 200);
  }
}
