/** Admin pages of crates: their list, and permanent deletion. */
import type { Crate, Dependent, Page } from '../../store/values.ts';
import { adminLayout } from './admin-frame.ts';
import { countOf, formatCount, minuteElement } from '../shared/format.ts';
import { checkbox, field, noteElement, type Note } from '../shared/form-parts.ts';
import { html, joined, type Html } from '../shared/html.ts';
import { csrfField, MAX_QUERY_CHARS, pager, type Frame } from '../shared/layout.ts';
import { cratePath, deletionPath, withQuery } from '../shared/paths.ts';

/** The crates that an admin searched for. */
export interface AdminCratesView {
  readonly query: string;
  readonly crates: Page<Crate>;
  readonly page: number;
  readonly pages: number;
  readonly note: Note | null;
}

/** Returns the list of crates for admins. */
export function adminCratesPage(frame: Frame, view: AdminCratesView): Html {
  const path = '/admin/crates';
  return adminLayout(frame, {
    tab: 'crates',
    title: 'Crates',
    content: html`${noteElement(view.note)}
<form class="find narrow" role="search" action="${path}" method="get">
<label class="silent" for="search">Search crates</label>
<input id="search" type="search" name="q" value="${view.query}" placeholder="Search crates" maxlength="${MAX_QUERY_CHARS}" autocomplete="off" spellcheck="false" autocapitalize="none">
<button class="plain">Search</button>
</form>
<p>${countOf(view.crates.total, 'crate', 'crates')}. To delete a single version, open the version list of its crate.</p>
<table class="cards"><thead><tr><th scope="col">Crate</th><th scope="col" class="number">Downloads</th><th scope="col">Updated</th><th scope="col"><span class="silent">Actions</span></th></tr></thead>
<tbody>${view.crates.items.map(
      (
        crate,
      ) => html`<tr><td class="name"><a href="${cratePath(crate.name)}">${crate.name}</a> <span class="quiet">${crate.maxVersion}</span></td>
<td class="number" data-label="Downloads">${formatCount(crate.downloads)}</td>
<td data-label="Updated">${minuteElement(crate.updatedAtMs)}</td>
<td class="acts"><span class="acts-row"><a href="${`${cratePath(crate.name)}/versions`}">Versions<span class="silent"> of ${crate.name}</span></a> <a href="${deletionPath(crate.name)}">Delete…<span class="silent"> ${crate.name}</span></a></span></td></tr>
`,
    )}</tbody></table>
${pager(view.page, view.pages, (page) => withQuery(path, { q: view.query, page }))}`,
  });
}

/** A crate or version to delete. */
export interface DeletionTarget {
  readonly crate: Crate;
  /** null for the whole crate. */
  readonly version: string | null;
}

/** The fields of the form that confirms a deletion, and its problem. */
export interface DeletionForm {
  readonly reason: string;
  /** Whether the deleted versions may be published again. */
  readonly mayReuseVersions: boolean;
  /** null before the form is sent. */
  readonly note: Note | null;
}

/** A deletion to confirm, and its effects. */
export interface DeletionView extends DeletionTarget, DeletionForm {
  /** How many versions the crate has. */
  readonly versionCount: number;
  /** The first dependents of the crate. */
  readonly dependents: Page<Dependent>;
}

/** Maximum length of the reason for a deletion. */
export const MAX_REASON_CHARS = 500;

/** Returns the text that an admin must type to confirm a deletion: `NAME` or `NAME@VERSION`. */
export function confirmationOf({ crate, version }: DeletionTarget): string {
  return version === null ? crate.name : `${crate.name}@${version}`;
}

/** Returns the page that asks to confirm a deletion by typing the name. */
export function deletionPage(frame: Frame, view: DeletionView): Html {
  const { crate, version, dependents } = view;
  const confirmation = confirmationOf(view);
  return adminLayout(frame, {
    tab: 'crates',
    title: `Delete ${confirmation}`,
    content: html`${noteElement(view.note)}
<div class="note bad"><p><strong>This cannot be undone.</strong> ${version === null ? `This deletes the crate ${crate.name} with ${countOf(view.versionCount, 'version', 'versions')} and its list of owners.` : `This deletes version ${version} of ${crate.name}. Projects that have it in Cargo.lock can no longer download it.`} To only keep new projects from using a version, yank it instead.</p></div>
${
  dependents.total > 0 &&
  html`<p>${countOf(dependents.total, 'crate of this registry depends', 'crates of this registry depend')} on ${crate.name}: ${joined(
    dependents.items.map((dependent) => crateLink(dependent.crate)),
    ', ',
  )}${dependents.total > dependents.items.length && ', …'}</p>`
}
<form class="stack" method="post" action="${deletionPath(crate.name, version ?? undefined)}">
${csrfField(frame)}
${field('Reason', html`<input id="reason" type="text" name="reason" value="${view.reason}" maxlength="${MAX_REASON_CHARS}" autocomplete="off" aria-describedby="reason-hint">`, { id: 'reason', hint: 'Stored in the audit trail.' })}
${checkbox(version === null ? 'The same versions may be published again' : 'The same version may be published again', { name: 'reuse', isChecked: view.mayReuseVersions })}
${field(html`Type <code>${confirmation}</code> to confirm`, html`<input id="confirm" type="text" name="confirm" required autocomplete="off" autocapitalize="none" spellcheck="false">`, { id: 'confirm' })}
<div class="acts-row"><button class="danger">Delete permanently</button> <a class="button plain" href="${cratePath(crate.name)}">Cancel</a></div>
</form>`,
  });
}

function crateLink(name: string): Html {
  return html`<a href="${cratePath(name)}">${name}</a>`;
}
