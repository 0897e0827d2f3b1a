/** Package ID specifications. Cargo Book: Package ID Specifications. */
import { asUsageError, TsregError } from '../errors/error.ts';
import { compareBytes } from '../files/compare-bytes.ts';
import {
  comparePartialVersions,
  compareWritten,
  matchesPartialVersion,
  parsePartialVersion,
  type PartialVersion,
} from '../version/partial-version.ts';
import type { PackageId } from './package-id.ts';
import { packageNameProblem } from './name-problem.ts';
import {
  compareSourceKinds,
  type GitReference,
  type KindAndReference,
  type SourceKind,
} from './source-id.ts';
import { formatReference, parseReference } from './source-url.ts';
import { lastPathSegment, parseUrl, pathToUrl, splitSuffix, splitUrl } from './url.ts';

/** The properties that select one package or several. A property is null if it is not written. */
export interface PackageIdSpec {
  readonly name: string;
  readonly version: PartialVersion | null;
  /** Normalized; without a prefix such as `git+`. */
  readonly url: string | null;
  readonly kind: SourceKind | null;
  /** null unless `kind` is git. */
  readonly reference: GitReference | null;
}

/** Options for detecting a mistyped path. */
export interface PackageIdSpecOptions {
  /** Returns the absolute path that `text` names; null if nothing is there. */
  readonly existingPath?: (text: string) => string | null;
}

/** The kinds by their prefixes in a URL. Keep in step with `PREFIX` and `parseSourceUrl` of `source-url.ts`. */
const PROTOCOLS: ReadonlyMap<string, SourceKind> = new Map([
  ['git', 'git'],
  ['registry', 'registry'],
  ['sparse', 'sparse-registry'],
  ['path', 'path'],
]);

/**
 * Parses `name`, `name@1.2`, `name:1.2`, `url`, `url#1.2`, `url#name`, `url#name@1.2`. Throws with cargo's message: with
 * the code `usage`, or `manifest` for an invalid URL or version. For `usage` in any case, see `parseSpecArgument`.
 */
export function parsePackageIdSpec(text: string, options: PackageIdSpecOptions = {}): PackageIdSpec {
  // As in cargo, text with `://` that is no URL is parsed as `name:version`: the error is about that version.
  if (text.includes('://')) {
    if (URL.canParse(text)) return parseUrlSpec(parseUrl(text));
  } else if (/[/\\]/.test(text)) {
    const path = options.existingPath?.(text) ?? null;
    if (path !== null) {
      throw invalidSpec(
        `package ID specification \`${text}\` looks like a file path, maybe try ${pathToUrl(path)}`,
      );
    }
  }
  const { name, version } = splitVersion(text) ?? { name: text, version: null };
  checkName(name);
  return { name, version, url: null, kind: null, reference: null };
}

/** Parses like `parsePackageIdSpec`, for an argument from the user: every error has the code `usage`. */
export function parseSpecArgument(text: string, options?: PackageIdSpecOptions): PackageIdSpec {
  return asUsageError(() => parsePackageIdSpec(text, options));
}

/** Returns true if the specification matches this package. */
export function matchesPackageIdSpec(spec: PackageIdSpec, id: PackageId): boolean {
  const { source } = id;
  return (
    spec.name === id.name &&
    (spec.version === null || matchesPartialVersion(spec.version, id.version)) &&
    (spec.url === null || protocolUrl(spec) === protocolUrl(source)) &&
    (spec.kind === null ||
      (spec.kind === source.kind &&
        formatReference(spec.reference, { encoded: true }) ===
          formatReference(source.reference, { encoded: true })))
  );
}

/** Returns the specification that matches exactly this package. */
export function specOfPackage({ name, version, source }: PackageId): PackageIdSpec {
  const { url, kind, reference } = source;
  return { name, version: parsePartialVersion(version.text), url, kind, reference };
}

/** Compares specifications by name, version, URL and kind of source. A property that is not written comes first. */
export function comparePackageIdSpecs(a: PackageIdSpec, b: PackageIdSpec): number {
  return (
    compareBytes(a.name, b.name) ||
    compareWritten(a.version, b.version, comparePartialVersions) ||
    compareWritten(protocolUrl(a), protocolUrl(b), compareBytes) ||
    compareWritten(kindOf(a), kindOf(b), compareSourceKinds)
  );
}

/** Returns the URL, with `sparse+` for a sparse registry. Other protocols are not part of the URL. */
function protocolUrl({ url, kind }: Pick<PackageIdSpec, 'url' | 'kind'>): string | null {
  return url !== null && kind === 'sparse-registry' ? `sparse+${url}` : url;
}

function kindOf({ kind, reference }: PackageIdSpec): KindAndReference | null {
  return kind === null ? null : { kind, reference };
}

/** Returns a specification as text for messages. */
export function formatPackageIdSpec({ name, version, url, kind, reference }: PackageIdSpec): string {
  const versionText = version === null ? '' : version.text;
  const nameAndVersion = versionText === '' ? name : `${name}@${versionText}`;
  if (url === null) return nameAndVersion;
  let text = url + formatReference(reference, { encoded: true });
  for (const [protocol, protocolKind] of PROTOCOLS) if (protocolKind === kind) text = `${protocol}+${text}`;
  if (lastPathSegment(url) !== name) return `${text}#${nameAndVersion}`;
  return versionText === '' ? text : `${text}#${versionText}`;
}

/** Parses a specification with a normalized URL. */
function parseUrlSpec(specUrl: string): PackageIdSpec {
  const { base, path, suffix } = splitUrl(specUrl);
  const { query, fragment } = splitSuffix(suffix);
  const scheme = base.slice(0, base.indexOf(':'));
  const plus = scheme.indexOf('+');
  const protocol = plus === -1 ? null : scheme.slice(0, plus);
  const kind = protocol === null ? null : (PROTOCOLS.get(protocol) ?? null);
  if (protocol !== null && kind === null) throw invalidSpec(`unsupported source protocol: ${protocol}`);
  if (query !== '' && kind !== 'git') {
    throw invalidSpec(`cannot have a query string in a pkgid: ${specUrl}`);
  }
  if (kind === 'path' && scheme !== 'path+file') {
    throw invalidSpec(`\`${scheme}\` is unsupported; \`path+file\` and \`file\` schemes are supported`);
  }
  const url = protocol === null ? base + path : parseUrl((base + path).slice(protocol.length + 1));
  if (!splitUrl(url).path.startsWith('/')) {
    throw invalidSpec(`pkgid urls must have at least one path component: ${url}`);
  }
  const { name, version } = readFragment(fragment, lastPathSegment(url));
  checkName(name);
  return { name, version, url, kind, reference: kind === 'git' ? parseReference(query) : null };
}

/** The parts of a specification without a URL. */
interface NameAndVersion {
  readonly name: string;
  readonly version: PartialVersion | null;
}

/** Reads the part after `#`. Without a name there, the last segment of the URL is the name. */
function readFragment(fragment: string | null, lastSegment: string): NameAndVersion {
  if (fragment === null) return { name: lastSegment, version: null };
  const split = splitVersion(fragment);
  if (split !== null) return split;
  if (fragment === '') throw invalidSpec('pkgid url cannot have an empty fragment');
  return /^\p{Alphabetic}/u.test(fragment)
    ? { name: fragment, version: null }
    : { name: lastSegment, version: parsePartialVersion(fragment) };
}

/** Splits `name@version` or `name:version`. Returns null for text without a version. */
function splitVersion(text: string): NameAndVersion | null {
  let separator = text.lastIndexOf('@');
  if (separator === -1) {
    separator = text.lastIndexOf(':');
    // `::` is part of a name.
    if (separator === -1 || text.charAt(separator - 1) === ':') return null;
  }
  return { name: text.slice(0, separator), version: parsePartialVersion(text.slice(separator + 1)) };
}

function checkName(name: string): void {
  const problem = packageNameProblem(name);
  if (problem === null) return;
  const hint = /^\d+(?:\.|$)/.test(name)
    ? `write a version after the name of its package: \`NAME@${name}\``
    : 'a package is a name such as `log`, or a name with a version such as `log@0.4.0`';
  throw new TsregError(problem, { code: 'usage', hint });
}

function invalidSpec(message: string): TsregError {
  return new TsregError(message, { code: 'usage' });
}

/** Returns cargo's message about an invalid specification; null if it is valid. */
export function packageIdSpecProblem(text: string): string | null {
  try {
    parsePackageIdSpec(text);
    return null;
  } catch (error) {
    if (error instanceof TsregError) return error.message;
    throw error;
  }
}
