import type { CacheCounts, MirrorStatus, UpstreamFailure } from '../../store/mirror-status.ts';
import type { MirrorCounts } from '../../store/upstream-records.ts';
import { adminLayout } from './admin-frame.ts';
import { ruleSection, type RuleSectionView } from './mirror-rule-section.ts';
import { mirrorRules } from './mirror-rules.ts';
import { reservedNameSection, type ReservedSectionView } from './reserved-name-section.ts';
import { countOf, formatCount, formatSize, minuteElement, timeElement } from '../shared/format.ts';
import { noteElement, type Note } from '../shared/form-parts.ts';
import { html, type Html, type HtmlValue } from '../shared/html.ts';
import { emptyState, type Frame } from '../shared/layout.ts';
import { type AffectedMirroredCrate, mirroredAdvisories } from '../mirrored/mirrored-advisories.ts';
import type { ListPart } from '../shared/paging.ts';

/** The state of the upstream and its cache. */
export interface AdminMirrorView {
  /** The status that this server knows, with its counts since its start. */
  readonly status: MirrorStatus;
  /** The cached files of all servers and upstreams. */
  readonly files: MirrorCounts;
  /** Bytes of `files`. */
  readonly cachedBytes: number;
  readonly blocked: RuleSectionView;
  readonly allowed: RuleSectionView;
  readonly reserved: ReservedSectionView;
  /** null without an advisory database. */
  readonly affected: AffectedMirrored | null;
  readonly note: Note | null;
}

/** A part of the cached crates with advisories, and the number of all known advisories. */
interface AffectedMirrored {
  readonly part: ListPart<AffectedMirroredCrate>;
  readonly advisoryCount: number;
}

/** Returns the admin page of a registry without an upstream. */
export function noMirrorPage(frame: Frame): Html {
  return adminLayout(frame, {
    tab: 'mirror',
    title: 'Mirror',
    content: emptyState(
      'library',
      'No upstream',
      html`With <code>tsreg serve --upstream crates-io</code>, this registry also serves and caches the crates of crates.io.`,
    ),
  });
}

/** Returns the admin page of the upstream. */
export function adminMirrorPage(frame: Frame, view: AdminMirrorView): Html {
  const { status, files, cachedBytes, blocked, allowed, reserved, affected, note } = view;
  const { quotaBytes, indexFiles, archives } = status;
  return adminLayout(frame, {
    tab: 'mirror',
    title: 'Mirror',
    content: html`${noteElement(note)}
<dl class="totals">
${figure('Cache', formatSize(cachedBytes), quotaBytes === null ? 'no limit' : html`of ${formatSize(quotaBytes)}`)}
${figure('Index files', formatCount(files.indexFiles), 'cached')}
${figure('Crate files', formatCount(files.archives), 'cached')}
${figure('From the cache', shareOf(indexFiles, archives), 'since this server started')}
${figure('Failed requests', formatCount(status.failures), 'since this server started')}
</dl>
<section aria-labelledby="upstream"><h2 id="upstream">Upstream</h2>${upstreamFacts(frame, status)}</section>
<section aria-labelledby="rules"><h2 id="rules">Rules</h2>
<p class="quiet">You can block and allow crates below. To change the other rules, restart the server with other flags.</p>
${mirrorRules(status, { blocked: blocked.rules.list.total, allowed: allowed.rules.list.total })}</section>
${ruleSection(frame, 'block', blocked)}
${ruleSection(frame, 'allow', allowed)}
${reservedNameSection(frame, reserved)}
<section aria-labelledby="use"><h2 id="use">Use of the cache</h2>
<p class="quiet">This server has counted since ${minuteElement(status.startedAtMs)}, when it started.</p>
<table class="cards"><thead><tr><th scope="col">Files</th><th scope="col" class="number">Found in the cache</th><th scope="col" class="number">Requested from the upstream</th></tr></thead>
<tbody>${countsRow('Index files', indexFiles)}${countsRow('Crate files', archives)}</tbody></table></section>
${affected !== null && mirroredAdvisories(affected.part, affected)}`,
  });
}

function figure(label: string, value: string, hint: HtmlValue): Html {
  return html`<div class="card"><dt>${label}</dt><dd>${value}<span class="hint">${hint}</span></dd></div>`;
}

/** Returns the share of the requested files that was in the cache. */
function shareOf(...counts: readonly CacheCounts[]): string {
  const hits = counts.reduce((total, count) => total + count.hits, 0);
  const all = counts.reduce((total, count) => total + count.misses, hits);
  return all === 0 ? 'none yet' : `${Math.floor((hits / all) * 100)}%`;
}

function countsRow(label: string, { hits, misses }: CacheCounts): Html {
  return html`<tr><td class="name">${label}</td><td class="number" data-label="Found in the cache">${formatCount(hits)}</td><td class="number" data-label="Requested from the upstream">${formatCount(misses)}</td></tr>`;
}

const STATES: Readonly<Record<MirrorStatus['state'], readonly [kind: string, text: string]>> = {
  ok: ['good', 'reachable'],
  away: ['bad', 'away: cached files are served'],
  offline: ['mark', 'offline: the upstream is never asked'],
};

function upstreamFacts(frame: Frame, status: MirrorStatus): Html {
  const { index, refreshMs, requests, refusedFiles, lastResponseAtMs, lastFailure } = status;
  const [kind, text] = STATES[status.state];
  return html`<dl class="facts card">
<dt>Address</dt><dd><code>sparse+${index}</code></dd>
<dt>State</dt><dd><span class="badge ${kind}">${text}</span></dd>
<dt>Refresh</dt><dd>${refreshMs === 0 ? 'at each request' : `after ${countOf(refreshMs / 1000, 'second', 'seconds')}`}</dd>
<dt>Requests</dt><dd>${formatCount(requests)}</dd>
<dt>Last response</dt><dd>${lastResponseAtMs === null ? NONE_YET : timeElement(lastResponseAtMs, frame)}</dd>
<dt>Last failure</dt><dd>${failureText(lastFailure)}</dd>
<dt>Refused files</dt><dd>${refusedFiles === 0 ? 'none' : `${formatCount(refusedFiles)} with wrong content: see the log`}</dd>
</dl>`;
}

const NONE_YET = 'none since this server started';

function failureText(failure: UpstreamFailure | null): HtmlValue {
  return failure === null ? NONE_YET : html`${minuteElement(failure.atMs)}: ${failure.reason}`;
}
