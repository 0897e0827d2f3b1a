/** One package of the document as JSON text. */
import type { PackageManifest, Target } from '../manifest/manifest.ts';
import type { SourceId } from '../package-id/source-id.ts';
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

/** What the text of a source depends on. */
export interface SourcePrinter {
  /** `source` of a package or dependency; never asked for path sources. */
  sourceUrl(source: SourceId): string;
  /** Index address of a registry that a dependency names, `sparse+` included. */
  registryUrl(source: SourceId): string;
  /** Absolute folder of a path source. */
  pathOf(source: SourceId): string;
}

/** Prints a package. Key order, nulls and absent keys are cargo's. */
export function packageText(manifest: PackageManifest, printer: SourcePrinter): PackageText {
  const { id } = manifest.summary;
  const head = `{"name":${stringText(id.name)},"version":${stringText(id.version.text)},"id":`;
  const parts = [
    `,"license":${optionalStringText(manifest.license)}`,
    `,"license_file":${optionalStringText(manifest.licenseFile)}`,
    `,"description":${optionalStringText(manifest.description)}`,
    `,"source":${sourceText(id.source, printer)}`,
    `,"dependencies":[${manifest.summary.dependencies.map((d) => dependencyText(d, printer)).join(',')}]`,
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
    manifest.hints === null ? '}' : `,"hints":${tomlText(manifest.hints)}}`,
  ];
  return { head, tail: parts.join('') };
}

function sourceText(source: SourceId, printer: SourcePrinter): string {
  return source.kind === 'path' ? 'null' : stringText(printer.sourceUrl(source));
}

function dependencyText(dependency: Dependency, printer: SourcePrinter): string {
  const { source, registry } = dependency;
  const path = source.kind === 'path' ? `,"path":${stringText(printer.pathOf(source))}` : '';
  return (
    `{"name":${stringText(dependency.name)},"source":${sourceText(source, printer)}` +
    `,"req":${stringText(dependency.req.text)}` +
    `,"kind":${dependency.kind === 'normal' ? 'null' : `"${dependency.kind}"`}` +
    `,"rename":${dependency.renamed ? stringText(dependency.nameInToml) : 'null'}` +
    `,"optional":${dependency.optional},"uses_default_features":${dependency.defaultFeatures}` +
    `,"features":${stringsText(dependency.features)}` +
    `,"target":${dependency.platform === null ? 'null' : stringText(dependency.platform.text)}` +
    `,"registry":${registry === null ? 'null' : stringText(printer.registryUrl(registry))}${path}}`
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
