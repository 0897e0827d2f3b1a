/** Manifests with `[package]`. Cargo Book: The Manifest Format. */
import type { Message } from '../errors/wording.ts';
import { TsregError, withContext } from '../errors/error.ts';
import { closestNameHint } from '../errors/similar-names.ts';
import { makePackageId } from '../package-id/package-id.ts';
import { buildFeatureMap, formatFeatureValue } from '../summary/feature-value.ts';
import type { FeatureProblem } from '../summary/feature-value.ts';
import type { Dependency, Summary } from '../summary/summary.ts';
import { parseTomlWithSpans } from '../toml/parse.ts';
import { isRustVersionCompatible, parseRustVersion } from '../version/partial-version.ts';
import { parseVersion } from '../version/version.ts';
import { buildTargets } from './build-targets.ts';
import { refuseUnstable } from './cargo-features.ts';
import { checkExpectedCfgs, checkLints } from './check-lints.ts';
import { checkProfiles } from './check-profiles.ts';
import { EDITIONS, FIRST_RELEASE, parseEdition } from './edition.ts';
import { manifestProblem } from './manifest-problem.ts';
import type { Edition, PackageManifest, Target } from './manifest.ts';
import { normalizeManifest } from './normalize-manifest.ts';
import type { NormalizedPackage } from './normalize-package.ts';
import { buildDependencies, dependencyPaths, warnAboutDependencyKeys } from './package-dependencies.ts';
import type { ManifestDraft } from './manifest-draft.ts';
import { buildPatches, buildReplacements } from './patches.ts';
import type { RawPackage } from './raw-manifest.ts';
import { defaultResolver, parseResolver } from './resolver.ts';
import type { Resolver } from './resolver.ts';
import { unusedKeyWarnings } from './unused-keys.ts';

/**
 * Builds the manifest of a package. Reports errors in cargo's order: first those that prevent inheritance and target
 * discovery, then the others.
 */
export function buildPackage(rawPackage: RawPackage, draft: ManifestDraft): PackageManifest {
  const { raw, path, root, warnings } = draft;
  const buildErrors: string[] = [];
  const { workspace, files, inheritFrom } = draft;
  const scope = { raw, workspace, root, files, inheritFrom, warnings, buildErrors };
  const normalized = normalizeManifest(rawPackage, scope);
  const { fields, lints } = normalized;

  if (fields.name.includes(':')) refuseUnstable('open-namespaces');
  const edition = checkEdition(fields, warnings);
  checkProjectTable(draft, edition);
  if (rawPackage.metabuild !== undefined) refuseUnstable('metabuild');
  const resolver = explicitResolver(rawPackage, draft);
  const targets = buildTargets(normalized.targets, { root, edition, warnings });
  checkLinks(rawPackage, targets);
  warnAboutDependencyKeys(draft);
  const dependencies = buildDependencies(normalized.dependencies, draft);
  const replacements = buildReplacements(raw, draft);
  const patches = buildPatches(raw, path, draft);
  requireOneSourcePerName(dependencies);
  checkLints(lints, warnings);
  checkExpectedCfgs(lints);
  if (raw.profile !== undefined) checkProfiles(raw.profile, warnings);
  const publish = allowedRegistries(fields);
  const summary = buildSummary(fields, dependencies, draft);
  if (summary.features.has('default-features')) {
    warnings.push(
      '`[features]` defines a feature named `default-features`\n' +
        'note: only a feature named `default` will be enabled by default',
    );
  }
  checkDefaultRun(rawPackage, targets);
  if (fields.licenseFile !== null && fields.license !== null) warnings.push(BOTH_LICENSES);
  for (const warning of unusedKeyWarnings(draft.unusedKeys)) warnings.push(warning);
  checkGatedKeys(rawPackage);

  return {
    kind: 'package',
    path,
    workspace: draft.workspace,
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

function checkEdition(
  { name, version, edition: written, rustVersion }: NormalizedPackage,
  warnings: Message[],
): Edition {
  if (written === null) {
    warnAboutMissingEdition(rustVersion, warnings);
    return '2015';
  }
  const edition = parseEdition(written);
  if (edition === 'future') {
    const spec = version === null ? name : `${name}@${version.text}`;
    const help = rustVersion === null ? undefined : `help: ${spec} requires rust ${rustVersion}`;
    return refuseUnstable('unstable-editions', help);
  }
  const first = FIRST_RELEASE[edition];
  if (rustVersion !== null && first !== null && !coversRelease(rustVersion, first)) {
    throw manifestProblem(
      `rust-version ${rustVersion} is incompatible with the version (${first}) ` +
        `required by the specified edition (${edition})`,
    );
  }
  return edition;
}

/** Returns true if every Rust version from `rustVersion` on has the features of `release`. */
function coversRelease(rustVersion: string, release: string): boolean {
  return isRustVersionCompatible(parseRustVersion(release), parseRustVersion(rustVersion));
}

function warnAboutMissingEdition(rustVersion: string | null, warnings: Message[]): void {
  const newest = '2024';
  const usable =
    rustVersion === null
      ? newest
      : (EDITIONS.findLast((edition) => {
          const first = FIRST_RELEASE[edition];
          return first !== null && coversRelease(rustVersion, first);
        }) ?? '2015');
  if (usable === '2015') return;
  const tip =
    usable === newest
      ? ` while the latest is \`${newest}\``
      : ` while ${usable} is compatible with \`rust-version\``;
  warnings.push(`\`package.edition\` is unspecified, defaulting to \`2015\`${tip}`);
}

function checkProjectTable({ raw, warnings }: ManifestDraft, edition: Edition): void {
  if (raw.project === undefined) return;
  if (edition === '2024') {
    throw manifestProblem('`[project]` is not supported as of the 2024 Edition, please use `[package]`');
  }
  warnings.push('`[project]` is deprecated in favor of `[package]`');
}

function explicitResolver(rawPackage: RawPackage, { raw }: ManifestDraft): Resolver | null {
  const own = rawPackage.resolver;
  const shared = raw.workspace?.resolver;
  if (own !== undefined && shared !== undefined) {
    throw manifestProblem('cannot specify `resolver` field in both `[workspace]` and `[package]`');
  }
  const written = own ?? shared;
  return written === undefined ? null : parseResolver(written);
}

function checkLinks({ links }: RawPackage, targets: readonly Target[]): void {
  if (links === undefined || targets.some(({ kind }) => kind === 'custom-build')) return;
  throw manifestProblem(
    `package specifies that it links to \`${links}\` but does not have a custom build script`,
  );
}

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

/** Returns null if every registry is allowed. A package without a version cannot be published. */
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

function buildSummary(
  { name, version, rustVersion }: NormalizedPackage,
  dependencies: readonly Dependency[],
  { raw, source, path, text }: ManifestDraft,
): Summary {
  for (const { optional, kind, nameInToml } of dependencies) {
    if (optional && kind === 'dev') {
      throw manifestProblem(`dev-dependencies are not allowed to be optional: \`${nameInToml}\``);
    }
  }
  const { features, problem } = buildFeatureMap(raw.features ?? new Map(), dependencies);
  if (problem !== null) throw featureError(problem, path, text);
  return {
    id: makePackageId(name, version ?? parseVersion('0.0.0'), source),
    dependencies,
    features,
    links: (raw.package ?? raw.project)?.links ?? null,
    rustVersion,
    checksum: null,
    yanked: false,
    publishedAtMs: null,
  };
}

/** Returns the error for a feature, with a snippet if the feature names a missing dependency. */
function featureError({ message, missing }: FeatureProblem, path: string, text: string): TsregError {
  if (missing === null) return manifestProblem(message);
  const found = parseTomlWithSpans(text).find(['features', missing.feature]);
  const { start, end } = found?.value ?? { start: 0, end: 0 };
  return new TsregError(message, {
    code: 'manifest',
    snippet: { path, text, span: { start, end }, message },
  });
}

/** Returns the features with values as written. */
function printedFeatures(
  { features }: Summary,
  written: ReadonlyMap<string, readonly string[]> | undefined,
): ReadonlyMap<string, readonly string[]> {
  const printed = new Map<string, readonly string[]>();
  features.forEach((values, name) => {
    printed.set(name, written?.get(name) ?? values.map(formatFeatureValue));
  });
  return printed;
}

function checkDefaultRun({ 'default-run': run }: RawPackage, targets: readonly Target[]): void {
  if (run === undefined) return;
  const bins = targets.filter(({ kind }) => kind === 'bin').map(({ name }) => name);
  if (bins.includes(run)) return;
  throw manifestProblem(`default-run target \`${run}\` not found${closestNameHint(run, bins, 'target')}`);
}

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
