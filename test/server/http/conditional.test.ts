import { describe, expect, it } from 'vitest';
import { compressedEtag, isUnchanged, lastModified } from '../../../src/server/http/conditional.ts';

const file = { etag: '"abc"', modified: 'Fri, 02 Jan 2026 03:04:06 GMT' };
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

  it('is unchanged since exactly the time of its last change, unless the ETags differ', () => {
    expect(asks(null, 'Fri, 02 Jan 2026 03:04:06 GMT')).toBe(true);
    expect(asks(null, 'Fri, 02 Jan 2026 03:04:05 GMT')).toBe(false);
    expect(asks(null, 'Fri, 02 Jan 2026 03:04:07 GMT')).toBe(false);
    expect(asks('"x"', 'Fri, 02 Jan 2026 03:04:06 GMT')).toBe(false);
    expect(asks(null)).toBe(false);
    expect(isUnchanged({ ifNoneMatch: null, ifModifiedSince: null }, { ...file, modified: null })).toBe(
      false,
    );
  });
});

it('returns the first second after a change as `Last-Modified`, but only once that is over', () => {
  const changedAtMs = Date.parse('2026-01-02T03:04:05.600Z');
  expect(lastModified(changedAtMs, changedAtMs + 400)).toBeNull();
  expect(lastModified(changedAtMs, changedAtMs + 401)).toBe('Fri, 02 Jan 2026 03:04:06 GMT');
  // A later change in the same second of the clock has another time.
  expect(lastModified(changedAtMs + 401, changedAtMs + 1401)).toBe('Fri, 02 Jan 2026 03:04:07 GMT');
  const wholeSecondMs = Date.parse('2026-01-02T03:04:05Z');
  expect([0, 1].map((laterMs) => lastModified(wholeSecondMs, wholeSecondMs + laterMs))).toEqual([
    null,
    'Fri, 02 Jan 2026 03:04:05 GMT',
  ]);
});
