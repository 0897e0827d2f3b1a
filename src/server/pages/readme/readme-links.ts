/** Resolves the links and images of a readme. */
import { badgePath, type BadgeLinks } from './badge-links.ts';
import { sourcePath } from '../shared/paths.ts';
import { repositoryFiles, webAddress } from '../shared/web-link.ts';

/** The origin of a readme, to resolve its links. */
export interface ReadmeOrigin {
  readonly repository: string | null;
  /** Path of the readme in the package. */
  readonly readmePath: string | null;
  /** The version whose archive has the files that the readme refers to; absent to refer to the repository. */
  readonly archive?: { readonly crate: string; readonly version: string };
  /** The badges of other sites to show; absent for none. */
  readonly badges?: BadgeLinks;
}

/** An image of a readme. */
export interface ReadmeImage {
  /** The address of a link to it. */
  readonly address: string;
  /** The path from which a page can load it; null if it can only become a link. */
  readonly source: string | null;
}

/** Resolves the addresses of a readme. Returns null for addresses that must lead nowhere, such as `javascript:…`. */
export interface ReadmeLinks {
  link(href: string): string | null;
  image(src: string): ReadmeImage | null;
}

/** Returns the links of a readme with this origin. */
export function readmeLinks(origin: ReadmeOrigin): ReadmeLinks {
  const files = origin.archive === undefined ? inRepository(origin) : inArchive(origin, origin.archive);
  return {
    link(href) {
      if (href === '#') return null;
      if (href.startsWith('#')) {
        const name = href.slice(1);
        return `#${encodeURIComponent(anchor(decode(name) ?? name))}`;
      }
      if (/^mailto:/i.test(href)) return href;
      return webAddress(href) ?? files.link(href);
    },
    image(src) {
      const address = webAddress(src);
      if (address === null) return files.image(src);
      return { address, source: origin.badges === undefined ? null : badgePath(address, origin.badges) };
    },
  };
}

/** Prefix of IDs in a readme, so that they never equal an ID of the page. */
const ANCHOR_PREFIX = 'readme-';

/** Returns the ID of an anchor in a readme. `readmeLinks` changes links in the same way, so they still lead there. */
export function anchor(name: string): string {
  return ANCHOR_PREFIX + name.toLowerCase().replace(/[^\p{L}\p{N}\p{M}_-]/gu, '-');
}

/** Resolves relative addresses to files on the website of the repository. */
function inRepository({ repository, readmePath }: ReadmeOrigin): ReadmeLinks {
  const folders = repositoryFiles(repository);
  const resolve = (folder: string | undefined, relative: string): string | null =>
    folder === undefined ? null : (resolveWithin(folder, readmePath, relative)?.href ?? null);
  return {
    link: (href) => resolve(folders?.pages, href),
    image(src) {
      const address = resolve(folders?.raw, src);
      return address === null ? null : { address, source: null };
    },
  };
}

/** Stands for the top folder of an archive. It is not the root, where steps out of it would have no effect. */
const ARCHIVE = 'https://archive.invalid/files/';

/** Names of images that `rawResponse` sends as such. */
const SHOWN_IMAGE = /\.(?:png|jpe?g|gif|webp)$/i;

/** Resolves relative addresses to pages with the files of an archive, and to images in it. */
function inArchive(
  { readmePath }: ReadmeOrigin,
  archive: { readonly crate: string; readonly version: string },
): ReadmeLinks {
  const isInside = readmePath !== null && resolveWithin(ARCHIVE, null, readmePath) !== null;
  // `cargo package` copies a readme outside of the package to the top folder. Cargo Book: The Manifest Format,
  // `readme`.
  const packedPath = isInside ? readmePath : null;
  /** Returns the file with a relative address; null if it leads out of the archive. */
  const find = (relative: string): { readonly path: string; readonly fragment: string } | null => {
    const url = resolveWithin(ARCHIVE, packedPath, relative);
    const names = url?.href
      .slice(ARCHIVE.length)
      .replace(/[?#].*$/, '')
      .split('/')
      .filter((name) => name !== '')
      .map(decode);
    if (url === undefined || url === null || names === undefined) return null;
    // No file has such a name.
    if (names.some((name) => name === null || /[/\\\0]/.test(name))) return null;
    return { path: names.join('/'), fragment: url.hash };
  };
  return {
    link(href) {
      const file = find(href);
      return file === null ? null : sourcePath(archive, file.path) + file.fragment;
    },
    image(src) {
      const file = find(src);
      if (file === null) return null;
      const address = sourcePath(archive, file.path);
      return { address, source: SHOWN_IMAGE.test(file.path) ? `${address}?raw` : null };
    },
  };
}

/**
 * Resolves a relative URL from a readme in `folder`, by default at its top; null if the URL leads out of `folder` or is
 * not relative. A URL that starts with `/` is relative to `folder`, as on GitHub.
 */
function resolveWithin(folder: string, readmePath: string | null, relative: string): URL | null {
  if (/^[a-z][a-z0-9+.-]*:/i.test(relative) || relative.startsWith('//') || relative.includes('\\'))
    return null;
  try {
    const readme = new URL(readmePath ?? 'README.md', folder);
    const isFromTop = relative.startsWith('/');
    const url = new URL(isFromTop ? `.${relative}` : relative, isFromTop ? folder : readme);
    return readme.href.startsWith(folder) && url.href.startsWith(folder) ? url : null;
  } catch {
    return null;
  }
}

/** Returns the text without percent-encoding; null if it is malformed. */
function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
