/** The section of the admin settings about badges in readmes. */
import { DEFAULT_BADGE_HOSTS, MAX_BADGE_HOSTS } from '../../shared/badge-hosts.ts';
import { type BadgeForm, MAX_HOSTS_CHARS, parseBadgeHosts } from '../services/badge-settings.ts';
import { codes } from '../shared/format.ts';
import { checkbox, field, problemAttributes } from '../shared/form-parts.ts';
import { html, type Html } from '../shared/html.ts';
import { csrfField, type Frame } from '../shared/layout.ts';

/** The path of the form. */
export const BADGES_PATH = '/admin/settings/badges';

/** The setting, as stored or as the user typed it. */
export interface BadgeSectionView {
  readonly form: BadgeForm;
  /** The sites according to flags, which take precedence; null if flags say nothing. */
  readonly flagHosts: readonly string[] | null;
}

/** Returns the section with the form; with the sites of the flags if these take precedence. */
export function badgeSection(frame: Frame, { form, flagHosts }: BadgeSectionView): Html {
  return html`<section aria-labelledby="badges"><h2 id="badges">Badges in readmes</h2>
<p>In readmes, an image of another site is a link. This server can fetch badges of some sites and show them as images. These sites learn nothing about readers.</p>
${flagHosts === null ? badgeForm(frame, form) : flagText(flagHosts)}</section>`;
}

function flagText(hosts: readonly string[]): Html {
  return hosts.length === 0
    ? html`<p>The flag <code>--offline</code> of this server turns badges off.</p>`
    : html`<p>The flags of this server set this. It shows badges of ${codes(hosts)}.</p>`;
}

function badgeForm(frame: Frame, { isOn, hosts }: BadgeForm): Html {
  const problem =
    parseBadgeHosts(hosts) === null
      ? `Use names such as img.shields.io, at most ${MAX_BADGE_HOSTS}, without https:// and paths.`
      : null;
  return html`<form class="stack" method="post" action="${BADGES_PATH}">
${csrfField(frame)}
${checkbox('Show badges', { name: 'on', isChecked: isOn })}
${field(
  'Sites',
  // Browsers drop the first line break of a `textarea` (HTML Standard). Without this one, it could be part of the text.
  html`<textarea id="badge-hosts" class="mono" name="hosts" rows="5" maxlength="${MAX_HOSTS_CHARS}" autocomplete="off" autocapitalize="none" spellcheck="false"${problemAttributes('badge-hosts', { problem, hasHint: true })}>
${hosts}</textarea>`,
  {
    id: 'badge-hosts',
    problem,
    hint: html`One per line. Leave it empty for ${codes(DEFAULT_BADGE_HOSTS)}.`,
  },
)}
<div><button>Save badges</button></div>
</form>`;
}
