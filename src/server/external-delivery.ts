import { TsregError } from '../core/errors/error.ts';
import type { ServerSettings } from './server-context.ts';
import type { StartOptions } from './start-options.ts';
import type { StaticFiles } from './store/static-records.ts';
import type { Blobs } from './store/blobs.ts';

/** The external delivery: the files that clients do not get from this server itself. */
export interface ExternalDelivery {
  readonly settings: Pick<ServerSettings, 'staticUrl' | 'redirectsDownloads'>;
  /** Empty if `files` is null. */
  readonly staticUrl: string;
  readonly files: StaticFiles | null;
}

type ExternalDeliveryOptions = Pick<StartOptions, 'staticUrl' | 'redirectsDownloads' | 'authRequired'>;

/** Returns the external delivery. Throws `usage` if the store does not support it, or users must authenticate. */
export function externalDeliveryOf(
  { staticUrl: given, redirectsDownloads, authRequired }: ExternalDeliveryOptions,
  { signedUrl, staticFiles }: Blobs,
): ExternalDelivery {
  const refused = (message: string): TsregError => new TsregError(message, { code: 'usage' });
  if (redirectsDownloads && signedUrl === undefined) {
    throw refused('`--download redirect` needs an object store: `--storage s3://BUCKET/PREFIX`');
  }
  if (given === null) return { settings: { redirectsDownloads }, staticUrl: '', files: null };
  if (staticFiles === undefined) {
    throw refused('`--static-url` needs an object store: `--storage s3://BUCKET/PREFIX`');
  }
  if (authRequired) {
    throw refused(
      '`--static-url` cannot be used with `--auth-required`: static files are served without a token',
    );
  }
  const staticUrl = parseStaticUrl(given);
  return { settings: { redirectsDownloads, staticUrl }, staticUrl, files: staticFiles };
}

function parseStaticUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isPlain =
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    url.search + url.hash + url.username + url.password === '';
  if (isPlain && !/[{}]/.test(text)) return url.href.replace(/\/+$/, '');
  throw new TsregError(`\`--static-url ${text}\` is not an address: expected \`https://HOST/PATH\``, {
    code: 'usage',
  });
}
