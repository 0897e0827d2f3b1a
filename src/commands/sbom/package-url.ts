/** Package URLs (purl), which name packages in bills of materials. ECMA-427; https://github.com/package-url/purl-spec */
import { relativePath } from '../../core/files/path.ts';
import type { PackageId } from '../../core/package-id/package-id.ts';
import { isCratesIo, isRemoteRegistry, type SourceId, sourcePath } from '../../core/package-id/source-id.ts';

/**
 * Returns the package URL of a package. A qualifier contains the source, unless it is crates.io. The path of a package
 * on disk is relative to `root`, an absolute path, so that the URL is the same on every machine.
 */
export function packageUrl({ name, version, source }: PackageId, root: string): string {
  const url = `pkg:cargo/${encode(name)}@${encode(version.text)}`;
  const qualifier = qualifierOf(source, root);
  return qualifier === null ? url : `${url}?${qualifier.name}=${encode(qualifier.value)}`;
}

/** Returns the address of a git commit in the form of SPDX: `git+https://…@COMMIT`; null for other sources. */
export function commitUrl({ kind, url, precise }: SourceId): string | null {
  if (kind !== 'git') return null;
  return `git+${withoutCredentials(url)}${precise === null ? '' : `@${precise}`}`;
}

/** A qualifier with the source of a package. The specification defines the names. */
interface Qualifier {
  readonly name: 'repository_url' | 'vcs_url' | 'download_url';
  readonly value: string;
}

function qualifierOf(source: SourceId, root: string): Qualifier | null {
  if (isCratesIo(source)) return null;
  if (isRemoteRegistry(source.kind)) return { name: 'repository_url', value: withoutCredentials(source.url) };
  const commit = commitUrl(source);
  if (commit !== null) return { name: 'vcs_url', value: commit };
  const folder = sourcePath(source);
  if (folder === null) return null;
  const path = relativePath(root, folder).replaceAll('\\', '/');
  return { name: 'download_url', value: `file://${path === '' ? '.' : path}` };
}

/** Returns a URL without its password. With HTTP, a user name may be a token, so it goes as well. */
export function withoutCredentials(url: string): string {
  return url.replace(/^([a-z+.-]+:\/\/)([^/?#@]*)@/i, (_, scheme: string, user: string) =>
    /^https?:/i.test(scheme) ? scheme : `${scheme}${user.replace(/:.*/, '')}@`,
  );
}

/** Encodes a part of a package URL. `:` and `/` stay as they are, as in other tools. */
function encode(text: string): string {
  return encodeURIComponent(text)
    .replaceAll(/%3A|%2F/g, decodeURIComponent)
    .replaceAll(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}
