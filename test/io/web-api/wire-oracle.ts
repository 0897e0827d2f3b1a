import { gunzipSync, inflateSync } from 'node:zlib';

/** A parsed response. */
export interface ReadAnswer {
  readonly status: number;
  readonly body: Buffer;
}

/**
 * Parses the bytes of an HTTP/1.1 response after which the connection was closed or, with `isOpen`, stayed open.
 * Returns null if the response is incomplete or ambiguous.
 */
export function readWire(bytes: Buffer, isOpen: boolean): ReadAnswer | null {
  if (bytes.toString('latin1', 0, 2) === '\r\n') return readWire(bytes.subarray(2), isOpen);
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const [line = '', ...rest] = bytes.toString('latin1', 0, end).split('\r\n');
  const code = /^HTTP\/\d\.\d (\d{3})(?: |$)/.exec(line)?.[1];
  if (code === undefined) return null;
  const status = Number(code);
  const after = bytes.subarray(end + 4);
  if (status < 200) return status === 101 ? null : readWire(after, isOpen);
  const headers = rest.map((one) => [
    one.slice(0, one.indexOf(':')).toLowerCase(),
    one.slice(one.indexOf(':') + 1).trim(),
  ]);
  const valuesOf = (name: string): string[] =>
    headers.filter(([known]) => known === name).map(([, value = '']) => value);
  const body =
    status === 204 || status === 304
      ? Buffer.alloc(0)
      : readBody(after, {
          lengths: valuesOf('content-length'),
          codings: valuesOf('transfer-encoding'),
          isOpen,
        });
  if (body === null) return null;
  const plain = decode(body, valuesOf('content-encoding'));
  return plain === null ? null : { status, body: plain };
}

function readBody(
  after: Buffer,
  framing: {
    readonly lengths: readonly string[];
    readonly codings: readonly string[];
    readonly isOpen: boolean;
  },
): Buffer | null {
  const { lengths, codings, isOpen } = framing;
  if (codings.join() === 'chunked') return readChunks(after);
  // Other codings end with the connection, whatever `Content-Length` says.
  if (codings.length > 0 && !isOpen) return codings.includes('chunked') ? null : after;
  if (lengths.length === 0) return isOpen ? null : after;
  const length = lengths.length === 1 && /^\d+$/.test(lengths[0] ?? '') ? Number(lengths[0]) : -1;
  return length < 0 || after.length < length ? null : after.subarray(0, length);
}

function readChunks(after: Buffer): Buffer | null {
  const parts: Buffer[] = [];
  let at = 0;
  for (;;) {
    const end = after.indexOf('\r\n', at);
    const size = end < 0 ? '' : after.toString('latin1', at, end);
    if (!/^[0-9a-f]+$/i.test(size)) return null;
    const length = Number.parseInt(size, 16);
    if (length === 0)
      return after.toString('latin1', end + 2, end + 4) === '\r\n' ? Buffer.concat(parts) : null;
    at = end + 2 + length + 2;
    if (after.toString('latin1', at - 2, at) !== '\r\n') return null;
    parts.push(after.subarray(end + 2, at - 2));
  }
}

function decode(body: Buffer, codings: readonly string[]): Buffer | null {
  if (codings.length === 0 || body.length === 0) return body;
  try {
    if (codings.join() === 'gzip') return gunzipSync(body);
    return codings.join() === 'deflate' ? inflateSync(body) : body;
  } catch {
    return null;
  }
}

/** A requested operation. */
export type Call = 'yank' | 'unyank' | 'owners' | 'add' | 'remove' | 'search' | 'publish';

/** Returns true if the response confirms the operation (The Cargo Book, "Registry Web API"). */
export function isDone(call: Call, answer: ReadAnswer | null): boolean {
  if (answer === null || answer.status < 200 || answer.status > 299) return false;
  let text: string;
  let value: unknown;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(answer.body);
    if (call === 'publish' && text === '') return true;
    value = JSON.parse(text);
  } catch {
    return false;
  }
  if (isErrors(value)) return false;
  switch (call) {
    case 'publish':
      return true;
    case 'yank':
    case 'unyank':
      return fieldOf(value, 'ok', 0) === true;
    case 'add':
    case 'remove':
      return fieldOf(value, 'ok', 0) === true && isTextOrNothing(fieldOf(value, 'msg', 1));
    case 'owners':
      return isListOf(fieldOf(value, 'users', 0), (user) => {
        const id = fieldOf(user, 'id', 0);
        return Number.isInteger(id) && typeof fieldOf(user, 'login', 1) === 'string';
      });
    case 'search':
      return (
        Number.isInteger(fieldOf(fieldOf(value, 'meta', 1), 'total', 0)) &&
        isListOf(fieldOf(value, 'crates', 0), (crate) => typeof fieldOf(crate, 'name', 0) === 'string')
      );
  }
}

function isErrors(value: unknown): boolean {
  return isListOf(fieldOf(value, 'errors', 0), (error) => typeof fieldOf(error, 'detail', 0) === 'string');
}

function isListOf(value: unknown, isItem: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isItem);
}

function isTextOrNothing(value: unknown): boolean {
  return value === undefined || value === null || typeof value === 'string';
}

/** Returns a field by its name, or by its position in a list, as cargo does. */
function fieldOf(value: unknown, name: string, place: number): unknown {
  if (Array.isArray(value)) return (value as unknown[])[place];
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
