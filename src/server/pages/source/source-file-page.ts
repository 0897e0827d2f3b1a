/** The page with a file of a version. */
import { ORIGINAL_MANIFEST, type SourceFile } from '../../source/crate-files.ts';
import { countOf, formatSize } from '../shared/format.ts';
import { html, type Html, type HtmlValue } from '../shared/html.ts';
import { sourcePath } from '../shared/paths.ts';
import type { SourceView } from './source-crates.ts';
import { sourceTrail } from './source-trail.ts';

/** The content of a file as a page shows it. `none`: the reader can only download it. */
export type ShownContent =
  | { readonly kind: 'code'; readonly lines: Html; readonly lineCount: number; readonly hasHidden: boolean }
  | { readonly kind: 'image' }
  | { readonly kind: 'none'; readonly reason: 'binary' | 'too-large' };

/** A file and its content. */
export interface ShownFile {
  readonly file: SourceFile;
  readonly content: ShownContent;
  /** Whether the archive has the manifest as its authors wrote it. */
  readonly hasOriginalManifest: boolean;
}

/** Returns the page of a file. */
export function sourceFilePage(view: SourceView, shown: ShownFile): Html {
  const { version } = view;
  const { file, content } = shown;
  const address = sourcePath(version, file.path);
  return view.layout({
    tab: 'source',
    title: `${file.path} · ${version.crate} ${version.version}`,
    content: html`<div class="wide">
<div class="source-head">${sourceTrail(version, file.path)}
<div class="source-facts"><span class="quiet small">${content.kind === 'code' && `${countOf(content.lineCount, 'line', 'lines')}, `}${formatSize(file.size)}</span>
${mayBeShown(content) && html`<a class="button plain slim" href="${address}?raw">Raw</a>`}
<a class="button plain slim" href="${address}?download">Download</a></div></div>
${manifestNote(view, shown)}
${contentElement(address, shown)}
</div>`,
  });
}

/** Returns true if the raw file is something that a browser can show. */
function mayBeShown(content: ShownContent): boolean {
  return content.kind !== 'none' || content.reason === 'too-large';
}

function contentElement(address: string, { file, content }: ShownFile): HtmlValue {
  switch (content.kind) {
    case 'code':
      return html`${content.hasHidden && HIDDEN_NOTE}<div class="card code" tabindex="0" role="region" aria-label="Content of ${file.path}"><pre class="source"><code>${content.lines}</code></pre></div>`;
    case 'image':
      return html`<div class="card picture"><img src="${address}?raw" alt="The image ${file.path}"></div>`;
    case 'none':
      return html`<div class="card picture"><p class="quiet">${NO_CONTENT[content.reason]}</p></div>`;
  }
}

const NO_CONTENT = {
  binary: 'This file is not text. You can download it.',
  'too-large': 'This file is too large to be shown. You can download it.',
} as const;

const HIDDEN_NOTE = html`<div class="note bad"><p>This file contains invisible characters that can make code look different from what it does. They are shown by their numbers.</p></div>`;

/** Returns how the two manifests of an archive differ. */
function manifestNote({ version }: SourceView, { file, hasOriginalManifest }: ShownFile): HtmlValue {
  if (!hasOriginalManifest) return null;
  if (file.path === ORIGINAL_MANIFEST)
    return html`<p class="note">This is the manifest as its authors wrote it. Programs read <a href="${sourcePath(version, 'Cargo.toml')}">Cargo.toml</a>, which was generated from it.</p>`;
  if (file.path !== 'Cargo.toml') return null;
  return html`<p class="note">This manifest was generated when the crate was packaged. Its authors wrote <a href="${sourcePath(version, ORIGINAL_MANIFEST)}">${ORIGINAL_MANIFEST}</a>.</p>`;
}
