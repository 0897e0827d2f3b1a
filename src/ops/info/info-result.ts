/** What `info` finds out about a package. */
import { relativePath } from '../../files/path.ts';
import type { PackageManifest } from '../../manifest/manifest.ts';
import { displaySource } from '../../package-id/describe.ts';
import { formatPackageId } from '../../package-id/package-id.ts';
import { isCratesIo, isRegistry, type SourceId, sourcePath } from '../../package-id/source-id.ts';
import type { Summary } from '../../summary/summary.ts';
import { compareVersions } from '../../version/compare-versions.ts';
import type { VersionReq } from '../../version/requirement.ts';
import type { InfoDocument } from './info-document.ts';
import { dependenciesInUse, type FeatureInfo, featuresInUse, type UseStatus } from './info-features.ts';
import { latestVersion } from './info-versions.ts';
import type { Relation } from './info-workspace.ts';
import { readEntry } from '../package/package-entry.ts';
import { registryNameOf } from '../registry/registry-document.ts';
import { viewPackage } from '../graph/package-view.ts';

/** What there is to know about a package. Texts are as its author wrote them. */
export interface PackageInfo {
  readonly name: string;
  readonly version: string;
  readonly keywords: readonly string[];
  readonly description: string | null;
  /** The highest version that its source has and that is not yanked, if it is another one; else null. */
  readonly latest: string | null;
  readonly isFromCratesIo: boolean;
  /** Where it is from: ``registry `alt` ``, a path from the working folder, the URL of a repository. */
  readonly origin: string;
  readonly license: string | null;
  readonly rustVersion: string | null;
  /** For packages of crates.io that do not say, docs.rs. */
  readonly documentation: string | null;
  readonly homepage: string | null;
  readonly repository: string | null;
  readonly relation: Relation | null;
  /** Those in use first, by name. */
  readonly features: readonly FeatureInfo[];
  /** Without those for development; those in use first, by name. */
  readonly dependencies: readonly DependencyInfo[];
  /** As one value, with ids in the given form. */
  readonly describe: (idForm: 'legacy' | 'spec') => InfoDocument;
}

/** A dependency of a package. */
export interface DependencyInfo {
  readonly name: string;
  readonly kind: 'normal' | 'build';
  /** As it would be written; null for one that does not come from a registry. */
  readonly requirement: string | null;
  /** As `PackageInfo.origin`. */
  readonly origin: string;
  readonly status: UseStatus;
}

/** The package that is shown. */
export interface ChosenPackage {
  readonly summary: Summary;
  readonly relation: Relation | null;
  readonly versions: readonly Summary[];
}

/** Says what there is to know; paths are as seen from `cwd`. */
export function describePackageInfo(
  manifest: PackageManifest,
  chosen: ChosenPackage,
  cwd: string,
): PackageInfo {
  const { id } = manifest.summary;
  const isFromCratesIo = isCratesIo(id.source);
  const latest = latestVersion(chosen.versions)?.id.version ?? null;
  const version = id.version.text;
  const features = featuresInUse(manifest);
  const { keywords, description, license, homepage, repository } = manifest;
  return {
    name: id.name,
    version,
    keywords,
    description,
    latest: latest === null || latest.text === version ? null : latest.text,
    isFromCratesIo,
    origin: originOf(id.source, cwd),
    license,
    rustVersion: manifest.rustVersion,
    documentation:
      manifest.documentation ?? (isFromCratesIo ? `https://docs.rs/${id.name}/${version}` : null),
    homepage,
    repository,
    relation: chosen.relation,
    features,
    dependencies: describeDependencies(manifest, cwd),
    describe: (idForm) => ({
      version: 1,
      package: { ...readEntry(viewPackage(manifest)), id: formatPackageId(id, idForm) },
      registry: isRegistry(id.source) ? registryNameOf(id.source) : null,
      relation: chosen.relation,
      features,
      versions: chosen.versions
        .filter((each) => each.id.name === id.name)
        .toSorted((a, b) => compareVersions(b.id.version, a.id.version))
        .map((each) => ({ version: each.id.version.text, rust_version: each.rustVersion })),
    }),
  };
}

function describeDependencies(manifest: PackageManifest, cwd: string): readonly DependencyInfo[] {
  return dependenciesInUse(manifest).map(({ dependency, status }) => {
    const { name, kind, req, source } = dependency;
    return {
      name,
      kind: kind === 'build' ? 'build' : 'normal',
      requirement: isRegistry(source) ? writtenReq(req) : null,
      origin: originOf(source, cwd),
      status,
    };
  });
}

/** A requirement as people write it: without the sign that is meant where there is none. */
function writtenReq({ comparators, text }: VersionReq): string {
  return comparators.length === 1 && text.startsWith('^') ? text.slice(1) : text;
}

function originOf(source: SourceId, cwd: string): string {
  const folder = source.kind === 'path' ? sourcePath(source) : null;
  return folder === null ? displaySource(source) : `./${relativePath(cwd, folder)}`;
}
