import { describe, expect, it } from 'vitest';
import { checkUri } from '../../../src/io/http/check-uri.ts';

describe('checkUri', () => {
  it.each([
    'http://127.0.0.1:8080/api/v1/crates?q=a&per_page=10',
    'https://user:p%20w@example.com/x',
    'http://[fe80::1%25eth0]:80/',
    'http://example.com/é/"{}"?é#<fragment>',
    'file:///folder/api',
    'ftp://host/x',
    '/path/only',
    'host:80',
  ])('accepts %s', (url) => {
    expect(checkUri(url)).toBe(url);
  });

  it.each([
    ['', 'empty string'],
    ['http://', 'empty string'],
    ['nope/api/v1', 'invalid format'],
    ['127.0.0.1:80/api', 'invalid format'],
    ['http:///api', 'invalid format'],
    [`${'s'.repeat(65)}://host/`, 'scheme too long'],
    [`http://host/${'x'.repeat(65_536)}`, 'uri too long'],
    ['http://a b/', 'invalid uri character'],
    ['http://größe/', 'invalid uri character'],
    ['http://host/a b', 'invalid uri character'],
    ['http://host/<x>', 'invalid uri character'],
    ['http://host/x?a"b', 'invalid uri character'],
    ['http://host/x?a\tb', 'invalid uri character'],
    ['http://[::1/', 'invalid authority'],
    ['http://]::1[/', 'invalid authority'],
    ['http://[::1][::1]/', 'invalid authority'],
    ['http://a:1:2/', 'invalid authority'],
    ['http://[1:2:3:4:5:6:7:8:9:0]/', 'invalid authority'],
    ['http://user@/', 'invalid authority'],
    ['http://ho%20st/', 'invalid authority'],
  ])('refuses %s: %s', (url, message) => {
    expect(() => checkUri(url)).toThrow(message);
  });

  it('names the URL in its hint, without a password', () => {
    expect(() => checkUri('http://me:secret@host/a b')).toThrow(
      expect.objectContaining({ hint: 'correct the URL `http://host/a b`' }),
    );
    expect(() => checkUri(`http://me:${'secret'.repeat(50)}@host/a b`)).toThrow(
      expect.objectContaining({ hint: 'correct the URL `http://host/a b`' }),
    );
  });
});
