/** The page where one signs in. */
import { field, noteElement, type Note } from './form-parts.ts';
import { html, type Html } from './html.ts';
import { csrfField, layout, type Frame } from './layout.ts';

/** What was given so far. */
export interface SignInView {
  readonly login: string;
  /** Where to go afterwards; a path of this site. */
  readonly returnPath: string;
  readonly note: Note | null;
}

/** The page where one signs in. */
export function signInPage(frame: Frame, { login, returnPath, note }: SignInView): Html {
  // The way back from here is that of the page that led here: else each visit would make it longer.
  return layout(
    { ...frame, path: returnPath },
    {
      title: 'Sign in',
      content: html`<h1>Sign in</h1>
${noteElement(note)}
<form class="stack" method="post" action="/sign-in">
${csrfField(frame)}
<input type="hidden" name="return" value="${returnPath}">
${field('Login', html`<input id="login" type="text" name="login" value="${login}" required maxlength="200" autocomplete="username" autocapitalize="none" spellcheck="false"${login === '' && html` autofocus`}>`, { id: 'login' })}
${field('Password', html`<input id="password" type="password" name="password" required maxlength="1024" autocomplete="current-password"${login !== '' && html` autofocus`}>`, { id: 'password' })}
<div><button>Sign in</button></div>
</form>
<p class="quiet small after">To get an account or a password, ask the administrator of this registry.</p>`,
    },
  );
}
