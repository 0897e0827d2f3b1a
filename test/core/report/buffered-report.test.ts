import { expect, test } from 'vitest';
import { bufferReport } from '../../../src/core/report/buffered-report.ts';
import { type Report, reportThrough, reportTo } from '../../../src/core/report/report.ts';

test('a buffered report passes messages on at its release, in order, and later ones at once', () => {
  const heard: string[] = [];
  const held = bufferReport(
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

test.each([
  [
    'that holds',
    (receiver: Report) => {
      const held = bufferReport(receiver);
      held.release();
      return held;
    },
  ],
  ['with a step between', (receiver: Report) => reportThrough(receiver, (_method, tell) => tell())],
  ['to a part of one', (receiver: Report) => reportTo(receiver)],
] as const)('a report %s passes on every argument of every call', (_name, decorate) => {
  const calls: unknown[][] = [];
  const note =
    (method: string) =>
    (...args: unknown[]) =>
      void calls.push([method, ...args]);
  const receiver: Report = {
    status: note('status'),
    warning: note('warning'),
    error: note('error'),
    note: note('note'),
    snippet: note('snippet'),
    progress: note('progress'),
    showsProgress: true,
    verbose: note('verbose'),
  };
  const report = decorate(receiver);
  const snippet = { path: 'Cargo.toml', message: 'm', text: 't', span: { start: 0, end: 1 } };
  report.status('Adding', 'a', { style: 'note' });
  report.warning('w');
  report.error('e');
  report.note('n', 'help');
  report.snippet(snippet);
  report.progress(null);
  report.verbose('Fresh', 'a');
  expect(report.showsProgress).toBe(true);
  expect(calls).toEqual([
    ['status', 'Adding', 'a', { style: 'note' }],
    ['warning', 'w'],
    ['error', 'e'],
    ['note', 'n', 'help'],
    ['snippet', snippet],
    ['progress', null],
    ['verbose', 'Fresh', 'a'],
  ]);
});
