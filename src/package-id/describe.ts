/** Packages and sources as messages name them. */
import { CRATES_IO_DOMAIN } from './crates-io.ts';
import type { PackageId } from './package-id.ts';
import { isCratesIo, type SourceId } from './source-id.ts';
import { formatReference } from './source-url.ts';
import { urlToPath } from './url.ts';

/** `aa v1.2.0 (registry `alt`)`; packages of crates.io go without a source. */
export function describePackage({ name, version, source }: PackageId): string {
  const text = `${name} v${version.text}`;
  return isCratesIo(source) ? text : `${text} (${displaySource(source)})`;
}

/** A source in parentheses and status lines: a path, ``registry `alt` ``, a git URL with 8 digits of the commit. */
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

/** A source as a place that was searched: `crates.io index`, `Git repository …`, ``directory source `…` ``, a path. */
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

/** The index of a registry: `crates.io index`, `` `alt` index``. */
export function describeIndex(source: SourceId): string {
  return isCratesIo(source) ? `${CRATES_IO_DOMAIN} index` : `\`${displayRegistryName(source)}\` index`;
}

/** The configured name of a registry, or its URL (a path where it is one). */
export function displayRegistryName(source: SourceId): string {
  if (source.registryName !== null) return source.registryName;
  return source.kind === 'sparse-registry' ? `sparse+${source.url}` : pathOrUrl(source.url);
}

function pathOrUrl(url: string): string {
  return urlToPath(url) ?? url;
}
