import { expect, test } from 'vitest';
import { parseUnstableFlags } from '../../../src/commands/shared/unstable-flags.ts';

test.each(['embed-metadata=no', 'hint-msrv', 'git', 'unstable-options'])(
  'parseUnstableFlags accepts %s, a flag of the reference release',
  (flag) => {
    expect([...parseUnstableFlags([flag], 'nightly')]).toEqual([flag.split('=')[0]]);
  },
);

test.each(['no-embed-metadata', 'nonsense'])('parseUnstableFlags refuses %s', (flag) => {
  expect(() => parseUnstableFlags([flag], 'nightly')).toThrow('unknown `-Z` flag');
});
