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
    `,"source":${sourceText(id.source)}`,
    `,"dependencies":[${manifest.summary.dependencies.map(dependencyText).join(',')}]`,
    `,"targets":[${manifest.targets.map(targetText).join(',')}]`,
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

function sourceText(source: SourceId): string {
  return source.kind === 'path' ? 'null' : stringText(formatSourceUrl(source, { encoded: false }));
}

function dependencyText(dependency: Dependency): string {
  const { source, registry, platform } = dependency;
  const kind = dependency.kind === 'normal' ? 'null' : `"${dependency.kind}"`;
  const rename = dependency.renamed ? stringText(dependency.nameInToml) : 'null';
  const registryUrl = registry === null ? 'null' : stringText(formatIndexUrl(registry));
  const path = source.kind === 'path' ? `,"path":${stringText(urlToPath(source.url) ?? source.url)}` : '';
  return (
    `{"name":${stringText(dependency.name)},"source":${sourceText(source)}` +
    `,"req":${stringText(dependency.req.text)},"kind":${kind},"rename":${rename}` +
    `,"optional":${dependency.optional},"uses_default_features":${dependency.defaultFeatures}` +
    `,"features":${stringsText(dependency.features)}` +
    `,"target":${platform === null ? 'null' : stringText(platform.text)},"registry":${registryUrl}${path}}`
  );
}

function targetText(target: Target): string {
  const required =
    target.requiredFeatures === null ? '' : `,"required-features":${stringsText(target.requiredFeatures)}`;
  return (
    `{"kind":${stringsText(target.kinds)},"crate_types":${stringsText(target.crateTypes)}` +
    `,"name":${stringText(target.name)},"src_path":${stringText(target.srcPath)}` +
    `,"edition":"${target.edition}"${required}` +
    `,"doc":${target.doc},"doctest":${target.doctest},"test":${target.test}}`
  );
}

function featuresText(features: ReadonlyMap<string, readonly string[]>): string {
  return Array.from(features, ([name, values]) => `${stringText(name)}:${stringsText(values)}`).join(',');
}
