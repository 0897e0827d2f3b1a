/** Affected crates on admin pages: those with versions that advisories are about. */
import type { Advisories, Advisory } from '../../store/advisories.ts';
import { advisoryLinks } from './advisory-notes.ts';
import { formatCount } from './format.ts';
import { html, type Html, type HtmlValue } from './html.ts';
import { cratePath } from './paths.ts';

/** A crate with at least one affected version. */
export interface AffectedCrate {
  readonly name: string;
  /** Advisories about any of its versions, vulnerabilities first. */
  readonly advisories: readonly Advisory[];
  readonly affectedVersions: readonly string[];
  /** How many versions the crate has, affected or not. */
  readonly versionCount: number;
}

/** A further column of the table. */
export interface AffectedColumn<T> {
  readonly heading: string;
  valueOf(crate: T): HtmlValue;
}

/** Further advisories of a crate are only counted. */
const MAX_IDS = 5;

/** Returns a crate with the advisories about its versions; null if no version is affected. */
export function affectedCrate(
  advisories: Advisories,
  { name, versions }: { readonly name: string; readonly versions: readonly string[] },
): AffectedCrate | null {
  const byId = new Map<string, Advisory>();
  const affectedVersions = versions.filter((version) => {
    const ofVersion = advisories.of(name, version);
    for (const advisory of ofVersion) byId.set(advisory.id, advisory);
    return ofVersion.length > 0;
  });
  if (affectedVersions.length === 0) return null;
  const sorted = [...byId.values()].sort(compareAdvisories);
  return { name, advisories: sorted, affectedVersions, versionCount: versions.length };
}

/** Orders vulnerabilities first, and then the newest IDs of each database. */
function compareAdvisories(a: Advisory, b: Advisory): number {
  const byKind = Number(b.kind === 'vulnerability') - Number(a.kind === 'vulnerability');
  return byKind || (a.id < b.id ? 1 : -1);
}

/** Returns a table of crates, with a further column unless it is null. */
export function affectedTable<T extends AffectedCrate>(
  crates: readonly T[],
  column: AffectedColumn<T> | null,
): Html {
  return html`<table class="cards"><thead><tr><th scope="col">Crate</th><th scope="col">Advisories</th><th scope="col" class="number">Affected versions</th>${column !== null && html`<th scope="col" class="number">${column.heading}</th>`}</tr></thead>
<tbody>${crates.map((crate) => affectedRow(crate, column))}</tbody></table>`;
}

function affectedRow<T extends AffectedCrate>(crate: T, column: AffectedColumn<T> | null): Html {
  const { name, advisories, affectedVersions, versionCount } = crate;
  const more = advisories.length - MAX_IDS;
  return html`<tr><td class="name"><a href="${cratePath(name)}/versions">${name}</a></td>
<td data-label="Advisories"><span>${advisoryLinks(advisories.slice(0, MAX_IDS))}${more > 0 && ` and ${formatCount(more)} more`}</span></td>
<td class="number" data-label="Affected versions">${formatCount(affectedVersions.length)} of ${formatCount(versionCount)}</td>
${column !== null && html`<td class="number" data-label="${column.heading}">${column.valueOf(crate)}</td>`}</tr>
`;
}
