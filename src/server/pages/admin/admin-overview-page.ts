import type { HealthFailure, StorePart } from '../../http/health-check.ts';
import type { RegistryCounts } from '../../store/crate-records.ts';
import type { UpstreamState } from '../../store/mirror-status.ts';
import type { AuditEntry } from '../../store/values.ts';
import { adminLayout } from './admin-frame.ts';
import { auditTable } from './audit-table.ts';
import { formatCount, formatSize, minuteElement, timeElement } from '../shared/format.ts';
import { html, type Html, type HtmlValue } from '../shared/html.ts';
import type { Frame } from '../shared/layout.ts';

/** `/admin`: the state of a registry. */
export interface OverviewView {
  readonly counts: RegistryCounts;
  /** Bytes of all published `.crate` files. */
  readonly publishedBytes: number;
  /** Bytes cached from the upstream; null without one. */
  readonly cachedBytes: number | null;
  /** Tokens that are neither expired nor revoked. */
  readonly usableTokens: number;
  readonly failedSignIns: FailedSignIns;
  readonly health: OverviewHealth;
  /** Newest first. */
  readonly recent: readonly AuditEntry[];
}

/** Failed attempts to sign in on this server in the last 24 hours. */
export interface FailedSignIns {
  readonly count: number;
  /** False if the server started less than 24 hours ago. */
  readonly isOfWholeDay: boolean;
}

/** Whether a registry and its parts work. */
export interface OverviewHealth {
  /** The parts that do not work now; empty if all do. */
  readonly failing: readonly StorePart[];
  /** null for none since this server started. */
  readonly lastFailure: HealthFailure | null;
  readonly isReadOnly: boolean;
  /** null without an upstream. */
  readonly upstream: UpstreamState | null;
  /** The release of tsreg. */
  readonly version: string;
  /** Driver and version of SQLite; null for PostgreSQL. */
  readonly sqlite: string | null;
  readonly startedAtMs: number;
}

/** Returns the first admin page. */
export function adminOverviewPage(frame: Frame, view: OverviewView): Html {
  const { counts, cachedBytes, failedSignIns, recent } = view;
  return adminLayout(frame, {
    tab: 'overview',
    title: 'Administration',
    content: html`<dl class="totals">
${figure('Crates', formatCount(counts.crates))}
${figure('Versions', formatCount(counts.versions))}
${figure('Published files', formatSize(view.publishedBytes))}
${cachedBytes !== null && figure('Cached from the upstream', formatSize(cachedBytes))}
${figure('Downloads', formatCount(counts.downloads))}
${figure('Users', formatCount(counts.users))}
${figure('Usable tokens', formatCount(view.usableTokens))}
${figure('Failed sign-ins', formatCount(failedSignIns.count), failedSignIns.isOfWholeDay ? 'last 24 hours, this server' : 'since this server started')}
</dl>
<section aria-labelledby="health"><h2 id="health">Health</h2>
${healthList(frame, view.health)}</section>
<section aria-labelledby="recent"><h2 id="recent">Recent activity</h2>
${recent.length === 0 ? html`<p class="quiet">No entries.</p>` : auditTable(recent)}
<p class="after"><a href="/admin/audit">Full audit trail</a></p></section>`,
  });
}

function figure(label: string, value: string, hint: string | null = null): Html {
  return html`<div class="card"><dt>${label}</dt><dd>${value}${hint !== null && html`<span class="hint">${hint}</span>`}</dd></div>`;
}

function healthList(frame: Frame, health: OverviewHealth): Html {
  const { failing, lastFailure, isReadOnly, upstream, version, sqlite, startedAtMs } = health;
  const stateOf = (part: StorePart): Html => (failing.includes(part) ? badge('bad', 'failing') : GOOD);
  return html`<dl class="facts card">
<dt>Database</dt><dd>${stateOf('records')}${isReadOnly && html` ${badge('mark', 'read-only: changes are refused')}`}</dd>
<dt>Crate files</dt><dd>${stateOf('files')}</dd>
${upstream !== null && html`<dt>Upstream</dt><dd>${upstream === 'ok' ? badge('good', 'ok') : badge('mark', upstream)}</dd>`}
<dt>Last failure</dt><dd>${lastFailureText(lastFailure)}</dd>
<dt>Version</dt><dd>tsreg ${version}, ${sqlite === null ? 'PostgreSQL' : `SQLite (${sqlite})`}</dd>
<dt>Started</dt><dd>${timeElement(startedAtMs, frame)}</dd>
</dl>`;
}

function lastFailureText(failure: HealthFailure | null): HtmlValue {
  if (failure === null) return 'none since this server started';
  const part = failure.part === 'records' ? 'database' : 'crate files';
  return html`${minuteElement(failure.atMs)}, ${part}: ${failure.reason}`;
}

function badge(kind: 'good' | 'bad' | 'mark', text: string): Html {
  return html`<span class="badge ${kind}">${text}</span>`;
}

const GOOD = badge('good', 'readable and writable');
