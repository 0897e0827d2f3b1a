/** The page with the files of a version. */
import { ORIGINAL_MANIFEST, type SourceFile } from '../../source/crate-files.ts';
import { countOf, formatSize } from '../shared/format.ts';
import { html, type Html, type HtmlValue } from '../shared/html.ts';
import { icon } from '../shared/icons.ts';
import { MAX_QUERY_CHARS } from '../shared/layout.ts';
import { comparePath, sourcePath } from '../shared/paths.ts';
import type { SourceView } from './source-crates.ts';
import { sourceTrail } from './source-trail.ts';
import { MAX_SHOWN, nameOf, type SourceFolder } from './source-tree.ts';

/** Up to this number of files, all folders are open. */
const MAX_OPEN = 200;

/** A folder of a version, and what the reader looks for in it. */
export interface SourceSearch {
  readonly folder: SourceFolder;
  /** The part of a path that the reader looks for; empty for all files. */
  readonly query: string;
  /** The files of the folder that match. */
  readonly matches: readonly SourceFile[];
}

/** Returns the page of a folder. */
export function sourcePage(view: SourceView, search: SourceSearch): Html {
  const { folder, query } = search;
  const { version } = view;
  return view.layout({
    tab: 'source',
    content: html`<div class="wide">
<div class="source-head">${sourceTrail(version, folder.path)}
<span class="quiet small">${countOf(folder.fileCount, 'file', 'files')}, ${formatSize(folder.size)} unpacked</span></div>
<div class="source-tools">${filterForm(view, search)}
${view.canCompare && html`<a class="button plain" href="${comparePath(version.crate)}?new=${encodeURIComponent(version.version)}">Compare versions</a>`}</div>
${query === '' ? html`<div class="card tree-card">${tree(view, folder)}</div>` : matchList(view, search)}
</div>`,
  });
}

function filterForm({ version }: SourceView, { folder, query }: SourceSearch): Html {
  return html`<form class="find" role="search" action="${sourcePath(version, folder.path)}" method="get">
<label class="silent" for="source-filter">Filter files by name</label>
<input id="source-filter" type="search" name="q" value="${query}" placeholder="Filter files by name" maxlength="${MAX_QUERY_CHARS}" autocomplete="off" spellcheck="false" autocapitalize="none">
<button class="plain">Filter</button>
</form>`;
}

function matchList(view: SourceView, { folder, query, matches }: SourceSearch): Html {
  const shown = matches.slice(0, MAX_SHOWN);
  return html`<h2 class="source-count">${countOf(matches.length, 'file', 'files')} for “${query}”</h2>
${
  matches.length === 0
    ? html`<p><a href="${sourcePath(view.version, folder.path)}">Show all files</a></p>`
    : html`<div class="card tree-card"><ul class="tree">${shown.map((file) => fileItem(view, file, file.path))}</ul>${moreNote(matches.length)}</div>`
}`;
}

/** Returns the content of a folder. If it has too many files for this page, its folders are links. */
function tree(view: SourceView, folder: SourceFolder): Html {
  const isOpen = folder.fileCount <= MAX_OPEN;
  const files = folder.files.slice(0, MAX_SHOWN);
  const manifests = files.filter(({ path }) => path === ORIGINAL_MANIFEST);
  return html`<ul class="tree">${manifests.map((file) => fileItem(view, file, file.path))}
${folder.folders.slice(0, MAX_SHOWN).map((child) => (folder.isWhole ? folderItem(view, child, { isOpen }) : folderLink(view, child)))}
${files.filter((file) => !manifests.includes(file)).map((file) => fileItem(view, file, nameOf(file.path)))}</ul>${moreNote(folder.files.length)}`;
}

/** Returns a folder with its content. */
function folderItem(view: SourceView, folder: SourceFolder, { isOpen }: { readonly isOpen: boolean }): Html {
  return html`<li><details${isOpen && html` open`}><summary>${icon('folder')}<span class="path">${nameOf(folder.path)}</span> ${folderFacts(folder)}</summary>
<ul>${folder.folders.map((child) => folderItem(view, child, { isOpen }))}${folder.files.map((file) => fileItem(view, file, nameOf(file.path)))}</ul></details></li>`;
}

function folderLink({ version }: SourceView, folder: SourceFolder): Html {
  return html`<li><div class="entry">${icon('folder')}<a class="path" href="${sourcePath(version, folder.path)}">${nameOf(folder.path)}</a> ${folderFacts(folder)}</div></li>`;
}

function folderFacts({ fileCount, size }: SourceFolder): Html {
  return html`<span class="size">${countOf(fileCount, 'file', 'files')}, ${formatSize(size)}</span>`;
}

/** Returns a file as a link with this text. */
function fileItem({ version }: SourceView, { path, size }: SourceFile, text: string): Html {
  const note =
    path === ORIGINAL_MANIFEST &&
    html` <span class="quiet small">the manifest as its authors wrote it</span>`;
  return html`<li><div class="entry">${icon('file')}<span><a class="path" href="${sourcePath(version, path)}">${text}</a>${note}</span> <span class="size">${formatSize(size)}</span></div></li>
`;
}

function moreNote(count: number): HtmlValue {
  return (
    count > MAX_SHOWN &&
    html`<p class="quiet small tree-note">Only ${countOf(MAX_SHOWN, 'file is', 'files are')} shown. Filter by name to find the others.</p>`
  );
}
