/** The side column of a cached crate's pages: facts about the version, links, and the state of the cache. */
import { CRATES_IO_DOMAIN } from '../../../core/package-id/crates-io.ts';
import { formatSize, timeElement } from '../shared/format.ts';
import { html, type Html, type HtmlValue } from '../shared/html.ts';
import { icon, type IconName } from '../shared/icons.ts';
import type { Frame } from '../shared/layout.ts';
import type { MirroredView } from './mirrored-view.ts';
import { webAddress } from '../shared/web-link.ts';

/** Returns the side column. */
export function mirroredSide(frame: Frame, view: MirroredView): Html {
  const { crate, version, details, size, upstream } = view;
  const { publishedAtMs, rustVersion } = version;
  const library = details?.links ?? null;
  return html`<aside class="side card" aria-label="About ${crate.name}">
<section><h2>Version ${version.version}</h2>
<ul class="lines">${[
    publishedAtMs !== null && line('calendar', html`published ${timeElement(publishedAtMs, frame)}`),
    rustVersion !== null && line('tool', `Rust ${rustVersion} or newer`),
    library !== null && line('plug', html`links the native library <code>${library}</code>`),
    line('size', size === null ? 'not downloaded yet' : formatSize(size)),
  ]}</ul></section>
<section><h2>Links</h2><ul class="lines">${links(view)}</ul></section>
<section><h2>Cache</h2><ul class="lines">${line('library', html`from ${upstream.name}`)}
${line('clock', html`compared with ${upstream.name} ${timeElement(crate.checkedAtMs, frame)}`)}</ul></section>
</aside>`;
}

/** Returns links to the sites of the upstream, and those of the manifest if an archive is cached. */
function links({ crate, version, summary, upstream }: MirroredView): HtmlValue {
  const name = encodeURIComponent(crate.name);
  const number = encodeURIComponent(version.version);
  const ofUpstream = [
    link('crate', CRATES_IO_DOMAIN, `https://${CRATES_IO_DOMAIN}/crates/${name}/${number}`),
    link('book', 'docs.rs', `https://docs.rs/${name}/${number}`),
  ];
  return [
    upstream.isCratesIo ? ofUpstream : line('crate', html`<code>${upstream.index}</code>`),
    link('house', 'Home page', webAddress(summary?.homepage ?? null)),
    link('book', 'Documentation', webAddress(summary?.documentation ?? null)),
    link('branch', 'Repository', webAddress(summary?.repository ?? null)),
  ];
}

/** Returns a link to a safe address with its host; nothing for null. */
function link(name: IconName, label: string, address: string | null): HtmlValue {
  if (address === null) return null;
  const { host } = new URL(address);
  return line(
    name,
    html`<a href="${address}" rel="nofollow noopener noreferrer ugc">${label}</a>${host !== label && html` <span class="quiet small">${host}</span>`}`,
  );
}

/** Returns an item of a list with an icon. */
function line(name: IconName, content: HtmlValue): Html {
  return html`<li>${icon(name)}<span>${content}</span></li>`;
}
