/** Source IDs as text, as in lock files and the output of `cargo metadata`. */
import { TsregError } from '../errors/error.ts';
import type { GitReference, SourceId, SourceKind } from './source-id.ts';
import type { SourceTable } from './source-table.ts';
import { parseUrl, splitSuffix, splitUrl } from './url.ts';

/** Keep in step with `parseSourceUrl`, for the kinds that lock files contain, and with `PROTOCOLS` of package ID specs. */
const PREFIX: Readonly<Record<SourceKind, string>> = {
  path: 'path+',
  registry: 'registry+',
  'sparse-registry': 'sparse+',
  'local-registry': 'local-registry+',
  directory: 'directory+',
  git: 'git+',
};

/**
 * Returns a source ID as text: kind, URL, `?branch=…`, `#commit`. `encoded` escapes the name of the reference, as lock
 * files do from version 4 on.
 */
export function formatSourceUrl(source: SourceId, options: { readonly encoded: boolean }): string {
  const text = formatUnpinnedUrl(source, options);
  return source.precise === null ? text : `${text}#${source.precise}`;
}

/** Returns the text of `formatSourceUrl` without the pinned commit. */
export function formatUnpinnedUrl(source: SourceId, options: { readonly encoded: boolean }): string {
  return PREFIX[source.kind] + source.url + formatReference(source.reference, options);
}

/** Returns the URL as in configuration and manifests: with `sparse+` for a sparse index. */
export function formatIndexUrl({ kind, url }: SourceId): string {
  return kind === 'sparse-registry' ? PREFIX[kind] + url : url;
}

/** Returns `?branch=name` and the like; empty for the default branch and for null. */
export function formatReference(
  reference: GitReference | null,
  options: { readonly encoded: boolean },
): string {
  if (reference === null || reference.kind === 'default') return '';
  return `?${reference.kind}=${options.encoded ? encodeForm(reference.name) : reference.name}`;
}

/** Parses a source ID from a lock file of any version. Throws with cargo's message. */
export function parseSourceUrl(text: string, sources: SourceTable): SourceId {
  const plus = text.indexOf('+');
  if (plus === -1) throw new TsregError(`invalid source \`${text}\``, { code: 'lockfile' });
  const protocol = text.slice(0, plus);
  const url = text.slice(plus + 1);
  // An invalid URL is reported before an unsupported protocol.
  const href = parseUrl(url);
  switch (protocol) {
    case 'git': {
      const { base, path, suffix } = splitUrl(href);
      const { query, fragment } = splitSuffix(suffix);
      return sources.intern({
        kind: 'git',
        url: base + path,
        reference: parseReference(query),
        precise: fragment,
      });
    }
    case 'registry':
      return sources.intern({ kind: 'registry', url: href });
    case 'sparse':
      return sources.forRegistryIndex(text);
    case 'path':
      return sources.intern({ kind: 'path', url: href });
    default:
      throw new TsregError(`unsupported source protocol: ${protocol}`, { code: 'lockfile' });
  }
}

/** Returns the reference in a query (`?branch=x`). The last of several wins. */
export function parseReference(query: string): GitReference {
  let reference: GitReference = { kind: 'default' };
  for (const [key, name] of new URLSearchParams(query)) {
    if (key === 'branch' || key === 'ref') reference = { kind: 'branch', name };
    else if (key === 'rev' || key === 'tag') reference = { kind: key, name };
  }
  return reference;
}

/** Encodes text like the value of a form field. */
function encodeForm(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1);
}
