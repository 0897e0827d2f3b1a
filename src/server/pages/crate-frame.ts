/** The common parts of a crate's pages: heading, tabs, and facts next to the content. */
import type { Crate, User, Version } from '../store/values.ts';
import { keywordWord } from '../records/search-words.ts';
import { countOf, formatCount, formatSize, timeElement } from './format.ts';
import { html, type Html, type HtmlValue } from './html.ts';
import { copyBox, csrfField, layout, type Frame } from './layout.ts';
import { cratePath, deletionPath, trustedOnlyPath, withQuery } from './paths.ts';
import { webAddress } from './web-link.ts';

/** The registry's name in examples. Users may choose another one in their configuration. */
export const REGISTRY_NAME = 'mine';

/** The tabs of a crate. */
export type CrateTab = 'readme' | 'versions' | 'dependencies' | 'dependents' | 'features';

/** A crate at one of its versions. */
export interface CrateView {
  readonly crate: Crate;
  readonly version: Version;
  /** False if the page is about the crate and shows its `maxVersion`. */
  readonly isVersionChosen: boolean;
  readonly versionCount: number;
  readonly dependentCount: number;
  readonly owners: readonly User[];
  /** The registry's name in the examples. */
  readonly registryName: string;
}

/** The selected tab of a crate's page, and its content. */
export interface CrateTabContent {
  readonly tab: CrateTab;
  readonly content: HtmlValue;
}

/** Returns a page of a crate. */
export function crateLayout(frame: Frame, view: CrateView, { tab, content }: CrateTabContent): Html {
  const { crate, version } = view;
  const shown = view.isVersionChosen ? `${crate.name} ${version.version}` : crate.name;
  const { metadata } = version;
  return layout(frame, {
    title: tab === 'readme' ? shown : `${TAB_TITLES[tab]} of ${shown}`,
    content: html`<div class="crate-head">
<h1>${crate.name} <span class="version">${version.version}</span>${version.isYanked && html` <span class="badge bad">yanked</span>`}</h1>
${metadata.description !== null && html`<p>${metadata.description}</p>`}
${metadata.keywords.length > 0 && html`<ul class="tags small" aria-label="Keywords">${metadata.keywords.map((word) => html`<li>${keyword(word)}</li>`)}</ul>`}
</div>
${version.isYanked && yankedNote(view)}
${tabs(view, tab)}
<div class="columns">
<div>${content}</div>
${side(frame, view)}
</div>`,
  });
}

/** Returns a keyword, with a link to crates that have it if a search can find them. */
function keyword(word: string): Html {
  return keywordWord(word) !== null
    ? html`<a href="${withQuery('/', { q: word })}">#${word}</a>`
    : html`<span class="quiet">#${word}</span>`;
}

const TAB_TITLES: Readonly<Record<CrateTab, string>> = {
  readme: 'Readme',
  versions: 'Versions',
  dependencies: 'Dependencies',
  dependents: 'Dependents',
  features: 'Features',
};

function yankedNote({ crate, version, isVersionChosen }: CrateView): Html {
  return html`<div class="note bad"><p>${isVersionChosen ? 'This version was yanked' : 'All versions of this crate were yanked'}${version.yankReason === null ? '.' : `: ${version.yankReason}`}</p>
<p>Projects that have this version in Cargo.lock can still download it. New projects cannot select it. ${crate.maxVersion !== version.version && html`<a href="${cratePath(crate.name)}">See ${crate.maxVersion}</a>`}</p></div>`;
}

function tabs(view: CrateView, current: CrateTab): Html {
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
  ];
  return html`<nav class="tabs" aria-label="Crate"><ul>${entries.map(
    ([tab, path, count]) =>
      html`<li><a href="${path}"${tab === current && CURRENT}>${TAB_TITLES[tab]}${count !== null && html` <span class="quiet">${formatCount(count)}</span>`}</a></li>`,
  )}</ul></nav>`;
}

const CURRENT = html` aria-current="page"`;

function side(frame: Frame, view: CrateView): Html {
  const { crate, version, owners, registryName } = view;
  const { metadata } = version;
  // A requirement has no build metadata.
  const requirement = version.version.replace(/\+.*$/, '');
  const line = `${crate.name} = { version = "${requirement}", registry = "${registryName}" }`;
  return html`<aside class="side" aria-label="About ${crate.name}">
<h2>Cargo.toml</h2>
${copyBox('dependency-line', line, 'Line for Cargo.toml')}
<h2>Version ${version.version}</h2>
<dl class="facts">
<dt>Published</dt><dd>${timeElement(version.publishedAtMs)} by ${version.publishedBy}</dd>
<dt>License</dt><dd>${metadata.license ?? (metadata.licenseFile === null ? 'not stated' : html`see <code>${metadata.licenseFile}</code>`)}</dd>
<dt>Size</dt><dd>${formatSize(version.size)}</dd>
${metadata.rustVersion !== null && html`<dt>Rust</dt><dd>${metadata.rustVersion} or newer</dd>`}
${metadata.links !== null && html`<dt>Native library</dt><dd><code>${metadata.links}</code></dd>`}
<dt>Downloads</dt><dd>${formatCount(version.downloads)}</dd>
</dl>
${links(metadata)}
<h2>Owners</h2>
<ul>${owners.map(({ login, name }) => html`<li>${login}${name !== null && html` <span class="quiet">${name}</span>`}</li>`)}</ul>
${trustedOnly(frame, view)}
${metadata.categories.length > 0 && html`<h2>Categories</h2><ul>${metadata.categories.map((slug) => html`<li>${slug}</li>`)}</ul>`}
<h2>Crate</h2>
<p>${countOf(crate.downloads, 'download', 'downloads')}<br>First published ${timeElement(crate.createdAtMs)}</p>
${frame.viewer?.isAdmin === true && adminLinks(view)}
</aside>`;
}

function links({ homepage, documentation, repository }: Version['metadata']): HtmlValue {
  const entries = [
    ['Home page', homepage],
    ['Documentation', documentation],
    ['Repository', repository],
  ] as const;
  const shown = entries.filter(([, address]) => address !== null && address !== '');
  if (shown.length === 0) return null;
  return html`<h2>Links</h2><ul>${shown.map(([label, address]) => {
    const href = webAddress(address);
    return href === null
      ? html`<li>${label}: ${address}</li>`
      : html`<li><a href="${href}" rel="nofollow noopener noreferrer ugc">${label}</a> <span class="quiet small">${new URL(href).host}</span></li>`;
  })}</ul>`;
}

/** Returns who may publish, with a button that changes it for owners and admins. */
function trustedOnly(frame: Frame, { crate, owners }: CrateView): HtmlValue {
  const { viewer } = frame;
  const mayChange = viewer !== null && (viewer.isAdmin || owners.some(({ login }) => login === viewer.login));
  if (!crate.isTrustedOnly && !mayChange) return null;
  const [current, submitted, label] = crate.isTrustedOnly
    ? ['Only trusted publishers can publish new versions.', 'no', 'Allow publishing with tokens']
    : ['Owners can publish with their tokens.', 'yes', 'Require trusted publishing'];
  return html`<h2>Publishing</h2>
<p>${current}</p>
${mayChange && html`<form class="inline" method="post" action="${trustedOnlyPath(crate.name)}">${csrfField(frame)}<input type="hidden" name="only" value="${submitted}"><button class="slim">${label}</button></form>`}`;
}

function adminLinks({ crate, version }: CrateView): Html {
  return html`<h2>Administration</h2>
<ul><li><a href="${deletionPath(crate.name, version.version)}">Delete version ${version.version}…</a></li>
<li><a href="${deletionPath(crate.name)}">Delete the crate…</a></li></ul>`;
}
