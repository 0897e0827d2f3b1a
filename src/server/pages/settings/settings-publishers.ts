/** Who can publish a crate, on its settings page: tokens, and trusted publishers. */
import type { Publisher } from '../../store/values.ts';
import { describeClaims, isOnlyFor } from '../../trusted/publishers.ts';
import type { KnownIssuer } from '../../trusted/crate-publishers.ts';
import type { CrateView } from '../shared/crate-frame.ts';
import { timeElement } from '../shared/format.ts';
import { field } from '../shared/form-parts.ts';
import { html, type Html, type HtmlValue } from '../shared/html.ts';
import { csrfField, type Frame } from '../shared/layout.ts';
import { profilePath, settingsPath, trustedOnlyPath } from '../shared/paths.ts';

/** The submitted fields for a new publisher, unchecked, so that they can be shown again. */
export interface CratePublisherForm {
  readonly issuer: string;
  /** `KEY=VALUE`, one per line. */
  readonly claims: string;
}

/** The publishers on the page. */
export interface PublisherSettingsView {
  /** The publishers of the crate, also those of several crates, which only admins can change. */
  readonly publishers: readonly Publisher[];
  /** The CI systems to choose from. */
  readonly issuers: readonly KnownIssuer[];
  readonly form: CratePublisherForm;
  /** The required audience of the JWTs. */
  readonly audience: string;
}

/** Returns who can publish, with forms that change it. */
export function publisherSettings(frame: Frame, view: CrateView, settings: PublisherSettingsView): Html {
  const { crate, owners } = view;
  const { publishers } = settings;
  return html`<section aria-labelledby="publishing"><h3 id="publishing">Publishing</h3>
${tokenSetting(frame, view)}
<h4 id="publishers">Trusted publishers</h4>
<p>A trusted publisher is a job of a CI system that publishes this crate without a stored token.</p>
${publishers.length > 0 && html`<ul class="rows card">${publishers.map((publisher) => html`<li>${describePublisher(frame, { publisher, crate: crate.name, owners })}${isOnlyFor(publisher, crate.name) ? removal(frame, { publisher, crate: crate.name }) : html`<span class="quiet small">managed by admins</span>`}</li>`)}</ul>`}
<details class="new-publisher"${settings.form.claims !== '' && html` open`}><summary>Add a trusted publisher</summary>
${publisherForm(frame, crate.name, settings)}</details></section>`;
}

/** Returns who can publish today, with a form that changes it. */
function tokenSetting(frame: Frame, { crate }: CrateView): Html {
  const [current, submitted, label] = crate.isTrustedOnly
    ? ['Only trusted publishers can publish new versions.', 'no', 'Allow publishing with tokens']
    : ['Owners can publish with their tokens.', 'yes', 'Require trusted publishing'];
  return html`<div class="setting"><p>${current}</p>
<form class="inline" method="post" action="${trustedOnlyPath(crate.name)}">${csrfField(frame)}<input type="hidden" name="only" value="${submitted}"><button class="plain slim">${label}</button></form></div>`;
}

/** A publisher on the page of a crate. */
interface ListedPublisher {
  readonly publisher: Publisher;
  readonly crate: string;
}

function describePublisher(
  frame: Frame,
  { publisher, crate, owners }: ListedPublisher & Pick<CrateView, 'owners'>,
): HtmlValue {
  const { issuer, claims, user, createdAtMs } = publisher;
  const canPublish = user.isAdmin || owners.some(({ id }) => id === user.id);
  return html`<span class="name">${issuer}
<br>${claims.map((claim) => html`<code>${describeClaims([claim])}</code><br>`)}<span class="quiet small">publishes${!isOnlyFor(publisher, crate) && ' this and other crates'} as <a href="${profilePath(user.login)}">${user.login}</a>, added ${timeElement(createdAtMs, frame)}</span>${!canPublish && html`<br><span class="problem">cannot publish: ${user.login} is not an owner</span>`}</span>`;
}

function removal(frame: Frame, { publisher, crate }: ListedPublisher): Html {
  const { id } = publisher;
  return html`<form class="inline" method="post" action="${settingsPath(crate)}/publishers/${id}/remove">${csrfField(frame)}<button class="danger slim">Remove<span class="silent"> publisher ${id}</span></button></form>`;
}

function publisherForm(frame: Frame, crate: string, settings: PublisherSettingsView): Html {
  const { issuers, form, audience } = settings;
  return html`<form class="stack" method="post" action="${settingsPath(crate)}/publishers">
${csrfField(frame)}
${field('CI system', html`<select id="issuer" name="issuer" aria-describedby="issuer-hint">${issuers.map(({ url, name }) => html`<option value="${url}"${url === form.issuer && html` selected`}>${name ?? url}</option>`)}</select>`, { id: 'issuer', hint: html`Jobs must request a JWT with the audience <code>${audience}</code>. An admin can add other CI systems.` })}
${field('Claims', html`<textarea id="claims" name="claims" rows="3" required maxlength="10000" autocomplete="off" autocapitalize="none" spellcheck="false" aria-describedby="claims-hint">${form.claims}</textarea>`, { id: 'claims', hint: html`Claims that the JWT of a job must contain: <code>KEY=VALUE</code>, one per line. On GitHub, for example <code>repository_id=123456</code> and <code>workflow_ref=acme/mug/.github/workflows/release.yml@*</code>. A value may end with <code>*</code>. Use IDs, not names: after a rename, somebody else can take the old name.` })}
<div><button>Add publisher</button></div>
</form>`;
}
