/** Source ids as text, as lock files and the output of `cargo metadata` write them. */
import { TsregError } from '../errors/error.ts';
import type { GitReference, SourceId, SourceKind } from './source-id.ts';
import type { SourceTable } from './source-table.ts';
import { parseUrl, splitUrl } from './url.ts';

const PREFIX: Readonly<Record<SourceKind, string>> = {
  path: 'path+',
  registry: 'registry+',
  'sparse-registry': 'sparse+',
  'local-registry': 'local-registry+',
  directory: 'directory+',
  git: 'git+',
};

/**
 * Prints a source id: kind, URL, `?branch=…`, `#commit`. With `encoded` the name of the reference is
 * escaped, as in lock files from version 4 on; without, it is printed raw.
 */
export function formatSourceUrl(source: SourceId, options: { readonly encoded: boolean }): string {
  const text = formatUnpinnedUrl(source, options);
  return source.precise === null ? text : `${text}#${source.precise}`;
}

/** As `formatSourceUrl`, without the pinned commit. */
export function formatUnpinnedUrl(source: SourceId, options: { readonly encoded: boolean }): string {
  return PREFIX[source.kind] + source.url + formatReference(source.reference, options);
}

/** The URL as configuration and manifests have it: that of a sparse index with `sparse+`, others as they are. */
export function formatIndexUrl({ kind, url }: SourceId): string {
  return kind === 'sparse-registry' ? PREFIX[kind] + url : url;
}

/** `?branch=name` and the like; empty for the default branch and for null. */
export function formatReference(
  reference: GitReference | null,
  options: { readonly encoded: boolean },
): string {
  if (reference === null || reference.kind === 'default') return '';
  return `?${reference.kind}=${options.encoded ? encodeForm(reference.name) : reference.name}`;
}

/** Parses a source id as lock files write it, of any version. Throws with cargo's words. */
export function parseSourceUrl(text: string, sources: SourceTable): SourceId {
  const plus = text.indexOf('+');
  if (plus === -1) throw new TsregError(`invalid source \`${text}\``, { code: 'lockfile' });
  const protocol = text.slice(0, plus);
  const url = text.slice(plus + 1);
  // The address is looked at first, whatever the protocol.
  const href = parseUrl(url);
  switch (protocol) {
    case 'git': {
      const { base, path, rest } = splitUrl(href);
      const hash = rest.indexOf('#');
      const query = hash === -1 ? rest : rest.slice(0, hash);
      return sources.intern({
        kind: 'git',
        url: base + path,
        reference: parseReference(query),
        precise: hash === -1 ? null : rest.slice(hash + 1),
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

/** The reference that a query (`?branch=x`) names; of several the last. */
export function parseReference(query: string): GitReference {
  let reference: GitReference = { kind: 'default' };
  for (const [key, name] of new URLSearchParams(query)) {
    if (key === 'branch' || key === 'ref') reference = { kind: 'branch', name };
    else if (key === 'rev' || key === 'tag') reference = { kind: key, name };
  }
  return reference;
}

function encodeForm(text: string): string {
  return new URLSearchParams([['', text]]).toString().slice(1);
}
