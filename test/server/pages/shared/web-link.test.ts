import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { localPath, repositoryFiles, webAddress } from '../../../../src/server/pages/shared/web-link.ts';

describe('webAddress', () => {
  it('accepts only web URLs', () => {
    expect(webAddress(' https://ok.example/a b ')).toBe('https://ok.example/a%20b');
    expect(webAddress('http://ok.example')).toBe('http://ok.example/');
    for (const bad of [
      null,
      '',
      'ok.example',
      'javascript:alert(1)',
      ' java\nscript:alert(1)',
      'data:text/html,x',
      '/path',
      'mailto:a@b',
    ])
      expect(webAddress(bad), String(bad)).toBeNull();
  });
});

describe('repositoryFiles', () => {
  it('returns the file URLs of known hosting sites only', () => {
    expect(repositoryFiles('https://github.com/a/b.git')).toEqual({
      pages: 'https://github.com/a/b/blob/HEAD/',
      raw: 'https://github.com/a/b/raw/HEAD/',
    });
    expect(repositoryFiles('https://github.com/a/b/tree/main/crates/c')?.pages).toBe(
      'https://github.com/a/b/blob/HEAD/',
    );
    for (const other of [
      null,
      'https://github.com/a',
      'https://github.com.evil.example/a/b',
      'git@github.com:a/b',
      'https://git.example/a/b',
    ])
      expect(repositoryFiles(other), String(other)).toBeNull();
  });
});

describe('localPath', () => {
  it('keeps paths on the same site', () => {
    for (const path of ['/', '/me', '/admin?x=1', '/crates/a/1.0.0+b#readme-x', '/?q=%2F%2Fx'])
      expect(localPath(path, '/no'), path).toBe(path);
    expect(localPath('/a/../b', '/no')).toBe('/b');
  });

  it('never leads to another site', () => {
    const pieces = [
      '/',
      '\\',
      '.',
      '..',
      ':',
      '@',
      '?',
      '#',
      '%2f',
      '%5c',
      '\t',
      '\n',
      ' ',
      'evil.example',
      'http:',
      'javascript:',
      '\0',
      '\u2028',
      '\u3000',
    ];
    const text = fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string({ maxLength: 3 })), {
      maxLength: 8,
    });
    fc.assert(
      fc.property(text, (parts) => {
        const path = localPath(parts.join(''), '/me');
        expect(path).toMatch(/^\/(?![/\\])/);
        expect(new URL(path, 'https://registry.example').origin).toBe('https://registry.example');
        expect(path).not.toMatch(/[\r\n\t]/);
      }),
      { numRuns: 2000 },
    );
  });
});
