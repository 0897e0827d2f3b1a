/** The location of a bucket in an S3-compatible store, by URL and by the variables that other programs read too. */
import { TsregError } from '../../core/errors/error.ts';

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The location of a registry's objects. */
export interface BucketLocation {
  readonly bucket: string;
  /** Prefix of the keys of all objects: empty, or with a trailing slash. */
  readonly prefix: string;
  /** Scheme, host and port. */
  readonly origin: string;
  /** Path of a URL before the key, escaped, without a trailing slash. */
  readonly basePath: string;
  readonly region: string;
}

const DEFAULT_REGION = 'us-east-1';
const BUCKET_NAME = /^[a-z0-9][a-z0-9._-]{1,61}[a-z0-9]$/i;
const PREFIX = /^(?:[\w.!*'()-]+\/)*$/;
const REGION = /^[a-z0-9-]{1,64}$/i;
/** Leaves room for the rest of a key, which may have 1024 bytes in S3. */
const MAX_PREFIX_CHARS = 500;

/**
 * Parses `s3://BUCKET/PREFIX?endpoint=URL&region=NAME&path-style=true|false`. Missing values come from
 * `AWS_ENDPOINT_URL_S3` or `AWS_ENDPOINT_URL` and from `AWS_REGION` or `AWS_DEFAULT_REGION`. The default endpoint is
 * Amazon's. Throws `config`, also if the URL contains credentials, and never repeats them.
 */
export function parseBucketLocation(text: string, env: Environment): BucketLocation {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || url.protocol !== 's3:') {
    throw invalid('expected `s3://BUCKET/PREFIX?endpoint=URL&region=NAME`');
  }
  if (url.username !== '' || url.password !== '') {
    throw invalid(
      'keys are not allowed here: tsreg reads them from `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`',
    );
  }
  const bucket = url.hostname;
  if (!BUCKET_NAME.test(bucket) || url.port !== '') throw invalid('the name of the bucket is not valid');
  const prefix = parsePrefix(url.pathname);
  const values = parseParameters(url.searchParams);
  const region = values.region ?? firstNonEmpty(env, ['AWS_REGION', 'AWS_DEFAULT_REGION']) ?? DEFAULT_REGION;
  if (!REGION.test(region)) throw invalid('the name of the region is not valid');
  const endpointUrl = values.endpoint ?? firstNonEmpty(env, ['AWS_ENDPOINT_URL_S3', 'AWS_ENDPOINT_URL']);
  const endpoint = endpointUrl === null ? null : parseEndpoint(endpointUrl);
  const host = endpoint ?? new URL(`https://s3.${region}.${domainOf(region)}`);
  // With a dot, the name of the host would not match the certificate of Amazon's hosts.
  const isPathStyle = values.isPathStyle ?? (endpoint !== null || bucket.includes('.'));
  const path = host.pathname.replace(/\/+$/, '');
  return {
    bucket,
    prefix,
    region,
    origin: isPathStyle ? host.origin : `${host.protocol}//${bucket}.${host.host}`,
    basePath: isPathStyle ? `${path}/${bucket}` : path,
  };
}

/** The values after the `?`; null for missing ones. */
interface Parameters {
  readonly endpoint: string | null;
  readonly region: string | null;
  readonly isPathStyle: boolean | null;
}

/** Throws `config` for unknown and repeated parameters. */
function parseParameters(search: URLSearchParams): Parameters {
  const allowed = ['endpoint', 'region', 'path-style'];
  for (const name of search.keys()) {
    if (!allowed.includes(name) || search.getAll(name).length > 1) {
      throw invalid(
        `expected each of \`${allowed.join('`, `')}\` at most once and nothing else after the \`?\``,
      );
    }
  }
  const pathStyle = search.get('path-style');
  if (pathStyle !== null && pathStyle !== 'true' && pathStyle !== 'false') {
    throw invalid('`path-style` must be `true` or `false`');
  }
  return {
    endpoint: search.get('endpoint'),
    region: search.get('region'),
    isPathStyle: pathStyle === null ? null : pathStyle === 'true',
  };
}

function parsePrefix(pathname: string): string {
  const path = pathname.replace(/^\/+|\/+$/g, '');
  const prefix = path === '' ? '' : `${path}/`;
  const hasDots = prefix.split('/').some((part) => part === '.' || part === '..');
  if (!PREFIX.test(prefix) || hasDots || prefix.length > MAX_PREFIX_CHARS) {
    throw invalid('a prefix may contain only letters, digits, `-`, `_`, `.` and single slashes');
  }
  return prefix;
}

function parseEndpoint(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '') {
    throw invalid('the endpoint is not an address: expected `https://HOST`');
  }
  if (url.username !== '' || url.password !== '') throw invalid('the endpoint must not contain credentials');
  return url;
}

/** Returns Amazon's domain for a region: regions in China have their own. */
function domainOf(region: string): string {
  return region.startsWith('cn-') ? 'amazonaws.com.cn' : 'amazonaws.com';
}

/** Returns the value of the first of these variables that is set and not empty. */
function firstNonEmpty(env: Environment, names: readonly string[]): string | null {
  for (const name of names) {
    const value = env[name];
    if (value !== undefined && value !== '') return value;
  }
  return null;
}

function invalid(reason: string): TsregError {
  return new TsregError(`the address of the object store (\`--storage\`) cannot be used: ${reason}`, {
    code: 'config',
  });
}
