import { describe, expect, it } from 'vitest';
import { dependenciesInUse, featuresInUse } from '../../../src/commands/info/features.ts';
import type { PackageManifest } from '../../../src/core/manifest/manifest.ts';
import { parseManifest } from '../../../src/core/manifest/parse-manifest.ts';
import { SourceTable } from '../../../src/core/package-id/source-table.ts';
import { MemoryFiles } from '../../helpers/memory-files.ts';

function manifestOf(tables: string): PackageManifest {
  const sources = new SourceTable();
  const manifest = parseManifest(`[package]\nname = "p"\nversion = "1.0.0"\nedition = "2021"\n${tables}`, {
    path: '/p/Cargo.toml',
    source: sources.forPath('/p'),
    sources,
    files: new MemoryFiles({ '/p/src/lib.rs': '' }),
    registry: () => sources.cratesIo(),
    inheritFrom: () => {
      throw new Error('nothing is inherited');
    },
  });
  if (manifest.kind === 'package') return manifest;
  throw new Error('no package');
}

const words = (tables: string): readonly string[] =>
  featuresInUse(manifestOf(tables)).map(({ name, status }) => `${name} ${status}`);

describe('featuresInUse', () => {
  it('lists chosen and enabled features first, each group by name', () => {
    expect(
      words(
        '[features]\nz = []\na = []\ndefault = ["m"]\nm = ["k", "p?/x"]\nk = []\n[dependencies]\np = { version = "1", optional = true }',
      ),
    ).toEqual(['default chosen', 'k enabled', 'm enabled', 'a disabled', 'p disabled', 'z disabled']);
  });

  it('lists only disabled features if there is no default feature', () => {
    expect(words('[features]\nb = ["a"]\na = []')).toEqual(['a disabled', 'b disabled']);
    expect(words('')).toEqual([]);
  });

  it('handles features that enable each other', () => {
    expect(words('[features]\ndefault = ["a"]\na = ["b"]\nb = ["a", "default"]')).toEqual([
      'default chosen',
      'a enabled',
      'b enabled',
    ]);
  });

  it('keeps the values as written', () => {
    const manifest = manifestOf(
      '[features]\ndefault = ["dep:x", "x/y", "x?/z"]\n[dependencies]\nx = { version = "1", optional = true }',
    );
    expect(featuresInUse(manifest)).toEqual([
      { name: 'default', status: 'chosen', values: ['dep:x', 'x/y', 'x?/z'] },
    ]);
  });
});

describe('dependenciesInUse', () => {
  const optional = (name: string): string => `${name} = { version = "1", optional = true }`;
  it('lists required dependencies, then enabled and then disabled ones', () => {
    const manifest = manifestOf(
      '[features]\ndefault = ["dep:by-dep", "weak?/f", "strong/f"]\noff = ["dep:by-off"]\n[dependencies]\nz = "1"\n' +
        `new-name = { package = "alpha", version = "1" }\n${['by-dep', 'weak', 'strong', 'by-off'].map(optional).join('\n')}\n` +
        '[build-dependencies]\nb = "1"\n[dev-dependencies]\nd = "1"\n',
    );
    expect(
      dependenciesInUse(manifest).map(({ dependency, status }) => `${dependency.name} ${status}`),
    ).toEqual([
      'alpha chosen',
      'b chosen',
      'z chosen',
      'by-dep enabled',
      'weak enabled',
      'by-off disabled',
      'strong disabled',
    ]);
  });
});
