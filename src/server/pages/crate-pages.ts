/** The pages of a crate: readme, versions, dependencies, dependents and features. */
import type { PublishedDependency } from '../../core/protocol/publish-metadata.ts';
import type { Dependent, Page, Version } from '../store/values.ts';
import { crateLayout, type CrateView } from './crate-frame.ts';
import { codes, countOf, formatCount, formatSize, timeElement } from './format.ts';
import { html, type Html, type HtmlValue } from './html.ts';
import { pager, type Frame } from './layout.ts';
import { cratePath, deletionPath, withQuery } from './paths.ts';

/** Returns the first page of a crate or version. `readme` is rendered; null if there is none. */
export function readmePage(frame: Frame, view: CrateView, readme: Html | null): Html {
  return crateLayout(frame, view, {
    tab: 'readme',
    content:
      readme === null
        ? html`<p class="quiet">This version has no readme.</p>`
        : html`<article class="readme">${readme}</article>`,
  });
}

/** Returns a part of the versions, highest first. */
export function versionsPage(
  frame: Frame,
  view: CrateView,
  list: { readonly versions: readonly Version[]; readonly page: number; readonly pages: number },
): Html {
  const isAdmin = frame.viewer?.isAdmin === true;
  return crateLayout(frame, view, {
    tab: 'versions',
    content: html`<h2 class="silent">Versions</h2>
<table class="cards"><thead><tr><th scope="col">Version</th><th scope="col">Published</th><th scope="col" class="number">Size</th><th scope="col" class="number">Downloads</th>${isAdmin && html`<th scope="col"><span class="silent">Actions</span></th>`}</tr></thead>
<tbody>${list.versions.map((version) => versionRow(frame, version))}</tbody></table>
${pager(list.page, list.pages, (page) => withQuery(`${cratePath(view.crate.name)}/versions`, { page }))}`,
  });
}

function versionRow({ viewer }: Frame, version: Version): Html {
  return html`<tr><td class="name"><a href="${cratePath(version.crate, version.version)}">${version.version}</a>${version.isYanked && html` <span class="badge bad">yanked</span>`}${version.isYanked && version.yankReason !== null && html`<br><span class="quiet small">${version.yankReason}</span>`}</td>
<td data-label="Published">${timeElement(version.publishedAtMs)} <span class="quiet">by ${version.publishedBy}</span></td>
<td class="number" data-label="Size">${formatSize(version.size)}</td>
<td class="number" data-label="Downloads">${formatCount(version.downloads)}</td>
${viewer?.isAdmin === true && html`<td class="acts"><a href="${deletionPath(version.crate, version.version)}">Delete…<span class="silent"> ${version.version}</span></a></td>`}</tr>
`;
}

const KINDS = [
  ['normal', 'Dependencies'],
  ['build', 'Build dependencies'],
  ['dev', 'Development dependencies'],
] as const;

/** Returns the dependencies of a version. */
export function dependenciesPage(frame: Frame, view: CrateView): Html {
  const { dependencies } = view.version.metadata;
  return crateLayout(frame, view, {
    tab: 'dependencies',
    content:
      dependencies.length === 0
        ? html`<p class="quiet">This version has no dependencies.</p>`
        : KINDS.map(([kind, title]) =>
            dependencyTable({
              title,
              dependencies: dependencies.filter((dependency) => dependency.kind === kind),
            }),
          ),
  });
}

function dependencyTable({
  title,
  dependencies,
}: {
  readonly title: string;
  readonly dependencies: readonly PublishedDependency[];
}): HtmlValue {
  if (dependencies.length === 0) return null;
  return html`<section><h2>${title}</h2>
<table class="cards deps"><thead><tr><th scope="col">Crate</th><th scope="col">Requirement</th><th scope="col">Details</th></tr></thead>
<tbody>${dependencies.map(dependencyRow)}</tbody></table></section>`;
}

function dependencyRow(dependency: PublishedDependency): Html {
  const { name, registry, features, explicitNameInToml, target } = dependency;
  const details: readonly HtmlValue[] = [
    dependency.optional && html`<span class="badge">optional</span>`,
    explicitNameInToml !== null && html`<span>renamed to <code>${explicitNameInToml}</code></span>`,
    target !== null && html`<span>for <code>${target}</code></span>`,
    !dependency.defaultFeatures && html`<span>without default features</span>`,
    features.length > 0 && html`<span>with ${codes(features)}</span>`,
    registry !== null && html`<span class="quiet">from ${registryHost(registry)}</span>`,
  ].filter((part) => part !== false);
  return html`<tr><td class="name">${registry === null ? html`<a href="${cratePath(name)}">${name}</a>` : name}</td>
<td><code>${dependency.versionReq}</code></td>
<td><div class="tags">${details}</div></td></tr>
`;
}

/** Returns an index URL without its kind, scheme and credentials. */
function registryHost(index: string): string {
  return index.replace(/^[a-z]+\+/, '').replace(/^[a-z+.-]+:\/\/(?:[^/@]*@)?/i, '');
}

/** Returns a part of the crates that depend on this one. */
export function dependentsPage(
  frame: Frame,
  view: CrateView,
  list: { readonly dependents: Page<Dependent>; readonly page: number; readonly pages: number },
): Html {
  const { items, total } = list.dependents;
  return crateLayout(frame, view, {
    tab: 'dependents',
    content:
      total === 0
        ? html`<p class="quiet">No crate in this registry depends on ${view.crate.name}.</p>`
        : html`<h2 class="silent">Dependents</h2>
<p>${countOf(total, 'crate depends', 'crates depend')} on ${view.crate.name}.</p>
<table class="cards"><thead><tr><th scope="col">Crate</th><th scope="col">Requirement</th><th scope="col">Kind</th></tr></thead>
<tbody>${items.map(dependentRow)}</tbody></table>
${pager(list.page, list.pages, (page) => withQuery(`${cratePath(view.crate.name)}/dependents`, { page }))}`,
  });
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

/** Returns the features of a version. */
export function featuresPage(frame: Frame, view: CrateView): Html {
  const { features, dependencies } = view.version.metadata;
  const optional = dependencies
    .filter((dependency) => dependency.optional)
    .map((dependency) => dependency.explicitNameInToml ?? dependency.name);
  // `default` first, the others by name.
  const sorted = [...features].sort(
    ([a], [b]) => Number(b === 'default') - Number(a === 'default') || (a < b ? -1 : 1),
  );
  return crateLayout(frame, view, {
    tab: 'features',
    content: [
      sorted.length === 0
        ? html`<p class="quiet">This version has no features.</p>`
        : html`<h2 class="silent">Features</h2>
<table class="cards"><thead><tr><th scope="col">Feature</th><th scope="col">Enables</th></tr></thead>
<tbody>${sorted.map(([name, enabled]) => featureRow(name, enabled))}</tbody></table>`,
      optional.length > 0 && html`<h2>Optional dependencies</h2><p>${codes([...new Set(optional)])}</p>`,
    ],
  });
}

function featureRow(name: string, values: readonly string[]): Html {
  return html`<tr><td class="name"><code>${name}</code></td>
<td>${values.length === 0 ? html`<span class="quiet">nothing</span>` : codes(values)}</td></tr>
`;
}
