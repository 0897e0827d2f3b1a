/** Paths of pages. */

/** Returns the path of a crate, or of one of its versions. */
export function cratePath(name: string, version?: string): string {
  const crate = `/crates/${segment(name)}`;
  return version === undefined ? crate : `${crate}/${segment(version)}`;
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

/** Returns `path` with a query, without values that are null, empty or page 1. */
export function withQuery(path: string, query: Readonly<Record<string, string | number | null>>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== '' && !(name === 'page' && value === 1)) search.set(name, String(value));
  }
  const text = search.toString();
  return text === '' ? path : `${path}?${text}`;
}

function segment(text: string): string {
  // Browsers treat these as steps in a path, even if they are escaped.
  return text === '.' || text === '..' ? '%00' : encodeURIComponent(text);
}
