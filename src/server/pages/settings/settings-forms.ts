/** The forms of a crate's settings. Each does the same as the request of the web API, if there is one. */
import { routeParam } from '../../http/http-env.ts';
import type { RateLimit } from '../../http/rate-limit.ts';
import { changeLimit } from '../../http/write-guard.ts';
import type { ServerContext } from '../../server-context.ts';
import type { RefusedCrate } from '../../store/crate-publisher-records.ts';
import type { OwnersChange } from '../../store/owner-records.ts';
import { MAX_YANK_REASON_CHARS } from '../../store/publish-records.ts';
import { teamNameOf } from '../../store/team-login.ts';
import type { OwnersOutcome } from '../../store/values.ts';
import { addCratePublisher } from '../../trusted/crate-publishers.ts';
import { describeUsageError, readClaims } from '../shared/claims-form.ts';
import { NOT_FOUND, noSuchCrate, OWNERS_ONLY, tooManyChanges } from '../shared/error-page.ts';
import { badNote } from '../shared/form-parts.ts';
import { PageError, type UserPageRequest } from '../services/page-handlers.ts';
import { cratePath, settingsPath, withQuery } from '../shared/paths.ts';
import type { SettingsDone, SettingsPages } from './settings-pages.ts';

/** Messages show no more of a login that the user typed. */
const MAX_SHOWN_CHARS = 100;

/**
 * The forms of all crates. Each method throws `PageError` if the crate does not exist or the user may not change it.
 */
export class SettingsForms {
  readonly #context: ServerContext;
  readonly #pages: SettingsPages;
  readonly #changes: RateLimit;

  constructor(context: ServerContext, pages: SettingsPages) {
    this.#context = context;
    this.#pages = pages;
    this.#changes = changeLimit(context);
  }

  async changeTrustedOnly(request: UserPageRequest, form: URLSearchParams): Promise<Response> {
    await this.#count(request);
    const isTrustedOnly = form.get('only') === 'yes';
    const change = { ...this.#changeOf(request), isTrustedOnly };
    const outcome = await request.records.setTrustedOnly(change);
    if (outcome.kind === 'no-crate' || outcome.kind === 'not-owner') throw refused(request, outcome);
    return goToSettings(request, isTrustedOnly ? 'trusted-only' : 'tokens-allowed');
  }

  async yank(request: UserPageRequest, form: URLSearchParams): Promise<Response> {
    const version = form.get('version') ?? '';
    const reason = (form.get('reason') ?? '').trim();
    if (reason.length > MAX_YANK_REASON_CHARS) {
      const note = badNote(`The reason is too long: at most ${MAX_YANK_REASON_CHARS} characters.`);
      return this.#pages.show(request, { note, refusedYank: { version, reason } });
    }
    return this.#setYanked(request, { version, isYanked: true, reason: reason === '' ? null : reason });
  }

  unyank(request: UserPageRequest, form: URLSearchParams): Promise<Response> {
    const version = form.get('version') ?? '';
    return this.#setYanked(request, { version, isYanked: false, reason: null });
  }

  async #setYanked(
    request: UserPageRequest,
    yank: { readonly version: string; readonly isYanked: boolean; readonly reason: string | null },
  ): Promise<Response> {
    await this.#count(request);
    const outcome = await request.records.setYanked({ ...this.#changeOf(request), ...yank });
    switch (outcome.kind) {
      case 'no-crate':
      case 'not-owner':
        throw refused(request, outcome);
      case 'no-version':
        throw new PageError(noSuchCrate(outcome.crate, yank.version));
      case 'changed':
      case 'unchanged':
        await this.#context.staticIndex?.flush(outcome.crate);
        return goToSettings(request, yank.isYanked ? 'yanked' : 'unyanked');
    }
  }

  async removeDocumentation(request: UserPageRequest, form: URLSearchParams): Promise<Response> {
    const version = form.get('version') ?? '';
    await this.#count(request);
    const outcome = await request.records.deleteDocumentation({ ...this.#changeOf(request), version });
    switch (outcome.kind) {
      case 'no-crate':
      case 'not-owner':
        throw refused(request, outcome);
      case 'no-version':
        throw new PageError(noSuchCrate(outcome.crate, version));
      case 'removed':
        await this.#context.blobs.delete(outcome.blobKey);
        return goToSettings(request, 'documentation-removed');
      case 'no-documentation':
        // A second click on the button removes nothing, but its page must not show an error.
        return goToSettings(request, 'documentation-removed');
    }
  }

  async changeOwners(
    request: UserPageRequest,
    { form, action }: { readonly form: URLSearchParams; readonly action: OwnersChange['action'] },
  ): Promise<Response> {
    const login = (form.get('login') ?? '').trim();
    await this.#count(request);
    const change = { ...this.#changeOf(request), action, logins: [login] };
    const outcome = await request.records.changeOwners(change);
    if (outcome.kind === 'no-crate' || outcome.kind === 'not-owner') throw refused(request, outcome);
    const problem = describeOwnersProblem(outcome, { login, action });
    if (problem !== null) {
      const newOwner = action === 'add' ? login : '';
      return this.#pages.show(request, { note: badNote(problem), newOwner });
    }
    const { user } = request;
    // Former owners may not see the settings.
    const hasLeft = action === 'remove' && !user.isAdmin && user.login.toLowerCase() === login.toLowerCase();
    if (hasLeft) return request.goTo(cratePath(routeParam(request.c, 'name')));
    return goToSettings(request, action === 'add' ? 'owner-added' : 'owner-removed');
  }

  async addPublisher(request: UserPageRequest, fields: URLSearchParams): Promise<Response> {
    await this.#count(request);
    const form = { issuer: fields.get('issuer') ?? '', claims: (fields.get('claims') ?? '').trim() };
    const showProblem = (text: string): Promise<Response> =>
      this.#pages.show(request, { note: badNote(text), form });
    const claims = readClaims(form.claims);
    if (typeof claims === 'string') return showProblem(claims);
    const { crate, actor } = this.#changeOf(request);
    const context = { records: request.records, clock: this.#context.clock };
    const outcome = await addCratePublisher(context, { issuer: form.issuer, claims, crate, actor }).catch(
      describeUsageError,
    );
    if (typeof outcome === 'string') return showProblem(outcome);
    switch (outcome.kind) {
      case 'no-crate':
      case 'not-owner':
        throw refused(request, outcome);
      case 'too-many':
        return showProblem(`A crate can have at most ${outcome.max} trusted publishers of its own.`);
      case 'ambiguous':
        return showProblem(
          'A publisher of another user could match the same jobs, and a job can publish as one user only. Add claims that tell the jobs apart, or ask an admin.',
        );
      case 'duplicate':
        return showProblem('This crate already has this publisher.');
      case 'added':
        return goToSettings(request, 'publisher-added');
    }
  }

  async removePublisher(request: UserPageRequest): Promise<Response> {
    const id = Number(request.c.req.param('id'));
    if (!Number.isSafeInteger(id)) throw new PageError(NOT_FOUND);
    await this.#count(request);
    const outcome = await request.records.deleteCratePublisher({ ...this.#changeOf(request), id });
    if (outcome.kind === 'no-publisher') throw new PageError(NOT_FOUND);
    if (outcome.kind !== 'removed') throw refused(request, outcome);
    return goToSettings(request, 'publisher-removed');
  }

  /** Returns the values that every change of a crate needs. */
  #changeOf({ c, actor }: UserPageRequest): Pick<OwnersChange, 'crate' | 'atMs' | 'actor'> {
    return { crate: routeParam(c, 'name'), atMs: this.#context.clock.now(), actor };
  }

  /** Counts a change of a user as the web API does. Throws a `PageError` after too many. */
  async #count({ user }: UserPageRequest): Promise<void> {
    const waitSeconds = await this.#changes.consume(String(user.id));
    if (waitSeconds > 0) throw new PageError(tooManyChanges(waitSeconds));
  }
}

/** Redirects to the settings with the message for `done`, and to the part of the versions that the form was in. */
function goToSettings({ c, goTo }: UserPageRequest, done: SettingsDone): Response {
  const page = c.req.query('page') ?? null;
  return goTo(withQuery(settingsPath(routeParam(c, 'name')), { done, page }));
}

/** Returns the error for a crate that does not exist, or that the user does not own. */
function refused({ c }: UserPageRequest, { kind }: RefusedCrate): PageError {
  return new PageError(kind === 'not-owner' ? OWNERS_ONLY : noSuchCrate(routeParam(c, 'name'), null));
}

/** Returns the sentence that explains why no owner was added or removed; null if one was. */
function describeOwnersProblem(
  outcome: Exclude<OwnersOutcome, RefusedCrate>,
  { login, action }: { readonly login: string; readonly action: OwnersChange['action'] },
): string | null {
  const shown = login.slice(0, MAX_SHOWN_CHARS);
  switch (outcome.kind) {
    case 'no-user':
      return `There is no user “${shown}”.`;
    case 'no-team':
      return `There is no team “${teamNameOf(shown) ?? shown}”.`;
    case 'not-an-owner':
      return `${shown} is not an owner.`;
    case 'last-owner':
      return 'The last owner of a crate cannot be removed: add another user first.';
    case 'changed':
      return action === 'add' && outcome.changed.length === 0 ? `${shown} is already an owner.` : null;
  }
}
