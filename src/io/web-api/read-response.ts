/** Reading of web API responses. Cargo Book: Registry Web API. */
import { TsregError } from '../../core/errors/error.ts';
import { utf8Problem } from '../../core/errors/utf8-problem.ts';
import type { HttpResponse } from '../http/message.ts';
import { decodeApiErrors } from '../../core/protocol/api-responses.ts';
import { type ResponseContext, ApiError, isSuccess } from './api-error.ts';

/**
 * Returns the body of a successful response. Throws an `ApiError` for any other, and for one with `errors`; `network`
 * if the body is not UTF-8.
 */
export function readResponse(response: HttpResponse, context: ResponseContext): Buffer {
  const { status } = response;
  const body = Buffer.from(response.body.buffer, response.body.byteOffset, response.body.length);
  const problem = utf8Problem(body);
  if (problem !== null) {
    const cause = new TsregError(problem, { code: 'network' });
    throw new TsregError('invalid response body from server', { cause });
  }
  const errors = decodeApiErrors(body);
  if (errors !== null) throw ApiError.withDetails(response, errors, context);
  if (!isSuccess(status)) throw ApiError.withoutDetails(response, body.toString(), context);
  return body;
}
