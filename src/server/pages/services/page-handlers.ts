/** Support for page handlers: the viewer, the frame of the page, and verified forms. */
import type { Handler } from 'hono';
import type { HealthCheck } from '../../http/health-check.ts';
import { clientAddress, type HttpContext, type HttpEnv } from '../../http/http-env.ts';
import { readSmallBody } from '../../http/read-body.ts';
import type { ServerContext } from '../../server-context.ts';
import type { HourlyCount } from '../../shared/hourly-count.ts';
import type { CrateSources } from '../../source/crate-sources.ts';
import type { AuthorizedRecords } from '../../store/store.ts';
import type { Actor, User } from '../../store/values.ts';
import type { BadgeProxy } from './badge-proxy.ts';
import {
  ADMINS_ONLY,
  errorPage,
  FORM_REFUSED,
  FORM_UNREADABLE,
  type ErrorView,
} from '../shared/error-page.ts';
import { isFormProof, isFromThisSite, makeFormProof } from '../shared/form-proof.ts';
import type { Html } from '../shared/html.ts';
import type { Frame } from '../shared/layout.ts';
import { pageHeaders } from './page-headers.ts';
import { withQuery } from '../shared/paths.ts';
import type { Sessions, SignedIn } from './sessions.ts';
import type { SiteIdentity } from './site-identity.ts';
import { readUploadForm, type UploadForm } from '../shared/upload-form.ts';

/** An error that is shown as a page. */
export class PageError extends Error {
  override readonly name = 'PageError';
  readonly view: ErrorView;

  constructor(view: ErrorView) {
    super(view.title);
    this.view = view;
  }
}

/** Maximum bytes of a form. */
const MAX_FORM_BYTES = 64 * 1024;

/** Services for page handlers. */
export interface PageServices {
  readonly context: ServerContext;
  readonly sessions: Sessions;
  readonly identity: SiteIdentity;
  readonly badges: BadgeProxy;
  readonly sources: CrateSources;
  readonly health: HealthCheck;
  /** Failed attempts to sign in, or to change a password, on this server. */
  readonly failedSignIns: HourlyCount;
}

/** A page request. */
export interface WebPageRequest {
  readonly c: HttpContext;
  readonly frame: Frame;
  /** null if nobody is signed in. */
  readonly user: User | null;
  /** The actor of changes; null if nobody is signed in. */
  readonly actor: Actor | null;
  /** Returns a page as the response. The status is 200 by default. */
  readonly show: (page: Html, status?: 200 | 422 | 429 | ErrorView['status']) => Response;
  /** Returns a redirect to another page, which the browser always requests with GET. */
  readonly goTo: (address: string) => Response;
}

/** A page request of a signed-in user. */
export interface UserPageRequest extends WebPageRequest {
  readonly user: User;
  readonly actor: Actor;
  /** The records for changes in the name of the user. Each change checks the user's rights again. */
  readonly records: AuthorizedRecords;
}

type UserPageHandler = (request: UserPageRequest) => Promise<Response>;
type UserUploadHandler = (request: UserPageRequest, form: UploadForm) => Promise<Response>;
type UserFormHandler = (request: UserPageRequest, form: URLSearchParams) => Promise<Response>;

/** A factory of page handlers. */
export class PageHandlers {
  readonly #services: PageServices;

  constructor(services: PageServices) {
    this.#services = services;
  }

  /** Handles a page for everyone; only for signed-in users if the registry is private. */
  open(respond: (request: WebPageRequest) => Promise<Response>): Handler<HttpEnv> {
    return async (c) => {
      const request = await this.pageRequest(c);
      if (request.user === null && this.#services.context.settings.authRequired)
        return this.#askToSignIn(request);
      return respond(request);
    };
  }

  /** Handles a page for signed-in users. */
  user(respond: UserPageHandler): Handler<HttpEnv> {
    return (c) => this.#asUser(c, respond);
  }

  /** Handles a page for admins. */
  admin(respond: UserPageHandler): Handler<HttpEnv> {
    return (c) => this.#asAdmin(c, respond);
  }

  /**
   * Handles a form for signed-in users. A form may arrive slowly. The user is checked before it is read, so that
   * strangers cannot send anything, and again after that.
   */
  userForm(respond: UserFormHandler): Handler<HttpEnv> {
    return (c) =>
      this.#asUser(c, async () => {
        const form = await this.form(c);
        return this.#asUser(c, (request) => respond(request, form));
      });
  }

  /** Handles a form for admins, as `userForm` does. */
  adminForm(respond: UserFormHandler): Handler<HttpEnv> {
    return (c) =>
      this.#asAdmin(c, async () => {
        const form = await this.form(c);
        return this.#asAdmin(c, (request) => respond(request, form));
      });
  }

  /** Handles a form with files for admins, as `adminForm` does. */
  adminUpload(respond: UserUploadHandler): Handler<HttpEnv> {
    return (c) =>
      this.#asAdmin(c, async () => {
        const form = await this.#verified(c, readUploadForm);
        return this.#asAdmin(c, (request) => respond(request, form));
      });
  }

  async #asUser(c: HttpContext, respond: UserPageHandler): Promise<Response> {
    const request = await this.pageRequest(c);
    const { user, actor } = request;
    if (user === null || actor === null) return this.#askToSignIn(request);
    const { records, clock } = this.#services.context;
    return respond({ ...request, user, actor, records: records.authorize(actor, clock) });
  }

  #asAdmin(c: HttpContext, respond: UserPageHandler): Promise<Response> {
    return this.#asUser(c, (request) => {
      if (!request.user.isAdmin) throw new PageError(ADMINS_ONLY);
      return respond(request);
    });
  }

  /** Returns the client's address, by which failures are counted. */
  address(c: HttpContext): string {
    return clientAddress(c, this.#services.context.settings.trustedProxies);
  }

  /** Returns the page request, with its user and frame, whatever the user may see. */
  async pageRequest(c: HttpContext): Promise<WebPageRequest> {
    const { context, sessions } = this.#services;
    const { identity, assets } = await this.#services.identity.current();
    const signedIn = await sessions.find(c);
    const user = signedIn?.user ?? null;
    if (user !== null) c.set('login', user.login);
    const frame: Frame = {
      assets,
      viewer: user === null ? null : { login: user.login, isAdmin: user.isAdmin },
      csrf: await this.#proof(c, signedIn),
      path: pathOf(c),
      identity,
      nowMs: context.clock.now(),
      isSearchable: user !== null || !context.settings.authRequired,
    };
    return {
      c,
      frame,
      user,
      actor: signedIn?.actor ?? null,
      show: (page, status = 200) => c.html(page.text, status, pageHeaders(user)),
      goTo: (address) => {
        c.header('Cache-Control', 'no-store');
        return c.redirect(address, 303);
      },
    };
  }

  /**
   * Returns the fields of a form of this site, made for its sender. Throws `PageError` for any other body, `ApiError`
   * for one that is too large or too slow.
   */
  form(c: HttpContext): Promise<URLSearchParams> {
    return this.#verified(c, async () => {
      const type = c.req.header('content-type')?.split(';')[0]?.trim().toLowerCase();
      if (type !== 'application/x-www-form-urlencoded') throw new PageError(FORM_UNREADABLE);
      return new URLSearchParams((await readSmallBody(c, MAX_FORM_BYTES)).toString('utf8'));
    });
  }

  /** Returns the result of `read` for a form of this site; `read` returns null for other bodies. Throws as `form`. */
  async #verified<T extends Pick<UploadForm, 'get'>>(
    c: HttpContext,
    read: (c: HttpContext) => Promise<T | null>,
  ): Promise<T> {
    const { context, sessions } = this.#services;
    if (!isFromThisSite(c, context.settings.baseUrl)) throw new PageError(FORM_REFUSED);
    const form = await read(c);
    if (form === null) throw new PageError(FORM_UNREADABLE);
    // The same secret as in `#proof`: that of the session, or else of the visitor.
    const reader = (await sessions.find(c))?.sessionId ?? (await sessions.knownVisitor(c));
    const key = await context.records.secret('forms');
    if (reader === null || !isFormProof(form.get('csrf') ?? '', { key, reader }))
      throw new PageError(FORM_REFUSED);
    return form;
  }

  /** Returns an error page, even if the store fails: then with the latest identity, for a viewer who is not signed in. */
  async showError(c: HttpContext, view: ErrorView): Promise<Response> {
    const { context } = this.#services;
    const { identity, assets } = this.#services.identity.latest;
    const frame: Frame = await this.pageRequest(c).then(
      (request) => request.frame,
      () => ({
        assets,
        identity,
        nowMs: context.clock.now(),
        viewer: null,
        csrf: '',
        path: '/',
        isSearchable: false,
      }),
    );
    if (view.retrySeconds !== undefined) c.header('Retry-After', String(view.retrySeconds));
    return c.html(errorPage(frame, view).text, view.status, pageHeaders(frame.viewer));
  }

  /** Redirects to the sign-in page, which leads back to this page unless a form led here. */
  #askToSignIn({ c, frame, goTo }: WebPageRequest): Response {
    const returnPath = c.req.method === 'GET' && frame.path !== '/' ? frame.path : null;
    return goTo(withQuery('/sign-in', { return: returnPath }));
  }

  /** Returns the proof for forms. Without a session, it is empty except on the sign-in page: no other one has a form. */
  async #proof(c: HttpContext, signedIn: SignedIn | null): Promise<string> {
    const { context, sessions } = this.#services;
    const isSignIn = c.req.path.endsWith('/sign-in');
    if (signedIn === null && !isSignIn) return '';
    const reader = signedIn?.sessionId ?? (await sessions.visitor(c));
    return makeFormProof(await context.records.secret('forms'), reader);
  }
}

/** Returns the path and query of a request. */
function pathOf(c: HttpContext): string {
  const { pathname, search } = new URL(c.req.url);
  return pathname + search;
}
