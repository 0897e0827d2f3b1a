import { describe, expect, it } from 'vitest';
import { compressedEtag, isUnchanged, lastModified } from '../../../src/server/http/conditional.ts';

const file = { etag: '"abc"', changedAtMs: Date.parse('2026-01-02T03:04:05.600Z') };
const asks = (ifNoneMatch: string | null, ifModifiedSince: string | null = null): boolean =>
  isUnchanged({ ifNoneMatch, ifModifiedSince }, file);

describe('a file', () => {
  it('is unchanged if an ETag matches: strong, weak or of the compressed form', () => {
    expect(asks('"abc"')).toBe(true);
    expect(asks('W/"abc"')).toBe(true);
    expect(asks('"x", "abc-gzip"')).toBe(true);
    expect(asks('*')).toBe(true);
    expect(asks('"abd"')).toBe(false);
    expect(asks('abc')).toBe(false);
    expect(compressedEtag('"abc"')).toBe('"abc-gzip"');
  });

  it('is unchanged since the second of its last change, unless the ETags differ', () => {
    expect(asks(null, 'Fri, 02 Jan 2026 03:04:05 GMT')).toBe(true);
    expect(asks(null, 'Fri, 02 Jan 2026 03:04:04 GMT')).toBe(false);
    expect(asks('"x"', 'Fri, 02 Jan 2026 03:04:06 GMT')).toBe(false);
    expect(asks(null, 'soon')).toBe(false);
    expect(asks(null)).toBe(false);
  });
});

it('returns `Last-Modified` only once the file cannot change in the same second again', () => {
  expect(lastModified(file.changedAtMs, file.changedAtMs + 300)).toBeNull();
  expect(lastModified(file.changedAtMs, file.changedAtMs + 400)).toBe('Fri, 02 Jan 2026 03:04:05 GMT');
});
