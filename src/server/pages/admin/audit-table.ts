/** The table of audit entries, on the audit page and on the first admin page. */
import type { AuditAction, AuditEntry } from '../../store/values.ts';
import { minuteElement } from '../shared/format.ts';
import { html, type Html } from '../shared/html.ts';
import { auditSentence, userLink } from './audit-words.ts';

/** Actions whose token is the one that was created or revoked, not the one that was used. */
const TOKEN_ACTIONS: readonly AuditAction[] = ['make-token', 'revoke-token'];

/** Returns the table of entries, in their order. */
export function auditTable(entries: readonly AuditEntry[]): Html {
  return html`<table class="cards"><thead><tr><th scope="col">When</th><th scope="col">Who</th><th scope="col">What</th><th scope="col">Details</th></tr></thead>
<tbody>${entries.map(auditRow)}</tbody></table>`;
}

function auditRow(entry: AuditEntry): Html {
  const { atMs, actor, tokenId, action, detail } = entry;
  const usedToken = TOKEN_ACTIONS.includes(action) ? null : tokenId;
  return html`<tr><td>${minuteElement(atMs)}</td>
<td data-label="Who" class="name">${actor === null ? html`<span class="quiet">command line</span>` : userLink(actor)}${usedToken !== null && html` <span class="quiet small">token ${usedToken}</span>`}</td>
<td data-label="What" class="name">${auditSentence(entry)}</td>
<td data-label="Details" class="name quiet small">${detail}</td></tr>
`;
}
