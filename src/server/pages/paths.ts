/** Addresses of pages. */

/** Makes the addresses of pages, for sites at the top of their host and below it. */
export interface Paths {
  /** The address of `path`, which starts with `/` and is as the site itself sees it. */
  readonly site: (path: string) => string;
  /** The page of a crate; of one of its versions where one is given. */
  readonly crate: (name: string, version?: string) => string;
  /** A part of a crate's pages, `/versions` for example. */
  readonly cratePart: (part: string, crate: { readonly name: string; readonly version?: string }) => string;
  /** The page where an admin deletes a crate, or one of its versions. */
  readonly deletion: (name: string, version?: string) => string;
  /** The page where an admin changes a user. */
  readonly user: (login: string) => string;
}

/** Addresses below `base`, which is the path of the site's own URL, without a slash at its end. */
export function makePaths(base: string): Paths {
  const crate = (name: string, version?: string): string =>
    version === undefined ? `/crates/${segment(name)}` : `/crates/${segment(name)}/${segment(version)}`;
  return {
    site: (path) => base + path,
    crate: (name, version) => base + crate(name, version),
    cratePart: (part, { name, version }) => base + crate(name, version) + part,
    deletion: (name, version) => `${base}/admin${crate(name, version)}/delete`,
    user: (login) => `${base}/admin/users/${segment(login)}`,
  };
}

function segment(text: string): string {
  // Browsers take these for steps in a path, even where they are escaped.
  return text === '.' || text === '..' ? '%00' : encodeURIComponent(text);
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
