/** A chart of downloads by day: stacked bars as SVG, with labels and a table as HTML. */
import { present } from '../../../core/errors/assert.ts';
import { formatDay, KEPT_DAYS } from '../../shared/days.ts';
import type { DayDownloads, DownloadSeries } from './download-series.ts';
import { countOf, formatCount } from '../shared/format.ts';
import { html, type Html, type HtmlValue } from '../shared/html.ts';

/** Units of the drawing, which the browser stretches to the width of the page. */
const BAR_STEP = 10;
const BAR_WIDTH = 8;
const BAR_MARGIN = (BAR_STEP - BAR_WIDTH) / 2;
const HEIGHT = 1000;
/** Maximum lines behind the bars, without the one at 0. */
const MAX_TICKS = 4;

/** Returns the section about the downloads of a crate. */
export function downloadSection(data: DownloadSeries): Html {
  return html`<section class="downloads" aria-labelledby="downloads">
<h2 id="downloads">Downloads</h2>
<p>${summary(data)}</p>
${data.total > 0 && chart(data)}
</section>`;
}

function summary({ total, sinceDay }: DownloadSeries): Html {
  const count = html`<strong>${formatCount(total)}</strong> ${total === 1 ? 'download' : 'downloads'}`;
  if (sinceDay === null) return html`${count} of all versions in the last ${KEPT_DAYS} days`;
  const date = formatDay(sinceDay);
  return html`${count} of all versions since <time datetime="${date}">${date}</time>, when this registry began to count by day`;
}

function chart(data: DownloadSeries): Html {
  const { days, series } = data;
  const ticks = ticksFor(Math.max(...days.map(({ total }) => total)));
  const dates = [0, 0.5, 1].map((share) => dateAt(days, share));
  return html`<figure class="chart card">
<ul class="legend small">${series.map(({ label, position }) => html`<li><svg class="s${position}" viewBox="0 0 1 1" aria-hidden="true"><path d="M0 0h1v1h-1z"/></svg>${label}</li>`)}</ul>
<div class="plot small">
<div class="ticks" aria-hidden="true">${ticks.map((tick) => html`<span>${formatCount(tick)}</span>`)}</div>
${drawing(data, ticks)}
<div class="dates" aria-hidden="true">${dates.map((date) => html`<span>${date}</span>`)}</div>
</div>
${table(data)}
</figure>`;
}

/** Returns the date of the day at `share` of the period: 0 for the first one, 1 for the last one. */
function dateAt(days: readonly DayDownloads[], share: number): string {
  return formatDay(present(days[Math.floor((days.length - 1) * share)], 'a day of the chart').day);
}

/** Returns the values of the lines behind the bars, largest first. All distances are equal, and no bar is higher. */
function ticksFor(highest: number): readonly number[] {
  const least = Math.max(highest / MAX_TICKS, 1);
  const magnitude = 10 ** Math.floor(Math.log10(least));
  const step = [1, 2, 5, 10].map((factor) => factor * magnitude).find((size) => size >= least);
  const distance = present(step, 'a round distance of lines');
  const count = Math.ceil(highest / distance);
  return Array.from({ length: count + 1 }, (_, position) => (count - position) * distance);
}

function drawing({ days, series }: DownloadSeries, ticks: readonly number[]): Html {
  const width = days.length * BAR_STEP;
  const top = Math.max(...ticks);
  const lines = ticks.map((tick) => `M0 ${heightOf(top - tick, top)}h${width}`).join('');
  const label = `Chart of the downloads by day, from ${dateAt(days, 0)} to ${dateAt(days, 1)}. The table below has the numbers.`;
  return html`<svg class="bars" role="img" aria-label="${label}" viewBox="0 0 ${width} ${HEIGHT}" preserveAspectRatio="none">
<path class="grid" d="${lines}"/>
${series.map(({ position }, order) => html`<path class="s${position}" d="${bars(days, { order, top })}"/>\n`)}
${days.map((day, position) => html`<rect class="day" x="${position * BAR_STEP}" width="${BAR_STEP}" height="${HEIGHT}"><title>${titleOf(day, series)}</title></rect>\n`)}</svg>`;
}

/**
 * Returns the outline of the series at position `order`: a rectangle for each day. Later series are stacked below it.
 */
function bars(
  days: readonly DayDownloads[],
  { order, top }: { readonly order: number; readonly top: number },
): string {
  return days
    .map(({ parts }, position) => {
      const above = heightOf(sumFrom(parts, order), top);
      const below = heightOf(sumFrom(parts, order + 1), top);
      if (above === below) return '';
      return `M${position * BAR_STEP + BAR_MARGIN} ${HEIGHT - above}h${BAR_WIDTH}v${above - below}h-${BAR_WIDTH}z`;
    })
    .join('');
}

function sumFrom(parts: readonly number[], first: number): number {
  return parts.slice(first).reduce((sum, part) => sum + part, 0);
}

/** Returns a height in units of the drawing, whose whole height stands for `top` downloads. */
function heightOf(value: number, top: number): number {
  return Math.round((value / top) * HEIGHT);
}

function titleOf({ day, total, parts }: DayDownloads, series: DownloadSeries['series']): string {
  const named = series.map(({ label }, order) => ({
    label,
    count: present(parts[order], 'the downloads of a series'),
  }));
  const shown = named
    .filter(({ count }) => count > 0)
    .map(({ label, count }) => `${label}: ${formatCount(count)}`);
  return [`${formatDay(day)}: ${countOf(total, 'download', 'downloads')}`, ...shown].join('\n');
}

function table({ days, series }: DownloadSeries): Html {
  const hasSum = series.length > 1;
  const head = (label: string): Html => html`<th scope="col" class="number">${label}</th>`;
  const cell = (count: number): Html => html`<td class="number">${formatCount(count)}</td>`;
  const rows = days.filter(({ total }) => total > 0).toReversed();
  const body: HtmlValue = rows.map(
    ({ day, total, parts }) =>
      html`<tr><th scope="row">${formatDay(day)}</th>${hasSum && cell(total)}${parts.map(cell)}</tr>\n`,
  );
  return html`<details><summary>Show as a table</summary>
<div class="scroll" tabindex="0" role="region" aria-label="Downloads by day">
<table><thead><tr><th scope="col">Day (UTC)</th>${hasSum && head('All')}${series.map(({ label }) => head(label))}</tr></thead>
<tbody>${body}</tbody></table></div>
<p class="quiet small">Days without downloads are left out.</p></details>`;
}
