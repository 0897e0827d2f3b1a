import type { AuditPart, AuditStart } from '../../store/audit-records.ts';
import { AUDIT_ACTIONS } from '../../store/values.ts';
import { adminLayout } from './admin-frame.ts';
import { type AuditForm, type AuditProblem, isDay, MAX_TEXT_CHARS } from './audit-form.ts';
import { auditTable } from './audit-table.ts';
import { ACTION_NAMES } from './audit-words.ts';
import { formatCount, minuteElement } from '../shared/format.ts';
import { field, problemAttributes } from '../shared/form-parts.ts';
import { html, type Html, type HtmlValue } from '../shared/html.ts';
import type { Frame } from '../shared/layout.ts';
import { withQuery } from '../shared/paths.ts';

/** A part of the audit trail, with its filter. */
export interface AuditView {
  readonly form: AuditForm;
  /** null if the form is valid. */
  readonly problem: AuditProblem | null;
  /** Empty if there is a problem. */
  readonly part: AuditPart;
  /** How many entries a search examines. */
  readonly maxExamined: number;
}

const PATH = '/admin/audit';

/** Returns the audit trail, newest entry first. */
export function auditPage(frame: Frame, view: AuditView): Html {
  const { items } = view.part;
  return adminLayout(frame, {
    tab: 'audit',
    title: 'Audit trail',
    content: html`${filterForm(view)}
${items.length > 0 ? auditTable(items) : view.problem === null && html`<p class="quiet">${isFiltered(view.form) ? 'No entry matches.' : 'No entries.'}</p>`}
${stopNote(view)}
${pageLinks(view)}`,
  });
}

function filterForm({ form, problem, maxExamined }: AuditView): Html {
  const text = (name: 'actor' | 'crate', label: string): Html =>
    field(
      label,
      html`<input id="${name}" type="text" name="${name}" value="${form[name]}" maxlength="${MAX_TEXT_CHARS}" autocomplete="off" autocapitalize="none" spellcheck="false">`,
      { id: name },
    );
  const day = (name: 'from' | 'to', label: string): Html => {
    const ownProblem = problem?.field === name ? problem.text : null;
    const attributes = problemAttributes(name, { problem: ownProblem, hasHint: false });
    // Browsers show no other text in a field for a day.
    const value = isDay(form[name]) ? form[name] : '';
    const input = html`<input id="${name}" type="date" name="${name}" value="${value}"${attributes}>`;
    return field(label, input, { id: name, problem: ownProblem });
  };
  return html`<form class="filter" method="get" action="${PATH}">
${text('actor', 'User')}
${text('crate', 'Crate')}
${field('Action', html`<select id="action" name="action"><option value="">Any action</option>${AUDIT_ACTIONS.map((action) => html`<option value="${action}"${action === form.action && html` selected`}>${ACTION_NAMES[action]}</option>`)}</select>`, { id: 'action' })}
${day('from', 'First day')}
${day('to', 'Last day')}
<div class="acts-row"><button class="plain">Show</button>${isFiltered(form) && html` <a class="button plain" href="${PATH}">Clear</a>`}</div>
</form>
<p class="quiet small">Times are in UTC. A search looks through ${formatCount(maxExamined)} entries at a time.</p>`;
}

function isFiltered({ actor, crate, action, from, to }: AuditForm): boolean {
  return [actor, crate, from, to].some((text) => text !== '') || action !== null;
}

/** Returns the note that the search stopped early, so older entries may match too. */
function stopNote({ part: { stoppedAtMs }, maxExamined }: AuditView): HtmlValue {
  return (
    stoppedAtMs !== null &&
    html`<p class="quiet after">The search looked through ${formatCount(maxExamined)} entries, up to ${minuteElement(stoppedAtMs)}. The next page continues there.</p>`
  );
}

function pageLinks({ form, part: { newer, older } }: AuditView): HtmlValue {
  if (newer === null && older === null) return null;
  const link = (start: AuditStart | null, label: string, rel: 'prev' | 'next'): HtmlValue =>
    start !== null &&
    html`<a class="button plain" rel="${rel}" href="${withQuery(PATH, { ...form, [start.direction]: start.id })}">${label}</a>`;
  return html`<nav class="pager" aria-label="Pages">
${link(newer, 'Newer', 'prev')}
${link(older, 'Older', 'next')}
</nav>`;
}
