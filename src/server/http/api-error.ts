/** Error responses. Cargo Book: Registry Web API. */
import type { Context } from 'hono';

/** Statuses of error responses. */
export type RefusalStatus =
  | 400
  | 401
  | 403
  | 404
  | 405
  | 408
  | 409
  | 413
  | 416
  | 421
  | 429
  | 431
  | 500
  | 502
  | 503;

/** An error that a handler throws. The response has its `status`, and its message as `detail` in cargo's format. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: RefusalStatus;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: RefusalStatus, detail: string, headers: Readonly<Record<string, string>> = {}) {
    super(detail);
    this.status = status;
    this.headers = headers;
  }
}

/** Returns the response `{"errors":[{"detail":…}]}`. cargo prints its details. */
export function respondWithError(c: Context, { status, message, headers }: ApiError): Response {
  return c.json({ errors: [{ detail: message }] }, status, { 'Cache-Control': 'no-store', ...headers });
}
