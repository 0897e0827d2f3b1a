/** Request bodies with limits. */
import { type Decoder, decodeOrNull } from '../../core/json/decode.ts';
import { withinTime } from '../shared/within-time.ts';
import { ApiError } from './api-error.ts';
import type { HttpContext } from './http-env.ts';

/** How long a form or JSON body may take to arrive. */
const SMALL_BODY_MS = 30_000;

/** Yields the body in parts. Throws a 413 as soon as it exceeds `maxBytes`, and a 400 if it breaks off. */
export async function* bodyChunks(c: HttpContext, maxBytes: number): AsyncGenerator<Uint8Array> {
  if (Number(c.req.header('content-length') ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const { body } = c.req.raw;
  if (body === null) return;
  let length = 0;
  for await (const chunk of bodyParts(body)) {
    length += chunk.byteLength;
    if (length > maxBytes) throw tooLarge(maxBytes);
    yield chunk;
  }
}

/** Yields the body. Throws a 400 if it breaks off: that is an error of the client, not of the server. */
async function* bodyParts(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (;;) {
      const part = await reader.read().catch(() => null);
      if (part === null) throw new ApiError(400, 'the body ended too early');
      if (part.done) return;
      yield part.value;
    }
  } finally {
    reader.releaseLock();
  }
}

/**
 * Reads and discards the rest of a body, up to `maxBytes`. Otherwise, clients that are still sending would find the
 * connection closed and miss the response. Does nothing while another reader has the body.
 */
export async function discardRest(c: HttpContext, maxBytes: number): Promise<void> {
  const { body } = c.req.raw;
  if (body === null || body.locked) return;
  const reader = body.getReader();
  try {
    for (let length = 0; length <= maxBytes; ) {
      const part = await reader.read().catch(() => null);
      if (part === null || part.done) return;
      length += part.value.byteLength;
    }
  } finally {
    reader.releaseLock();
  }
}

/** Reads a whole body. Throws as `bodyChunks` does, and a 408 if the body takes longer than half a minute. */
export async function readSmallBody(c: HttpContext, maxBytes: number): Promise<Buffer> {
  const readAll = async (): Promise<Buffer> => {
    const chunks: Uint8Array[] = [];
    for await (const chunk of bodyChunks(c, maxBytes)) chunks.push(chunk);
    return Buffer.concat(chunks);
  };
  return await withinTime(readAll(), { timeoutMs: SMALL_BODY_MS, tooLate: tooSlow });
}

/** The expected JSON body of a request. */
export interface JsonBody<T> {
  readonly decoder: Decoder<T>;
  /** The text after `the body must be` in the error for another form. */
  readonly form: string;
}

/** Reads a JSON body. Throws a 400 if it is not valid JSON or has another form, and the errors of `readSmallBody`. */
export async function readJson<T>(
  c: HttpContext,
  { decoder, form }: JsonBody<T>,
  { maxBytes }: { readonly maxBytes: number },
): Promise<T> {
  const body = await readSmallBody(c, maxBytes);
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw new ApiError(400, 'the body is not valid JSON');
  }
  const decoded = decodeOrNull(decoder, value);
  if (decoded === null) throw new ApiError(400, `the body must be ${form}`);
  return decoded;
}

function tooSlow(): ApiError {
  return new ApiError(408, `the body did not arrive within ${SMALL_BODY_MS / 1000} seconds`, {
    Connection: 'close',
  });
}

function tooLarge(maxBytes: number): ApiError {
  // The rest of the body may stay unread, so the connection cannot be reused.
  return new ApiError(413, `the body is too large: at most ${maxBytes} bytes are allowed`, {
    Connection: 'close',
  });
}
