import type { Dependent } from '../../store/values.ts';
import { crateLayout, type CrateView } from '../shared/crate-frame.ts';
import { countOf } from '../shared/format.ts';
import { html, type Html } from '../shared/html.ts';
import { emptyState, pager, type Frame } from '../shared/layout.ts';
import type { ListPart } from '../shared/paging.ts';
import { cratePath, withQuery } from '../shared/paths.ts';
import { MAX_FILTER_CHARS, type VersionFilter } from './version-filter.ts';

/** A part of the dependents, and the filter that selected them. */
export interface DependentListView extends ListPart<Dependent> {
  readonly filter: VersionFilter;
}

/** Returns a part of the crates that depend on this one, with a filter by the version that they allow. */
export function dependentsPage(frame: Frame, view: CrateView, list: DependentListView): Html {
  const { name } = view.crate;
  return crateLayout(frame, view, {
    tab: 'dependents',
    content:
      view.dependentCount === 0
        ? emptyState('crate', 'No dependents yet', `No crate in this registry depends on ${name}.`)
        : html`<h2 class="silent">Dependents</h2>
${versionForm(name, list.filter)}
${results(name, list)}`,
  });
}

function versionForm(name: string, { wanted, offered }: VersionFilter): Html {
  const path = dependentsPath(name);
  const link = (version: string, text: string): Html =>
    html`<li><a href="${withQuery(path, { version })}"${version === wanted && html` aria-current="true"`}>${text}</a></li>`;
  return html`<form class="find narrow labelled" action="${path}" method="get">
<label for="version">Requirement allows</label>
<input id="version" type="text" name="version" value="${wanted}" placeholder="Version, such as 0.3" maxlength="${MAX_FILTER_CHARS}" autocomplete="off" spellcheck="false" autocapitalize="none">
<button class="plain">Filter</button>
</form>
<nav class="sorts" aria-label="Versions of ${name}"><ul>${link('', 'All')}${offered.map((version) => link(version, version))}</ul></nav>`;
}

function results(name: string, { list, page, pages, filter }: DependentListView): Html {
  const { items, total } = list;
  const { wanted, accepts } = filter;
  const pathOf = (other: number): string => withQuery(dependentsPath(name), { version: wanted, page: other });
  return html`${wanted !== '' && accepts === null && html`<div class="note bad" role="alert"><p>“${wanted}” is not a version. Versions look like 1, 0.3 or 1.2.3.</p></div>`}
<p>${countOf(total, 'crate depends', 'crates depend')} on ${name}${accepts !== null && ` with a requirement that allows ${wanted}`}.</p>
${
  items.length > 0 &&
  html`<table class="cards"><thead><tr><th scope="col">Crate</th><th scope="col">Requirement</th><th scope="col">Kind</th></tr></thead>
<tbody>${items.map(dependentRow)}</tbody></table>`
}
${pager(page, pages, pathOf)}`;
}

function dependentsPath(name: string): string {
  return `${cratePath(name)}/dependents`;
}

const KIND_WORDS = {
  normal: 'dependency',
  build: 'build dependency',
  dev: 'development dependency',
} as const;

function dependentRow({ crate, version, versionReq, kind, isOptional }: Dependent): Html {
  return html`<tr><td class="name"><a href="${cratePath(crate)}">${crate}</a> <span class="quiet">${version}</span></td>
<td data-label="Requirement"><code>${versionReq}</code></td>
<td data-label="Kind">${isOptional && 'optional '}${KIND_WORDS[kind]}</td></tr>
`;
}
