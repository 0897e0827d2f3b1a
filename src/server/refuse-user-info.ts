import { TsregError } from '../core/errors/error.ts';

/** Throws `usage` for a URL with a user or a password, which the message does not show. `flag` names its option. */
export function refuseUserInfo(url: URL | null, flag: string): void {
  if (url === null || (url.username === '' && url.password === '')) return;
  throw new TsregError(`\`${flag}\` has a user or a password in it`, { code: 'usage' });
}
