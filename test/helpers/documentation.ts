import { gzipSync } from 'node:zlib';
import type { Store } from '../../src/server/store/store.ts';
import type { Actor } from '../../src/server/store/values.ts';
import { DocumentationPacking } from '../../src/server/publish/documentation-packing.ts';
import {
  type DocumentationUploadResult,
  uploadDocumentation,
} from '../../src/server/publish/upload-documentation.ts';
import { withStorage } from '../../src/server/source/documentation-storage.ts';
import { packTar, type TarEntry } from './tar.ts';

/** Files by path. */
export type Files = Readonly<Record<string, string | Buffer>>;

const PACKING = new DocumentationPacking();

/** Returns a `.tar.gz` as `tar -czf - -C target/doc .` does. */
export function docsArchive(files: Files): Uint8Array<ArrayBuffer> {
  return gzipTar(
    Object.entries(files).map(([path, content]) => ({ path: `./${path}`, data: Buffer.from(content) })),
  );
}

/** Returns a `.tar.gz` with exactly these entries. */
export function gzipTar(entries: readonly TarEntry[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(gzipSync(packTar(entries)));
}

/** Returns a page as the registry stores it. */
export function storedPage(page: string | Buffer | undefined): string {
  return Buffer.from(withStorage(Buffer.from(page ?? ''))).toString();
}

/** Uploads documentation as the route does, without a server. */
export async function uploadDocs(
  { records, blobs }: Store,
  target: { readonly crate: string; readonly version: string; readonly actor: Actor },
  files: Files,
): Promise<DocumentationUploadResult> {
  const clock = { now: () => 5 };
  const body = [docsArchive(files)];
  return await uploadDocumentation(
    { blobs, clock, log: { info: ignore, warning: ignore, error: ignore } },
    { ...target, body: asStream(body), records: records.authorize(target.actor, clock), packing: PACKING },
  );
}

function ignore(): void {}

async function* asStream(parts: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* parts;
}

/**
 * Returns files in the form of rustdoc's output: pages that share styles, fonts and scripts, and load a search index by a
 * script element.
 */
export function rustdocFiles(library: string): Files {
  return {
    [`${library}/index.html`]: page(library, 'index', '../'),
    [`${library}/struct.Mug.html`]: page(library, 'struct Mug', '../'),
    [`src/${library}/lib.rs.html`]: page(library, 'source', '../../'),
    'settings.html': page(library, 'settings', './'),
    'static.files/rustdoc-1.css': STYLES,
    'static.files/main-1.js': MAIN,
    'static.files/storage-1.js': STORAGE,
    'static.files/mono-1.woff2': Buffer.from('not a font'),
    'static.files/logo-1.svg': '<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16"/>',
    'search.index/root.js': 'showResults(["pour", "Mug"]);',
    '.lock': '',
  };
}

function page(library: string, title: string, root: string): string {
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>${library} ${title}</title>
<script>document.documentElement.dataset.inline = 'ran';</script>
<link rel="stylesheet" href="${root}static.files/rustdoc-1.css">
<script src="${root}static.files/storage-1.js"></script>
<script defer src="${root}static.files/main-1.js" data-root="${root}"></script></head>
<body><img src="${root}static.files/logo-1.svg" alt="logo"><h1>${library} ${title}</h1>
<a href="${root}${library}/struct.Mug.html">Mug</a> <a href="${root}${library}/missing.html">Missing</a>
<form class="search-form"><input name="search" aria-label="Search"></form><ol id="results"></ol>
<button id="theme">Dark</button></body></html>`;
}

const STYLES = `
@font-face { font-family: Mono; src: url(mono-1.woff2) format('woff2'); }
body { font-family: Mono, serif; margin: 7px; }
[data-theme=dark] { background: black; color: white; }
`;

const STORAGE = `
let theme = 'light';
try { theme = localStorage.getItem('rustdoc-theme') ?? theme; } catch { /* As rustdoc does. */ }
document.documentElement.dataset.theme = theme;
`;

const MAIN = `
const { root } = document.currentScript.dataset;
const input = document.querySelector('[name=search]');
window.showResults = (names) => {
  const found = names.filter((name) => name.includes(input.value));
  document.getElementById('results').replaceChildren(...found.map((name) => {
    const item = document.createElement('li');
    item.textContent = name;
    return item;
  }));
};
const search = () => {
  history.replaceState(null, '', '?search=' + encodeURIComponent(input.value));
  const script = document.createElement('script');
  script.src = root + 'search.index/root.js';
  document.head.append(script);
};
input.form.addEventListener('submit', (event) => { event.preventDefault(); search(); });
document.getElementById('theme').addEventListener('click', () => {
  try { localStorage.setItem('rustdoc-theme', 'dark'); } catch { return; }
  document.documentElement.dataset.theme = localStorage.getItem('rustdoc-theme');
});
`;

/** Returns a value that must not be null. */
export async function presentOf<T>(value: Promise<T | null>): Promise<T> {
  const found = await value;
  if (found === null) throw new Error('it is null');
  return found;
}
