/** Parameters of a list of versions. */
import type { VersionListRequest, VersionOrder } from '../../store/crate-records.ts';
import { ApiError } from '../api-error.ts';
import type { HttpContext } from '../http-env.ts';
import { MAX_VERSIONS } from './crate-operations.ts';
import { readPage } from './page-query.ts';

/** Orders of versions by their names on crates.io. */
const ORDERS: Readonly<Record<string, VersionOrder>> = { semver: 'number', date: 'published' };

/** Parses `per_page`, `page`, `seek` and `sort`. Throws a 400 if one of them is invalid. */
export function readVersionRequest(c: HttpContext): VersionListRequest {
  const seek = c.req.query('seek');
  const order = orderOf(c.req.query('sort'));
  const page = readPage(c, MAX_VERSIONS);
  return { ...page, ...(seek === undefined ? {} : { offset: parseSeek(seek) }), order };
}

function orderOf(sort: string | undefined): VersionOrder {
  const name = sort ?? 'semver';
  const order = Object.hasOwn(ORDERS, name) ? ORDERS[name] : undefined;
  if (order !== undefined) return order;
  throw new ApiError(400, `\`sort\` must be \`semver\` or \`date\`, not \`${name.slice(0, 20)}\``);
}

/** Returns the offset in a `seek` of `next_page`. Throws a 400 for any other text. */
function parseSeek(seek: string): number {
  if (/^\d{1,9}$/.test(seek)) return Number(seek);
  throw new ApiError(400, '`seek` must come from `next_page`');
}
