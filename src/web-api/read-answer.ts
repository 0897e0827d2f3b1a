/** What an answer of the web API says. Cargo Book: Registry Web API. */
import { TsregError } from '../errors/error.ts';
import type { HttpResponse } from '../http/message.ts';
import { decodeApiErrors } from '../protocol/api-answers.ts';
import { ApiError, isSuccess } from './api-error.ts';
import type { ShownText } from './shown-text.ts';

/** The body of a success. Throws an `ApiError` for any other answer, and where a success has `errors` in it. */
export function readAnswer(response: HttpResponse, shown: ShownText): Buffer {
  const { status, body } = response;
  const text = decodeText(body);
  if (text === null) throw new TsregError('invalid response body from server', { code: 'network' });
  const errors = decodeApiErrors(body);
  if (errors !== null) throw ApiError.refused(response, errors, shown);
  if (!isSuccess(status)) throw ApiError.unexpected(response, text, shown);
  return body;
}

function decodeText(body: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    return null;
  }
}
