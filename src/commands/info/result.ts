/** The result of `info`. */
import { relativePath } from '../../core/files/path.ts';
import type { PackageManifest } from '../../core/manifest/manifest.ts';
import { displaySource } from '../../core/package-id/describe.ts';
import { formatPackageId } from '../../core/package-id/package-id.ts';
import { isCratesIo, isRegistry, type SourceId, sourcePath } from '../../core/package-id/source-id.ts';
import type { Summary } from '../../core/summary/summary.ts';
import { compareVersions } from '../../core/version/compare-versions.ts';
import type { VersionReq } from '../../core/version/requirement.ts';
import type { InfoDocument } from './document.ts';
import { dependenciesInUse, type FeatureInfo, featuresInUse, type UseStatus } from './features.ts';
import { latestVersion } from './versions.ts';
import type { Relation } from './workspace.ts';
import { readEntry } from '../shared/graph/package-entry.ts';
import { registryNameOf } from '../shared/registry/registry-document.ts';
import { viewPackage } from '../shared/graph/package-view.ts';

/** The details of a package. Texts are unchanged from its manifest. */
export interface PackageInfo {
  readonly name: string;
  readonly version: string;
  readonly keywords: readonly string[];
  readonly description: string | null;
  /** The highest version in its source that is not yanked; null if that is `version`, or if there is none. */
  readonly latest: string | null;
  readonly isFromCratesIo: boolean;
  /** Its source: ``registry `alt` ``, a path relative to the working folder, or the URL of a repository. */
  readonly origin: string;
  readonly license: string | null;
  readonly rustVersion: string | null;
  /** For packages of crates.io whose manifest names none, docs.rs. */
  readonly documentation: string | null;
  readonly homepage: string | null;
  readonly repository: string | null;
  /** null if the package was found in a registry. */
  readonly relation: Relation | null;
  /** Those in use first, then by name. */
  readonly features: readonly FeatureInfo[];
  /** Without dev-dependencies. Those in use first, then by name. */
  readonly dependencies: readonly DependencyInfo[];
  /** Returns the JSON document. `idForm` is the form of the package ID. */
  readonly describe: (idForm: 'legacy' | 'spec') => InfoDocument;
}

/** A dependency of a package. */
export interface DependencyInfo {
  readonly name: string;
  readonly kind: 'normal' | 'build';
  /** As users write it; null for a dependency that is not from a registry. */
  readonly requirement: string | null;
  /** As `PackageInfo.origin`. */
  readonly origin: string;
  readonly status: UseStatus;
}

/** The package to show. */
export interface ChosenPackage {
  readonly summary: Summary;
  readonly relation: Relation | null;
  /** The result of `queryVersions`. */
  readonly versions: readonly Summary[];
}

/** Returns the details of a package. Paths are relative to `cwd`. */
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
        .filter((summary) => summary.id.name === id.name)
        .toSorted((a, b) => compareVersions(b.id.version, a.id.version))
        .map((summary) => ({ version: summary.id.version.text, rustVersion: summary.rustVersion })),
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

/** Returns a requirement as users write it, without the `^` that is the default. */
function writtenReq({ comparators, text }: VersionReq): string {
  return comparators.length === 1 && text.startsWith('^') ? text.slice(1) : text;
}

function originOf(source: SourceId, cwd: string): string {
  const folder = source.kind === 'path' ? sourcePath(source) : null;
  return folder === null ? displaySource(source) : `./${relativePath(cwd, folder)}`;
}
