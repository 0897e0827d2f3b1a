import { describe, expect, it } from 'vitest';
import { versionSelector } from '../../../../src/server/pages/shared/select-version.ts';
import { readVersionFilter } from '../../../../src/server/pages/crate/version-filter.ts';

describe('the filter of dependents', () => {
  const PUBLISHED = ['0.2.0', '0.3.0', '0.3.7', '1.0.0', '1.2.0', '2.0.0-rc.1'];
  const accepts = (wanted: string, req: string): boolean | undefined =>
    readVersionFilter(wanted, PUBLISHED).accepts?.(req);

  it('accepts requirements that allow one of the published versions', () => {
    expect(accepts('0.3', '^0.3.5')).toBe(true);
    expect(accepts('0.3', '>=0.2')).toBe(true);
    expect(accepts('0.3', '^0.2')).toBe(false);
    expect(accepts('0.3.0', '^0.3.5')).toBe(false);
    expect(accepts('0.3.7', '^0.3.5')).toBe(true);
    expect(accepts('1', '=1.2.0')).toBe(true);
    expect(accepts('2.0.0-rc.1', '^2.0.0-rc.0')).toBe(true);
    expect(accepts(' 1 ', '*')).toBe(true);
    expect(accepts('1', 'no requirement')).toBe(false);
  });

  it('accepts requirements that allow the version itself if no published version has these numbers', () => {
    expect(accepts('5.1', '^5')).toBe(true);
    expect(accepts('5.1', '^5.2')).toBe(false);
    expect(accepts('5.1.0-beta', '^5.1.0-alpha')).toBe(true);
  });

  it('accepts requirements on pre-releases if only these were published', () => {
    expect(accepts('2', '=2.0.0-rc.1')).toBe(true);
    expect(accepts('2', '^2.0.0-rc.1')).toBe(true);
    expect(accepts('2', '=2.0.0-rc.2')).toBe(false);
    expect(accepts('2.1', '=2.0.0-rc.1')).toBe(false);
    expect(accepts('2.0.0-rc.0', '=2.0.0-rc.1')).toBe(false);
  });

  it('filters nothing without a version', () => {
    for (const wanted of ['', ' ', 'x', '>=1', '1.2.3.4', '^', '1'.repeat(60), '<script>'])
      expect(readVersionFilter(wanted, PUBLISHED).accepts, wanted).toBeNull();
    expect(readVersionFilter('9'.repeat(60), PUBLISHED).wanted).toHaveLength(50);
  });

  it('offers the compatible ranges of the published versions, highest first', () => {
    expect(readVersionFilter('', PUBLISHED).offered).toEqual(['2', '1', '0.3', '0.2']);
    const many = Array.from({ length: 40 }, (_, major) => `${major + 1}.0.0`);
    expect(readVersionFilter('', many).offered).toHaveLength(12);
  });
});

describe('the selected version', () => {
  it('is the highest one that matches and is not yanked', () => {
    const select = versionSelector([
      { version: '1.0.0', isYanked: false },
      { version: '1.10.0', isYanked: true },
      { version: '1.9.0', isYanked: false },
      { version: '1.9.0-rc.1', isYanked: false },
      { version: '2.0.0-rc.1', isYanked: false },
    ]);
    expect(select('^1')).toBe('1.9.0');
    expect(select('=1.10.0')).toBeNull();
    expect(select('>=1')).toBe('1.9.0');
    expect(select('2.0.0-rc.0')).toBe('2.0.0-rc.1');
    expect(select('no requirement')).toBeNull();
  });

  it('is found without parsing all versions again for each requirement', () => {
    let reads = 0;
    const version = {
      get version() {
        reads += 1;
        return '1.0.0';
      },
      isYanked: false,
    };
    const select = versionSelector([version]);
    expect([select('1'), select('=1.0.0'), select('2')]).toEqual(['1.0.0', '1.0.0', null]);
    expect(reads).toBe(1);
  });
});
