/** Makes the publish request of a sample crate. */
import { encodePublishHead } from '../../core/protocol/publish-body.ts';
import {
  encodePublishMetadata,
  type PublishedDependency,
  type PublishMetadata,
} from '../../core/protocol/publish-metadata.ts';
import { packArchive } from '../publish/pack-archive.ts';
import { writeManifest } from '../publish/write-manifest.ts';
import type { SampleCrate, SampleDependency, SampleRelease } from './sample-crate.ts';

const EDITION = '2021';
const RUST_VERSION = '1.70';
const README_FILE = 'README.md';

/** Returns the body of the request that publishes a release. `ownIndex` is the URL of the registry's index. */
export async function sampleRequest(
  crate: SampleCrate,
  release: SampleRelease,
  ownIndex: string,
): Promise<readonly Uint8Array[]> {
  const metadata = metadataOf(crate, release.version);
  const files = new Map([
    ['CHANGELOG.md', changelog(crate, release)],
    ['Cargo.toml', writeManifest(metadata, { edition: EDITION, ownIndex })],
    [README_FILE, readmeOf(crate)],
    [crate.source, crate.code],
  ]);
  const archive = await packArchive(`${crate.name}-${release.version}`, files);
  const json = Buffer.from(encodePublishMetadata(metadata));
  return [encodePublishHead(json, archive.length), archive];
}

function metadataOf(crate: SampleCrate, version: string): PublishMetadata {
  const { name, description, keywords, categories } = crate;
  return {
    name,
    version,
    dependencies: crate.dependencies.map(publishedDependency),
    features: new Map(Object.entries(crate.features)),
    authors: [],
    description,
    documentation: null,
    homepage: null,
    readme: readmeOf(crate),
    readmeFile: README_FILE,
    keywords,
    categories,
    license: 'MIT OR Apache-2.0',
    licenseFile: null,
    repository: `https://git.example.com/tea/${name}`,
    badges: new Map(),
    links: null,
    rustVersion: RUST_VERSION,
  };
}

function publishedDependency(dependency: SampleDependency): PublishedDependency {
  const { name, versionReq, kind = 'normal', optional = false, features = [] } = dependency;
  return {
    name,
    versionReq,
    kind,
    optional,
    features,
    defaultFeatures: true,
    target: null,
    registry: null,
    explicitNameInToml: null,
  };
}

function readmeOf({ name, description, readme }: SampleCrate): string {
  return `# ${name}\n\n${description}.\n\n${readme}`;
}

/** Returns the changes of a release and of all earlier ones, latest first. */
function changelog({ releases }: SampleCrate, latest: SampleRelease): string {
  const releasesSoFar = releases.slice(0, releases.indexOf(latest) + 1).toReversed();
  const entries = releasesSoFar.map(({ version, change }) => `## ${version}\n\n- ${change}\n`);
  return `# Changes\n\n${entries.join('\n')}`;
}
