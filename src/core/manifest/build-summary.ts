/** The summary of a package, from its manifest. Cargo Book: Features. */
import { present } from '../errors/assert.ts';
import { TsregError } from '../errors/error.ts';
import { makePackageId } from '../package-id/package-id.ts';
import { buildFeatureMap, formatFeatureValue } from '../summary/feature-value.ts';
import type { FeatureProblem } from '../summary/feature-value.ts';
import type { Dependency, Summary } from '../summary/summary.ts';
import { parseTomlWithSpans } from '../toml/parse.ts';
import { parseVersion } from '../version/version.ts';
import type { ManifestDraft } from './manifest-draft.ts';
import { manifestProblem } from './manifest-problem.ts';
import type { NormalizedPackage } from './normalize-package.ts';

/**
 * Builds the summary of a package. Checks in cargo's order. Throws `manifest` for optional dev-dependencies and for
 * problems with features. Warns about a feature whose name is a mistake.
 */
export function buildSummary(
  { name, version, rustVersion }: NormalizedPackage,
  dependencies: readonly Dependency[],
  draft: ManifestDraft,
): Summary {
  const { raw, scope } = draft;
  for (const { optional, kind, nameInToml } of dependencies) {
    if (optional && kind === 'dev') {
      throw manifestProblem(`dev-dependencies are not allowed to be optional: \`${nameInToml}\``);
    }
  }
  const { features, problem } = buildFeatureMap(raw.features ?? new Map(), dependencies);
  if (problem !== null) throw featureError(problem, draft);
  if (features.has('default-features')) {
    scope.warnings.push(
      '`[features]` defines a feature named `default-features`\n' +
        'note: only a feature named `default` will be enabled by default',
    );
  }
  return {
    id: makePackageId(name, version ?? parseVersion('0.0.0'), scope.source),
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
function featureError({ message, missing }: FeatureProblem, { path, text }: ManifestDraft): TsregError {
  if (missing === null) return manifestProblem(message);
  const spans = parseTomlWithSpans(text).find(['features', missing.feature]);
  const { start, end } = present(spans, 'the place of a feature').value;
  return new TsregError(message, {
    code: 'manifest',
    snippet: { path, text, span: { start, end }, message },
  });
}

/**
 * Returns the features for `metadata`: written ones as written, because formatting gives the same text, and implicit
 * ones with their values as text.
 */
export function printedFeatures(
  { features }: Summary,
  written: ReadonlyMap<string, readonly string[]> | undefined,
): ReadonlyMap<string, readonly string[]> {
  const printed = new Map<string, readonly string[]>();
  features.forEach((values, name) => {
    printed.set(name, written?.get(name) ?? values.map(formatFeatureValue));
  });
  return printed;
}
