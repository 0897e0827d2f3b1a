/** The versions of a crate on its settings page, which can be yanked. */
import { MAX_YANK_REASON_CHARS } from '../../store/publish-records.ts';
import type { Version } from '../../store/values.ts';
import type { CrateView } from '../shared/crate-frame.ts';
import { timeElement } from '../shared/format.ts';
import { field } from '../shared/form-parts.ts';
import { html, type Html, type HtmlValue } from '../shared/html.ts';
import { csrfField, pager, type Frame } from '../shared/layout.ts';
import type { ListPart } from '../shared/paging.ts';
import { cratePath, settingsPath, withQuery } from '../shared/paths.ts';
import { documentationHint, documentationRow } from './settings-documentation.ts';

/** The versions on the page. */
export interface VersionSettingsView {
  readonly versions: ListPart<Version>;
  /** The URL of the registry, without a trailing slash. */
  readonly baseUrl: string;
  readonly acceptsDocumentation: boolean;
  /** The form that was refused because its reason was too long; null for none. */
  readonly refusedYank: RefusedYank | null;
}

/** The fields of a refused form, to show again. */
export interface RefusedYank {
  readonly version: string;
  readonly reason: string;
}

/** Returns the versions, highest first, with forms that yank and unyank one. */
export function versionSettings(
  frame: Frame,
  { crate, documentation }: CrateView,
  view: VersionSettingsView,
): Html {
  const { list, page, pages } = view.versions;
  const path = settingsPath(crate.name);
  return html`<section aria-labelledby="versions"><h3 id="versions">Versions</h3>
<p>A yanked version is no longer selected by new projects. Projects that have it in Cargo.lock can still download it.</p>
<ul class="rows card">${list.items.map((version) => html`<li><span class="name"><a href="${cratePath(crate.name, version.version)}">${version.version}</a>${version.isYanked && html` <span class="badge bad">yanked</span>`} <span class="quiet small">${timeElement(version.publishedAtMs, frame)}</span>${version.yankReason !== null && html`<br><span class="quiet small">${version.yankReason}</span>`}</span>${version.isYanked ? unyankForm(frame, version, { page }) : yankForm(frame, version, view)}${documentationRow(frame, documentation, { version: version.version, page })}</li>`)}</ul>
${pager(page, pages, (other) => `${withQuery(path, { page: other })}#versions`)}</section>
${view.acceptsDocumentation && documentationHint(crate, view)}`;
}

function unyankForm(frame: Frame, { crate, version }: Version, { page }: { readonly page: number }): Html {
  return html`<form class="inline" method="post" action="${withQuery(`${settingsPath(crate)}/unyank`, { page })}">${versionFields(frame, version)}<button class="plain slim">Unyank<span class="silent"> ${version}</span></button></form>`;
}

function yankForm(
  frame: Frame,
  { id, crate, version }: Version,
  { refusedYank, versions }: VersionSettingsView,
): Html {
  const refused = refusedYank?.version === version ? refusedYank : null;
  const fieldId = `reason-${id}`;
  return html`<details class="act"${refused !== null && html` open`}><summary>Yank…<span class="silent"> ${version}</span></summary>
<form class="confirm" method="post" action="${withQuery(`${settingsPath(crate)}/yank`, { page: versions.page })}">
${versionFields(frame, version)}
${field('Reason (optional)', html`<input id="${fieldId}" type="text" name="reason" value="${refused?.reason}" maxlength="${MAX_YANK_REASON_CHARS}" autocomplete="off" aria-describedby="${fieldId}-hint">`, { id: fieldId, hint: 'Everyone can read it on the pages of this version.' })}
<button class="danger slim">Yank ${version}</button>
</form></details>`;
}

function versionFields(frame: Frame, version: string): HtmlValue {
  return [csrfField(frame), html`<input type="hidden" name="version" value="${version}">`];
}
