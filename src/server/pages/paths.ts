/** Addresses of pages. */

/** The page of a crate; of one of its versions where one is given. */
export function cratePath(name: string, version?: string): string {
  const crate = `/crates/${segment(name)}`;
  return version === undefined ? crate : `${crate}/${segment(version)}`;
}

/** Where the form is sent that says whether only trusted publishing can add versions to a crate. */
export function trustedOnlyPath(name: string): string {
  return `${cratePath(name)}/trusted-only`;
}

/** The page where an admin deletes a crate, or one of its versions. */
export function deletionPath(name: string, version?: string): string {
  return `/admin${cratePath(name, version)}/delete`;
}

/** The page where an admin changes a user. */
export function userPath(login: string): string {
  return `/admin/users/${segment(login)}`;
}

/** `path` with what is given as its query; what is null, empty or page 1 is left out. */
export function withQuery(path: string, query: Readonly<Record<string, string | number | null>>): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== '' && !(name === 'page' && value === 1)) search.set(name, String(value));
  }
  const text = search.toString();
  return text === '' ? path : `${path}?${text}`;
}

function segment(text: string): string {
  // Browsers take these for steps in a path, even where they are escaped.
  return text === '.' || text === '..' ? '%00' : encodeURIComponent(text);
}
