/**
 * Errors of requests that got no response, with the messages of curl, which cargo prints. `transport.test.ts` and
 * `single-use-channel.test.ts` test them with real connections.
 */
import { TsregError } from '../../core/errors/error.ts';
import { ConnectionEnded } from './channel.ts';

/** curl's messages by number. libcurl-errors(3). */
const TEXTS = {
  1: 'Unsupported protocol',
  3: 'URL using bad/illegal format or missing URL',
  5: 'Could not resolve proxy name',
  6: 'Could not resolve hostname',
  7: 'Could not connect to server',
  8: 'Weird server reply',
  16: 'Error in the HTTP2 framing layer',
  18: 'Transferred a partial file',
  28: 'Timeout was reached',
  35: 'SSL connect error',
  37: 'Could not read a file:// file',
  47: 'Number of redirects hit maximum amount',
  52: 'Server returned nothing (no headers, no data)',
  55: 'Failed sending data to the peer',
  56: 'Failure when receiving data from the peer',
  60: 'SSL peer certificate or SSH remote key was not OK',
  61: 'Unrecognized or bad HTTP Content or Transfer-Encoding',
  63: 'Maximum file size exceeded',
  65: 'Send failed since rewinding of the data stream failed',
  77: 'Problem with the SSL CA cert (path? access rights?)',
  92: 'Stream error in the HTTP/2 framing layer',
} as const;

/** The number of a curl error. */
export type CurlCode = keyof typeof TEXTS;

/** Errors that may disappear on a retry, as in cargo. */
const SPURIOUS: ReadonlySet<CurlCode> = new Set([5, 6, 7, 16, 18, 28, 35, 55, 56, 92]);

interface CurlErrorOptions {
  readonly isRefusedProtocol?: boolean;
  readonly message?: string;
  readonly hint?: string;
}

/** The error of a request without a response: `[7] Could not connect to server (Failed to connect to …)`. */
export class CurlError extends TsregError {
  readonly curlCode: CurlCode;
  /** True if the protocol of the URL was rejected, so that no server was contacted. */
  readonly isRefusedProtocol: boolean;

  /** `message` replaces curl's text. */
  constructor(
    curlCode: CurlCode,
    detail: string | null = null,
    {
      isRefusedProtocol = false,
      message = `[${curlCode}] ${TEXTS[curlCode]}${detail === null ? '' : ` (${detail})`}`,
      hint,
    }: CurlErrorOptions = {},
  ) {
    super(message, { code: 'network', ...(hint === undefined ? {} : { hint }) });
    this.curlCode = curlCode;
    this.isRefusedProtocol = isRefusedProtocol;
  }

  /** True if a retry may help. */
  get isSpurious(): boolean {
    return SPURIOUS.has(this.curlCode);
  }
}

/** The progress of a transfer when it failed. */
export interface TransferState {
  /** Received bytes of the body. */
  readonly received: number;
  /** The value of `content-length`; null if there is none. */
  readonly expected: number | null;
  readonly hasHead: boolean;
}

/**
 * Returns curl's error for a failure on an open connection. Returns a `TsregError` unchanged, and also an error without
 * a code that is not from the connection. The first check that applies determines the message.
 */
export function transferError(error: unknown, state: TransferState): unknown {
  if (error instanceof TsregError) return error;
  const code = errorCode(error);
  const isParserError = code.startsWith('HPE_');
  if (code === '' && !(error instanceof ConnectionEnded)) return error;
  const message = error instanceof Error ? error.message : String(error);
  // The server reset the stream: RST_STREAM with ENHANCE_YOUR_CALM.
  if (code === 'ERR_HTTP2_STREAM_ERROR') return new CurlError(92, streamErrorText(message));
  // The server ended the whole connection with an error, or sent frames that are not valid.
  if (code.startsWith('ERR_HTTP2')) return new CurlError(16, message);
  // It sent `garbage` instead of `HTTP/1.1 200 OK`.
  if (code === 'HPE_INVALID_CONSTANT' && !state.hasHead) {
    return new CurlError(1, 'Received HTTP/0.9 when not allowed');
  }
  // It sent a chunk that begins with `xyz` instead of a size.
  if (code === 'HPE_INVALID_CHUNK_SIZE') {
    return new CurlError(56, 'Malformed encoding found in chunked-encoding');
  }
  // It sent `HTTP/1.2 200 OK`.
  if (code === 'HPE_INVALID_VERSION') return new CurlError(1, 'Unsupported HTTP/1 subversion in response');
  // It sent a header without a colon, or `HTTP/1.1 abc`.
  if (isParserError && !/EOF/.test(code)) {
    return new CurlError(8, PARSER_PROBLEMS[code] ?? (state.hasHead ? message : 'Invalid status line'));
  }
  // It sent an alert, for example because it requires a client certificate.
  const tlsError = opensslErrorText(error);
  if (tlsError !== null) {
    const version = process.versions.openssl.replace(/\+.*/, '');
    return new CurlError(56, `OpenSSL SSL_read: OpenSSL/${version}: ${tlsError}, errno 0`);
  }
  // It closed the connection with RST.
  if (code === 'ECONNRESET') return new CurlError(56, 'Recv failure: Connection reset by peer');
  // It had closed the connection before tsreg sent the whole request.
  if (code === 'EPIPE') return new CurlError(55, 'Send failure: Broken pipe');
  // It closed the connection without a response, or in the middle of the body.
  if (!state.hasHead) return new CurlError(52, 'Empty reply from server');
  return partialFile(state);
}

/** curl's words for errors of Node's parser. */
const PARSER_PROBLEMS: Readonly<Record<string, string>> = {
  HPE_INVALID_HEADER_TOKEN: 'Header without colon',
  HPE_LF_EXPECTED: 'Carriage return found in header',
  HPE_INVALID_CONTENT_LENGTH: 'Invalid Content-Length: value',
  HPE_UNEXPECTED_CONTENT_LENGTH: 'Invalid Content-Length: value',
};

/** Errors by which a connection that the server closes shows. */
const CLOSED_CONNECTION: ReadonlySet<CurlCode> = new Set([52, 55, 56]);

/**
 * Returns true if a request failed only because its connection ended: the server closed it while it was idle, or sent
 * GOAWAY. The request may succeed on another connection.
 */
export function isEndOfConnection(error: unknown, state: TransferState, wasUsedBefore: boolean): boolean {
  if (error instanceof CurlError) return false;
  if (isUntouched(error)) return true;
  const curlError = transferError(error, state);
  return (
    wasUsedBefore &&
    !state.hasHead &&
    curlError instanceof CurlError &&
    CLOSED_CONNECTION.has(curlError.curlCode)
  );
}

/**
 * Errors of Node's strict parser about heads that curl accepts: lines that end in LF, control characters in a value,
 * and `Content-Length` beside `Transfer-Encoding`.
 */
const STRICT_PROBLEMS: ReadonlySet<string> = new Set([
  'HPE_CR_EXPECTED',
  'HPE_INVALID_HEADER_TOKEN',
  'HPE_INVALID_TRANSFER_ENCODING',
]);

/** Returns true if a response failed in the strict parser but may pass a lenient one. */
export function needsLenientParser(error: unknown, { hasHead }: TransferState): boolean {
  return !hasHead && STRICT_PROBLEMS.has(errorCode(error));
}

/** Returns true if no server can have processed a request. */
export function isUntouched(error: unknown): boolean {
  return error instanceof ConnectionEnded && error.how !== 'cut';
}

/** Returns the error for a body that ended too early. */
export function partialFile({ received, expected }: TransferState): CurlError {
  return new CurlError(
    18,
    expected === null
      ? 'transfer closed with outstanding read data remaining'
      : `end of response with ${expected - received} bytes missing`,
  );
}

/** The destination of a connection. */
interface ConnectTarget {
  /** The server, or the proxy that forwards unencrypted requests to it. */
  readonly host: string;
  readonly port: number;
  /** The time until the failure. */
  readonly elapsedMs: number;
  /** The host of the proxy; null for a direct connection. */
  readonly proxyHost: string | null;
}

/** Returns curl's error for a failed TCP connection. */
export function connectError(error: unknown, target: ConnectTarget): CurlError {
  const code = errorCode(error);
  const { host, port, elapsedMs, proxyHost } = target;
  if (code === 'ENOTFOUND' || code.startsWith('EAI_')) {
    return proxyHost === null
      ? new CurlError(6, `Could not resolve host: ${host}`)
      : new CurlError(5, `Could not resolve proxy: ${proxyHost}`);
  }
  if (code === 'ECONNRESET') return new CurlError(35, 'Recv failure: Connection reset by peer');
  const way = proxyHost === null ? '' : `over proxy ${proxyHost} `;
  return new CurlError(
    7,
    `Failed to connect to ${host}:${port} ${way}after ${Math.round(elapsedMs)} ms: ${TEXTS[7]}`,
  );
}

/** Returns the error of OpenSSL in an error by Node, in the form of curl; null if there is none. */
export function opensslErrorText(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  const number = /error:([0-9A-F]{8}):/.exec(error.message)?.[1];
  if (number === undefined) return null;
  const reason = 'reason' in error && typeof error.reason === 'string' ? error.reason : 'unknown';
  return `error:${number}:SSL routines::${reason}`;
}

/** Returns the code of an error by Node; empty if it has none. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

function streamErrorText(message: string): string {
  const name = /NGHTTP2_([A-Z\d_]+)/.exec(message)?.[1] ?? 'CANCEL';
  const number = H2_ERRORS.indexOf(name);
  return `HTTP/2 stream was not closed cleanly: ${name} (err ${number})`;
}

/** The names of error codes, each at the position of its number. RFC 9113, section 7. */
const H2_ERRORS = [
  'NO_ERROR',
  'PROTOCOL_ERROR',
  'INTERNAL_ERROR',
  'FLOW_CONTROL_ERROR',
  'SETTINGS_TIMEOUT',
  'STREAM_CLOSED',
  'FRAME_SIZE_ERROR',
  'REFUSED_STREAM',
  'CANCEL',
  'COMPRESSION_ERROR',
  'CONNECT_ERROR',
  'ENHANCE_YOUR_CALM',
  'INADEQUATE_SECURITY',
  'HTTP_1_1_REQUIRED',
];
