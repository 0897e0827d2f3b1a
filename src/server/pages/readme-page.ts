import { crateLayout, type CrateView } from './crate-frame.ts';
import { html, type Html } from './html.ts';
import type { Frame } from './layout.ts';
import { withSigns } from './readme-signs.ts';

/** Returns the first page of a crate or version. `readme` comes from `Readmes`; null if there is none. */
export function readmePage(frame: Frame, view: CrateView, readme: Html | null): Html {
  return crateLayout(frame, view, {
    tab: 'readme',
    content:
      readme === null
        ? html`<p class="quiet">This version has no readme.</p>`
        : html`<article class="readme">${withSigns(readme)}</article>`,
  });
}
