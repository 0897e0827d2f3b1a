/** Checks dependencies and features of published packages. Cargo Book: Registry Index, JSON schema. */
import { parsePlatform } from '../../core/platform/parse-platform.ts';
import type { PublishedDependency, PublishMetadata } from '../../core/protocol/publish-metadata.ts';
import { buildFeatureMap, parseFeatureValue } from '../../core/summary/feature-value.ts';
import { parseVersionReq } from '../../core/version/requirement.ts';
import { dependencyNameProblem } from './crate-name.ts';
import type { MetadataRules } from './metadata-rules.ts';
import { parsePart, publishProblem, refuseProblem } from './publish-problem.ts';

/** Maximum numbers, under the rules of crates.io (`strict`) and otherwise. */
const MAX_DEPENDENCIES = { strict: 500, usual: 5000 };
const MAX_FEATURES = { strict: 300, usual: 3000 };
const MAX_VALUES = { strict: 300, usual: 3000 };
/** Maximum length of a feature, and of the URL of a registry. */
const MAX_TEXT_CHARS = 500;

/** Throws `source` for the first problem. `registry` must be null in dependencies on the own registry. */
export function checkDependencies({ dependencies, features }: PublishMetadata, rules: MetadataRules): void {
  const limits = rules.strict ? 'strict' : 'usual';
  refuseMore(dependencies.length, { max: MAX_DEPENDENCIES[limits], what: 'dependencies' });
  refuseMore(features.size, { max: MAX_FEATURES[limits], what: 'features' });
  for (const [feature, values] of features) {
    refuseMore(values.length, { max: MAX_VALUES[limits], what: `values of the feature \`${feature}\`` });
    for (const text of [feature, ...values]) checkFeatureText(text);
  }
  for (const dependency of dependencies) checkDependency(dependency, rules);
  const map = buildFeatureMap(
    features,
    dependencies.map(({ name, explicitNameInToml, optional }) => ({
      nameInToml: explicitNameInToml ?? name,
      optional,
    })),
  );
  if (map.problem !== null) throw publishProblem(map.problem.message);
}

function checkDependency(dependency: PublishedDependency, rules: MetadataRules): void {
  const { strict } = rules;
  const { name, versionReq, registry, target, explicitNameInToml } = dependency;
  refuseProblem(dependencyNameProblem(name, { isExplicit: false }));
  if (explicitNameInToml !== null)
    refuseProblem(dependencyNameProblem(explicitNameInToml, { isExplicit: true }));
  const req = parsePart(`\`${versionReq}\` is an invalid version requirement of \`${name}\``, () =>
    parseVersionReq(versionReq),
  );
  if (strict && req.comparators.length === 0) {
    throw publishProblem(`wildcard (\`*\`) dependency constraints are not allowed: \`${name}\``);
  }
  if (registry !== null) checkRegistry(registry, name, rules);
  if (target !== null) {
    parsePart(`\`${target}\` is an invalid target of \`${name}\``, () => parsePlatform(target));
  }
  for (const feature of dependency.features) {
    checkFeatureText(feature);
    if (parseFeatureValue(feature).kind !== 'feature') {
      throw publishProblem(`\`${feature}\` is not a valid feature of \`${name}\``);
    }
  }
}

/** Throws for a registry that dependencies may not come from, and for a URL with a password. */
function checkRegistry(registry: string, name: string, { strict, allowsRegistry }: MetadataRules): void {
  if (strict)
    throw publishProblem(`dependency \`${name}\` is hosted on another registry, which is not allowed`);
  const url = registry.replace(/^sparse\+/, '');
  if (registry.length > MAX_TEXT_CHARS || !URL.canParse(url) || /[\0-\x20\x7f]/.test(registry)) {
    throw publishProblem(`\`${registry}\` is not the URL of an index (dependency \`${name}\`)`);
  }
  if (new URL(url).password !== '') {
    throw publishProblem(`the index of the dependency \`${name}\` has a password in its URL`);
  }
  if (!allowsRegistry(registry)) {
    throw publishProblem(
      `the dependency \`${name}\` is from the registry \`${registry}\`, which is not allowed here; the operator of this registry can allow it: \`tsreg serve --allow-dependency-registry URL\``,
    );
  }
}

function checkFeatureText(text: string): void {
  if (text.length > MAX_TEXT_CHARS || /[\0-\x20\x7f]/.test(text)) {
    throw publishProblem(`\`${text.slice(0, MAX_TEXT_CHARS)}\` is not a feature`);
  }
}

function refuseMore(count: number, { max, what }: { readonly max: number; readonly what: string }): void {
  if (count > max) throw publishProblem(`there are ${count} ${what}, and there may be at most ${max}`);
}
