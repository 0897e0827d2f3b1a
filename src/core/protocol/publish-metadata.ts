/** The JSON part of a publish request. Cargo Book: Registry Web API, Publish. */
import { TsregError } from '../errors/error.ts';
import type { DependencyKind } from '../summary/summary.ts';
import {
  array,
  boolean,
  type Decoder,
  decodeJson,
  field,
  map,
  object,
  orElse,
  text,
} from '../json/decode.ts';
import { encodeMap } from './encode-map.ts';

/** A dependency in a publish request. */
export interface PublishedDependency {
  /** The package's real name. */
  readonly name: string;
  readonly versionReq: string;
  readonly features: readonly string[];
  readonly optional: boolean;
  readonly defaultFeatures: boolean;
  /** `cfg(…)` or the name of a target; null for every target. */
  readonly target: string | null;
  readonly kind: DependencyKind;
  /** URL of the dependency's index; null for the registry that receives the request. */
  readonly registry: string | null;
  /** The key in the manifest, if it differs from `name`. */
  readonly explicitNameInToml: string | null;
}

/** The metadata in a publish request. Missing values are null or empty. */
export interface PublishMetadata {
  readonly name: string;
  readonly version: string;
  /** In the order of the request. */
  readonly dependencies: readonly PublishedDependency[];
  /** `[features]` as written, without those that optional dependencies imply. */
  readonly features: ReadonlyMap<string, readonly string[]>;
  readonly authors: readonly string[];
  readonly description: string | null;
  readonly documentation: string | null;
  readonly homepage: string | null;
  /** The text of the readme. */
  readonly readme: string | null;
  /** Path of the readme in the archive. */
  readonly readmeFile: string | null;
  readonly keywords: readonly string[];
  readonly categories: readonly string[];
  readonly license: string | null;
  /** Path of the license in the archive. */
  readonly licenseFile: string | null;
  readonly repository: string | null;
  readonly badges: ReadonlyMap<string, ReadonlyMap<string, string>>;
  readonly links: string | null;
  readonly rustVersion: string | null;
}

/**
 * Decodes the JSON of a publish request. Only `name`, `vers` and a dependency's `name` and `version_req` are required.
 * Checks only the form. Throws `source`.
 */
export function decodePublishMetadata(bytes: Uint8Array): PublishMetadata {
  return decodeJson(decodeMetadata, bytes, { subject: 'upload request' });
}

const optionalText = orElse(text, null);
const texts = orElse(array(text), []);

function optionalMap<T>(item: Decoder<T>): Decoder<ReadonlyMap<string, T>> {
  return orElse(map(item), new Map<string, T>());
}

const decodeDependency = object<PublishedDependency>({
  name: field('name', text),
  versionReq: field('version_req', text),
  features: field('features', texts),
  optional: field('optional', orElse(boolean, false)),
  defaultFeatures: field('default_features', orElse(boolean, true)),
  target: field('target', optionalText),
  kind: field('kind', orElse(decodeKind, 'normal')),
  registry: field('registry', optionalText),
  explicitNameInToml: field('explicit_name_in_toml', optionalText),
});

const decodeMetadata = object<PublishMetadata>({
  name: field('name', text),
  version: field('vers', text),
  dependencies: field('deps', orElse(array(decodeDependency), [])),
  features: field('features', optionalMap(texts)),
  authors: field('authors', texts),
  description: field('description', optionalText),
  documentation: field('documentation', optionalText),
  homepage: field('homepage', optionalText),
  readme: field('readme', optionalText),
  readmeFile: field('readme_file', optionalText),
  keywords: field('keywords', texts),
  categories: field('categories', texts),
  license: field('license', optionalText),
  licenseFile: field('license_file', optionalText),
  repository: field('repository', optionalText),
  badges: field('badges', optionalMap(optionalMap(orElse(text, '')))),
  links: field('links', optionalText),
  rustVersion: field('rust_version', optionalText),
});

function decodeKind(value: unknown): DependencyKind {
  const kind = text(value);
  if (kind === 'normal' || kind === 'dev' || kind === 'build') return kind;
  throw new TsregError(`a dependency is of the kind \`${kind}\`: expected \`dev\`, \`build\` or \`normal\``, {
    code: 'source',
  });
}

/**
 * Encodes the JSON of a publish request on one line, with all fields in cargo's order. A dependency's `registry` and
 * `explicit_name_in_toml` are omitted if null.
 */
export function encodePublishMetadata(metadata: PublishMetadata): string {
  const fields: readonly (readonly [string, string])[] = [
    ['name', JSON.stringify(metadata.name)],
    ['vers', JSON.stringify(metadata.version)],
    ['deps', JSON.stringify(metadata.dependencies.map(encodeDependency))],
    ['features', encodeMap(metadata.features)],
    ['authors', JSON.stringify(metadata.authors)],
    ['description', JSON.stringify(metadata.description)],
    ['documentation', JSON.stringify(metadata.documentation)],
    ['homepage', JSON.stringify(metadata.homepage)],
    ['readme', JSON.stringify(metadata.readme)],
    ['readme_file', JSON.stringify(metadata.readmeFile)],
    ['keywords', JSON.stringify(metadata.keywords)],
    ['categories', JSON.stringify(metadata.categories)],
    ['license', JSON.stringify(metadata.license)],
    ['license_file', JSON.stringify(metadata.licenseFile)],
    ['repository', JSON.stringify(metadata.repository)],
    ['badges', encodeMap(metadata.badges, (badge) => encodeMap(badge))],
    ['links', JSON.stringify(metadata.links)],
    ['rust_version', JSON.stringify(metadata.rustVersion)],
  ];
  return `{${fields.map(([name, json]) => `"${name}":${json}`).join(',')}}`;
}

function encodeDependency(dependency: PublishedDependency): object {
  const { registry, explicitNameInToml } = dependency;
  return {
    optional: dependency.optional,
    default_features: dependency.defaultFeatures,
    name: dependency.name,
    features: dependency.features,
    version_req: dependency.versionReq,
    target: dependency.target,
    kind: dependency.kind,
    ...(registry === null ? {} : { registry }),
    ...(explicitNameInToml === null ? {} : { explicit_name_in_toml: explicitNameInToml }),
  };
}
