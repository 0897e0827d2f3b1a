/** Packages and sources as text for messages. */
import { CRATES_IO_DOMAIN } from './crates-io.ts';
import type { PackageId } from './package-id.ts';
import { isCratesIo, type SourceId } from './source-id.ts';
import { formatReference } from './source-url.ts';
import { urlToPath } from './url.ts';

/** Returns a package as ``aa v1.2.0 (registry `alt`)``, without the source if that is crates.io. */
export function describePackage({ name, version, source }: PackageId): string {
  const text = `${name} v${version.text}`;
  return isCratesIo(source) ? text : `${text} (${displaySource(source)})`;
}

/**
 * Returns a source for parentheses and status lines: a path, ``registry `alt` ``, a git URL with 8 digits of the
 * commit.
 */
export function displaySource(source: SourceId): string {
  switch (source.kind) {
    case 'git': {
      const commit = source.precise === null ? '' : `#${source.precise.slice(0, 8)}`;
      return source.url + formatReference(source.reference, { encoded: true }) + commit;
    }
    case 'path':
      return pathOrUrl(source.url);
    case 'registry':
    case 'sparse-registry':
      return `registry \`${displayRegistryName(source)}\``;
    case 'local-registry':
      return `registry \`${pathOrUrl(source.url)}\``;
    case 'directory':
      return `dir ${pathOrUrl(source.url)}`;
  }
}

/**
 * Returns a source as the place of a search: `crates.io index`, `Git repository …`, ``directory source `…` ``, a path.
 */
export function describeSource(source: SourceId): string {
  switch (source.kind) {
    case 'git':
      return `Git repository ${displaySource(source)}`;
    case 'path':
      return displaySource(source);
    case 'directory':
      return `directory source \`${pathOrUrl(source.url)}\``;
    default:
      return describeIndex(source);
  }
}

/** Returns the name of a registry's index: `crates.io index`, `` `alt` index``. */
export function describeIndex(source: SourceId): string {
  return isCratesIo(source) ? `${CRATES_IO_DOMAIN} index` : `\`${displayRegistryName(source)}\` index`;
}

/** Returns the configured name of a registry, or else its URL (as a path if it has one). */
export function displayRegistryName(source: SourceId): string {
  if (source.registryName !== null) return source.registryName;
  return source.kind === 'sparse-registry' ? `sparse+${source.url}` : pathOrUrl(source.url);
}

function pathOrUrl(url: string): string {
  return urlToPath(url) ?? url;
}
