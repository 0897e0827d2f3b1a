/** Checks untrusted addresses before they become links. */

/** Returns a normalized URL that a link may lead to (`http:`, `https:`); null for anything else. */
export function webAddress(text: string | null): string | null {
  if (text === null) return null;
  let url: URL;
  try {
    url = new URL(text.trim());
  } catch {
    return null;
  }
  return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : null;
}

/** The URLs of a repository's top folder on its website, with `/` at the end: `pages` for links, `raw` for images. */
export interface RepositoryFiles {
  readonly pages: string;
  readonly raw: string;
}

/** The websites with a known layout, and their paths of a repository's files on its default branch. */
const SITES: readonly { readonly host: string; readonly pages: string; readonly raw: string }[] = [
  { host: 'github.com', pages: 'blob/HEAD/', raw: 'raw/HEAD/' },
  { host: 'gitlab.com', pages: '-/blob/HEAD/', raw: '-/raw/HEAD/' },
  { host: 'codeberg.org', pages: 'src/', raw: 'raw/' },
  { host: 'bitbucket.org', pages: 'src/HEAD/', raw: 'raw/HEAD/' },
];

/**
 * Returns the folders of a repository's files, for the relative links of a readme; null if its site has no known
 * layout.
 */
export function repositoryFiles(repository: string | null): RepositoryFiles | null {
  const address = webAddress(repository);
  if (address === null) return null;
  const url = new URL(address);
  const site = SITES.find(({ host }) => host === url.host);
  const [owner, name] = url.pathname.split('/').filter((part) => part !== '');
  if (site === undefined || owner === undefined || name === undefined) return null;
  const base = `https://${site.host}/${owner}/${name.replace(/\.git$/, '')}/`;
  return { pages: base + site.pages, raw: base + site.raw };
}

/** Longer paths are not accepted. */
const MAX_PATH_CHARS = 2000;

/**
 * Returns `text` if it is a path of this site, to go to after signing in; otherwise `fallback`. Never leads to another
 * site, however it is written.
 */
export function localPath(text: string | null | undefined, fallback: string): string {
  if (text === null || text === undefined || !text.startsWith('/')) return fallback;
  if (text.length > MAX_PATH_CHARS) return fallback;
  // Parses as browsers do: without tabs and line ends, with `\` as `/`, and without the steps `.` and `..`.
  const site = 'http://site.invalid';
  let url: URL;
  try {
    url = new URL(text, site);
  } catch {
    return fallback;
  }
  return url.origin === site && !url.pathname.startsWith('//') ? url.href.slice(site.length) : fallback;
}
