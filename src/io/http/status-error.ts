/** The error for a response with an unexpected status. */
import { TsregError } from '../../core/errors/error.ts';
import { sanitizeForTerminal } from '../../core/errors/sanitize-for-terminal.ts';
import { type HttpResponse, shownHeaders } from './message.ts';
import { retryAfterMs } from './retry-after.ts';
import { type ResponseError, isBusy } from './send-with-retry.ts';

/** Headers by which the operators of a registry identify a request. */
const DEBUG_HEADERS: ReadonlySet<string> = new Set([
  'x-amz-cf-id',
  'x-amz-cf-pop',
  'x-amz-request-id',
  'x-amz-id-2',
  'x-cache',
  'x-served-by',
]);
const MAX_BODY_CHARACTERS = 512;

/** ``failed to get successful HTTP response from `…` (127.0.0.1), got 500``, with the start of the body. */
export class StatusError extends TsregError implements ResponseError {
  readonly status: number;
  /** The message without headers. */
  readonly shortMessage: string;
  readonly headers: HttpResponse['headers'];
  readonly words = null;

  constructor(response: HttpResponse) {
    const short = describe(response, []);
    // As in cargo, the first of several headers with the same name counts. `shownHeaders` puts those together.
    const debug = shownHeaders(response)
      .filter(([name], i, all) => DEBUG_HEADERS.has(name) && name !== all[i - 1]?.[0])
      .map(([name, value]) => `${name}: ${sanitizeForTerminal(value, 'join')}`);
    super(debug.length === 0 ? short : describe(response, ['debug headers:', ...debug]), { code: 'network' });
    this.status = response.status;
    this.shortMessage = short;
    this.headers = response.headers;
  }

  /** True if a retry may help. */
  get isSpurious(): boolean {
    return (this.status >= 500 && this.status < 600) || this.status === 429;
  }

  /** Returns the milliseconds that a busy server asks to wait, or null. `now` is in milliseconds since 1970. */
  retryAfterMs(now: number): number | null {
    if (!isBusy(this)) return null;
    return retryAfterMs(this.headers, now);
  }
}

/** Returns cargo's message with the start of the body. `headers` are additional lines. */
function describe({ url, ip, status, body }: HttpResponse, headers: readonly string[]): string {
  const from = ip === null ? `\`${url}\`` : `\`${url}\` (${ip})`;
  return [
    `failed to get successful HTTP response from ${from}, got ${status}`,
    ...headers,
    'body:',
    bodyText(body),
  ].join('\n');
}

/** Returns the body as cargo shows it: at most 512 characters, or the size of other bytes. */
function bodyText(body: Uint8Array): string {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    return `[${body.length} non-utf8 bytes]`;
  }
  const characters = [...text];
  const isLong = characters.length >= MAX_BODY_CHARACTERS;
  return sanitizeForTerminal(isLong ? `${characters.slice(0, MAX_BODY_CHARACTERS - 1).join('')}…` : text);
}
