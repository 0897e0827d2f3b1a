/** The details in an index line of another registry. Cargo Book: Registry Index, JSON schema. */
import {
  array,
  boolean,
  decodeOrNull,
  type Decoder,
  field,
  map,
  object,
  orElse,
  text,
} from '../../core/json/decode.ts';
import type { PublishedDependency, PublishMetadata } from '../../core/protocol/publish-metadata.ts';

/** Dependencies and features of a version, in the form of a publish request, and its native library. */
export type MirroredDetails = Pick<PublishMetadata, 'dependencies' | 'features' | 'links'>;

/** A dependency as index lines write it: `name` is its key in the manifest. */
interface LineDependency extends Omit<PublishedDependency, 'explicitNameInToml'> {
  readonly package: string | null;
}

type Features = ReadonlyMap<string, readonly string[]>;

interface Line {
  readonly dependencies: readonly LineDependency[];
  readonly features: Features;
  readonly features2: Features;
  readonly links: string | null;
}

const optionalText = orElse(text, null);
const texts = orElse(array(text), []);
const features: Decoder<Features> = orElse(map(texts), new Map<string, readonly string[]>());

const decodeLine = object<Line>({
  dependencies: field(
    'deps',
    array(
      object<LineDependency>({
        name: field('name', text),
        package: field('package', optionalText),
        versionReq: field('req', text),
        features: field('features', texts),
        optional: field('optional', orElse(boolean, false)),
        defaultFeatures: field('default_features', orElse(boolean, true)),
        target: field('target', optionalText),
        kind: field('kind', (value) => (value === 'dev' || value === 'build' ? value : 'normal')),
        registry: field('registry', optionalText),
      }),
    ),
  ),
  features: field('features', features),
  features2: field('features2', features),
  links: field('links', optionalText),
});

/** Returns the details of a line; null if it has an unexpected form. */
export function decodeMirroredLine(line: string): MirroredDetails | null {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return null;
  }
  const decoded = decodeOrNull(decodeLine, value);
  if (decoded === null) return null;
  const merged = new Map(decoded.features);
  for (const [name, values] of decoded.features2) merged.set(name, [...(merged.get(name) ?? []), ...values]);
  return { dependencies: decoded.dependencies.map(asPublished), features: merged, links: decoded.links };
}

function asPublished({ name, package: crateName, ...dependency }: LineDependency): PublishedDependency {
  return { ...dependency, name: crateName ?? name, explicitNameInToml: crateName === null ? null : name };
}
