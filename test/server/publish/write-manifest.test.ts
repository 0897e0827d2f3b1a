import { expect, it } from 'vitest';
import type { PublishedDependency, PublishMetadata } from '../../../src/core/protocol/publish-metadata.ts';
import { checkArchive } from '../../../src/server/publish/archive-check.ts';
import { packArchive } from '../../../src/server/publish/pack-archive.ts';
import { writeManifest } from '../../../src/server/publish/write-manifest.ts';

const OWN_INDEX = 'sparse+https://crates.example/index/';

const dependency = (name: string, more: Partial<PublishedDependency> = {}): PublishedDependency => ({
  ...{ name, versionReq: '^1.0', features: [], optional: false, defaultFeatures: true },
  ...{ target: null, kind: 'normal', registry: null, explicitNameInToml: null },
  ...more,
});

const METADATA: PublishMetadata = {
  name: 'whole',
  version: '1.2.3-rc.1+build',
  dependencies: [
    dependency('normal'),
    dependency('tested', { kind: 'dev', features: ['a', 'b'] }),
    dependency('built', { kind: 'build', versionReq: '=1.2.3' }),
    dependency('unix', { target: 'cfg(unix)', defaultFeatures: false }),
    dependency('real', { explicitNameInToml: 'renamed', optional: true }),
    dependency('other', { registry: 'sparse+https://other.example/index/' }),
  ],
  features: new Map([
    ['default', ['extra']],
    ['extra', ['dep:renamed', 'normal/std']],
  ]),
  authors: ['Ana <ana@example.com>'],
  description: 'Says "all" of it\nin two lines',
  documentation: 'https://docs.example/whole',
  homepage: 'https://whole.example',
  readme: '# whole',
  readmeFile: 'README.md',
  keywords: ['one', 'two'],
  categories: ['parsing'],
  license: 'MIT',
  licenseFile: null,
  repository: 'https://git.example/whole',
  badges: new Map(),
  links: 'z',
  rustVersion: '1.70',
};

async function problemOf(metadata: PublishMetadata): Promise<unknown> {
  const text = writeManifest(METADATA, { edition: '2021', ownIndex: OWN_INDEX });
  const topFolder = `${METADATA.name}-${METADATA.version}`;
  const files = new Map([
    ['Cargo.toml', text],
    ['build.rs', 'fn main() {}\n'],
    ['src/lib.rs', `//! ${'long '.repeat(1000)}\n`],
  ]);
  const archive = new Uint8Array(await packArchive(topFolder, files));
  const options = { topFolder, maxUnpackedBytes: 1e6, maxFiles: 10, isPortable: true };
  return checkArchive({ archive, options, metadata });
}

it('writes a manifest that passes the checks of a publish with its metadata', async () => {
  expect(await problemOf(METADATA)).toBeNull();
});

it.each<[string, Partial<PublishMetadata>]>([
  ['version', { version: '1.2.3' }],
  ['links', { links: null }],
  ['rust-version', { rustVersion: null }],
  ['feature `extra`', { features: new Map([['default', ['extra']]]) }],
  ['dependency `unix`', { dependencies: METADATA.dependencies.filter(({ target }) => target === null) }],
])('writes the %s of the metadata into the manifest', async (what, more) => {
  const problem = await problemOf({ ...METADATA, ...more });
  expect(problem).toMatchObject({ message: expect.stringContaining(what) });
});

it('names the index of each dependency, which clients need', () => {
  const text = writeManifest(METADATA, { edition: '2021', ownIndex: OWN_INDEX });
  expect(text).toContain(`[dependencies.normal]\nversion = "^1.0"\nregistry-index = "${OWN_INDEX}"\n`);
  expect(text).toContain('registry-index = "sparse+https://other.example/index/"\n');
});
