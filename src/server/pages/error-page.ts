/** Pages that say why there is no other. */
import { html, type Html } from './html.ts';
import { layout, type Frame } from './layout.ts';

/** Why a page cannot be shown. */
export interface ErrorView {
  readonly status: 400 | 403 | 404 | 408 | 413 | 429 | 500 | 503;
  readonly title: string;
  readonly text: string;
  /** Seconds for `Retry-After`; none unless given. */
  readonly retrySeconds?: number;
}

/** A page that says what went wrong. */
export function errorPage(frame: Frame, { status, title, text }: ErrorView): Html {
  return layout(frame, {
    title,
    content: html`<h1>${title}</h1>
<p>${text}</p>
<p><a href="/">Go to the start page</a></p>
<p class="quiet small">Status ${status}</p>`,
  });
}

/** Whatever there is no page for. */
export const NOT_FOUND: ErrorView = {
  status: 404,
  title: 'Not found',
  text: 'There is nothing at this address.',
};

/** A crate or version that there is none of. */
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

/** Something of the admins, seen by others. */
export const ADMINS_ONLY: ErrorView = {
  status: 403,
  title: 'Not allowed',
  text: 'Only admins of this registry may see this page.',
};

/** A change of somebody who was signed out or lost a right meanwhile. */
export const NO_LONGER_ALLOWED: ErrorView = {
  status: 403,
  title: 'No longer allowed',
  text: 'You were signed out or your rights changed while the form was being sent. Nothing was saved.',
};

/** A change of a crate that is somebody else's. */
export const OWNERS_ONLY: ErrorView = {
  status: 403,
  title: 'Not allowed',
  text: 'Only owners of this crate may change it.',
};

/** A form that came without its proof, or from another site. */
export const FORM_REFUSED: ErrorView = {
  status: 403,
  title: 'Form not accepted',
  text: 'The form is too old, or it was not sent from this site. Reload the page and submit the form again.',
};

/** A form that is larger than any of this site. */
export const FORM_TOO_LARGE: ErrorView = {
  status: 413,
  title: 'Form too large',
  text: 'The submitted form is too large.',
};

/** A form that arrives too slowly. */
export const FORM_TOO_SLOW: ErrorView = {
  status: 408,
  title: 'Form too slow',
  text: 'The form did not arrive in time. Reload the page and submit the form again.',
};

/** What is no form. */
export const FORM_UNREADABLE: ErrorView = {
  status: 400,
  title: 'Form not understood',
  text: 'The request is not a form of this site.',
};

/** Failures of our own. */
export const BROKEN: ErrorView = {
  status: 500,
  title: 'Something went wrong',
  text: 'The registry could not respond. Your change was saved completely or not at all. Try again.',
};

/** A change of a registry that takes none. */
export const SEALED: ErrorView = {
  status: 503,
  title: 'Read-only',
  text: 'The registry is read-only here: it is being moved, or has been moved, to another place.',
};

/** Too many passwords are being checked. */
export const BUSY: ErrorView = {
  status: 429,
  title: 'Too many sign-ins at once',
  text: 'The registry is checking too many passwords right now. Try again in a few seconds.',
  retrySeconds: 5,
};

/** The store does not answer. */
export const AWAY: ErrorView = {
  status: 503,
  title: 'Not available for now',
  text: 'The storage of the registry does not respond. Try again in a few seconds.',
};

/** The disk of the store is full. */
export const FULL: ErrorView = {
  status: 503,
  title: 'No room for changes',
  text: 'The disk of the registry is full. Your change was saved completely or not at all. The operator must free disk space.',
};
