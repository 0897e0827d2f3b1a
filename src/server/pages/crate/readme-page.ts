import { downloadSection } from './download-chart.ts';
import type { DownloadSeries } from './download-series.ts';
import { crateLayout, type CrateView } from '../shared/crate-frame.ts';
import { html, type Html } from '../shared/html.ts';
import type { Frame } from '../shared/layout.ts';
import { withSigns } from '../readme/readme-signs.ts';

/** The content of the first page of a crate or version. */
export interface ReadmeView {
  /** From `Readmes`; null if there is none. */
  readonly readme: Html | null;
  readonly downloads: DownloadSeries;
}

/** Returns the first page of a crate or version. */
export function readmePage(frame: Frame, view: CrateView, { readme, downloads }: ReadmeView): Html {
  return crateLayout(frame, view, {
    tab: 'readme',
    content: html`${
      readme === null
        ? html`<p class="quiet">This version has no readme.</p>`
        : html`<article class="readme">${withSigns(readme)}</article>`
    }
${downloadSection(downloads)}`,
  });
}
