/** The admin page of trusted publishers. */
import { MAX_LOGIN_CHARS } from '../../auth/logins.ts';
import type { Publisher } from '../../store/values.ts';
import { describeClaims } from '../../trusted/publishers.ts';
import { adminLayout } from './admin-frame.ts';
import { countOf, timeElement } from '../shared/format.ts';
import { field, noteElement, type Note } from '../shared/form-parts.ts';
import { html, joined, type Html, type HtmlValue } from '../shared/html.ts';
import { csrfField, pager, type Frame } from '../shared/layout.ts';
import type { ListPart } from '../shared/paging.ts';
import { userPath, withQuery } from '../shared/paths.ts';

/** The submitted fields for a new publisher, unchecked, so that they can be shown again. */
export interface PublisherForm {
  readonly issuer: string;
  /** `KEY=VALUE`, one per line. */
  readonly claims: string;
  readonly patterns: string;
  readonly login: string;
}

/** A part of the publishers, and the form for a new one. */
export interface PublishersView {
  readonly publishers: ListPart<Publisher>;
  readonly form: PublisherForm;
  readonly note: Note | null;
  /** The required audience of the JWTs. */
  readonly audience: string;
}

/** Returns the page of trusted publishers. */
export function publishersPage(frame: Frame, view: PublishersView): Html {
  const { list, page, pages } = view.publishers;
  return adminLayout(frame, {
    tab: 'publishers',
    title: 'Trusted publishing',
    content: html`${noteElement(view.note)}
<p>Trusted publishing lets a CI job publish with the identity that its CI system gives it, without a stored token.</p>
<p>${countOf(list.total, 'publisher', 'publishers')}. <a href="#new-publisher">Add one</a></p>
${list.total > 0 && publisherTable(frame, list.items)}
${pager(page, pages, (other) => withQuery('/admin/publishers', { page: other }))}
<section aria-labelledby="new-publisher"><h2 id="new-publisher">New publisher</h2>
${publisherForm(frame, view)}</section>`,
  });
}

function publisherTable(frame: Frame, publishers: readonly Publisher[]): Html {
  return html`<table class="cards"><thead><tr><th scope="col">Issuer</th><th scope="col">Claims</th><th scope="col">Crates</th><th scope="col">User</th><th scope="col"><span class="silent">Actions</span></th></tr></thead>
<tbody>${publishers.map((publisher) => publisherRow(frame, publisher))}</tbody></table>`;
}

function publisherRow(frame: Frame, publisher: Publisher): Html {
  const { id, issuer, claims, cratePatterns, user, createdAtMs } = publisher;
  const codeLines = (texts: readonly string[]): HtmlValue =>
    joined(
      texts.map((text) => html`<code>${text}</code>`),
      html`<br>`,
    );
  return html`<tr><td class="name">${issuer}<br><span class="quiet small">number ${id}, added ${timeElement(createdAtMs, frame)}</span></td>
<td class="name" data-label="Claims">${codeLines(claims.map((claim) => describeClaims([claim])))}</td>
<td class="name" data-label="Crates">${codeLines(cratePatterns)}</td>
<td data-label="User"><a href="${userPath(user.login)}">${user.login}</a></td>
<td class="acts"><form class="inline" method="post" action="/admin/publishers/${id}/remove">${csrfField(frame)}<button class="danger slim">Remove<span class="silent"> publisher ${id}</span></button></form></td></tr>
`;
}

function publisherForm(frame: Frame, { form, audience }: PublishersView): Html {
  return html`<form class="stack" method="post" action="/admin/publishers">
${csrfField(frame)}
${field('Issuer', html`<input id="issuer" type="url" name="issuer" value="${form.issuer}" required maxlength="500" autocomplete="off" aria-describedby="issuer-hint">`, { id: 'issuer', hint: html`The issuer URL of the CI system. Jobs must request a JWT with the audience <code>${audience}</code>.` })}
${field('Claims', html`<textarea id="claims" name="claims" rows="3" required maxlength="10000" autocomplete="off" autocapitalize="none" spellcheck="false" aria-describedby="claims-hint">${form.claims}</textarea>`, { id: 'claims', hint: html`Claims that the JWT of a job must contain: <code>KEY=VALUE</code>, one per line. A value may end with <code>*</code>.` })}
${field('Crates', html`<input id="patterns" type="text" name="patterns" value="${form.patterns}" required maxlength="2000" autocomplete="off" autocapitalize="none" spellcheck="false" aria-describedby="patterns-hint">`, { id: 'patterns', hint: html`Crate names, or patterns such as <code>my-*</code>, separated by spaces.` })}
${field('User', html`<input id="login" type="text" name="login" value="${form.login}" maxlength="${MAX_LOGIN_CHARS}" autocomplete="off" autocapitalize="none" spellcheck="false" aria-describedby="login-hint">`, { id: 'login', hint: 'The user that publishes. Leave empty for the first owner of the crate.' })}
<div><button>Add publisher</button></div>
</form>`;
}
