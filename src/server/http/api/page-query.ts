/** Parameters that select a page of a list. */
import { ApiError } from '../api-error.ts';
import type { HttpContext } from '../http-env.ts';
import type { PageRequest } from '../../store/values.ts';
import { MAX_PAGE, MAX_PER_PAGE } from './crate-operations.ts';

const DEFAULT_PER_PAGE = 10;

/**
 * Parses `per_page`, which is `defaultLimit` if it is missing, and `page`. Values above the limits mean the limits.
 * Throws a 400 unless both are above 0.
 */
export function readPage(c: HttpContext, defaultLimit = DEFAULT_PER_PAGE): PageRequest {
  const limit = readPerPage(c) ?? defaultLimit;
  const page = Math.min(positiveNumber('page', c.req.query('page')) ?? 1, MAX_PAGE);
  return { limit, offset: (page - 1) * limit };
}

/** Parses `per_page`. Returns null if it is missing. Throws a 400 unless it is above 0. */
function readPerPage(c: HttpContext): number | null {
  const perPage = positiveNumber('per_page', c.req.query('per_page'));
  return perPage === null ? null : Math.min(perPage, MAX_PER_PAGE);
}

/** Parses a numeric parameter. Returns null if it is missing. Throws a 400 unless it is above 0. */
function positiveNumber(name: string, text: string | undefined): number | null {
  if (text === undefined) return null;
  if (!/^\d+$/.test(text) || Number(text) === 0) {
    throw new ApiError(400, `\`${name}\` must be a number above 0, not \`${text.slice(0, 20)}\``);
  }
  return Number(text);
}
