import { expect, it } from 'vitest';
import { TsregError } from '../../../../src/core/errors/error.ts';
import { ApiError } from '../../../../src/server/http/api-error.ts';
import { AWAY, FORM_UNREADABLE, LISTS_BUSY } from '../../../../src/server/pages/shared/error-page.ts';
import { errorViewOf } from '../../../../src/server/pages/services/error-view-of.ts';
import { TooMuchWork } from '../../../../src/server/shared/paced-work.ts';

it('blames the client for a form that breaks off, and the store for refused credentials', () => {
  expect(errorViewOf(new ApiError(400, 'the body ended too early'))).toBe(FORM_UNREADABLE);
  expect(errorViewOf(new TsregError('the bucket refuses the key', { code: 'auth' }))).toBe(AWAY);
});

it('asks to try again if too many long lists are requested', () => {
  expect(errorViewOf(new TooMuchWork())).toBe(LISTS_BUSY);
});
