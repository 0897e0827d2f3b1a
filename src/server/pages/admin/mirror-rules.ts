/** The rules for versions of the upstream, with their refusals, for admins. */
import type { GateCounts, GateSettings, MirrorStatus } from '../../store/mirror-status.ts';
import { codes, countOf, formatCount } from '../shared/format.ts';
import { html, type Html, type HtmlValue } from '../shared/html.ts';

/** The number of rules about single crates and versions, of flags and of admins. */
interface RuleCounts {
  readonly blocked: number;
  readonly allowed: number;
}

/** Returns the rules, each with the number of downloads that it refused since this server started. */
export function mirrorRules(
  { gates, gatedDownloads }: Pick<MirrorStatus, 'gates' | 'gatedDownloads'>,
  counts: RuleCounts,
): Html {
  return html`<table class="cards"><thead><tr><th scope="col">Rule</th><th scope="col">Setting</th><th scope="col" class="number">Refused downloads</th></tr></thead>
<tbody>${ROWS.map((row) => {
    const { label, kind } = row;
    const refused = kind === null ? '' : formatCount(gatedDownloads[kind]);
    return html`<tr><td class="name">${label}</td><td data-label="Setting">${row.settingOf(gates, counts) ?? html`<span class="quiet">none</span>`}</td><td class="number" data-label="Refused downloads">${refused}</td></tr>
`;
  })}</tbody></table>`;
}

/** A row of the table. */
interface RuleRow {
  readonly label: string;
  /** The kind of refusals to count; null for rules that refuse nothing. */
  readonly kind: keyof GateCounts | null;
  /** Returns the setting; null if the rule is not in use. */
  settingOf(gates: GateSettings, counts: RuleCounts): HtmlValue;
}

const ROWS: readonly RuleRow[] = [
  {
    label: 'Minimum age',
    kind: 'too-young',
    settingOf: ({ minAgeMs }) => (minAgeMs === null ? null : ageText(minAgeMs)),
  },
  { label: 'Blocked', kind: 'blocked', settingOf: (_, { blocked }) => linkTo('blocked', blocked) },
  {
    label: 'Licenses',
    kind: 'license',
    settingOf: ({ allowedLicenses, deniedLicenses }) => licenseText(allowedLicenses, deniedLicenses),
  },
  {
    label: 'Vulnerabilities',
    kind: 'advisory',
    settingOf: ({ blocksAdvisories }) => (blocksAdvisories ? 'vulnerable versions are refused' : null),
  },
  { label: 'Allowed', kind: null, settingOf: (_, { allowed }) => linkTo('allowed', allowed) },
];

/** Returns the link to a section of the page with so many rules; null for none. */
function linkTo(section: keyof RuleCounts, count: number): HtmlValue {
  return count === 0 ? null : html`<a href="#${section}">${countOf(count, 'rule', 'rules')}</a>`;
}

function licenseText(allowed: readonly string[], denied: readonly string[]): HtmlValue {
  if (allowed.length === 0 && denied.length === 0) return null;
  return [
    allowed.length > 0 && html`only ${codes(allowed)}`,
    allowed.length > 0 && denied.length > 0 && '; ',
    denied.length > 0 && html`not ${codes(denied)}`,
  ];
}

const HOUR_MS = 60 * 60 * 1000;

function ageText(ageMs: number): string {
  const hours = ageMs / HOUR_MS;
  return hours % 24 === 0 ? countOf(hours / 24, 'day', 'days') : countOf(hours, 'hour', 'hours');
}
