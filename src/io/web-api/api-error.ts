/** Unsuccessful responses of a registry. Cargo Book: Registry Web API. */
import { type ErrorCode, TsregError } from '../../core/errors/error.ts';
import { type HttpResponse, shownHeaders } from '../http/message.ts';
import { retryAfterMs } from '../http/retry-after.ts';
import { type ResponseError, isBusy } from '../http/send-with-retry.ts';
import { refusedTokenHint } from '../../core/protocol/check-token.ts';
import { hideSecret } from '../../core/protocol/hide-secret.ts';
import { humanTime } from '../../core/report/human-time.ts';
import { type SanitizedText, showText } from './sanitized-text.ts';
import { statusName } from './status-name.ts';

/** The most headers in a message. */
const MAX_SHOWN_HEADERS = 64;
/** The longest wait that a hint proposes. */
const MAX_WAITED_MINUTES = 120;
/** The status of a request that the server did not receive in time. */
const REQUEST_TIMEOUT = 408;

/** The context of a request, and how its response is printed. */
export interface ResponseContext extends SanitizedText {
  /** Source of the token that was sent, as messages name it; null or absent if there was none. */
  readonly tokenOrigin?: string | null;
  /** Another reason for a rejection without a message than an invalid token, as the start of a sentence. */
  readonly otherRefusal?: string | null;
}

/** An unsuccessful response of a registry, with the registry's own message if it sent one. */
export class ApiError extends TsregError implements ResponseError {
  /** As the server sent it; 2xx if a successful response contained errors. */
  readonly status: number;
  /** The registry's error messages, without the secret; null if the response has none in the documented form. */
  readonly details: readonly string[] | null;
  readonly headers: HttpResponse['headers'];

  private constructor(
    message: string,
    response: HttpResponse,
    { details, context }: { readonly details: readonly string[] | null; readonly context: ResponseContext },
  ) {
    const hint = isBusy(response)
      ? busyHint(retryAfterMs(response.headers, Date.now()))
      : refusalHint(response, details, context);
    super(message, { code: codeOf(response, details), ...(hint === null ? {} : { hint }) });
    this.status = response.status;
    this.details = details;
    this.headers = response.headers;
  }

  /** `details` in one line, safe to print. */
  get words(): string | null {
    if (this.details === null) return null;
    return showText(this.details.join(', '), { isWhole: false, secret: null }).replaceAll(/\s+/g, ' ');
  }

  /** Returns the error for a response with `errors`, whatever its status. */
  static withDetails(response: HttpResponse, details: readonly string[], context: ResponseContext): ApiError {
    const { status } = response;
    const statusNote = isSuccess(status) ? '' : ` (status ${status} ${statusName(status)})`;
    const words = showText(details.join(', '), context);
    const safeDetails = details.map((detail) => hideSecret(detail, context.secret));
    return new this(`the remote server responded with an error${statusNote}: ${words}`, response, {
      details: safeDetails,
      context,
    });
  }

  /** Returns the error for an unsuccessful status without `errors`. */
  static withoutDetails(response: HttpResponse, body: string, context: ResponseContext): ApiError {
    const lines = shownHeaders(response).map(([name, value]) => `${name}: ${value}`);
    const shownLines = context.isWhole ? lines : lines.slice(0, MAX_SHOWN_HEADERS);
    const headers = shownLines.map((line) => showText(line, context)).join('\n\t');
    return new this(
      `failed to get a 200 OK response, got ${response.status}\nheaders:\n\t${headers}\nbody:\n${showText(body, context)}`,
      response,
      { details: null, context },
    );
  }
}

/** Returns the error if it is an `ApiError`; else null. */
export function asApiError(error: unknown): ApiError | null {
  return error instanceof ApiError ? error : null;
}

/**
 * Returns the error code: `network` if a retry may help, or if the response is not in the documented form. `details` is
 * null if the registry sent no errors in that form.
 */
function codeOf(response: HttpResponse, details: readonly string[] | null): ErrorCode {
  const { status } = response;
  if (status === 401 || status === 403) return 'auth';
  if (details === null || isBusy(response) || status === REQUEST_TIMEOUT || status >= 500) return 'network';
  return status === 404 ? 'not-found' : 'source';
}

/** Returns a hint about the token; null if it was not rejected, or none was sent. `details` are the registry's messages. */
function refusalHint(
  response: HttpResponse,
  details: readonly string[] | null,
  { tokenOrigin: origin = null, secret: token, otherRefusal = null }: ResponseContext,
): string | null {
  const isRefusal = response.status === 401 || response.status === 403;
  if (!isRefusal || origin === null || token === null) return null;
  const hint = refusedTokenHint({ origin, token, response });
  return otherRefusal === null || details !== null ? hint : `${otherRefusal}, or ${hint}`;
}

/** Returns a hint about a busy registry. `requestedMs` is the wait that it asks for; null if it names none. */
function busyHint(requestedMs: number | null): string {
  if (requestedMs === null) return 'the registry is busy; pass `--max-wait 5m` to retry for five minutes';
  const minutes = Math.ceil(requestedMs / 60_000);
  const request = `the registry asks for a wait of ${humanTime(requestedMs)}`;
  if (minutes > MAX_WAITED_MINUTES) return request;
  return `${request}; pass \`--max-wait ${Math.max(minutes, 1)}m\` to wait that long`;
}

/** Returns true for 2xx. */
export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}
