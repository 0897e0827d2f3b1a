import { expect, test } from 'vitest';
import { downloadUrl } from '../../../src/core/protocol/download-url.ts';
import { indexPath, indexPrefix } from '../../../src/core/protocol/index-path.ts';

test.each([
  ['a', '1/a'],
  ['ab', '2/ab'],
  ['abc', '3/a/abc'],
  ['abcd', 'ab/cd/abcd'],
  ['Mixed_Case', 'mi/xe/mixed_case'],
  ['a-b-c', 'a-/b-/a-b-c'],
])('returns the index path of %s', (name, path) => expect(indexPath(name)).toBe(path));

test('keeps the case of the name in the prefix', () => expect(indexPrefix('Mixed_Case')).toBe('Mi/xe'));

const subject = { name: 'Mixed_Case', version: '1.0.0+x', checksum: 'ff00' };

test.each([
  ['https://h/dl', 'https://h/dl/Mixed_Case/1.0.0+x/download'],
  ['https://h/{crate}', 'https://h/Mixed_Case'],
  [
    'https://h/{prefix}/{lowerprefix}/{crate}/{version}/{sha256-checksum}/{crate}',
    'https://h/Mi/xe/mi/xe/Mixed_Case/1.0.0+x/ff00/Mixed_Case',
  ],
  ['https://h/{other}', 'https://h/{other}/Mixed_Case/1.0.0+x/download'],
])('returns the download URL for %s', (template, url) => expect(downloadUrl(template, subject)).toBe(url));

test('treats names and templates as text, not as patterns', () => {
  expect(downloadUrl('$&/{crate}', { ...subject, name: "$'" })).toBe("$&/$'");
});
