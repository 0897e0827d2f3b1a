import { expect, it } from 'vitest';
import { isPreRelease, withoutBuild } from '../../../src/server/shared/version-text.ts';

it('removes build metadata, which may contain a hyphen', () => {
  expect(withoutBuild('1.2.3')).toBe('1.2.3');
  expect(withoutBuild('1.2.3-rc.1+a-b')).toBe('1.2.3-rc.1');
});

it('recognises pre-releases by a hyphen before the build metadata', () => {
  expect(['1.2.3', '1.2.3+a-b', '1.2.3-rc.1', '1.2.3-rc.1+a'].map(isPreRelease)).toEqual([
    false,
    false,
    true,
    true,
  ]);
});
