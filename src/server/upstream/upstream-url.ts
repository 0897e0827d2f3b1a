/** The URL of the upstream. Cargo Book: Registry Index, Sparse Protocol. */
import { TsregError } from '../../core/errors/error.ts';
import { CRATES_IO_NAME, CRATES_IO_SPARSE_INDEX } from '../../core/package-id/crates-io.ts';

/**
 * Returns the URL of a sparse index, with a trailing slash. `text` is `sparse+https://…/`, with or without the prefix
 * and the slash, or `crates-io`. Throws a usage error.
 */
export function parseUpstreamUrl(text: string): string {
  if (text === CRATES_IO_NAME) return CRATES_IO_SPARSE_INDEX;
  const address = text.replace(/^sparse\+/, '');
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url !== null && (url.username !== '' || url.password !== '')) {
    throw new TsregError(
      '`--upstream` has a user or a password in it: set `TSREG_UPSTREAM_TOKEN` to a token instead',
      { code: 'usage' },
    );
  }
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw new TsregError(
      `\`--upstream ${text}\` is not the address of a sparse index: expected \`sparse+https://HOST/PATH/\` or \`${CRATES_IO_NAME}\``,
      { code: 'usage' },
    );
  }
  return url.href.endsWith('/') ? url.href : `${url.href}/`;
}
