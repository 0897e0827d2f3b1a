/** Manifests with `[package]`. Cargo Book: The Manifest Format. */
import { withContext } from '../errors/error.ts';
import { closestNameHint } from '../errors/similar-names.ts';
import type { Dependency } from '../summary/summary.ts';
import { buildSummary, printedFeatures } from './build-summary.ts';
import { buildTargets } from './build-targets.ts';
import { refuseUnstable } from './cargo-features.ts';
import { checkExpectedCfgs, checkLints } from './check-lints.ts';
import { checkProfiles } from './check-profiles.ts';
import type { ManifestDraft } from './manifest-draft.ts';
import { manifestProblem } from './manifest-problem.ts';
import type { PackageDescription, PackageManifest, Resolver, Target } from './manifest.ts';
import { normalizeManifest } from './normalize-manifest.ts';
import type { NormalizedPackage } from './normalize-package.ts';
import { buildDependencies, dependencyPaths, warnAboutDependencyKeys } from './package-dependencies.ts';
import { checkProjectTable, packageEdition } from './package-edition.ts';
import { buildPatches, buildReplacements } from './patches.ts';
import type { RawPackage } from './raw-manifest.ts';
import { defaultResolver, parseResolver } from './resolver.ts';
import { unusedKeyWarnings } from './unused-keys.ts';

/**
 * Builds the manifest of a package. Reports errors in cargo's order: first those that prevent inheritance and target
 * discovery, then the others. So the order of the calls here matters.
 */
export function buildPackage(rawPackage: RawPackage, draft: ManifestDraft): PackageManifest {
  const { raw, path, workspace, files, inheritFrom, scope } = draft;
  const { root, warnings } = scope;
  const buildErrors: string[] = [];
  const normalizeScope = { raw, workspace, root, files, inheritFrom, warnings, buildErrors };
  const normalized = normalizeManifest(rawPackage, normalizeScope);
  const { fields, lints } = normalized;

  if (fields.name.includes(':')) refuseUnstable('open-namespaces');
  const edition = packageEdition(fields, warnings);
  checkProjectTable(draft, edition);
  if (rawPackage.metabuild !== undefined) refuseUnstable('metabuild');
  const resolver = explicitResolver(rawPackage, draft);
  const targets = buildTargets(normalized.targets, { root, edition, warnings });
  checkLinks(rawPackage, targets);
  warnAboutDependencyKeys(draft);
  const dependencies = buildDependencies(normalized.dependencies, scope);
  const replacements = buildReplacements(raw, scope);
  const patches = buildPatches(raw, path, scope);
  requireOneSourcePerName(dependencies);
  checkLints(lints, warnings);
  checkExpectedCfgs(lints);
  if (raw.profile !== undefined) checkProfiles(raw.profile, warnings);
  const publish = allowedRegistries(fields);
  const summary = buildSummary(fields, dependencies, draft);
  checkDefaultRun(rawPackage, targets);
  if (fields.licenseFile !== null && fields.license !== null) warnings.push(BOTH_LICENSES);
  for (const warning of unusedKeyWarnings(draft.unusedKeys)) warnings.push(warning);
  checkGatedKeys(rawPackage);

  return {
    kind: 'package',
    path,
    workspace,
    resolver: resolver ?? defaultResolver(edition),
    resolverIsExplicit: resolver !== null,
    patches,
    replacements,
    hasProfiles: raw.profile !== undefined,
    hasPatches: (raw.patch?.size ?? 0) > 0,
    warnings,
    buildErrors,
    summary,
    targets,
    features: printedFeatures(summary, raw.features),
    edition,
    ...packageDescription(fields),
    links: rawPackage.links ?? null,
    defaultRun: rawPackage['default-run'] ?? null,
    rustVersion: fields.rustVersion,
    publish,
    metadata: rawPackage.metadata ?? null,
    hints: raw.hints === undefined ? null : { mostlyUnused: raw.hints['mostly-unused'] ?? null },
    exclude: fields.exclude ?? [],
    include: fields.include ?? [],
    dependencyPaths: dependencyPaths(normalized.dependencies),
  };
}

function packageDescription(fields: NormalizedPackage): PackageDescription {
  return {
    license: fields.license,
    licenseFile: fields.licenseFile,
    description: fields.description,
    readme: fields.readme,
    repository: fields.repository,
    homepage: fields.homepage,
    documentation: fields.documentation,
    authors: fields.authors ?? [],
    categories: fields.categories ?? [],
    keywords: fields.keywords ?? [],
  };
}

/** Returns the resolver that is written in the manifest; null if none is. */
function explicitResolver(rawPackage: RawPackage, { raw }: ManifestDraft): Resolver | null {
  const own = rawPackage.resolver;
  const shared = raw.workspace?.resolver;
  if (own !== undefined && shared !== undefined) {
    throw manifestProblem('cannot specify `resolver` field in both `[workspace]` and `[package]`');
  }
  const written = own ?? shared;
  return written === undefined ? null : parseResolver(written);
}

/** Throws `manifest` for `links` without a build script. */
function checkLinks({ links }: RawPackage, targets: readonly Target[]): void {
  if (links === undefined || targets.some(({ kind }) => kind === 'custom-build')) return;
  throw manifestProblem(
    `package specifies that it links to \`${links}\` but does not have a custom build script`,
  );
}

/** Throws `manifest` if two tables declare a dependency of the same name from different sources. */
function requireOneSourcePerName(dependencies: readonly Dependency[]): void {
  const sources = new Map<string, Dependency['source']>();
  for (const { nameInToml, source } of dependencies) {
    const known = sources.get(nameInToml);
    if (known !== undefined && known !== source) {
      throw manifestProblem(
        `Dependency '${nameInToml}' has different source paths depending on the build target. ` +
          'Each dependency must have a single canonical source path irrespective of build target.',
      );
    }
    sources.set(nameInToml, source);
  }
}

/** Returns the allowed registries; null for all. A package without a version cannot be published. */
function allowedRegistries({ publish, version }: NormalizedPackage): readonly string[] | null {
  let allowed: readonly string[] | null;
  if (publish === null) allowed = version === null ? [] : null;
  else if (typeof publish === 'boolean') allowed = publish ? null : [];
  else allowed = publish;
  if (version === null && (allowed === null || allowed.length > 0)) {
    throw manifestProblem('`package.publish` requires `package.version` be specified');
  }
  return allowed;
}

/** Throws `manifest` if `default-run` names no binary. */
function checkDefaultRun({ 'default-run': run }: RawPackage, targets: readonly Target[]): void {
  if (run === undefined) return;
  const bins = targets.filter(({ kind }) => kind === 'bin').map(({ name }) => name);
  if (bins.includes(run)) return;
  throw manifestProblem(`default-run target \`${run}\` not found${closestNameHint(run, bins, 'target')}`);
}

/** Throws `manifest` for keys of unstable features. */
function checkGatedKeys(rawPackage: RawPackage): void {
  if (rawPackage['im-a-teapot'] !== undefined) {
    withContext('the `im-a-teapot` manifest key is unstable and may not work properly in England', () =>
      refuseUnstable('test-dummy-unstable'),
    );
  }
  if (rawPackage['default-target'] !== undefined || rawPackage['forced-target'] !== undefined) {
    withContext(
      'the `package.default-target` and `package.forced-target` manifest keys are unstable and may not work properly',
      () => refuseUnstable('per-package-target'),
    );
  }
}

const BOTH_LICENSES = `only one of \`license\` or \`license-file\` is necessary
\`license\` should be used if the package license can be expressed with a standard SPDX expression.
\`license-file\` should be used if the package uses a non-standard license.
See https://doc.rust-lang.org/cargo/reference/manifest.html#the-license-and-license-file-fields for more information.`;
