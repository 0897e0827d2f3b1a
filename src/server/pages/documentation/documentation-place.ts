/** Addresses of documentation: `/docs/NAME/VERSION/TICKET/PATH`. */
import type { HttpContext } from '../../http/http-env.ts';
import { isTicketShaped } from './documentation-ticket.ts';

/** The parts of an address. Without a version, it means the highest version with documentation. */
export type DocumentationPlace =
  | {
      readonly name: string;
      readonly version: string;
      /** Not verified; null for none. */
      readonly ticket: string | null;
      /** Path in the documentation; empty for its first page. */
      readonly path: string;
    }
  | { readonly name: string; readonly version: null; readonly ticket: null; readonly path: '' };

/** Components before the name: an empty one, and `docs`. */
const COMPONENTS_BEFORE = 2;

/** Reads the address of a request; null if it is not one of documentation. */
export function readDocumentationPlace(c: HttpContext): DocumentationPlace | null {
  const components = decodeComponents(new URL(c.req.url).pathname);
  if (components === null) return null;
  const [name = '', version = '', ...inside] = components.slice(COMPONENTS_BEFORE);
  if (name === '') return null;
  if (version === '') return inside.length === 0 ? { name, version: null, ticket: null, path: '' } : null;
  const [first = '', ...afterFirst] = inside;
  return isTicketShaped(first)
    ? { name, version, ticket: first, path: afterFirst.join('/') }
    : { name, version, ticket: null, path: inside.join('/') };
}

/** Returns the components of a path; null if one is malformed. */
function decodeComponents(pathname: string): readonly string[] | null {
  try {
    return pathname.split('/').map((component) => decodeURIComponent(component));
  } catch {
    return null;
  }
}
