/** Advisories on the pages of crates. */
import type { Advisory, AdvisoryKind } from '../../store/advisories.ts';
import { countOf } from './format.ts';
import { html, joined, type Html, type HtmlValue } from './html.ts';
import { webAddress } from './web-link.ts';

/** Further advisories are only counted. */
const MAX_SHOWN = 20;

/** The class and the text of the badge of each kind. */
const BADGES: Readonly<Record<AdvisoryKind, readonly [badge: 'bad' | 'mark', text: string]>> = {
  vulnerability: ['bad', 'vulnerable'],
  unsound: ['mark', 'unsound'],
  unmaintained: ['mark', 'unmaintained'],
  notice: ['mark', 'notice'],
};

/** Returns the note on the page of a version with these advisories; nothing if there are none. */
export function advisoryNote(advisories: readonly Advisory[]): HtmlValue {
  if (advisories.length === 0) return null;
  const isVulnerable = advisories.some(({ kind }) => kind === 'vulnerability');
  return html`<section class="note ${isVulnerable ? 'bad' : 'mark'} advisories" aria-label="Advisories">
<h2>${titleOf(advisories)}</h2>
<ul>${advisories.slice(0, MAX_SHOWN).map(advisoryItem)}</ul>
${advisories.length > MAX_SHOWN && html`<p>and ${countOf(advisories.length - MAX_SHOWN, 'more', 'more')}</p>`}
</section>`;
}

/** Returns badges for a row in a list of versions: one for each kind of the advisories. */
export function advisoryBadges(advisories: readonly Advisory[]): HtmlValue {
  const kinds = [...new Set(advisories.map(({ kind }) => kind))];
  return kinds.map((kind) => {
    const [badge, text] = BADGES[kind];
    return html` <span class="badge ${badge}">${text}</span>`;
  });
}

/** Returns the ID of an advisory, as a link if its URL is safe. */
function advisoryLink({ id, url }: Advisory): Html {
  const address = webAddress(url);
  return address === null
    ? html`${id}`
    : html`<a href="${address}" rel="nofollow noopener noreferrer">${id}</a>`;
}

/** Returns the IDs of advisories, separated by commas. */
export function advisoryLinks(advisories: readonly Advisory[]): HtmlValue {
  return joined(advisories.map(advisoryLink), ', ');
}

function titleOf(advisories: readonly Advisory[]): string {
  const vulnerabilities = advisories.filter(({ kind }) => kind === 'vulnerability').length;
  if (vulnerabilities === 0)
    return `This version has ${countOf(advisories.length, 'advisory', 'advisories')}`;
  return `This version has ${countOf(vulnerabilities, 'known vulnerability', 'known vulnerabilities')}`;
}

function advisoryItem(advisory: Advisory): Html {
  const { title, kind, severity } = advisory;
  const word = severity === null ? kind : `${severity} severity`;
  return html`<li><p>${withCode(title)}</p>
<p class="small">${advisoryLink(advisory)} · ${word}${solutionOf(advisory)}</p></li>`;
}

/** Returns a title in which the words between backticks are code. */
function withCode(title: string): HtmlValue {
  // The parts at odd positions are those of the group.
  return title.split(/`([^`]+)`/).map((part, index) => (index % 2 === 0 ? part : html`<code>${part}</code>`));
}

/** Returns the requirements of versions that solve an advisory. */
function solutionOf({ kind, patched }: Advisory): HtmlValue {
  if (patched.length === 0) return kind === 'vulnerability' && ' · no version solves it';
  return html` · solved in ${joined(
    patched.map((req) => html`<code>${req}</code>`),
    ' or ',
  )}`;
}
