import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { downloadSection } from '../../../../src/server/pages/crate/download-chart.ts';
import { downloadSeries } from '../../../../src/server/pages/crate/download-series.ts';
import { CHART_STYLES } from '../../../../src/server/pages/assets/styles/chart.ts';
import { paletteCss } from '../../../../src/server/pages/assets/styles/palette.ts';
import { contrastOf, parseColour } from '../../../../src/server/shared/colour.ts';
import type { CrateDownloads } from '../../../../src/server/http/api/daily-downloads.ts';
import { addDemoCrates } from '../../../helpers/demo-crates.ts';
import { makePagesSite, type PagesSite } from '../../../helpers/pages-site.ts';
import { changeRecords } from '../../../helpers/test-location.ts';

const DAY_MS = 86_400_000;
/** 2026-03-31. */
const TODAY = 20_543;
const NOW = { nowMs: TODAY * DAY_MS + 5, createdAtMs: 0 };

let site: PagesSite;
let versions: CrateDownloads['versions'];

beforeAll(async () => {
  site = await makePagesSite();
  await addDemoCrates(site);
  versions = (await site.store.records.listVersions('tidepool', { limit: 3, offset: 0 })).items;
});
afterAll(() => site[Symbol.asyncDispose]());

/** Returns downloads of versions by position (null for others) and days ago. */
function downloads(
  given: readonly (readonly [position: number | null, daysAgo: number, downloads: number])[],
  sinceDay = 0,
): CrateDownloads {
  const counts = given.map(([position, daysAgo, count]) => ({
    day: TODAY - daysAgo,
    versionId: position === null ? null : (versions[position]?.id ?? 0),
    downloads: count,
  }));
  return { versions, counts: counts.toSorted((a, b) => a.day - b.day), sinceDay };
}

describe('the series of a chart', () => {
  it('have a value for each of 90 days, and leave out versions without downloads', () => {
    const { days, series, total, sinceDay } = downloadSeries(
      downloads([
        [0, 0, 5],
        [2, 0, 2],
        [null, 89, 1],
      ]),
      NOW,
    );
    expect(days).toHaveLength(90);
    expect(series).toEqual([
      { label: '1.1.0', position: 0 },
      { label: '0.3.0-rc.1', position: 2 },
      { label: 'Others', position: 3 },
    ]);
    expect(days[0]).toEqual({ day: TODAY - 89, parts: [0, 0, 1], total: 1 });
    expect(days.at(-1)).toEqual({ day: TODAY, parts: [5, 2, 0], total: 7 });
    expect([total, sinceDay]).toEqual([8, null]);
  });

  it('tell since when downloads are counted, if the crate is older and that is less than 90 days ago', () => {
    const since = (
      day: number,
      createdAtMs = 0,
      given: Parameters<typeof downloads>[0] = [],
    ): number | null => downloadSeries(downloads(given, day), { ...NOW, createdAtMs }).sinceDay;
    expect(since(TODAY - 10)).toBe(TODAY - 10);
    expect(since(TODAY)).toBe(TODAY);
    expect(since(TODAY - 89)).toBeNull();
    expect(since(TODAY - 10, (TODAY - 10) * DAY_MS)).toBeNull();
    expect(since(TODAY + 1)).toBeNull();
    expect(since(TODAY, 0, [[0, 30, 1]])).toBeNull();
  });
});

describe('the chart', () => {
  const shown = (given: Parameters<typeof downloads>[0], sinceDay = 0): string =>
    downloadSection(downloadSeries(downloads(given, sinceDay), NOW)).text;

  it('states the total, and the day since which downloads are counted', () => {
    expect(shown([[0, 0, 1]])).toContain('<strong>1</strong> download of all versions in the last 90 days');
    expect(shown([[0, 0, 1234]], TODAY - 3)).toContain(
      '<strong>1,234</strong> downloads of all versions since <time datetime="2026-03-28">2026-03-28</time>, when this registry began to count by day',
    );
  });

  it('is absent without downloads', () => {
    expect(shown([])).toContain('<strong>0</strong> downloads');
    expect(shown([])).not.toContain('<svg');
  });

  it('stacks versions as bars, each day with a tooltip, and nothing inline', () => {
    const text = shown([
      [0, 0, 6],
      [1, 0, 2],
      [1, 1, 4],
    ]);
    expect(text).toContain('<path class="s0" d="M891 0h8v750h-8z"/>');
    expect(text).toContain('<path class="s1" d="M881 500h8v500h-8zM891 750h8v250h-8z"/>');
    expect(text).toContain('<title>2026-03-31: 8 downloads\n1.1.0: 6\n1.0.0: 2</title>');
    expect(text).toContain('<title>2026-03-29: 0 downloads</title>');
    expect(text).not.toMatch(/ style=|<style|<script/);
  });

  it.each([
    [1, ['1', '0']],
    [3, ['3', '2', '1', '0']],
    [8, ['8', '6', '4', '2', '0']],
    [97, ['100', '50', '0']],
    [1_000_001, ['1,500,000', '1,000,000', '500,000', '0']],
  ])('with at most %i downloads a day has the lines %j', (highest, lines) => {
    const [, ticks = ''] = /class="ticks"[^>]*>(.*?)<\/div>/.exec(shown([[0, 0, highest]])) ?? [];
    expect([...ticks.matchAll(/<span>([^<]*)/g)].map(([, tick]) => tick)).toEqual(lines);
  });

  it('has a table with all numbers, latest day first', () => {
    const text = shown([
      [0, 0, 6],
      [null, 0, 2],
      [null, 5, 4],
    ]);
    const rows = [...text.matchAll(/<tr>.*?<\/tr>/g)].map(([row]) => row.replaceAll(/<[^>]*>/g, '|'));
    expect(rows.map((row) => row.split('|').filter((cell) => cell !== ''))).toEqual([
      ['Day (UTC)', 'All', '1.1.0', 'Others'],
      ['2026-03-31', '8', '6', '2'],
      ['2026-03-26', '4', '0', '4'],
    ]);
    expect(text).toContain('<th scope="row">2026-03-31</th>');
    expect(text).toContain('<details><summary>Show as a table</summary>');
  });

  it('has colours that differ enough from the card in both schemes (WCAG 2.2, 1.4.11)', () => {
    const cards = paletteCss([0, 0, 0]).split('@media');
    const charts = CHART_STYLES.split('@media');
    expect([cards.length, charts.length]).toEqual([2, 2]);
    for (const [scheme, css] of charts.entries()) {
      const card = parseColour(/--card: (#\w+);/.exec(cards[scheme] ?? '')?.[1] ?? '');
      const colours = [...css.matchAll(/--s\d: (#\w+);/g)].map(([, text = '']) => parseColour(text));
      expect(colours).toHaveLength(6);
      for (const colour of colours) {
        if (card === null || colour === null) throw new Error('no colour');
        expect(contrastOf(colour, card)).toBeGreaterThanOrEqual(3);
      }
    }
  });
});

describe('the page of a crate', () => {
  it('shows the downloads of the last 90 days, on pages of a version too', async () => {
    for (const path of ['/crates/tidepool', '/crates/tidepool/0.1.0']) {
      const { text } = await site.browser().get(path);
      expect(text, path).toContain('<h2 id="downloads">Downloads</h2>');
      // 12 days: 1,000 more on each of one version, and 600 less of another one.
      expect(text, path).toContain('<strong>124,800</strong> downloads of all versions in the last 90 days');
    }
    const { text } = await site.browser().get('/crates/tidepool/versions');
    expect(text).toContain('<a href="/crates/tidepool#downloads">');
  });

  it('says since when a registry that was upgraded counts by day', async () => {
    await using upgraded = await makePagesSite();
    await addDemoCrates(upgraded);
    const today = Math.floor(upgraded.nowMs / DAY_MS);
    await changeRecords(
      upgraded.location,
      `DELETE FROM daily_downloads; UPDATE daily_downloads_start SET day = ${today}`,
    );
    const { text } = await upgraded.browser().get('/crates/tidepool');
    const date = new Date(upgraded.nowMs).toISOString().slice(0, 10);
    expect(text).toContain(`<strong>0</strong> downloads of all versions since <time datetime="${date}">`);
  });
});
