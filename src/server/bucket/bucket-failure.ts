/** Errors of an object store, with hints. */
import { TsregError } from '../../core/errors/error.ts';
import type { BucketFault } from './bucket-response.ts';

/** Statuses after which a retry may help. */
export const TRANSIENT: ReadonlySet<number> = new Set([408, 425, 429, 500, 502, 503, 504]);

/** An error response of a store. */
export interface BucketRefusal {
  readonly status: number;
  readonly fault: BucketFault;
  /** Region of the bucket according to the store; null if it did not send one. */
  readonly theirRegion: string | null;
}

/** An action that failed. */
export interface FailedAction {
  /** Verb and preposition for the message, such as `read from`. */
  readonly action: string;
  /** Description for messages. */
  readonly bucket: string;
  readonly region: string;
}

const EXPIRED_KEYS = 'the keys have expired: set new ones';
const UNKNOWN_KEY = 'the store does not know the key: check `AWS_ACCESS_KEY_ID`, or the profile';
const MISSING_RIGHTS =
  'the keys need `s3:ListBucket` on the bucket, and `s3:GetObject`, `s3:PutObject` and `s3:DeleteObject` on what is in ' +
  'it; some stores report a wrong key or a missing bucket in the same way';

/** Hints for codes about the credentials, with any status. Amazon S3 API Reference, Error responses. */
const CREDENTIAL_HINTS: ReadonlyMap<string, string> = new Map([
  ['InvalidAccessKeyId', UNKNOWN_KEY],
  // versitygw's code, with status 404.
  ['XAdminUserNotFound', UNKNOWN_KEY],
  [
    'SignatureDoesNotMatch',
    '`AWS_SECRET_ACCESS_KEY`, or the secret in the profile, does not belong to the access key',
  ],
  ['AccessDenied', MISSING_RIGHTS],
  ['ExpiredToken', EXPIRED_KEYS],
  ['InvalidToken', EXPIRED_KEYS],
  ['TokenRefreshRequired', EXPIRED_KEYS],
]);

/** Hints by the store's error codes. */
const HINTS: ReadonlyMap<string, string> = new Map([
  ...CREDENTIAL_HINTS,
  ['NoSuchBucket', 'create the bucket, or correct its name or `endpoint` in `--storage`'],
  ['RequestTimeTooSkewed', 'the clocks of this machine and of the store differ too much'],
  ['QuotaExceeded', 'the storage quota of the account is used up'],
]);

/** Returns true if a store's error code is about the credentials, so that it may accept other ones. */
export function isCredentialCode(code: string): boolean {
  return CREDENTIAL_HINTS.has(code);
}

/** The region in the message of stores that do not send it in a header. */
const EXPECTED_REGION = /region .* is wrong; expecting ["']([\w-]+)["']/;

/** Returns the error: `auth` if the credentials are refused, `network` if a retry may help, else `config`. */
export function bucketError(
  { status, fault, theirRegion }: BucketRefusal,
  { action, bucket, region }: FailedAction,
): TsregError {
  const reason = [String(status), fault.code, fault.message].filter((part) => part !== '').join(' ');
  const failure = `cannot ${action} ${bucket}: ${reason}`;
  const theirs = theirRegion ?? EXPECTED_REGION.exec(fault.message)?.[1] ?? null;
  if (theirs !== null && /^[\w-]{1,64}$/.test(theirs) && theirs !== region) {
    return new TsregError(`${failure}; it is in the region \`${theirs}\``, {
      code: 'config',
      hint: `add \`region=${theirs}\` to \`--storage\`, or set \`AWS_REGION\``,
    });
  }
  const isRefusal = status === 401 || status === 403;
  const hint = HINTS.get(fault.code) ?? (isRefusal ? MISSING_RIGHTS : null);
  const options = hint === null ? {} : { hint };
  if (isRefusal || isCredentialCode(fault.code)) return new TsregError(failure, { code: 'auth', ...options });
  return new TsregError(failure, { code: TRANSIENT.has(status) ? 'network' : 'config', ...options });
}

/** Returns the error for a store that did not respond. Its code is that of `cause`. */
export function unreachableBucket(bucket: string, cause: unknown): TsregError {
  return new TsregError(`${bucket} cannot be reached`, { cause });
}
