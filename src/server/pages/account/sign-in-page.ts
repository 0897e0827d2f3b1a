import { MAX_PASSWORD_CHARS } from '../../auth/passwords.ts';
import { field, noteElement, type Note } from '../shared/form-parts.ts';
import { html, type Html } from '../shared/html.ts';
import { csrfField, layout, type Frame } from '../shared/layout.ts';

/** The data of the sign-in page. */
export interface SignInView {
  /** The login in the form; empty before it is sent. */
  readonly login: string;
  /** A path of this site to go to after signing in. */
  readonly returnPath: string;
  readonly note: Note | null;
}

/** Returns the sign-in page. */
export function signInPage(frame: Frame, { login, returnPath, note }: SignInView): Html {
  // Signing in returns to the page that led here. Otherwise each visit would make the path longer.
  return layout(
    { ...frame, path: returnPath },
    {
      title: 'Sign in',
      content: html`<div class="narrow-page card"><h1>Sign in</h1>
${noteElement(note)}
<form class="stack" method="post" action="/sign-in">
${csrfField(frame)}
<input type="hidden" name="return" value="${returnPath}">
${field('Login', html`<input id="login" type="text" name="login" value="${login}" required maxlength="200" autocomplete="username" autocapitalize="none" spellcheck="false"${login === '' && html` autofocus`}>`, { id: 'login' })}
${field('Password', html`<input id="password" type="password" name="password" required maxlength="${MAX_PASSWORD_CHARS}" autocomplete="current-password"${login !== '' && html` autofocus`}>`, { id: 'password' })}
<div><button>Sign in</button></div>
</form>
<p class="quiet small after">To get an account or a password, ask the administrator of this registry.</p></div>`,
    },
  );
}
