/** The common parts of a crate's pages: heading, tabs, and facts next to the content. */
import type { Documentation } from '../../store/documentation-records.ts';
import type { Crate, CrateRights, Team, User, Version } from '../../store/values.ts';
import type { PackageFacts } from '../../source/package-facts.ts';
import type { Advisory } from '../../store/advisories.ts';
import { advisoryNote } from './advisory-notes.ts';
import { crateSide } from './crate-side.ts';
import { findDocumentationLink } from './documentation-link.ts';
import { formatCount } from './format.ts';
import { html, type Html, type HtmlValue } from './html.ts';
import { icon } from './icons.ts';
import { installBox } from './install-box.ts';
import { layout, type Frame } from './layout.ts';
import { cratePath, feedPath, keywordPath, settingsPath } from './paths.ts';

/** The tabs of a crate. */
export type CrateTab =
  | 'readme'
  | 'versions'
  | 'dependencies'
  | 'dependents'
  | 'features'
  | 'source'
  | 'settings';

/** A crate at one of its versions. */
export interface CrateView {
  readonly crate: Crate;
  readonly version: Version;
  /** From the archive of the version; null if it cannot be read, or not soon. */
  readonly facts: PackageFacts | null;
  /** False if the page is about the crate and shows its `maxVersion`. */
  readonly isVersionChosen: boolean;
  /** Advisories about the version. */
  readonly advisories: readonly Advisory[];
  readonly versionCount: number;
  readonly dependentCount: number;
  /** The owners that are users. */
  readonly owners: readonly User[];
  /** The teams that own the crate. */
  readonly teams: readonly Team[];
  /** The rights of the viewer, to select links and forms. Each change checks them again. */
  readonly rights: CrateRights;
  /** The documentation of all versions, in the order of `listDocumentation`; empty if the registry shows none. */
  readonly documentation: readonly Documentation[];
}

/** The selected tab of a crate's page, and its content. */
export interface CrateTabContent {
  readonly tab: CrateTab;
  /** Replaces the title that follows from the tab. */
  readonly title?: string;
  readonly content: HtmlValue;
}

/** Returns a page of a crate. */
export function crateLayout(frame: Frame, view: CrateView, { tab, title, content }: CrateTabContent): Html {
  const { crate, version } = view;
  const subject = view.isVersionChosen ? `${crate.name} ${version.version}` : crate.name;
  const { metadata } = version;
  return layout(frame, {
    title: title ?? (tab === 'readme' ? subject : `${TAB_TITLES[tab]} of ${subject}`),
    feed: { title: `New versions of ${crate.name}`, path: feedPath(crate.name) },
    content: html`<div class="crate-head${!version.isYanked && ' installable'}">
<div>
<h1>${crate.name} <span class="version">${version.version}</span></h1>
${metadata.description !== null && html`<p>${metadata.description}</p>`}
${chips(view)}
${metadata.keywords.length > 0 && html`<ul class="tags small" aria-label="Keywords">${metadata.keywords.map((word) => html`<li><a href="${keywordPath(word.toLowerCase())}">#${word}</a></li>`)}</ul>`}
</div>
${!version.isYanked && installBox(frame, view)}
</div>
${version.isYanked && yankedNote(view)}
${advisoryNote(view.advisories)}
${tabs(view, { current: tab, hasSettings: view.rights !== 'none' })}
<div class="columns">
<div>${content}</div>
${crateSide(frame, view)}
</div>`,
  });
}

/** Returns the facts of a version that decide whether a reader can use it. */
function chips(view: CrateView): HtmlValue {
  const { isYanked, metadata } = view.version;
  const { rustVersion, license } = metadata;
  const edition = view.facts?.edition ?? null;
  const documentation = findDocumentationLink(view);
  const facts = [rustVersion, license, edition, documentation];
  if (!isYanked && facts.every((fact) => fact === null)) return null;
  return html`<ul class="chips" aria-label="About this version">
${isYanked && html`<li class="chip bad">${icon('yanked')}yanked</li>`}
${license !== null && html`<li class="chip">${icon('license')}${license}</li>`}
${rustVersion !== null && html`<li class="chip">${icon('tool')}Rust ${rustVersion} or newer</li>`}
${edition !== null && html`<li class="chip">${icon('calendar')}${edition} edition</li>`}
${documentation !== null && html`<li><a class="chip" href="${documentation.path}">${icon('book')}${documentation.label}</a></li>`}
</ul>`;
}

const TAB_TITLES: Readonly<Record<CrateTab, string>> = {
  readme: 'Readme',
  versions: 'Versions',
  dependencies: 'Dependencies',
  dependents: 'Dependents',
  features: 'Features',
  source: 'Source',
  settings: 'Settings',
};

function yankedNote({ crate, version, isVersionChosen }: CrateView): Html {
  return html`<div class="note bad"><p>${isVersionChosen ? 'This version was yanked' : 'All versions of this crate were yanked'}${version.yankReason === null ? '.' : `: ${version.yankReason}`}</p>
<p>Projects that have this version in Cargo.lock can still download it. New projects cannot select it. ${crate.maxVersion !== version.version && html`<a href="${cratePath(crate.name)}">See ${crate.maxVersion}</a>`}</p></div>`;
}

function tabs(
  view: CrateView,
  { current, hasSettings }: { readonly current: CrateTab; readonly hasSettings: boolean },
): Html {
  const { crate, version } = view;
  const { dependencies, features } = version.metadata;
  const ofCrate = cratePath(crate.name);
  // Some tabs are about the version if the reader has chosen one, the others always about the crate.
  const ofVersion = view.isVersionChosen ? cratePath(crate.name, version.version) : ofCrate;
  const entries: readonly (readonly [tab: CrateTab, path: string, count: number | null])[] = [
    ['readme', ofVersion, null],
    ['versions', `${ofCrate}/versions`, view.versionCount],
    ['dependencies', `${ofVersion}/dependencies`, dependencies.length],
    ['dependents', `${ofCrate}/dependents`, view.dependentCount],
    ['features', `${ofVersion}/features`, features.size],
    ['source', `${cratePath(crate.name, version.version)}/source`, null],
    ...(hasSettings ? ([['settings', settingsPath(crate.name), null]] as const) : []),
  ];
  return html`<nav class="tabs" aria-label="Crate"><ul>${entries.map(
    ([tab, path, count]) =>
      html`<li><a href="${path}"${tab === current && CURRENT}>${TAB_TITLES[tab]}${count !== null && html` <span class="quiet">${formatCount(count)}</span>`}</a></li>`,
  )}</ul></nav>`;
}

const CURRENT = html` aria-current="page"`;
