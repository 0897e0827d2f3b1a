import { describe, expect, it } from 'vitest';
import { planVendoring } from '../../../src/commands/vendor/plan.ts';
import { makePackageId, type PackageId } from '../../../src/core/package-id/package-id.ts';
import { SourceTable } from '../../../src/core/package-id/source-table.ts';
import { parseVersion } from '../../../src/core/version/version.ts';

const sources = new SourceTable();

function packageOf(name: string, version: string, source = sources.cratesIo()): { id: PackageId } {
  return { id: makePackageId(name, parseVersion(version), source) };
}

function namesOf(packages: readonly { readonly id: PackageId }[], versionedDirs = false): readonly string[] {
  return planVendoring(packages, { versionedDirs }).map(({ name }) => name);
}

describe('planVendoring', () => {
  it('names folders with the version if there is a newer one, or always on request', () => {
    const packages = [
      packageOf('b', '1.0.0'),
      packageOf('a', '1.10.0'),
      packageOf('a', '1.9.0', sources.forGit('https://example.org/a', { kind: 'default' })),
      packageOf('a', '2.0.0-rc.1+build'),
    ];
    expect(namesOf(packages)).toEqual(['a-1.9.0', 'a-1.10.0', 'a', 'b']);
    expect(namesOf(packages, true)).toEqual(['a-1.9.0', 'a-1.10.0', 'a-2.0.0-rc.1+build', 'b-1.0.0']);
  });

  it('refuses two packages with the same folder', () => {
    const other = sources.forGit('https://example.org/a', { kind: 'tag', name: 'v1' });
    expect(() => namesOf([packageOf('a', '1.0.0', other), packageOf('a', '1.0.0')], true)).toThrow(
      'found duplicate version of package `a v1.0.0` vendored from two sources:\n\n' +
        '\tsource 1: registry `crates-io`\n\tsource 2: https://example.org/a?tag=v1',
    );
  });
});
