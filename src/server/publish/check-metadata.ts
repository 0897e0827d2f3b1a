/** Checks the metadata of published packages. Cargo Book: Registry Web API, Publish. */
import { licenseProblem } from '../../core/license/license-expression.ts';
import type { PublishMetadata } from '../../core/protocol/publish-metadata.ts';
import { parseRustVersion } from '../../core/version/partial-version.ts';
import { parseVersion } from '../../core/version/version.ts';
import { CATEGORY_SLUGS } from './categories.ts';
import { checkDependencies } from './check-dependencies.ts';
import { crateNameProblem } from './crate-name.ts';
import { splitBadges } from './split-badges.ts';
import type { MetadataRules } from './metadata-rules.ts';
import { parsePart, publishProblem, refuseProblem } from './publish-problem.ts';

/** The `warnings` of the response. */
export interface PublishWarnings {
  readonly invalidCategories: readonly string[];
  readonly invalidBadges: readonly string[];
  readonly other: readonly string[];
}

/** Metadata to store, and warnings about dropped values. */
export interface CheckedMetadata {
  readonly metadata: PublishMetadata;
  readonly warnings: PublishWarnings;
}

const MAX_VERSION_CHARS = 150;
/** Limits under the rules of crates.io (`strict`) and otherwise. */
const MAX_DESCRIPTION_BYTES = { strict: 1000, usual: 100_000 };
/** Maximum keywords, and maximum categories. */
const MAX_LIST = { strict: 5, usual: 100 };
const MAX_KEYWORD_CHARS = { strict: 20, usual: 100 };
const MAX_TEXT_CHARS = 2000;

/** Checks the metadata, without the archive. Throws `source` for the first problem. */
export function checkMetadata(sent: PublishMetadata, rules: MetadataRules): CheckedMetadata {
  refuseProblem(crateNameProblem(sent.name, rules));
  checkVersion(sent.version);
  checkRequired(sent, rules);
  checkTexts(sent, rules);
  checkLicense(sent, rules);
  checkKeywords(sent.keywords, rules);
  const categories = checkCategories(sent.categories, rules);
  const badges = splitBadges(sent.badges);
  const dependencies = sent.dependencies.map((dependency) =>
    dependency.registry !== null && rules.isOwnIndex(dependency.registry)
      ? { ...dependency, registry: null }
      : dependency,
  );
  const metadata = { ...sent, dependencies, categories: categories.known, badges: badges.known };
  checkDependencies(metadata, rules);
  return {
    metadata,
    warnings: { invalidCategories: categories.unknown, invalidBadges: badges.unknown, other: [] },
  };
}

function checkVersion(version: string): void {
  if (version.length > MAX_VERSION_CHARS) {
    throw publishProblem(`the version number is too long (max ${MAX_VERSION_CHARS} characters)`);
  }
  parsePart(`\`${version}\` is an invalid semver version`, () => parseVersion(version));
}

function checkRequired(
  { description, license, licenseFile }: PublishMetadata,
  { strict }: MetadataRules,
): void {
  if (!strict) return;
  const isEmpty = (text: string | null): boolean => text === null || text.trim() === '';
  const missing = [
    ...(isEmpty(description) ? ['description'] : []),
    ...(isEmpty(license) && isEmpty(licenseFile) ? ['license'] : []),
  ];
  if (missing.length > 0) throw publishProblem(`missing or empty metadata fields: ${missing.join(', ')}`);
}

function checkTexts(sent: PublishMetadata, { strict }: MetadataRules): void {
  const maxBytes = strict ? MAX_DESCRIPTION_BYTES.strict : MAX_DESCRIPTION_BYTES.usual;
  if (Buffer.byteLength(sent.description ?? '') > maxBytes) {
    throw publishProblem(`the description is too long (max ${maxBytes} bytes)`);
  }
  for (const field of ['homepage', 'documentation', 'repository'] as const) checkUrl(field, sent[field]);
  checkLine('links', sent.links);
  checkLine('readme_file', sent.readmeFile);
  checkLine('license_file', sent.licenseFile);
  for (const author of sent.authors) checkLine('authors', author);
  const { rustVersion } = sent;
  if (rustVersion !== null) {
    parsePart(`\`${rustVersion}\` is an invalid rust-version`, () => parseRustVersion(rustVersion));
  }
}

/** Throws unless the URL is empty or of HTTP(S). Other URLs could run code when a user follows them. */
function checkUrl(field: string, url: string | null): void {
  if (url === null || url === '') return;
  checkLine(field, url);
  if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
    throw publishProblem(`URL for field \`${field}\` must begin with http:// or https:// (url: ${url})`);
  }
}

function checkLine(field: string, text: string | null): void {
  if (text === null) return;
  if (text.length > MAX_TEXT_CHARS) {
    throw publishProblem(`\`${field}\` is too long (max ${MAX_TEXT_CHARS} characters)`);
  }
  if (/[\0-\x1f\x7f]/.test(text)) throw publishProblem(`\`${field}\` has control characters`);
}

function checkLicense({ license }: PublishMetadata, { strict }: MetadataRules): void {
  if (license === null || license === '') return;
  checkLine('license', license);
  const problem = licenseProblem(license, { onlyKnown: strict });
  if (problem !== null)
    throw publishProblem(`unknown or invalid license expression \`${license}\`: ${problem}`);
}

/** Cargo Book: The Manifest Format, The keywords field. */
function checkKeywords(keywords: readonly string[], { strict }: MetadataRules): void {
  const maxCount = strict ? MAX_LIST.strict : MAX_LIST.usual;
  const maxChars = strict ? MAX_KEYWORD_CHARS.strict : MAX_KEYWORD_CHARS.usual;
  if (keywords.length > maxCount) throw publishProblem(`expected at most ${maxCount} keywords per crate`);
  for (const keyword of keywords) {
    if (keyword.length > maxChars) {
      throw publishProblem(
        `\`${keyword}\` is an invalid keyword (keywords have at most ${maxChars} characters)`,
      );
    }
    if (!/^[A-Za-z0-9][A-Za-z0-9_+-]*$/.test(keyword)) {
      throw publishProblem(`\`${keyword}\` is an invalid keyword`);
    }
  }
}

function checkCategories(
  slugs: readonly string[],
  { strict }: MetadataRules,
): { readonly known: readonly string[]; readonly unknown: readonly string[] } {
  const maxCount = strict ? MAX_LIST.strict : MAX_LIST.usual;
  if (slugs.length > maxCount) throw publishProblem(`expected at most ${maxCount} categories per crate`);
  for (const slug of slugs) checkLine('categories', slug);
  const isKnown = (slug: string): boolean => CATEGORY_SLUGS.has(slug.toLowerCase());
  const unknown = slugs.filter((slug) => !isKnown(slug));
  if (strict && unknown.length > 0) {
    throw publishProblem(`the following category slugs are not supported: ${unknown.join(', ')}`);
  }
  return { known: [...new Set(slugs.filter(isKnown).map((slug) => slug.toLowerCase()))], unknown };
}
