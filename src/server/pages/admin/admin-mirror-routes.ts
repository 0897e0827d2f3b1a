/** `/admin/mirror`: the upstream and its cache, and the forms with rules for its crates. */
import { Hono } from 'hono';
import type { HttpContext, HttpEnv } from '../../http/http-env.ts';
import type { ServerContext } from '../../server-context.ts';
import type { ReservedNameChange } from '../../store/reserved-name-records.ts';
import type { SettingAuthor } from '../../store/setting-records.ts';
import type { UpstreamRuleKind } from '../../store/upstream-rule-records.ts';
import { adminMirrorPage, noMirrorPage } from './admin-mirror-page.ts';
import {
  type FormProblem,
  parseReservedName,
  parseRule,
  readForm,
  type RefusedForm,
} from './mirror-forms.ts';
import { MIRROR_PATH } from './mirror-rule-section.ts';
import { readAffected, readReservedNames, readRules } from './mirror-lists.ts';
import { badNote, doneNote, type Note } from '../shared/form-parts.ts';
import type { PageHandlers, PageServices, UserPageRequest } from '../services/page-handlers.ts';
import { withQuery } from '../shared/paths.ts';

/** The forms that add something. */
type AddingForm = UpstreamRuleKind | 'reserve';

/** Messages after a form was accepted, by `done` in the query. */
const DONE = {
  block: 'Blocked. Clients can no longer download it from this registry.',
  'block-allowed':
    'Saved, but without effect: the same crate or version is allowed, and that takes precedence.',
  unblock: 'Unblocked.',
  'unblock-blocked': 'Rule removed. But another rule still blocks the same crate or version.',
  allow: 'Allowed. The other rules no longer apply to it.',
  disallow: 'Exception removed. The other rules apply again.',
  'disallow-allowed': 'Exception removed. But another one still allows the same crate or version.',
  reserve: 'Name reserved. Crates with this name no longer come from the upstream.',
  release: 'Name released. Crates with this name can come from the upstream again.',
  'release-reserved':
    'Reservation removed. But this registry still has the name: another reservation includes it, or a crate here uses it.',
  gone: 'Nothing changed: somebody has already removed this.',
};
const NOTHING_SAVED = badNote('Nothing was saved: see below.');

/** Returns the routes of `/admin/mirror` and its forms. */
export function adminMirrorRoutes({ context }: PageServices, handlers: PageHandlers): Hono<HttpEnv> {
  const mirror = new AdminMirror(context);
  const app = new Hono<HttpEnv>().get(
    MIRROR_PATH,
    handlers.admin((request) => mirror.show(request)),
  );
  for (const [path, handle] of FORMS) {
    app.post(
      `${MIRROR_PATH}/${path}`,
      handlers.adminForm((request, fields) => handle(mirror, request, fields)),
    );
  }
  return app;
}

type FormHandler = (
  mirror: AdminMirror,
  request: UserPageRequest,
  fields: URLSearchParams,
) => Promise<Response>;

/** The forms by the last step of their path. */
const FORMS: readonly (readonly [path: string, handle: FormHandler])[] = [
  ['block', (mirror, request, fields) => mirror.addRule(request, { kind: 'block', fields })],
  ['unblock', (mirror, request, fields) => mirror.removeRule(request, { kind: 'block', fields })],
  ['allow', (mirror, request, fields) => mirror.addRule(request, { kind: 'allow', fields })],
  ['disallow', (mirror, request, fields) => mirror.removeRule(request, { kind: 'allow', fields })],
  ['reserve', (mirror, request, fields) => mirror.reserve(request, fields)],
  ['release', (mirror, request, fields) => mirror.release(request, fields)],
];

/** A form that was not accepted. */
interface RefusedSection extends RefusedForm {
  readonly section: AddingForm;
}

/** A form about a rule. */
interface SentRule {
  readonly kind: UpstreamRuleKind;
  readonly fields: URLSearchParams;
}

class AdminMirror {
  readonly #context: ServerContext;

  constructor(context: ServerContext) {
    this.#context = context;
  }

  show(request: UserPageRequest): Promise<Response> {
    return this.#respond(request, doneNote(DONE, request.c.req.query('done')), null);
  }

  async addRule(request: UserPageRequest, { kind, fields }: SentRule): Promise<Response> {
    const form = readForm(fields);
    const refuse = (problem: FormProblem): Promise<Response> =>
      this.#respond(request, NOTHING_SAVED, { section: kind, form, problem });
    const rule = parseRule(kind, form);
    if ('text' in rule) return refuse(rule);
    const { name, version } = rule;
    if (await this.#context.records.isLocalName(name)) {
      return refuse({
        field: 'name',
        text: `The name ${name} belongs to this registry. Rules are only for crates of the upstream.`,
      });
    }
    if (!(await request.records.addUpstreamRule(rule, this.#authorOf(request)))) {
      const what = version === null ? name : `${name} ${version}`;
      return refuse({
        field: 'name',
        text: `${what} is already ${kind === 'block' ? 'blocked' : 'allowed'}.`,
      });
    }
    const isOverridden = kind === 'block' && (await this.#context.upstream?.allows(rule)) === true;
    return goToMirror(request, isOverridden ? 'block-allowed' : kind);
  }

  async removeRule(request: UserPageRequest, { kind, fields }: SentRule): Promise<Response> {
    const { name, version } = readForm(fields);
    const target = { kind, name, version: version === '' ? null : version };
    const isRemoved = await request.records.removeUpstreamRule(target, this.#authorOf(request));
    if (!isRemoved) return goToMirror(request, 'gone');
    const { upstream } = this.#context;
    // Rules of flags, and those for all versions of the crate, remain.
    if (kind === 'block') {
      return goToMirror(request, (await upstream?.blocks(target)) === true ? 'unblock-blocked' : 'unblock');
    }
    return goToMirror(request, (await upstream?.allows(target)) === true ? 'disallow-allowed' : 'disallow');
  }

  async reserve(request: UserPageRequest, fields: URLSearchParams): Promise<Response> {
    const form = readForm(fields);
    const refuse = (problem: FormProblem): Promise<Response> =>
      this.#respond(request, NOTHING_SAVED, { section: 'reserve', form, problem });
    const reservedName = parseReservedName(form);
    if ('text' in reservedName) return refuse(reservedName);
    if (!(await request.records.addReservedName({ ...reservedName, ...this.#changeBy(request) }))) {
      return refuse({ field: 'name', text: `${reservedName.pattern} is already reserved.` });
    }
    return goToMirror(request, 'reserve');
  }

  async release(request: UserPageRequest, fields: URLSearchParams): Promise<Response> {
    const { name: pattern } = readForm(fields);
    const change = { pattern, reason: null, ...this.#changeBy(request) };
    if (!(await request.records.removeReservedName(change))) return goToMirror(request, 'gone');
    const isLocal = await this.#context.records.isLocalName(pattern);
    return goToMirror(request, isLocal ? 'release-reserved' : 'release');
  }

  #authorOf({ user }: UserPageRequest): SettingAuthor {
    return { login: user.login, atMs: this.#context.clock.now() };
  }

  #changeBy({ user }: UserPageRequest): Pick<ReservedNameChange, 'actor' | 'atMs'> {
    return { actor: user.login, atMs: this.#context.clock.now() };
  }

  async #respond(
    { c, frame, show }: UserPageRequest,
    note: Note | null,
    refused: RefusedSection | null,
  ): Promise<Response> {
    const { records, upstream } = this.#context;
    const status = refused === null ? 200 : 422;
    if (upstream === null) return show(noMirrorPage(frame), status);
    const services = { context: this.#context, upstream };
    const [files, cachedBytes, blocked, allowed, names, affected] = await Promise.all([
      records.countMirrored(),
      records.sumMirrored(),
      readRules(c, services, 'block'),
      readRules(c, services, 'allow'),
      readReservedNames(c, this.#context),
      readAffected(c, services),
    ]);
    const refusedIn = (section: AddingForm): RefusedForm | null =>
      refused?.section === section ? refused : null;
    const view = {
      status: upstream.status(),
      files,
      cachedBytes,
      affected,
      note,
      blocked: { rules: blocked, refused: refusedIn('block') },
      allowed: { rules: allowed, refused: refusedIn('allow') },
      reserved: { names, refused: refusedIn('reserve') },
    };
    return show(adminMirrorPage(frame, view), status);
  }
}

/** Redirects to the page with the message for `done`, and to the parts of the lists that the form was on. */
function goToMirror({ c, goTo }: UserPageRequest, done: keyof typeof DONE): Response {
  return goTo(withQuery(MIRROR_PATH, { done, ...partsOf(c) }));
}

function partsOf({ req }: HttpContext): Readonly<Record<string, string | null>> {
  return {
    blocked: req.query('blocked') ?? null,
    allowed: req.query('allowed') ?? null,
    reserved: req.query('reserved') ?? null,
  };
}
