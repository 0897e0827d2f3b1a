import { expect, test } from 'vitest';
import { HeldReport } from '../../src/report/held-report.ts';
import { reportTo } from '../../src/report/report.ts';

test('what is told before the release comes with it, in order, and the rest at once', () => {
  const heard: string[] = [];
  const held = new HeldReport(
    reportTo({
      status: (verb, text) => heard.push(`${verb} ${text}`),
      warning: (warning) => heard.push(`warning: ${typeof warning === 'string' ? warning : warning.title}`),
      note: (text) => heard.push(`note: ${text}`),
    }),
  );
  held.warning('first');
  held.status('Packaging', 'a');
  expect(heard).toEqual([]);
  held.release();
  held.note('last');
  held.release();
  expect(heard).toEqual(['warning: first', 'Packaging a', 'note: last']);
});
