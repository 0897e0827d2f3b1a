import { describe, expect, test } from 'vitest';
import { readPreparedManifest } from '../../../src/core/manifest/read-prepared-manifest.ts';
import { publishMetadata } from '../../../src/commands/publish/metadata.ts';
import { CRATES_IO_INDEX, CRATES_IO_SPARSE_INDEX } from '../../../src/core/package-id/crates-io.ts';
import type { SourceId } from '../../../src/core/package-id/source-id.ts';
import { SourceTable } from '../../../src/core/package-id/source-table.ts';
import { encodePublishMetadata } from '../../../src/core/protocol/publish-metadata.ts';

const sources = new SourceTable();
const mock = sources.forRegistryIndex('sparse+http://127.0.0.1:7921/index/', 'mock');
const other = sources.forRegistryIndex('https://127.0.0.1/other.git');

// A prepared manifest, in cargo's format.
const MANIFEST = `[package]
name = "p1"
version = "0.1.0-rc.1+m"
edition = "2021"
rust-version = "1.60"
links = "foo"
build = "build.rs"
authors = ["A é <a@b>"]
description = "multi\\nline"
readme = "README.md"
license = "MIT"
keywords = ["k"]

[badges.zz]
b = "2"
a = "1"

[badges.aa]

[features]
z = ["dep:un"]
9 = []
10 = ["9"]

[[bin]]
name = "p1"
path = "src/main.rs"

[dependencies.renamed]
version = "=1.2.3"
registry-index = "sparse+http://127.0.0.1:7921/index/"
features = ["x"]
optional = true
default-features = false
package = "actual"

[dependencies.un]
version = ">= 1, <3"
optional = true

[dev-dependencies.dv]
version = "*"
registry-index = "https://127.0.0.1/other.git"

[build-dependencies.bd]
version = "1.0"

[target."cfg(unix)".dependencies.bd]
version = "~1"
`;

function send(registry: SourceId, written = MANIFEST): Record<string, unknown> {
  const manifest = readPreparedManifest(written, {
    path: '/p1/Cargo.toml',
    source: sources.forPath('/p1'),
    sources,
    registry: () => mock,
  });
  const text = encodePublishMetadata(publishMetadata(manifest, { text: written, readme: '# é', registry }));
  const value: Record<string, unknown> = JSON.parse(text);
  return value;
}

describe('publishMetadata', () => {
  test('has the fields of the manifest, with features and badges sorted as text', () => {
    const { deps: _, ...rest } = send(mock);
    expect(JSON.stringify(rest)).toBe(
      '{"name":"p1","vers":"0.1.0-rc.1+m","features":{"9":[],"10":["9"],"z":["dep:un"]},"authors":["A é <a@b>"],' +
        '"description":"multi\\nline","documentation":null,"homepage":null,"readme":"# é","readme_file":"README.md",' +
        '"keywords":["k"],"categories":[],"license":"MIT","license_file":null,"repository":null,' +
        '"badges":{"aa":{},"zz":{"a":"1","b":"2"}},"links":"foo","rust_version":"1.60"}',
    );
  });

  test('names the registry of a dependency if it differs from the target registry', () => {
    const registries = (registry: SourceId) => {
      const { deps } = send(registry);
      if (!Array.isArray(deps)) throw new Error('no list');
      return deps.map((dependency: { name: string; registry?: string }) => [
        dependency.name,
        dependency.registry,
      ]);
    };
    const [mockUrl, otherUrl] = ['sparse+http://127.0.0.1:7921/index/', 'https://127.0.0.1/other.git'];
    expect(registries(mock)).toEqual([
      ['actual', undefined],
      ['un', CRATES_IO_INDEX],
      ['dv', otherUrl],
      ['bd', CRATES_IO_INDEX],
      ['bd', CRATES_IO_INDEX],
    ]);
    expect(registries(sources.cratesIo())).toEqual([
      ['actual', mockUrl],
      ['un', undefined],
      ['dv', otherUrl],
      ['bd', undefined],
      ['bd', undefined],
    ]);
    expect(registries(other)[2]).toEqual(['dv', undefined]);
  });

  test('names crates.io by the index that the manifest names', () => {
    for (const index of [CRATES_IO_INDEX, `sparse+${CRATES_IO_SPARSE_INDEX}`]) {
      const written = `${MANIFEST}[dependencies.on]\nversion = "1"\nregistry-index = "${index}"\n`;
      expect(send(mock, written)['deps']).toContainEqual(
        expect.objectContaining({ name: 'on', registry: index }),
      );
    }
  });

  test('has the dependencies of the manifest', () => {
    const { deps } = send(mock);
    expect(deps).toMatchObject([
      {
        name: 'actual',
        explicit_name_in_toml: 'renamed',
        version_req: '=1.2.3',
        optional: true,
        default_features: false,
        features: ['x'],
        kind: 'normal',
        target: null,
      },
      { name: 'un', version_req: '>=1, <3' },
      { name: 'dv', version_req: '*', kind: 'dev' },
      { name: 'bd', version_req: '^1.0', kind: 'build' },
      { name: 'bd', version_req: '~1', kind: 'normal', target: 'cfg(unix)' },
    ]);
  });
});
