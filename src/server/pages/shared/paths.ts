/** Paths of pages. */

/** Returns the path of a crate, or of one of its versions. */
export function cratePath(name: string, version?: string): string {
  const crate = `/crates/${segment(name)}`;
  return version === undefined ? crate : `${crate}/${segment(version)}`;
}

/** Returns the path and query of the page at `url`, which starts with `/crates/NAME`, with another name. */
export function renamedPath(url: string, name: string): string {
  const { pathname, search } = new URL(url);
  // Without `/crates/NAME`.
  const rest = pathname.split('/').slice(3);
  return [cratePath(name), ...rest].join('/') + search;
}

/** Returns the path of the Atom feed with the new versions of a crate; without `crate`, of all crates. */
export function feedPath(crate?: string): string {
  return `${crate === undefined ? '' : cratePath(crate)}/feed.atom`;
}

/** Returns the path of the source code of a version, or of a file or folder in it. */
export function sourcePath(
  { crate, version }: { readonly crate: string; readonly version: string },
  path = '',
): string {
  const names = path === '' ? [] : path.split('/').map(segment);
  return [cratePath(crate, version), 'source', ...names].join('/');
}

/**
 * Returns the path of the documentation of a version, or of a page in it; without a version, that of the highest version
 * with documentation.
 */
export function documentationPath(crate: string, version?: string, path = ''): string {
  const ofCrate = `/docs/${segment(crate)}`;
  if (version === undefined) return ofCrate;
  return [ofCrate, segment(version), ...path.split('/').map(segment)].join('/');
}

/** Returns the path of the comparison of two versions; without them, the path that selects two. */
export function comparePath(name: string, versions?: { readonly old: string; readonly new: string }): string {
  const path = `${cratePath(name)}/compare`;
  return versions === undefined ? path : `${path}/${segment(versions.old)}...${segment(versions.new)}`;
}

/** Returns the path of a crate's settings. */
export function settingsPath(name: string): string {
  return `${cratePath(name)}/settings`;
}

/** Returns the path of the form that changes a crate's restriction to trusted publishing. */
export function trustedOnlyPath(name: string): string {
  return `${cratePath(name)}/trusted-only`;
}

/** Returns the admin path for deleting a crate or one of its versions. */
export function deletionPath(name: string, version?: string): string {
  return `/admin${cratePath(name, version)}/delete`;
}

/** Returns the admin path of a user. */
export function userPath(login: string): string {
  return `/admin/users/${segment(login)}`;
}

/** Returns the path of a user's crates. */
export function profilePath(login: string): string {
  return `/users/${segment(login)}`;
}

/** Returns the path of a team's members and crates. */
export function teamPath(name: string): string {
  return `/teams/${segment(name)}`;
}

/** Returns the admin path of a team. */
export function adminTeamPath(name: string): string {
  return `/admin/teams/${segment(name)}`;
}

/** Returns the path of the crates with a keyword. */
export function keywordPath(keyword: string): string {
  return `/keywords/${segment(keyword)}`;
}

/** Returns the path of the crates in a category. */
export function categoryPath(slug: string): string {
  // Slugs of subcategories contain `::`, which a path may have unescaped (RFC 3986, section 3.3).
  return `/categories/${segment(slug).replaceAll('%3A', ':')}`;
}

/** Returns `path` with a query, without values that are null, empty or page 1. */
export function withQuery(path: string, query: Readonly<Record<string, string | number | null>>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== '' && !(name === 'page' && value === 1)) search.set(name, String(value));
  }
  const text = search.toString();
  return text === '' ? path : `${path}?${text}`;
}

/** Escapes a segment of a path. */
function segment(text: string): string {
  // Browsers treat these as steps in a path, even if they are escaped.
  return text === '.' || text === '..' ? '%00' : encodeURIComponent(text);
}
