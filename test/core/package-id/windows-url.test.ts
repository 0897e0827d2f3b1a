import fc from 'fast-check';
import { pathToFileURL } from 'node:url';
import { expect, test, vi } from 'vitest';
import { pathToUrl, urlToPath } from '../../../src/core/package-id/url.ts';

// The separator of Windows, by which the program recognizes that system.
vi.mock('node:path', async (original) => ({
  ...(await original<object>()),
  sep: '\\',
}));

test.each([
  ['C:\\ws\\a b', 'file:///C:/ws/a%20b'],
  ['c:/ws/.\\x', 'file:///c:/ws/x'],
  ['C:\\', 'file:///C:/'],
  ['\\\\?\\C:\\ws', 'file:///C:/ws'],
  ['\\\\server\\share\\ws', 'file://server/share/ws'],
  ['\\\\?\\UNC\\server\\share\\ws', 'file://server/share/ws'],
])('pathToUrl encodes the Windows path %s', (path, url) => {
  expect(pathToUrl(path)).toBe(url);
});

test('urlToPath restores a path on a drive from its URL', () => {
  const segment = fc
    .string({ unit: 'grapheme', minLength: 1 })
    .filter((s) => !/^\.{1,2}$|[/\\:*?"<>|\0]/.test(s));
  fc.assert(
    fc.property(fc.array(segment, { minLength: 1 }), (segments) => {
      const path = `C:\\${segments.join('\\')}`;
      expect(urlToPath(pathToUrl(path))).toBe(path);
      expect(urlToPath(pathToFileURL(path, { windows: true }).href)).toBe(path);
    }),
  );
});
