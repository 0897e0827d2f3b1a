import { expect, it } from 'vitest';
import { progressReport, takesProgressReports } from '../../../src/io/terminal/term-integration.ts';

it.each<readonly [Record<string, string>, boolean]>([
  [{}, false],
  [{ WT_SESSION: '' }, true],
  [{ ConEmuANSI: 'ON' }, true],
  [{ ConEmuANSI: 'OFF' }, false],
  [{ TERM_PROGRAM: 'WezTerm' }, true],
  [{ TERM_PROGRAM: 'ghostty' }, true],
  [{ TERM_PROGRAM: 'iTerm.app' }, false],
  [{ TERM_PROGRAM: 'iTerm.app', TERM_FEATURES: 'MBT2ScP' }, true],
  [{ TERM_PROGRAM: 'iTerm.app', TERM_FEATURES: 'MBPT2Sc' }, true],
  [{ TERM_PROGRAM: 'iTerm.app', TERM_FEATURES: 'MBT2Sc' }, false],
  [{ TERM_PROGRAM: 'iTerm.app', TERM_FEATURES: 'Pa' }, false],
  [{ TERM_PROGRAM: 'iTerm.app', TERM_FEATURES: 'MB;P' }, false],
  [{ TERM_FEATURES: 'P' }, true],
  [{ PTYXIS_VERSION: '48' }, true],
  [{ PTYXIS_VERSION: '49.1' }, true],
  [{ PTYXIS_VERSION: '47.9' }, false],
  [{ PTYXIS_VERSION: 'new' }, false],
])('with %j, the terminal takes progress reports: %s', (env, expected) => {
  expect(takesProgressReports(env)).toBe(expected);
});

it.each([
  [0, 0, 0],
  [1, 3, 33],
  [1, 8, 12],
  [3, 8, 37],
  [7, 7, 100],
])('reports %d of %d as %d per cent', (done, total, percent) => {
  expect(progressReport({ done, total })).toBe(`\x1b]9;4;1;${percent}\x1b\\`);
});
