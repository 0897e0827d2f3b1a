import { html, joined, type Html, type HtmlValue } from './html.ts';
import { layout, searchForm, type Frame } from './layout.ts';
import { cratePath } from './paths.ts';

/** The reason why a page cannot be shown. */
export interface ErrorView {
  readonly status: 400 | 403 | 404 | 408 | 413 | 429 | 500 | 503;
  readonly title: string;
  readonly text: string;
  /** Seconds for `Retry-After`, which is not sent if absent. */
  readonly retrySeconds?: number;
  /** Links that may lead to the wanted page; absent for none. */
  readonly suggestions?: HtmlValue;
}

/** Returns a page that describes an error. */
export function errorPage(frame: Frame, { status, title, text, suggestions }: ErrorView): Html {
  return layout(frame, {
    title,
    hasOwnSearch: true,
    content: html`<div class="message"><p class="status"><span class="silent">Status </span><span>${status}</span></p>
<h1>${title}</h1>
<p>${text}</p>
${suggestions}
${frame.isSearchable && status === 404 && searchForm('search')}
<p><a href="/">Go to the start page</a></p></div>`,
  });
}

/** Error for a path without a page. */
export const NOT_FOUND: ErrorView = {
  status: 404,
  title: 'Not found',
  text: 'There is nothing at this address.',
};

/** Returns the error for a crate or version that does not exist. */
export function noSuchCrate(name: string, version: string | null): ErrorView {
  return {
    status: 404,
    title: 'Not found',
    text:
      version === null
        ? `There is no crate named “${name}” here.`
        : `The crate “${name}” has no version “${version}” here.`,
  };
}

/** Returns the error for a crate that does not exist, with links to crates whose names are similar, and a hint. */
export function noCrateNamed(
  name: string,
  { similar, hint }: { readonly similar: readonly string[]; readonly hint: HtmlValue },
): ErrorView {
  const links = similar.map((other) => html`<a href="${cratePath(other)}">${other}</a>`);
  return {
    ...noSuchCrate(name, null),
    suggestions: [links.length > 0 && html`<p>Did you mean ${joined(links, ', ')}?</p>`, hint],
  };
}

/** Returns the error for the page of a user who owns no crate or does not exist. */
export function noCratesOf(login: string): ErrorView {
  return { status: 404, title: 'No crates', text: `No crate here belongs to a user named “${login}”.` };
}

/** Returns the error for a team that does not exist, or that a visitor may not see. */
export function noTeamNamed(name: string): ErrorView {
  return { status: 404, title: 'No team', text: `There is no team named “${name}” here.` };
}

/** Error for an admin page that another user requests. */
export const ADMINS_ONLY: ErrorView = {
  status: 403,
  title: 'Not allowed',
  text: 'Only admins of this registry may see this page.',
};

/** Error for a change by a user who was signed out or lost a right meanwhile. */
export const NO_LONGER_ALLOWED: ErrorView = {
  status: 403,
  title: 'No longer allowed',
  text: 'You were signed out or your rights changed while the form was being sent. Nothing was saved.',
};

/** Error for a change of a crate by a user who does not own it. */
export const OWNERS_ONLY: ErrorView = {
  status: 403,
  title: 'Not allowed',
  text: 'Only owners of this crate may change it.',
};

/** Returns the error after too many changes by one user. */
export function tooManyChanges(waitSeconds: number): ErrorView {
  return {
    status: 429,
    title: 'Too many changes',
    text: 'You have changed very much in a short time. Nothing was saved. Try again in a minute.',
    retrySeconds: waitSeconds,
  };
}

/** Error for a form without a valid proof, or from another site. */
export const FORM_REFUSED: ErrorView = {
  status: 403,
  title: 'Form not accepted',
  text: 'The form is too old, or it was not sent from this site. Reload the page and submit the form again.',
};

/** Error for a form that is larger than any of this site. */
export const FORM_TOO_LARGE: ErrorView = {
  status: 413,
  title: 'Form too large',
  text: 'The submitted form is too large.',
};

/** Error for a form that arrives too slowly. */
export const FORM_TOO_SLOW: ErrorView = {
  status: 408,
  title: 'Form too slow',
  text: 'The form did not arrive in time. Reload the page and submit the form again.',
};

/** Error for a body that is not a form. */
export const FORM_UNREADABLE: ErrorView = {
  status: 400,
  title: 'Form not understood',
  text: 'The request is not a form of this site.',
};

/** Error for internal failures. */
export const BROKEN: ErrorView = {
  status: 500,
  title: 'Something went wrong',
  text: 'The registry could not respond. Your change was saved completely or not at all. Try again.',
};

/** Error for a change of a read-only registry. */
export const READ_ONLY: ErrorView = {
  status: 503,
  title: 'Read-only',
  text: 'The registry is read-only here: it is being moved, or has been moved, to another place.',
};

/** Error if too many passwords are being checked. */
export const BUSY: ErrorView = {
  status: 429,
  title: 'Too many sign-ins at once',
  text: 'The registry is checking too many passwords right now. Try again in a few seconds.',
  retrySeconds: 5,
};

/** Error if too many pages of the upstream's crates are requested. */
export const MIRROR_BUSY: ErrorView = {
  status: 503,
  title: 'Too many requests at once',
  text: 'The registry is reading too many files of other registries right now. Try again in a few seconds.',
  retrySeconds: 5,
};

/** Error if too many lists of crates are requested that take long. */
export const LISTS_BUSY: ErrorView = {
  status: 503,
  title: 'Too many searches at once',
  text: 'The registry is answering too many searches with filters right now. Try again in a few seconds.',
  retrySeconds: 5,
};

/** Error if the store does not respond. */
export const AWAY: ErrorView = {
  status: 503,
  title: 'Not available for now',
  text: 'The storage of the registry does not respond. Try again in a few seconds.',
};

/** Error if the disk of the store is full. */
export const FULL: ErrorView = {
  status: 503,
  title: 'No room for changes',
  text: 'The disk of the registry is full. Your change was saved completely or not at all. The operator must free disk space.',
};
