/** Answers that say what is wrong. Cargo Book: Registry Web API. */
import type { Context } from 'hono';

/** Statuses that refuse a request. */
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

/** A request that is refused: thrown by handlers, answered with `status` and the `detail` in cargo's form. */
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

/** `{"errors":[{"detail":…}]}`, which cargo shows to its user. */
export function answerError(c: Context, { status, message, headers }: ApiError): Response {
  return c.json({ errors: [{ detail: message }] }, status, { 'Cache-Control': 'no-store', ...headers });
}
