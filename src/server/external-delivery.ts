import { TsregError } from '../core/errors/error.ts';
import { refuseUserInfo } from './refuse-user-info.ts';
import type { DeliveryOptions } from './start-options.ts';
import type { StaticFiles } from './store/static-records.ts';
import type { Blobs } from './store/blobs.ts';

/** The checked external delivery: the files that clients do not get from this server itself. */
export type ExternalDelivery = { readonly redirectsDownloads: boolean } & (
  | {
      /** URL of the static files, without a trailing slash. */
      readonly staticUrl: string;
      readonly files: StaticFiles;
    }
  | { readonly staticUrl: null; readonly files: null }
);

/** Returns the external delivery. Throws `usage` if the store does not support it, or users must authenticate. */
export function externalDeliveryOf(
  { staticUrl, redirectsDownloads, authRequired }: DeliveryOptions & { readonly authRequired: boolean },
  { signedUrl, staticFiles }: Blobs,
): ExternalDelivery {
  if (redirectsDownloads && signedUrl === undefined) {
    throw usageError('`--download redirect` needs an object store: `--storage s3://BUCKET/PREFIX`');
  }
  if (staticUrl === null) return { redirectsDownloads, staticUrl, files: null };
  if (staticFiles === undefined) {
    throw usageError('`--static-url` needs an object store: `--storage s3://BUCKET/PREFIX`');
  }
  if (authRequired) {
    throw usageError(
      '`--static-url` cannot be used with `--auth-required`: static files are served without a token',
    );
  }
  return { redirectsDownloads, staticUrl: parseStaticUrl(staticUrl), files: staticFiles };
}

/** Returns the URL without slashes at its end. `dl` in `config.json` replaces text in braces, so it may have none. */
function parseStaticUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  refuseUserInfo(url, '--static-url');
  const hasOnlyPath = url !== null && /^https?:$/.test(url.protocol) && url.search + url.hash === '';
  if (hasOnlyPath && !/[{}]/.test(text)) return url.href.replace(/\/+$/, '');
  throw usageError(`\`--static-url ${text}\` is not an address: expected \`https://HOST/PATH\``);
}

function usageError(message: string): TsregError {
  return new TsregError(message, { code: 'usage' });
}
