/** The documentation of versions on the settings page of a crate: how to upload it, and forms that remove it. */
import type { Documentation } from '../../store/documentation-records.ts';
import type { Crate } from '../../store/values.ts';
import { formatSize, timeElement } from '../shared/format.ts';
import { html, type Html, type HtmlValue } from '../shared/html.ts';
import { copyBox, csrfField, type Frame } from '../shared/layout.ts';
import { documentationPath, settingsPath, withQuery } from '../shared/paths.ts';

/** A version in the list of versions, and the number of the page with it, to which the form returns. */
interface ListedVersion {
  readonly version: string;
  readonly page: number;
}

/** Returns the documentation of a version with a form that removes it; nothing if there is none. */
export function documentationRow(
  frame: Frame,
  documentation: readonly Documentation[],
  { version, page }: ListedVersion,
): HtmlValue {
  const ofVersion = documentation.find((candidate) => candidate.version === version);
  if (ofVersion === undefined) return null;
  const { crate, size, uploadedAtMs } = ofVersion;
  return html`<div class="documented"><span class="name small"><a href="${documentationPath(crate, version)}">Documentation<span class="silent"> of ${version}</span></a> <span class="quiet">${formatSize(size)}, uploaded ${timeElement(uploadedAtMs, frame)}</span></span>
<details class="act"><summary>Remove documentation…<span class="silent"> of ${version}</span></summary>
<form class="confirm" method="post" action="${withQuery(`${settingsPath(crate)}/documentation/remove`, { page })}">
${csrfField(frame)}<input type="hidden" name="version" value="${version}">
<p>Links to it no longer work. You can upload it again.</p>
<button class="danger slim">Remove documentation<span class="silent"> of ${version}</span></button>
</form></details></div>`;
}

/** Returns the part of the page that explains how to upload documentation. `baseUrl` is that of the registry. */
export function documentationHint(
  { name, maxVersion }: Crate,
  { baseUrl }: { readonly baseUrl: string },
): Html {
  const path = `/api/v1/crates/${encodeURIComponent(name)}/${encodeURIComponent(maxVersion)}/docs`;
  const command = `tar -czf - -C target/doc . | curl --fail-with-body -H "Authorization: $TOKEN" --upload-file - ${baseUrl}${path}`;
  return html`<section aria-labelledby="documentation"><h3 id="documentation">Documentation</h3>
<p>Readers can open the output of <code>cargo doc --no-deps</code> from the page of a version. Upload it with a token that has the scope <code>publish-update</code>, for example in the CI job that publishes:</p>
${copyBox('upload-documentation', command, 'Command that uploads documentation')}</section>`;
}
