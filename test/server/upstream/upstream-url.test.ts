import { expect, it } from 'vitest';
import { CRATES_IO_SPARSE_INDEX } from '../../../src/core/package-id/crates-io.ts';
import { parseUpstreamUrl } from '../../../src/server/upstream/upstream-url.ts';

it.each([
  ['crates-io', CRATES_IO_SPARSE_INDEX],
  ['sparse+https://registry.invalid/index/', 'https://registry.invalid/index/'],
  ['https://registry.invalid/index', 'https://registry.invalid/index/'],
  ['http://127.0.0.1:80', 'http://127.0.0.1/'],
])('parses %s as the index %s', (text, index) => {
  expect(parseUpstreamUrl(text)).toBe(index);
});

it.each([
  'crates',
  'registry+https://a.invalid/',
  'file:///etc',
  'https://a.invalid/?q',
  'https://a.invalid/#x',
  '',
])('refuses `%s`', (text) => {
  expect(() => parseUpstreamUrl(text)).toThrow('is not the address of a sparse index');
});

it('refuses credentials without showing them', () => {
  for (const url of ['https://me:hunter2@a.invalid/', 'sparse+https://hunter2@a.invalid/']) {
    expect(() => parseUpstreamUrl(url)).toThrow(/^(?!.*hunter2).*TSREG_UPSTREAM_TOKEN/);
  }
});
