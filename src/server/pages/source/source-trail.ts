import { html, type Html } from '../shared/html.ts';
import { sourcePath } from '../shared/paths.ts';
import { nameOf } from './source-tree.ts';

/** Returns the folders from the top of an archive to `path` as links, and the last component of `path` as a heading. */
export function sourceTrail(
  version: { readonly crate: string; readonly version: string },
  path: string,
): Html {
  const top = `${version.crate}-${version.version}`;
  const names = path === '' ? [] : path.split('/');
  const steps = names.map((_, index) => names.slice(0, index + 1).join('/'));
  const links = ['', ...steps].map((step) =>
    step === path
      ? html`<li><h2 aria-current="page">${nameOf(step) || top}</h2></li>`
      : html`<li><a href="${sourcePath(version, step)}">${nameOf(step) || top}</a></li>`,
  );
  return html`<nav class="trail" aria-label="Path"><ol>${links}</ol></nav>`;
}
