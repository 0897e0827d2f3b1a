import { describe, expect, it } from 'vitest';
import { commitUrl, packageUrl } from '../../../src/commands/sbom/package-url.ts';
import { makePackageId } from '../../../src/core/package-id/package-id.ts';
import { parseSourceUrl } from '../../../src/core/package-id/source-url.ts';
import { SourceTable } from '../../../src/core/package-id/source-table.ts';
import { parseVersion } from '../../../src/core/version/version.ts';

const COMMIT = 'da85607fb1a09435d77288ccf05a92b2e8ec3f71';

/** Returns the package URL of a package from a source as in a lock file. The workspace is in `/ws`. */
function urlOf(source: string, name = 'kettle', version = '1.0.0'): string {
  const id = makePackageId(name, parseVersion(version), parseSourceUrl(source, new SourceTable()));
  return packageUrl(id, '/ws');
}

describe('the package URL', () => {
  it('has no qualifier for crates.io', () => {
    expect(urlOf('registry+https://github.com/rust-lang/crates.io-index')).toBe('pkg:cargo/kettle@1.0.0');
    expect(urlOf('sparse+https://index.crates.io/', 'zstd-sys', '2.0.9+zstd.1.5')).toBe(
      'pkg:cargo/zstd-sys@2.0.9%2Bzstd.1.5',
    );
  });

  it.each([
    ['registry+https://git.example/index', 'repository_url=https://git.example/index'],
    [
      'sparse+https://crates.example/a%20b/?x=(y)',
      'repository_url=https://crates.example/a%2520b/%3Fx%3D%28y%29',
    ],
    [
      `git+https://git.example/kettle.git?branch=main#${COMMIT}`,
      `vcs_url=git%2Bhttps://git.example/kettle.git%40${COMMIT}`,
    ],
    [
      `git+ssh://git@git.example/kettle#${COMMIT}`,
      `vcs_url=git%2Bssh://git%40git.example/kettle%40${COMMIT}`,
    ],
    ['path+file:///ws', 'download_url=file://.'],
    ['path+file:///ws/crates/kettle', 'download_url=file://crates/kettle'],
    ['path+file:///other%20kettle', 'download_url=file://../other%20kettle'],
  ])('names the source %s', (source, qualifier) => {
    expect(urlOf(source)).toBe(`pkg:cargo/kettle@1.0.0?${qualifier}`);
  });

  it.each([
    ['registry+https://alice:secret@git.example/index', 'repository_url=https://git.example/index'],
    ['sparse+https://secret@crates.example/', 'repository_url=https://crates.example/'],
    [
      `git+https://secret@git.example/kettle#${COMMIT}`,
      `vcs_url=git%2Bhttps://git.example/kettle%40${COMMIT}`,
    ],
    [
      `git+ssh://git:secret@git.example/kettle#${COMMIT}`,
      `vcs_url=git%2Bssh://git%40git.example/kettle%40${COMMIT}`,
    ],
  ])('leaves out the credentials of %s', (source, qualifier) => {
    expect(urlOf(source)).toBe(`pkg:cargo/kettle@1.0.0?${qualifier}`);
  });
});

it('returns the address of a commit, and null for other sources', () => {
  const sources = new SourceTable();
  expect(commitUrl(parseSourceUrl(`git+https://git.example/kettle?tag=v1#${COMMIT}`, sources))).toBe(
    `git+https://git.example/kettle@${COMMIT}`,
  );
  expect(commitUrl(parseSourceUrl('git+https://git.example/kettle', sources))).toBe(
    'git+https://git.example/kettle',
  );
  expect(commitUrl(parseSourceUrl('sparse+https://index.crates.io/', sources))).toBeNull();
});
