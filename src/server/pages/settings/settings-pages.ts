/** Shows the settings of a crate, also with the problem of a form. */
import { routeParam } from '../../http/http-env.ts';
import type { ServerContext } from '../../server-context.ts';
import { knownIssuers } from '../../trusted/crate-publishers.ts';
import type { CratePages } from '../crate/crate-routes.ts';
import { OWNERS_ONLY } from '../shared/error-page.ts';
import { doneNote } from '../shared/form-parts.ts';
import { PageError, type UserPageRequest } from '../services/page-handlers.ts';
import { readPart } from '../shared/paging.ts';
import { settingsPage, type SettingsView } from './settings-page.ts';

const VERSIONS_PER_PAGE = 20;

/** Messages after a form was accepted, by `done` in the query. */
const DONE = {
  yanked: 'Version yanked.',
  unyanked: 'Version unyanked.',
  'owner-added': 'Owner added.',
  'owner-removed': 'Owner removed.',
  'publisher-added': 'Trusted publisher added.',
  'publisher-removed': 'Trusted publisher removed. Its tokens were revoked.',
  'trusted-only': 'Only trusted publishers can publish new versions now.',
  'documentation-removed': 'Documentation removed.',
  'tokens-allowed': 'Owners can publish with their tokens now.',
} as const;

/** The message after a form was accepted. */
export type SettingsDone = keyof typeof DONE;

/** The parts of the page that depend on the form that was sent. */
type SettingsFormOutcome = Pick<SettingsView, 'note' | 'newOwner' | 'refusedYank' | 'form'>;

/** The outcome of a page that no form led to. */
const NO_OUTCOME: SettingsFormOutcome = {
  note: null,
  newOwner: '',
  refusedYank: null,
  form: { issuer: '', claims: '' },
};

/** The settings pages of all crates. */
export class SettingsPages {
  readonly #context: ServerContext;
  readonly #crates: CratePages;

  constructor(context: ServerContext, crates: CratePages) {
    this.#context = context;
    this.#crates = crates;
  }

  /** Shows the page with the message that its query selects. */
  showDone(request: UserPageRequest): Promise<Response> {
    return this.show(request, { note: doneNote(DONE, request.c.req.query('done')) });
  }

  /**
   * Shows the page, with status 422 if the note is bad. Absent parts of `outcome` are those of `NO_OUTCOME`. Throws
   * `PageError` if the viewer may change nothing.
   */
  show(request: UserPageRequest, outcome: Partial<SettingsFormOutcome>): Promise<Response> {
    const status = outcome.note?.kind === 'bad' ? 422 : 200;
    const show: UserPageRequest['show'] = (page) => request.show(page, status);
    return this.#crates.show({ ...request, show }, async (c, frame, view) => {
      if (view.rights === 'none') throw new PageError(OWNERS_ONLY);
      const { records, settings } = this.#context;
      const name = routeParam(c, 'name');
      const [versions, publishers, issuers] = await Promise.all([
        readPart(c, VERSIONS_PER_PAGE, (page) => records.listVersions(name, page)),
        records.listCratePublishers(name),
        knownIssuers({ records }),
      ]);
      return settingsPage(frame, view, {
        versions,
        publishers,
        issuers,
        audience: new URL(settings.baseUrl).host,
        baseUrl: settings.baseUrl,
        acceptsDocumentation: settings.documentation !== 'off',
        ...NO_OUTCOME,
        ...outcome,
      });
    });
  }
}
