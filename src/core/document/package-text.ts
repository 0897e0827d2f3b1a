/** One package of the document as JSON text. */
import type { Hints, PackageManifest, Target } from '../manifest/manifest.ts';
import type { SourceId } from '../package-id/source-id.ts';
import { formatIndexUrl, formatSourceUrl } from '../package-id/source-url.ts';
import { urlToPath } from '../package-id/url.ts';
import type { Dependency } from '../summary/summary.ts';
import type { DependencyEntry, TargetEntry } from './document.ts';
import { stringText, stringsText, tomlText } from './json-text.ts';

/** The JSON of a package, split at its ID, because only the ID has two forms. */
export interface PackageText {
  readonly head: string;
  readonly tail: string;
}

/** Returns a package as JSON text. Key order, nulls and absent keys follow cargo. */
export function packageText(manifest: PackageManifest): PackageText {
  const { id } = manifest.summary;
  const head = `{"name":${stringText(id.name)},"version":${stringText(id.version.text)},"id":`;
  // The fields before and after features and metadata, which an object cannot hold: it would change the order of
  // keys that look like numbers, and large numbers.
  const before = JSON.stringify({
    license: manifest.license,
    license_file: manifest.licenseFile,
    description: manifest.description,
    source: printedSource(id.source),
    dependencies: manifest.summary.dependencies.map(printedDependency),
    targets: manifest.targets.map(printedTarget),
  });
  const after = JSON.stringify({
    publish: manifest.publish,
    authors: manifest.authors,
    categories: manifest.categories,
    keywords: manifest.keywords,
    readme: manifest.readme,
    repository: manifest.repository,
    homepage: manifest.homepage,
    documentation: manifest.documentation,
    edition: manifest.edition,
    links: manifest.links,
    default_run: manifest.defaultRun,
    rust_version: manifest.rustVersion,
  });
  const tail =
    `,${fieldsOf(before)},"features":{${featuresText(manifest.features)}}` +
    `,"manifest_path":${stringText(manifest.path)}` +
    `,"metadata":${manifest.metadata === null ? 'null' : tomlText(manifest.metadata)}` +
    `,${fieldsOf(after)}${hintsText(manifest.hints)}`;
  return { head, tail };
}

/** Returns the parts of a package that affect resolution and its graph, as JSON text. All other parts may differ. */
export function graphText({ summary, targets, features, links, rustVersion }: PackageManifest): string {
  return JSON.stringify([
    [summary.id.name, summary.id.version.text, summary.id.source.url],
    [links, rustVersion],
    summary.dependencies.map(printedDependency),
    targets.map(({ kinds, crateTypes, name }) => [kinds, crateTypes, name]),
    [...features],
  ]);
}

/** Returns a dependency as JSON text. */
export function dependencyText(dependency: Dependency): string {
  return JSON.stringify(printedDependency(dependency));
}

/** Returns the text between the braces of an object's JSON. */
function fieldsOf(object: string): string {
  return object.slice(1, -1);
}

/** Returns the end of a package: `[hints]`, if it has any, and the closing brace. */
function hintsText(hints: Hints | null): string {
  if (hints === null) return '}';
  const { mostlyUnused } = hints;
  return `,"hints":{"mostly-unused":${mostlyUnused === null ? 'null' : tomlText(mostlyUnused)}}}`;
}

function printedSource(source: SourceId): string | null {
  return source.kind === 'path' ? null : formatSourceUrl(source, { encoded: false });
}

/** All fields of an entry of the document. Those with the value `undefined` are not printed. */
type Printed<T> = { readonly [K in keyof Required<T>]: T[K] | undefined };

function printedDependency(dependency: Dependency): Printed<DependencyEntry> {
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

function printedTarget(target: Target): Printed<TargetEntry> {
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
  let text = '';
  features.forEach((values, name) => {
    text += `${text === '' ? '' : ','}${stringText(name)}:${stringsText(values)}`;
  });
  return text;
}
