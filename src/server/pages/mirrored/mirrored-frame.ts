/** The common parts of the pages of a cached crate: heading, tabs, and facts next to the content. */
import { advisoryNote } from '../shared/advisory-notes.ts';
import { formatCount } from '../shared/format.ts';
import { html, type Html, type HtmlValue } from '../shared/html.ts';
import { icon } from '../shared/icons.ts';
import { layout, type Frame } from '../shared/layout.ts';
import { mirroredInstallBox } from './mirrored-install.ts';
import { refusalNote } from './mirrored-refusal.ts';
import { mirroredSide } from './mirrored-side.ts';
import { type MirroredView, viewPath } from './mirrored-view.ts';
import { cratePath, sourcePath } from '../shared/paths.ts';

/** The tabs of a cached crate. */
export type MirroredTab = 'readme' | 'versions' | 'dependencies' | 'features' | 'source';

/** The selected tab of a cached crate's page, and its content. */
export interface MirroredTabContent {
  readonly tab: MirroredTab;
  /** Replaces the title that follows from the tab. */
  readonly title?: string;
  readonly content: HtmlValue;
}

/** Returns a page of a cached crate. */
export function mirroredLayout(
  frame: Frame,
  view: MirroredView,
  { tab, title, content }: MirroredTabContent,
): Html {
  const { crate, version, isVersionChosen, summary } = view;
  const subject = isVersionChosen ? `${crate.name} ${version.version}` : crate.name;
  const isInstallable = !version.isYanked && version.refusal === null;
  const description = summary?.description ?? null;
  return layout(frame, {
    title: title ?? (tab === 'readme' ? subject : `${TAB_TITLES[tab]} of ${subject}`),
    content: html`<div class="crate-head${isInstallable && ' installable'}">
<div>
<h1>${crate.name} <span class="version">${version.version}</span></h1>
${description !== null && html`<p>${description}</p>`}
${chips(view)}
${origin(frame, view)}
</div>
${isInstallable && mirroredInstallBox(frame, view)}
</div>
${notes(view)}
${tabs(view, tab)}
<div class="columns">
<div>${content}</div>
${mirroredSide(frame, view)}
</div>`,
  });
}

const TAB_TITLES: Readonly<Record<MirroredTab, string>> = {
  readme: 'Readme',
  versions: 'Versions',
  dependencies: 'Dependencies',
  features: 'Features',
  source: 'Source',
};

function chips({ version, upstream, summary, readmeFrom }: MirroredView): Html {
  const { isYanked, refusal, rustVersion } = version;
  // The summary can be that of another version, which may have another license.
  const license = readmeFrom === version.version ? (summary?.license ?? null) : null;
  return html`<ul class="chips" aria-label="About this version">
<li class="chip mark">${icon('library')}from ${upstream.name}</li>
${isYanked && html`<li class="chip bad">${icon('yanked')}yanked</li>`}
${refusal !== null && html`<li class="chip bad">${icon('yanked')}not served</li>`}
${license !== null && html`<li class="chip">${icon('license')}${license}</li>`}
${rustVersion !== null && html`<li class="chip">${icon('tool')}Rust ${rustVersion} or newer</li>`}
</ul>`;
}

/** Returns the sentence that tells this crate from those that are published here. */
function origin(frame: Frame, { upstream }: MirroredView): Html {
  return html`<p class="origin quiet">This crate comes from ${upstream.name}. ${frame.identity.siteName} only caches it.</p>`;
}

function notes({ version, upstream, advisories }: MirroredView): HtmlValue {
  const { isYanked, refusal } = version;
  return [
    refusal !== null && refusalNote(refusal),
    isYanked &&
      html`<div class="note bad"><p>This version was yanked on ${upstream.name}. Projects that have it in Cargo.lock can still download it. New projects cannot select it.</p></div>`,
    advisoryNote(advisories),
  ];
}

function tabs(view: MirroredView, current: MirroredTab): Html {
  const { crate, version, details, readableVersions } = view;
  const ofVersion = viewPath(view);
  const entries: readonly (readonly [tab: MirroredTab, path: string, count: number | null])[] = [
    ['readme', ofVersion, null],
    ['versions', `${cratePath(crate.name)}/versions`, crate.versions.length],
    ['dependencies', `${ofVersion}/dependencies`, details?.dependencies.length ?? null],
    ['features', `${ofVersion}/features`, details?.features.size ?? null],
    ...(readableVersions.includes(version.version)
      ? ([['source', sourcePath({ crate: crate.name, version: version.version }), null]] as const)
      : []),
  ];
  return html`<nav class="tabs" aria-label="Crate"><ul>${entries.map(
    ([tab, path, count]) =>
      html`<li><a href="${path}"${tab === current && html` aria-current="page"`}>${TAB_TITLES[tab]}${count !== null && html` <span class="quiet">${formatCount(count)}</span>`}</a></li>`,
  )}</ul></nav>`;
}
