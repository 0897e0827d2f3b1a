import { expect, test } from 'vitest';
import { parseUnstableFlags } from '../../../src/commands/shared/unstable-flags.ts';

test.each(['embed-metadata=no', 'hint-msrv', 'git', 'unstable-options'])(
  'parseUnstableFlags accepts %s, a flag of the reference release',
  (flag) => {
    expect([...parseUnstableFlags([flag], 'nightly')]).toEqual([flag.split('=')[0]]);
  },
);

test.each(['offline', 'offline=yes'])('parseUnstableFlags says that %s is stable as `--offline`', (flag) => {
  expect(() => parseUnstableFlags([flag], 'nightly')).toThrow(
    expect.objectContaining({
      message: '`-Z offline` was stabilized in cargo 1.36, as `--offline`',
      cargoMessage:
        'flag `-Z offline` has been stabilized in the 1.36 release\n' +
        '  Offline mode is now available via the --offline CLI option\n',
    }),
  );
});

test.each(['no-embed-metadata', 'nonsense'])('parseUnstableFlags refuses %s', (flag) => {
  expect(() => parseUnstableFlags([flag], 'nightly')).toThrow('unknown `-Z` flag');
});
