import fc from 'fast-check';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import {
  canonicalizeUrl,
  lastPathSegment,
  parseUrl,
  pathToUrl,
  urlHost,
  urlToPath,
} from '../../../src/core/package-id/url.ts';
import { onWindows } from '../../helpers/system.ts';

test.each([
  ['https://Example.COM:443/a b/../c', 'https://example.com/c'],
  ['ssh://git@Host:22/x', 'ssh://git@Host:22/x'],
  ['sparse+https://EX.com:443/i/', 'sparse+https://EX.com:443/i/'],
  ['https://a/b%20é?x#y z', 'https://a/b%20%C3%A9?x#y%20z'],
  ['https://a/^', 'https://a/^'],
  ['file:///a/b', 'file:///a/b'],
  ['file:////a//b', 'file:///a//b'],
  ['file:///..//a', 'file:///a'],
  ['file://host//a', 'file://host/a'],
  ['file:////', 'file:///'],
  ['http://host//a', 'http://host//a'],
])('parseUrl normalizes %s', (text, url) => {
  expect(parseUrl(text)).toBe(url);
});

test.each([
  ['a/b', 'invalid url `a/b`: relative URL without a base'],
  ['', 'invalid url ``: relative URL without a base'],
  [
    'git@github.com:a/b.git',
    'invalid url `git@github.com:a/b.git`: relative URL without a base; try using `ssh://git@github.com/a/b.git` instead',
  ],
  ['http://', 'invalid url `http://`: empty host'],
  ['http://a:b/', 'invalid url `http://a:b/`: invalid port number'],
  ['https://a:70000/', 'invalid url `https://a:70000/`: invalid port number'],
  ['https://[::g]/', 'invalid url `https://[::g]/`: invalid IPv6 address'],
  ['https://[::1]:x/', 'invalid url `https://[::1]:x/`: invalid port number'],
  ['https://1.2.3.999/', 'invalid url `https://1.2.3.999/`: invalid IPv4 address'],
  ['https://a b/', 'invalid url `https://a b/`: invalid international domain name'],
  ['ssh://a b/', 'invalid url `ssh://a b/`: invalid domain character'],
])('parseUrl refuses %j', (text, message) => {
  expect(() => parseUrl(text)).toThrow(expect.objectContaining({ message }));
});

test.each([
  ['/', 'file:///'],
  ['/a/./b//c/', 'file:///a/b/c'],
  ['/a/../b', 'file:///a/../b'],
  ['/sp ace/100%/é#?[]{}^|`<>"\\', 'file:///sp%20ace/100%25/%C3%A9%23%3F[]%7B%7D^|%60%3C%3E%22%5C'],
  ["/a~b'c(d)!*;:@&=+$,", "file:///a~b'c(d)!*;:@&=+$,"],
  ['/\u{1f600}\x7f\t', 'file:///%F0%9F%98%80%7F%09'],
])('pathToUrl encodes %j', (path, url) => {
  expect(pathToUrl(path)).toBe(url);
});

test('urlToPath restores the path of a URL', () => {
  const segment = fc.string({ unit: 'grapheme', minLength: 1 }).filter((s) => !/^\.{1,2}$|[/\0]/.test(s));
  fc.assert(
    fc.property(fc.array(segment, { minLength: 1 }), (segments) => {
      const path = `/${segments.join('/')}`;
      expect(urlToPath(pathToUrl(path))).toBe(path);
      expect(new URL(pathToUrl(path)).pathname).toBe(pathToUrl(path).slice('file://'.length));
      expect(urlToPath(pathToFileURL(path, { windows: false }).href)).toBe(path);
    }),
  );
});

test.skipIf(onWindows).each(['/C:', '/C:/x', '/c:/a\\b', '/x/C:/y', '/C:\\x', '//C:/x'])(
  '%s is an ordinary path (not on Windows: there it is a drive or a share)',
  (path) => {
    expect(urlToPath(pathToUrl(path))).toBe(path.replace('//', '/'));
    expect(urlToPath(pathToUrl(path))).toBe(urlToPath(pathToFileURL(path.replace('//', '/')).href));
  },
);

test('urlToPath returns null unless the URL is of a local file', () => {
  expect(urlToPath('https://a/b')).toBeNull();
  expect(urlToPath('file://host/b')).toBeNull();
  expect(urlToPath('file:///%ff')).toBeNull();
});

test.each([
  ['https://a/b/', 'https://a/b'],
  ['https://a/b//', 'https://a/b/'],
  ['https://a/', 'https://a/'],
  ['https://a/b.git', 'https://a/b'],
  ['https://a/b.git/', 'https://a/b'],
  ['https://a/%20x.git', 'https://a/%2520x'],
  ['file:///r/.git', 'file:///r/'],
  ['file:///.git', 'file:///'],
  ['file:///x.git', 'file:///x'],
  ['git://github.com/Foo/Bar.git', 'https://github.com/foo/bar'],
  ['ssh://git@github.com:22/Foo/Bar', 'https://git@github.com:22/foo/bar'],
  ['https://github.com/A?Q=1#F', 'https://github.com/a?Q=1#F'],
  ['sparse+https://a/i/', 'sparse+https://a/i'],
  ['sparse+https://a', 'sparse+https://a'],
  ['sparse+https://a/b.git/', 'sparse+https://a/b.git'],
  ['sparse+https://github.com/A/', 'sparse+https://github.com/A'],
])('canonicalizeUrl turns %s into %s', (url, canonical) => {
  expect(canonicalizeUrl(url)).toBe(canonical);
});

test.each(['foo:bar', 'foo:'])('canonicalizeUrl refuses %s', (url) => {
  expect(() => canonicalizeUrl(url)).toThrow(
    `invalid url \`${url}\`: cannot-be-a-base-URLs are not supported`,
  );
});

test('urlHost and lastPathSegment return parts of a URL', () => {
  expect(urlHost('sparse+http://u:p@127.0.0.1:8931/index/')).toBe('127.0.0.1');
  expect(urlHost('https://[::1]:80/')).toBe('[::1]');
  expect(urlHost('file:///a')).toBe('');
  expect(lastPathSegment('https://a/b/c.git?x/y#z/w')).toBe('c.git');
  expect(lastPathSegment('https://a/b/')).toBe('');
  expect(lastPathSegment('https://a')).toBe('');
});
