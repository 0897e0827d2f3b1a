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
export interface BucketDeed {
  /** Verb and preposition for the message, such as `read from`. */
  readonly deed: string;
  /** Description for messages. */
  readonly bucket: string;
  readonly region: string;
}

const NEW_KEYS = 'the keys have expired: set new ones';
const UNKNOWN_KEY = 'the store does not know the key: check `AWS_ACCESS_KEY_ID`, or the profile';
const RIGHTS =
  'the keys need `s3:ListBucket` on the bucket, and `s3:GetObject`, `s3:PutObject` and `s3:DeleteObject` on what is in ' +
  'it; some stores report a wrong key or a missing bucket in the same way';
const CLOCK = 'the clocks of this machine and of the store differ too much';

/** Hints by the store's error codes. */
const HINTS: Readonly<Record<string, string>> = {
  NoSuchBucket: 'create the bucket, or correct its name or `endpoint` in `--storage`',
  InvalidAccessKeyId: UNKNOWN_KEY,
  // versitygw's code, with status 404.
  XAdminUserNotFound: UNKNOWN_KEY,
  SignatureDoesNotMatch:
    '`AWS_SECRET_ACCESS_KEY`, or the secret in the profile, does not belong to the access key',
  AccessDenied: RIGHTS,
  ExpiredToken: NEW_KEYS,
  InvalidToken: NEW_KEYS,
  TokenRefreshRequired: NEW_KEYS,
  RequestTimeTooSkewed: CLOCK,
  QuotaExceeded: 'the storage quota of the account is used up',
};

/** Codes about the credentials, with any status. */
const OF_KEYS = new Set([
  ...['InvalidAccessKeyId', 'XAdminUserNotFound', 'SignatureDoesNotMatch', 'AccessDenied'],
  ...['ExpiredToken', 'InvalidToken', 'TokenRefreshRequired'],
]);

/** Returns true if the error is about the credentials, so that other ones may be accepted. */
export function isAboutKeys(code: string): boolean {
  return OF_KEYS.has(code);
}

/** The region in the message of stores that do not send it in a header. */
const EXPECTED_REGION = /region .* is wrong; expecting ["']([\w-]+)["']/;

/** Returns the error: `auth` if the credentials are refused, `network` if a retry may help, else `config`. */
export function refusedByBucket(
  { status, fault, theirRegion }: BucketRefusal,
  { deed, bucket, region }: BucketDeed,
): TsregError {
  const words = [String(status), fault.code, fault.message].filter((part) => part !== '').join(' ');
  const failure = `cannot ${deed} ${bucket}: ${words}`;
  const theirs = theirRegion ?? EXPECTED_REGION.exec(fault.message)?.[1] ?? null;
  if (theirs !== null && /^[\w-]{1,64}$/.test(theirs) && theirs !== region) {
    return new TsregError(`${failure}; it is in the region \`${theirs}\``, {
      code: 'config',
      hint: `add \`region=${theirs}\` to \`--storage\`, or set \`AWS_REGION\``,
    });
  }
  const isRefusal = status === 401 || status === 403;
  const hint = HINTS[fault.code] ?? (isRefusal ? RIGHTS : null);
  const code = isRefusal || isAboutKeys(fault.code) ? 'auth' : TRANSIENT.has(status) ? 'network' : 'config';
  return new TsregError(failure, { code, ...(hint === null ? {} : { hint }) });
}

/** Returns the error for a store that did not respond. */
export function unreachableBucket(bucket: string, cause: unknown): TsregError {
  return new TsregError(`${bucket} cannot be reached`, { cause });
}
