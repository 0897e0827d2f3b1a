import { expect, it } from 'vitest';
import { readManifestFacts } from '../../../src/server/source/manifest-facts.ts';

it('returns the edition, the library and the programs', () => {
  const text =
    '[package]\nedition = "2021"\n[lib]\nname = "reef"\n[[bin]]\nname = "reefd"\n[[bin]]\nname = "reefctl"\n';
  expect(readManifestFacts(text)).toEqual({
    edition: '2021',
    targets: ['lib reef', 'bin reefd', 'bin reefctl'],
  });
  expect(readManifestFacts('[lib]\nproc-macro = true\n').targets).toEqual(['proc-macro']);
});

it('returns nothing for text of another form', () => {
  const texts = [
    '',
    'x',
    'package = 1\nlib = []\nbin = "x"',
    'bin = [1]',
    '[package]\nedition.workspace = true',
  ];
  for (const text of texts) expect(readManifestFacts(text), text).toEqual({ edition: null, targets: [] });
});
