import { expect, test } from 'vitest';
import { errorAnnotation } from '../../src/cli/ci-annotation.ts';
import { TsregError } from '../../src/core/errors/error.ts';

const cause = new TsregError('100% sure: no\r\nline', { code: 'network' });
const error = new TsregError('failed', { cause });

test('formats an error as one escaped GitHub Actions line', () => {
  expect(errorAnnotation(error, 'a:b,c', { GITHUB_ACTIONS: 'true' })).toBe(
    '::error title=a%3Ab%2Cc::failed%0A100%25 sure: no%0D%0Aline\n',
  );
});

test('returns null outside GitHub Actions', () => {
  expect(errorAnnotation(error, 'x', {})).toBeNull();
  expect(errorAnnotation(error, 'x', { GITHUB_ACTIONS: 'false', CI: 'true' })).toBeNull();
});
