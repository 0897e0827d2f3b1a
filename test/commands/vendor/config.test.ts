import { describe, expect, it } from 'vitest';
import { vendorConfig } from '../../../src/commands/vendor/config.ts';
import { SourceTable } from '../../../src/core/package-id/source-table.ts';

const sources = new SourceTable();

describe('vendorConfig', () => {
  it('names every source once, sorted by name, and writes the folder with slashes', () => {
    const git = (reference: Parameters<typeof sources.forGit>[1]) =>
      sources.withPrecise(sources.forGit('https://example.org/repo', reference), 'a'.repeat(40));
    const config = vendorConfig(
      [
        git({ kind: 'default' }),
        git({ kind: 'branch', name: 'a/b' }),
        sources.cratesIo(),
        sources.forRegistryIndex('sparse+https://example.org/index/'),
        sources.forRegistryIndex('https://example.org/git-index'),
        sources.cratesIo(),
      ],
      'third\\party',
    );
    expect(config?.split('\n')).toEqual([
      '[source.crates-io]',
      'replace-with = "vendored-sources"',
      '',
      '[source."git+https://example.org/repo"]',
      'git = "https://example.org/repo"',
      'replace-with = "vendored-sources"',
      '',
      '[source."git+https://example.org/repo?branch=a/b"]',
      'git = "https://example.org/repo"',
      'branch = "a/b"',
      'replace-with = "vendored-sources"',
      '',
      '[source."registry+https://example.org/git-index"]',
      'registry = "https://example.org/git-index"',
      'replace-with = "vendored-sources"',
      '',
      '[source."sparse+https://example.org/index/"]',
      'registry = "sparse+https://example.org/index/"',
      'replace-with = "vendored-sources"',
      '',
      '[source.vendored-sources]',
      'directory = "third/party"',
      '',
    ]);
  });

  it('returns null if there is nothing to vendor', () => {
    expect(vendorConfig([], 'vendor')).toBeNull();
  });
});
