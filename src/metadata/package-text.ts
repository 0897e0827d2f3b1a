/** One package of the document as JSON text. */
import type { Hints, PackageManifest, Target } from '../manifest/manifest.ts';
import type { SourceId } from '../package-id/source-id.ts';
import { formatIndexUrl, formatSourceUrl } from '../package-id/source-url.ts';
import { urlToPath } from '../package-id/url.ts';
import type { Dependency } from '../summary/summary.ts';
import { optionalStringText, stringText, stringsText, tomlText } from './json-text.ts';

/**
 * A package's JSON in two parts, between which its id belongs: the id is the one thing in it that has two
 * forms.
 */
export interface PackageText {
  readonly head: string;
  readonly tail: string;
}

/** Prints a package. Key order, nulls and absent keys are cargo's. */
export function packageText(manifest: PackageManifest): PackageText {
  const { id } = manifest.summary;
  const head = `{"name":${stringText(id.name)},"version":${stringText(id.version.text)},"id":`;
  const parts = [
    `,"license":${optionalStringText(manifest.license)}`,
    `,"license_file":${optionalStringText(manifest.licenseFile)}`,
    `,"description":${optionalStringText(manifest.description)}`,
    `,"source":${optionalStringText(printedSource(id.source))}`,
    `,"dependencies":${JSON.stringify(manifest.summary.dependencies.map(printedDependency))}`,
    `,"targets":${JSON.stringify(manifest.targets.map(printedTarget))}`,
    `,"features":{${featuresText(manifest.features)}}`,
    `,"manifest_path":${stringText(manifest.path)}`,
    `,"metadata":${manifest.metadata === null ? 'null' : tomlText(manifest.metadata)}`,
    `,"publish":${manifest.publish === null ? 'null' : stringsText(manifest.publish)}`,
    `,"authors":${stringsText(manifest.authors)}`,
    `,"categories":${stringsText(manifest.categories)}`,
    `,"keywords":${stringsText(manifest.keywords)}`,
    `,"readme":${optionalStringText(manifest.readme)}`,
    `,"repository":${optionalStringText(manifest.repository)}`,
    `,"homepage":${optionalStringText(manifest.homepage)}`,
    `,"documentation":${optionalStringText(manifest.documentation)}`,
    `,"edition":"${manifest.edition}"`,
    `,"links":${optionalStringText(manifest.links)}`,
    `,"default_run":${optionalStringText(manifest.defaultRun)}`,
    `,"rust_version":${optionalStringText(manifest.rustVersion)}`,
    hintsText(manifest.hints),
  ];
  return { head, tail: parts.join('') };
}

function hintsText(hints: Hints | null): string {
  if (hints === null) return '}';
  const { mostlyUnused } = hints;
  return `,"hints":{"mostly-unused":${mostlyUnused === null ? 'null' : tomlText(mostlyUnused)}}}`;
}

function printedSource(source: SourceId): string | null {
  return source.kind === 'path' ? null : formatSourceUrl(source, { encoded: false });
}

/** What is `undefined` is not printed. */
function printedDependency(dependency: Dependency): object {
  const { source, registry, platform } = dependency;
  return {
    name: dependency.name,
    source: printedSource(source),
    req: dependency.req.text,
    kind: dependency.kind === 'normal' ? null : dependency.kind,
    rename: dependency.renamed ? dependency.nameInToml : null,
    optional: dependency.optional,
    uses_default_features: dependency.defaultFeatures,
    features: dependency.features,
    target: platform === null ? null : platform.text,
    registry: registry === null ? null : formatIndexUrl(registry),
    path: source.kind === 'path' ? (urlToPath(source.url) ?? source.url) : undefined,
  };
}

function printedTarget(target: Target): object {
  return {
    kind: target.kinds,
    crate_types: target.crateTypes,
    name: target.name,
    src_path: target.srcPath,
    edition: target.edition,
    'required-features': target.requiredFeatures ?? undefined,
    doc: target.doc,
    doctest: target.doctest,
    test: target.test,
  };
}

function featuresText(features: ReadonlyMap<string, readonly string[]>): string {
  return Array.from(features, ([name, values]) => `${stringText(name)}:${stringsText(values)}`).join(',');
}
