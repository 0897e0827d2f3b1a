/** The side column of a crate's pages: facts about the version and the crate, links and owners. */
import type { Documentation } from '../../store/documentation-records.ts';
import type { Crate, Team, User, Version } from '../../store/values.ts';
import { findDocumentationLink } from './documentation-link.ts';
import { countOf, formatSize, timeElement } from './format.ts';
import { html, type Html, type HtmlValue } from './html.ts';
import { icon, type IconName } from './icons.ts';
import type { Frame } from './layout.ts';
import { categoryPath, cratePath, deletionPath, feedPath, profilePath, teamPath } from './paths.ts';
import { webAddress } from './web-link.ts';

/** A crate at one of its versions, and its owners: users and teams. */
export interface CrateSideView {
  readonly crate: Crate;
  readonly version: Version;
  readonly owners: readonly User[];
  readonly teams: readonly Team[];
  /** As in `CrateView`. */
  readonly documentation: readonly Documentation[];
}

/** Returns the side column. */
export function crateSide(frame: Frame, view: CrateSideView): Html {
  const { crate, version } = view;
  const { metadata } = version;
  return html`<aside class="side card" aria-label="About ${crate.name}">
<section><h2>Version ${version.version}</h2>
<ul class="lines">${versionFacts(frame, version)}</ul></section>
${links(view)}
<section><h2>Owners</h2>
<ul class="lines">${view.owners.map(({ login, name }) => line('user', html`<a href="${profilePath(login)}">${login}</a>${name !== null && html` <span class="quiet">${name}</span>`}`))}
${view.teams.map(({ name }) => line('team', html`<a href="${teamPath(name)}">${name}</a> <span class="quiet">team</span>`))}</ul></section>
${publishing(crate)}
${metadata.categories.length > 0 && html`<section><h2>Categories</h2><ul>${metadata.categories.map((slug) => html`<li><a href="${categoryPath(slug)}">${slug}</a></li>`)}</ul></section>`}
<section><h2>All versions</h2>
<ul class="lines">${line('download', html`<a href="${`${cratePath(crate.name)}#downloads`}">${countOf(crate.downloads, 'download', 'downloads')}</a>`)}
${line('calendar', html`first published ${timeElement(crate.createdAtMs, frame)}`)}
${line('feed', html`<a href="${feedPath(crate.name)}" type="application/atom+xml">Feed of new versions</a>`)}</ul></section>
${frame.viewer?.isAdmin === true && adminLinks(view)}
</aside>`;
}

function versionFacts(frame: Frame, version: Version): HtmlValue {
  const { license, licenseFile, rustVersion, links: library } = version.metadata;
  const fileLicense =
    licenseFile === null ? 'no license stated' : html`license: see <code>${licenseFile}</code>`;
  return [
    line(
      'calendar',
      html`${timeElement(version.publishedAtMs, frame)} by <a href="${profilePath(version.publishedBy)}">${version.publishedBy}</a>`,
    ),
    line('license', license ?? fileLicense),
    rustVersion !== null && line('tool', `Rust ${rustVersion} or newer`),
    library !== null && line('plug', html`links the native library <code>${library}</code>`),
    line('size', formatSize(version.size)),
    line('download', countOf(version.downloads, 'download', 'downloads')),
  ];
}

/** Returns an item of a list with an icon. */
function line(name: IconName, content: HtmlValue): Html {
  return html`<li>${icon(name)}<span>${content}</span></li>`;
}

/** Returns the links of the manifest and to documentation that this registry has. Unsafe addresses remain text. */
function links(view: CrateSideView): HtmlValue {
  const { homepage, documentation, repository } = view.version.metadata;
  const hosted = findDocumentationLink(view);
  const entries = [
    ['house', 'Home page', homepage],
    ['book', hosted === null ? 'Documentation' : 'Documentation elsewhere', documentation],
    ['branch', 'Repository', repository],
  ] as const;
  const shown = entries.filter(([, , address]) => address !== null && address !== '');
  if (shown.length === 0 && hosted === null) return null;
  return html`<section><h2>Links</h2><ul class="lines">${hosted !== null && line('book', html`<a href="${hosted.path}">${hosted.label}</a>`)}${shown.map(
    ([name, label, address]) => {
      const href = webAddress(address);
      return line(
        name,
        href === null
          ? html`${label}: ${address}`
          : html`<a href="${href}" rel="nofollow noopener noreferrer ugc">${label}</a> <span class="quiet small">${new URL(href).host}</span>`,
      );
    },
  )}</ul></section>`;
}

/** Returns the note that owners cannot publish with their tokens; nothing if they can. */
function publishing({ isTrustedOnly }: Crate): HtmlValue {
  return (
    isTrustedOnly &&
    html`<section><h2>Publishing</h2><p>Only trusted publishers can publish new versions.</p></section>`
  );
}

function adminLinks({ crate, version }: CrateSideView): Html {
  return html`<section><h2>Administration</h2>
<ul><li><a href="${deletionPath(crate.name, version.version)}">Delete version ${version.version}…</a></li>
<li><a href="${deletionPath(crate.name)}">Delete the crate…</a></li></ul></section>`;
}
