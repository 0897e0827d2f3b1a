/** Which tokens can be sent. */
import type { Secret } from '../config/secret.ts';
import { TsregError } from '../errors/error.ts';

/** Fails unless `token` can stand in a header: a line break in it would be the start of another one. */
export function checkToken(token: Secret): void {
  const text = token.expose();
  if (text === '') throw new TsregError('please provide a non-empty token', { code: 'auth' });
  if (/^[\t\x20-\x7e]+$/.test(text)) return;
  throw new TsregError(
    'token contains invalid characters.\nOnly printable ISO-8859-1 characters are allowed as it is sent in a HTTPS header.',
    { code: 'auth' },
  );
}
