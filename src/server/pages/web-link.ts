/** Addresses that others wrote, before they become links. */

/** An absolute address that a link may lead to (`http:`, `https:`), normalised; null for anything else. */
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

/** Where the files of a repository stand on its web site: one folder for its pages, one for what is shown within. */
export interface RepositoryFiles {
  readonly pages: string;
  readonly raw: string;
}

const HOSTS: readonly { readonly host: string; readonly pages: string; readonly raw: string }[] = [
  { host: 'github.com', pages: 'blob/HEAD/', raw: 'raw/HEAD/' },
  { host: 'gitlab.com', pages: '-/blob/HEAD/', raw: '-/raw/HEAD/' },
  { host: 'codeberg.org', pages: 'src/', raw: 'raw/' },
  { host: 'bitbucket.org', pages: 'src/HEAD/', raw: 'raw/HEAD/' },
];

/**
 * The folders of the files of a repository whose site has a known form, for the relative links of a
 * readme; null for other sites.
 */
export function repositoryFiles(repository: string | null): RepositoryFiles | null {
  const address = webAddress(repository);
  if (address === null) return null;
  const url = new URL(address);
  const host = HOSTS.find((known) => known.host === url.host);
  const [owner, name] = url.pathname.split('/').filter((part) => part !== '');
  if (host === undefined || owner === undefined || name === undefined) return null;
  const base = `https://${host.host}/${owner}/${name.replace(/\.git$/, '')}/`;
  return { pages: base + host.pages, raw: base + host.raw };
}

/**
 * A path of this site to return to after signing in: `text` where it is a path, else `fallback`. Never
 * leads to another site, however it is written.
 */
export function localPath(text: string | null | undefined, fallback: string): string {
  if (text === null || text === undefined || !text.startsWith('/') || text.length > 2000) return fallback;
  // Read as a browser reads it: without tabs and line ends, `\` as `/`, and without the steps `.` and `..`.
  const site = 'http://site.invalid';
  let url: URL;
  try {
    url = new URL(text, site);
  } catch {
    return fallback;
  }
  return url.origin === site && !url.pathname.startsWith('//') ? url.href.slice(site.length) : fallback;
}
